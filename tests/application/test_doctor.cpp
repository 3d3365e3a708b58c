/// `dns doctor`: what is there, and what to do about what is not.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cpu/cpu_facts.hpp"
#include "solver/core/device_facts.hpp"
#include "solver/core/version.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing::test_doctor {
namespace {

class Doctor : public RunTest {
 protected:
  /// One finding of `dns doctor --json`.
  static YAML::Node finding(const std::string& name, const Surroundings& surroundings = {}) {
    const Outcome doctor = run_dns({"doctor", "--json"}, surroundings);
    for (const YAML::Node& item : YAML::Load(doctor.out)["findings"]) {
      if (item["name"].as<std::string>() == name) return item;
    }
    ADD_FAILURE() << "no finding " << name << " in " << doctor.out << doctor.err;
    return {};
  }
  static std::string found(const std::string& name, const Surroundings& surroundings = {}) {
    return finding(name, surroundings)["found"].as<std::string>();
  }
  static std::string cure(const std::string& name, const Surroundings& surroundings = {}) {
    return finding(name, surroundings)["cure"].as<std::string>();
  }
  static Surroundings with(const std::string& variable, const std::string& value) {
    Surroundings surroundings;
    surroundings.environment = {{variable, value}};
    return surroundings;
  }
};

TEST_F(Doctor, a_machine_that_runs_the_tests_can_run) {
  const Outcome doctor = run_dns({"doctor"});
  EXPECT_EQ(doctor.exit_code, 0) << doctor.out;
  for (const char* name : {"build",
                           "processor",
                           "threads",
                           "memory",
                           "disk",
                           "folder",
                           "GPU",
                           "FFTW",
                           "OpenBLAS",
                           "HDF5",
                           "libpng",
                           "Python",
                           "ParaView"}) {
    EXPECT_NE(("\n" + doctor.out).find(std::string("\n") + name + " "), std::string::npos) << name;
  }
  EXPECT_NE(doctor.out.find("dns can run here"), std::string::npos);
}

TEST_F(Doctor, the_build_is_this_one) {
  EXPECT_NE(run_dns({"--version"}).out.find(found("build").substr(0, version().size())),
            std::string::npos);
  EXPECT_EQ(cure("build"), "");
}

TEST_F(Doctor, the_processor_is_named_with_what_the_loops_were_built_for) {
  std::string built_for = vectors_in_words(built_for_vectors());
  const std::string level = engine_level();
  if (!level.empty()) built_for = level + " (" + built_for + ")";
  EXPECT_TRUE(found("processor").ends_with("; built for " + built_for)) << found("processor");
}

TEST_F(Doctor, json_tells_whether_a_run_is_possible) {
  EXPECT_EQ(json_member(run_dns({"doctor", "--json"}).out, "can_run"), "true");
}

TEST_F(Doctor, more_threads_than_cores_are_told_with_the_number_to_set) {
  const Surroundings many = with("OMP_NUM_THREADS", "100000");
  EXPECT_NE(found("threads", many).find("OMP_NUM_THREADS=100000"), std::string::npos);
  EXPECT_NE(cure("threads", many).find("OMP_NUM_THREADS="), std::string::npos);
  Surroundings one = with("OMP_NUM_THREADS", "1");
  EXPECT_EQ(cure("threads", one), "");
}

/// Also after the program has started itself anew, as it does unless it is told how to wait.
TEST_F(Doctor, threads_that_openmp_binds_have_all_cores_of_its_places) {
  const std::string unbound = found("processor");
  Surroundings bound;
  bound.environment = {{"OMP_PROC_BIND", "close"}, {"OMP_PLACES", "cores"}};
  EXPECT_EQ(found("processor", bound), unbound);
  const std::string command =
      "env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT OMP_PROC_BIND=close OMP_PLACES=cores " DNS_PROGRAM
      " doctor > " +
      path("doctor");
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_NE(text_of(path("doctor")).find(unbound), std::string::npos) << text_of(path("doctor"));
}

TEST_F(Doctor, missing_programs_have_a_cure) {
  const Surroundings nothing = with("PATH", path("empty"));
  EXPECT_NE(cure("Python", nothing).find("matplotlib"), std::string::npos);
  EXPECT_NE(cure("ParaView", nothing).find("paraview"), std::string::npos);
  EXPECT_EQ(run_dns({"doctor"}, nothing).exit_code, 0);  // runs need neither
}

TEST_F(Doctor, a_program_on_the_path_is_found) {
  write("paraview", "#!/bin/sh\n");
  std::filesystem::permissions(path("paraview"), std::filesystem::perms::owner_all);
  const Surroundings here = with("PATH", path(""));
  EXPECT_EQ(found("ParaView", here), path("paraview"));
  EXPECT_EQ(cure("ParaView", here), "");
}

TEST_F(Doctor, a_machine_can_run_on_what_has_no_obstacle) {
  DeviceFacts facts;
  EXPECT_EQ(usable_devices(facts), "the CPU");
  facts.cpu_obstacle = "another processor";
  EXPECT_EQ(usable_devices(facts), "");  // exit code 5
  facts.cuda.gpus = {{"old", "3.5", 0, "no code for it"}};
  EXPECT_EQ(usable_devices(facts), "");
  facts.cuda.gpus.push_back({"new", "9.0", 0, ""});
  EXPECT_EQ(usable_devices(facts), "a GPU");
  facts.cpu_obstacle.clear();
  EXPECT_EQ(usable_devices(facts), "a GPU or the CPU");
}

TEST_F(Doctor, a_gpu_that_can_be_used_is_named_on_cuda) {
  if (!has_gpu()) GTEST_SKIP() << no_gpu();
  EXPECT_NE(found("GPU").find("compute capability"), std::string::npos);
  EXPECT_EQ(cure("GPU"), "");
  EXPECT_EQ(cure("cuFFT"), "");
  EXPECT_EQ(cure("cuBLAS"), "");
}

}  // namespace
}  // namespace dns::testing::test_doctor
