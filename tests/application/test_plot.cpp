/// `dns plot`: what it refuses before any script runs. What it draws is tested in tests/scripts.
#include <filesystem>

#include "tests/application/run_test.hpp"

namespace dns::testing::test_plot {
namespace {

class Plot : public RunTest {};

TEST_F(Plot, wrong_usage_ends_with_2) {
  EXPECT_EQ(run_dns({"plot"}).exit_code, 2);
  const Outcome misspelt = run_dns({"plot", path("run"), "--setp", "1"});
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_NE(misspelt.err.find("did you mean '--step'"), std::string::npos) << misspelt.err;
}

TEST_F(Plot, without_python_it_says_what_to_type) {
  Surroundings surroundings;
  surroundings.environment = {{"PATH", path("empty")}};
  const Outcome plot = run_dns({"plot", path("run")}, surroundings);
  EXPECT_EQ(plot.exit_code, 3) << plot.err;
  EXPECT_NE(plot.err.find("apt-get install python3-h5py python3-matplotlib"), std::string::npos)
      << plot.err;
}

/// The script of a memory killer, or of a module that crashes.
TEST_F(Plot, a_script_that_a_signal_ends_is_told_with_3) {
  std::filesystem::create_directory(path("bin"));
  write("bin/python3", "#!/bin/sh\nkill -KILL $$\n");
  std::filesystem::permissions(path("bin/python3"), std::filesystem::perms::owner_all);
  Surroundings surroundings;
  surroundings.environment = {{"PATH", path("bin") + ":/usr/bin:/bin"}};
  const Outcome plot = run_dns({"plot", path("run")}, surroundings);
  EXPECT_EQ(plot.exit_code, 3) << plot.err;
  EXPECT_NE(plot.err.find("plot_run.py was ended by signal 9 (Killed)"), std::string::npos)
      << plot.err;
}

TEST_F(Plot, its_exit_code_does_not_depend_on_a_parent_that_ignores_SIGCHLD) {
  Surroundings surroundings;
  surroundings.ignores_ends_of_children = true;
  const Outcome plot = run_dns({"plot", path("nothing")}, surroundings);
  EXPECT_EQ(plot.exit_code, 3) << plot.err;
}

}  // namespace
}  // namespace dns::testing::test_plot
