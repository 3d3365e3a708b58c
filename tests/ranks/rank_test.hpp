/// What tests of whole runs on several ranks share.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "solver/ranks/mpi.hpp"
#include "tests/application/run_test.hpp"
#include "tests/ranks/rank_cases.hpp"

namespace dns::testing {

/// Skipped where there is no MPI; scripts/skipped knows the words.
class RankTest : public RunTest {
 protected:
  void SetUp() override {
    const std::string obstacle = mpi_facts().obstacle;
    if (!obstacle.empty()) GTEST_SKIP() << "no MPI: " << obstacle;
#ifdef __SANITIZE_ADDRESS__
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // MPI leaks; for what this process starts
#endif
  }

  /// mpirun with that many ranks, whatever the cores.
  static Surroundings on(int ranks) {
    return {.launcher = {"mpirun", "-n", std::to_string(ranks)}};
  }

  /// A run of the case into the folder `name`; fails unless it ends with 0.
  void run_on(int ranks,
              const NamedCase& named,
              const std::string& name,
              const std::vector<std::string>& more = {}) const {
    write("case.yaml", named.yaml);
    const Outcome run =
        Process(run_into(name, more), ranks == 1 ? Surroundings{} : on(ranks)).wait();
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
};

}  // namespace dns::testing
