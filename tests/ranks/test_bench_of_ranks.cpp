/// `dns bench scaling`: its table, its file, its progress; and the warning of cores that lack.

#include <thread>

#include "solver/run/words.hpp"
#include "tests/ranks/rank_test.hpp"

namespace dns::testing::test_bench_of_ranks {
namespace {

class BenchOfRanks : public RankTest {
 protected:
  static std::vector<std::string> quick(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"bench",
                                   "scaling",
                                   "--points",
                                   "17",
                                   "--device",
                                   "cpu",
                                   "--threads",
                                   "1",
                                   "--precision",
                                   "double"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(BenchOfRanks, scaling_writes_a_line_for_each_measurement_and_says_how_far_it_is) {
  const Outcome bench = Process(quick({"--csv", path("scaling.csv")}), on(2)).wait();
  ASSERT_EQ(bench.exit_code, 0) << bench.err;
  const std::vector<std::string> lines = split(text_of(path("scaling.csv")), '\n');
  ASSERT_EQ(lines.size(), 11U);  // five flows, strong and weak
  EXPECT_EQ(lines[0],
            "flow,device,threads,ranks,precision,nx,ny,nz,scaling,seconds_of_one,seconds,"
            "efficiency,exchange,messages,bytes");
  for (std::size_t n = 1; n < lines.size(); ++n) {
    SCOPED_TRACE(lines[n]);
    EXPECT_NE(bench.err.find(std::to_string(n) + " of 10: "), std::string::npos) << bench.err;
    const std::size_t name_end = lines[n].find("\",");
    ASSERT_NE(name_end, std::string::npos);
    const std::vector<std::string> values = split(lines[n].substr(name_end + 2), ',');
    ASSERT_EQ(values.size(), 14U);
    const bool is_weak = n % 2 == 0;
    EXPECT_EQ(values[6], is_weak ? "16" : "17");  // whole planes for each rank
    EXPECT_EQ(values[7], is_weak ? "weak" : "strong");
    const double one = std::stod(values[8]);
    const double all = std::stod(values[9]);
    EXPECT_GT(one, 0);
    EXPECT_NEAR(std::stod(values[10]), one / all, 1e-3 + 1e-5 * one / all);  // digits written
    EXPECT_GT(std::stod(values[13]), 0);
  }
}

TEST_F(BenchOfRanks, scaling_refuses_slabs_that_are_too_thin) {
  const Outcome bench = Process(quick({}), on(3)).wait();
  EXPECT_EQ(bench.exit_code, 2);
  EXPECT_NE(
      bench.err.find("--points is 17, but must be 24 or more: each of 3 ranks needs 8 planes"),
      std::string::npos)
      << bench.err;
}

TEST_F(BenchOfRanks, scaling_refuses_files_that_it_does_not_write) {
  const Outcome json = Process(quick({"--json", path("scaling.json")}), on(2)).wait();
  EXPECT_EQ(json.exit_code, 2);
  const Outcome nowhere = Process(quick({"--csv", path("none/scaling.csv")}), on(2)).wait();
  EXPECT_EQ(nowhere.exit_code, 3) << nowhere.err;
}

/// As Open MPI does by itself where there are at most two ranks.
TEST_F(BenchOfRanks, ranks_that_are_bound_to_a_core_each_are_warned_of) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one core";
  const Surroundings bound{.launcher = {"mpirun", "--bind-to", "core", "-n", "2"}};
  if (Process({"--version"}, bound).wait().exit_code != 0)
    GTEST_SKIP() << "one core: mpirun cannot bind two ranks to one each";
  const std::string cure = "of " + std::to_string(std::thread::hardware_concurrency()) +
                           " cores, to which the launcher has bound it; mpirun --bind-to none";
  const Outcome bench =
      Process({"bench", "scaling", "--points", "17", "--device", "cpu", "--threads", "2"}, bound)
          .wait();
  EXPECT_EQ(bench.exit_code, 0);
  EXPECT_NE(bench.err.find(cure), std::string::npos) << bench.err;
  write("case.yaml", projection_walls.yaml);
  const Outcome run = Process(run_into("run", {"--threads", "2"}), bound).wait();
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find(cure), std::string::npos) << run.err;
}

}  // namespace
}  // namespace dns::testing::test_bench_of_ranks
