/// What a valid case file becomes.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_load_case {
namespace {

Case read(const std::string& from, const std::string& to) {
  return parse_case(edited_case(from, to), "case.yaml", {});
}

TEST(case_file, without_optional_keys_gets_the_defaults) {
  const Case base = parse_case(valid_case, "case.yaml", {});
  EXPECT_EQ(base.name, "base");
  EXPECT_EQ(base.scheme, Scheme::splitting);
  EXPECT_EQ(base.device, DeviceChoice::automatic);
  EXPECT_EQ(base.precision, Precision::double_precision);
  EXPECT_EQ(base.grid.points, (Extents{8, 9, 10}));
  EXPECT_EQ(base.grid.length, (PerAxis<double>{1, 1, 1}));
  EXPECT_EQ(base.grid.origin, (PerAxis<double>{0, 0, 0}));
  EXPECT_EQ(base.fluid.heat_capacity_ratio, 1.4);
  EXPECT_EQ(base.initial.temperature(0, 0, 0, 0), 1);
  EXPECT_EQ(base.initial.velocity[0](0, 0, 0, 0), 0);
  EXPECT_FALSE(base.initial.file);
  EXPECT_EQ(base.initial.noise.amplitude, 0);
  EXPECT_EQ(base.initial.noise.seed, 1U);
  EXPECT_EQ(base.time.step, 0.01);
  EXPECT_EQ(base.time.steps, 5);
  EXPECT_FALSE(base.time.end);
  EXPECT_EQ(base.time.global_iterations, 1);
  EXPECT_EQ(base.time.local_iterations, 1);
  EXPECT_EQ(base.output.directory, "runs/case");  // of the file, whatever `case` is
  EXPECT_EQ(base.output.fields.every, 0);
  EXPECT_EQ(base.output.fields.precision, Precision::single_precision);
  EXPECT_TRUE(base.output.fields.has("velocity"));
  EXPECT_TRUE(base.output.fields.has("temperature"));
  EXPECT_EQ(base.output.timeseries_every, 1);
  EXPECT_EQ(base.output.checkpoint_every, 0);
  EXPECT_EQ(base.output.checkpoint_keep, 2);
  EXPECT_TRUE(base.output.checkpoint_final);
  EXPECT_FALSE(base.run.wall_time_limit);
  EXPECT_EQ(base.run.threads, 0);
}

/// Programs of Windows put it before UTF-8.
TEST(case_file, and_text_files_may_begin_with_a_byte_order_mark) {
  const std::string mark = "\xef\xbb\xbf";
  const std::string folder = testing::TempDir();
  const std::string faces = folder + "/dns_marked_faces.txt";
  std::ofstream(faces) << mark << "0\n0.25\n0.5\n1.5\n2\n";
  const std::string path = folder + "/dns_marked_case.yaml";
  std::ofstream(path) << mark
                      << edited_case(
                             "points: [8, 9, 4]",
                             "points: [4, 9, 4]\n  stretching: {x: {coordinates: " + faces + "}}",
                             valid_projection);
  const Case marked = load_case(path, {});
  EXPECT_EQ(marked.grid.stretching[0].coordinates, (std::vector<double>{0, 0.25, 0.5, 1.5, 2}));
  std::filesystem::remove(path);
  std::filesystem::remove(faces);
}

TEST(case_file, gives_each_face_its_conditions) {
  const Case base = read("x_max: {type: outflow}",
                         "x_max: {type: wall, velocity: [0, \"sin(t)\", z], temperature: "
                         "{gradient: \"2*y\"}}");
  EXPECT_EQ(base.faces[face_index(0, false)].kind, FaceKind::inflow);
  EXPECT_EQ(base.faces[face_index(0, false)].velocity[0](0, 0, 0, 0), 1);
  const FaceCase& face = base.faces[face_index(0, true)];
  EXPECT_EQ(face.kind, FaceKind::wall);
  EXPECT_EQ(face.scalars[0].condition, ScalarAtFace::Condition::gradient);
  EXPECT_EQ(face.scalars[0].given(0, 3, 0, 0), 6);
  EXPECT_EQ(face.velocity[2](0, 0, 7, 0), 7);
  EXPECT_TRUE(face.velocity[1].depends_on_time());
  EXPECT_TRUE(base.is_periodic(2));
  EXPECT_FALSE(base.is_periodic(1));
}

TEST(case_file, accepts_a_symmetry_and_an_inflow_with_a_heat_flux) {
  const Case base = read("{type: outflow}", "{type: symmetry}");
  EXPECT_EQ(base.faces[1].kind, FaceKind::symmetry);
  const Case heated = read("velocity: [1, 0, 0], temperature: 1",
                           "velocity: [1, 0, 0], temperature: {gradient: -1}");
  EXPECT_EQ(heated.faces[0].scalars[0].given(0, 0, 0, 0), -1);
}

TEST(case_file, accepts_whole_numbers_in_other_notations) {
  EXPECT_EQ(read("steps: 5", "steps: 1e3").time.steps, 1000);
  EXPECT_EQ(read("steps: 5", "steps: 2.0").time.steps, 2);
  EXPECT_EQ(read("steps: 5", "steps: 0").time.steps, 0);
}

TEST(case_file, with_an_end_takes_the_smallest_number_of_steps_that_reaches_it) {
  EXPECT_EQ(read("steps: 5", "end: 0.1").time.steps, 10);  // 0.1 / 0.01 is not exactly 10
  EXPECT_EQ(read("steps: 5", "end: 0.101").time.steps, 11);
  EXPECT_EQ(read("steps: 5", "end: 0.001").time.steps, 1);
  EXPECT_EQ(read("step: 0.01\n  steps: 5", "step: 0.1\n  end: 0.3").time.steps, 3);
}

TEST(case_file, limits_iterations_by_the_tolerance_or_their_number) {
  const Case fixed = read("steps: 5", "steps: 5\n  global_iterations: 3");
  EXPECT_EQ(fixed.time.max_global_iterations, 3);
  const Case until =
      read("steps: 5", "steps: 5\n  global_tolerance: 1e-6\n  max_global_iterations: 20");
  EXPECT_EQ(until.time.global_tolerance, 1e-6);
  EXPECT_EQ(until.time.max_global_iterations, 20);
}

TEST(case_file, gives_the_wall_time_in_seconds_or_by_the_clock) {
  const auto limit = [](const std::string& text) {
    return read("", "run: {wall_time_limit: " + text + "}").run.wall_time_limit;
  };
  EXPECT_EQ(limit("90"), 90);
  EXPECT_EQ(limit("0.5"), 0.5);
  EXPECT_EQ(limit("\"01:02:03\""), 3723);
  EXPECT_EQ(limit("100:00:00"), 360000);
}

TEST(case_file, starts_from_a_file_with_noise) {
  const Case base =
      read("", "initial: {type: file, path: a b.h5, noise: {amplitude: 0.1, seed: 7}}");
  EXPECT_EQ(base.initial.file, "a b.h5");
  EXPECT_EQ(base.initial.noise.amplitude, 0.1);
  EXPECT_EQ(base.initial.noise.seed, 7U);
}

TEST(case_file, may_leave_a_section_empty) {
  EXPECT_EQ(messages_of(edited_case("", "output:\n  fields:\nrun:\n")), "");
}

TEST(case_file, may_be_written_on_windows) {
  std::string yaml;
  for (const char c : valid_case) yaml += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(messages_of("\xef\xbb\xbf" + yaml), "");
}

TEST(case_file, that_is_not_there_is_an_input_error) {
  EXPECT_EQ(message_of<IoError>([] { return load_case("no/such/case.yaml", {}); }),
            "no/such/case.yaml: cannot be read: No such file or directory");
}

TEST(case_file, that_is_a_folder_is_wrong_usage) {
  EXPECT_EQ(message_of<CaseError>([] { return load_case(DNS_CONFIGS_FOLDER, {}); }),
            std::string(DNS_CONFIGS_FOLDER) + ": is a folder, not a case file");
}

TEST(case_file, without_an_end_is_refused) {
  EXPECT_THROW(load_case("/dev/zero", {}), CaseError);
}

TEST(case_file, that_is_a_pipe_nobody_writes_to_is_empty) {
  const std::string path = std::filesystem::temp_directory_path() / "dns_test_pipe.yaml";
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string message = message_of<CaseError>([&] { return load_case(path, {}); });
  EXPECT_NE(message.find("the case file is empty"), std::string::npos);
  std::filesystem::remove(path);
}

TEST(case_file, keeps_its_place_in_messages_of_a_loaded_file) {
  const std::string path = std::string(DNS_CONFIGS_FOLDER) + "/lid_cavity.yaml";
  try {
    static_cast<void>(load_case(path, {{"time.end", "1e300", "--set"}}));
    FAIL();
  } catch (const CaseError& error) {
    EXPECT_EQ(error.messages().size(), 1U);
    EXPECT_EQ(error.messages()[0].substr(0, 21), "--set time.end=1e300:");
  }
}

TEST(located_error, has_the_place_of_its_key_in_the_file_or_the_override) {
  const std::string path = ::testing::TempDir() + "located_case.yaml";
  std::ofstream(path) << valid_case;
  const CaseError error(std::vector<std::string>{"boundaries.x_min.velocity: does not fit",
                                                 "boundaries.x_max.temperature: the section",
                                                 "fluid.reynolds: by an override",
                                                 "no key: stays"});
  const CaseError placed = located(error, path, {{"fluid.reynolds", "7", "--set"}});
  EXPECT_EQ(placed.messages(),
            (std::vector<std::string>{path + ":9:25: boundaries.x_min.velocity: does not fit",
                                      path + ":10:3: boundaries.x_max.temperature: the section",
                                      "--set fluid.reynolds=7: fluid.reynolds: by an override",
                                      "no key: stays"}));
}

}  // namespace
}  // namespace dns::test_load_case
