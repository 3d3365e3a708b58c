/// A flow that starts from a snapshot or a checkpoint.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/start/initial_state.hpp"
#include "solver/start/start_in_words.hpp"
#include "tests/compare_states.hpp"
#include "tests/message_of.hpp"
#include "tests/output/output_testing.hpp"

namespace dns::test_start_from_file {
namespace {

const std::string yaml = R"(scheme: projection
grid:
  points: [7, 6, 5]
  stretching: {x: {coordinates: [0, 0.25, 0.5, 0.75, 1, 2, 3, 4]}, y: {type: tanh, factor: 1.5}}
fluid: {reynolds: 10, prandtl: 1}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, temperature: 0}
  z: periodic
time: {step: 0.01, steps: 3}
output: {fields: {precision: double}}
)";

const std::string splitting_yaml = R"yaml(scheme: splitting
grid: {points: [7, 6, 5], length: [4, 1, 1]}
fluid: {reynolds: 10, prandtl: 1}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, temperature: 2}
  z: periodic
initial: {velocity: ["y*(1-y)*(1+0.1*sin(2*pi*x/4))", "0.1*sin(2*pi*z)", "0.3"], temperature: "1+y"
}
time: {step: 0.01, steps: 3}
)yaml";

class StartFromFile : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    use_case(yaml);
  }

  void use_case(const std::string& text) {
    base = parse_case(text, "case.yaml", {});
    base.output.directory = folder();
    base.device = DeviceChoice::cpu;
    base.run.threads = 1;
  }

  /// The flow after the first step.
  [[nodiscard]] FlowState stepped_flow(CopyPurpose purpose) const {
    const auto simulation = make_simulation(base);
    simulation->set_state(initial_state(base));
    simulation->advance();
    FlowState state = simulation->allocate_state(purpose);
    simulation->copy_state(state, purpose);
    return state;
  }

  /// A copy for viewing that is linear in x, y and z.
  [[nodiscard]] FlowState linear_flow() const {
    const StaggeredGrid grid = staggered_grid(base);
    const Extents n = base.grid.points;
    FlowState state;
    for (const std::string_view name :
         {velocity_x_name, velocity_y_name, velocity_z_name, temperature_name, pressure_name}) {
      HostField& field =
          state.fields.emplace_back(std::string(name), n, Precision::double_precision);
      auto value = field.values<double>().begin();
      for (int k = 0; k < n.nz; ++k) {
        for (int j = 0; j < n.ny; ++j) {
          for (int i = 0; i < n.nx; ++i)
            *value++ = linear(grid[0].centre(i), grid[1].centre(j), grid[2].centre(k));
        }
      }
    }
    return state;
  }
  static double linear(double x, double y, double z) { return 1 + 2 * x - 3 * y + 5 * z; }

  [[nodiscard]] FlowState started_from(const std::string& name) const {
    Case resolved = base;
    resolved.initial.file = folder() + "/" + name;
    return initial_state(resolved);
  }
  [[nodiscard]] std::string message_of(Case resolved, const std::string& name) const {
    resolved.initial.file = folder() + "/" + name;
    return dns::message_of<CaseError>([&] { return initial_state(resolved); });
  }

  Case base;
};

TEST_F(StartFromFile, interpolates_the_centres_of_a_snapshot_to_faces) {
  write_snapshot(folder(), linear_flow(), base, "a device", to_yaml(base));
  const FlowState state = started_from("fields_00000000.h5");
  ASSERT_EQ(state.fields.size(), 4U);
  const StaggeredGrid grid = staggered_grid(base);
  const auto at = [](int i, int j, int k) { return static_cast<std::size_t>((k * 6 + j) * 7 + i); };
  for (int i = 1; i < 7; ++i) {
    EXPECT_NEAR(state.fields[0].values<double>()[at(i, 2, 3)],
                linear(grid[0].face(i), grid[1].centre(2), grid[2].centre(3)),
                1e-13);
  }
  for (int j = 1; j < 6; ++j) {
    EXPECT_NEAR(state.fields[1].values<double>()[at(4, j, 3)],
                linear(grid[0].centre(4), grid[1].face(j), grid[2].centre(3)),
                1e-13);
  }
  // Face 0 of the periodic axis x lies between the last cell, of width 1, and the first, of 1/4.
  const double first = linear(0.125, grid[1].centre(2), grid[2].centre(3));
  const double last = linear(3.5, grid[1].centre(2), grid[2].centre(3));
  EXPECT_NEAR(state.fields[0].values<double>()[at(0, 2, 3)], 0.2 * last + 0.8 * first, 1e-13);
  EXPECT_EQ(state.fields[3].values<double>()[at(4, 5, 3)],
            linear(grid[0].centre(4), grid[1].centre(5), grid[2].centre(3)));
}

TEST_F(StartFromFile, takes_the_faces_of_a_checkpoint_as_they_are) {
  base.initial.velocity[0] = Expression("y*(1-y)*(1+0.1*sin(2*pi*x/4))");
  const FlowState state = stepped_flow(CopyPurpose::restart);
  write_checkpoint(folder(), state, to_yaml(base), 1);
  const FlowState again = started_from("checkpoint_00000001.h5");
  EXPECT_EQ(again.step, 0);
  ASSERT_EQ(again.fields.size(), 4U);
  for (const HostField& field : again.fields) EXPECT_EQ(field.extents(), base.grid.points);
  const auto stored = state.fields[0].values<double>();
  EXPECT_EQ(state.fields[0].name(), velocity_x_name);
  const auto value = again.fields[0].values<double>()[(4 * 6 + 3) * 7 + 2];
  EXPECT_NE(value, 0);
  EXPECT_EQ(value, stored[(5 * 8 + 4) * 9 + 3]);
}

TEST_F(StartFromFile, takes_the_nodes_of_a_checkpoint_of_splitting_bit_for_bit) {
  use_case(splitting_yaml);
  FlowState state = stepped_flow(CopyPurpose::restart);
  ASSERT_EQ(state.step, 1);
  write_checkpoint(folder(), state, to_yaml(base), 1);
  state.step = 0;
  state.time = 0;
  state.numbers.clear();  // of its last step
  EXPECT_TRUE(same_bits(started_from("checkpoint_00000001.h5"), state));
}

TEST_F(StartFromFile, takes_the_nodes_of_a_snapshot_of_splitting_in_its_precision) {
  use_case(splitting_yaml);
  FlowState state = stepped_flow(CopyPurpose::viewing);
  base.output.fields.precision = Precision::double_precision;
  write_snapshot(folder(), state, base, "a device", to_yaml(base));
  state.step = 0;
  state.time = 0;
  EXPECT_TRUE(same_bits(started_from("fields_00000001.h5"), state));
  base.output.fields.precision = Precision::single_precision;
  write_snapshot(folder(), state, base, "a device", to_yaml(base));
  for (HostField& field : state.fields) {
    for (double& value : field.values<double>()) value = static_cast<float>(value);
  }
  EXPECT_TRUE(same_bits(started_from("fields_00000000.h5"), state));
}

TEST_F(StartFromFile, interpolates_centres_to_faces_of_the_same_cells_with_the_same_bits) {
  write_snapshot(folder(), linear_flow(), base, "a device", to_yaml(base));
  const FlowState state = started_from("fields_00000000.h5");
  const StaggeredAxis along = staggered_grid(base)[1];
  const HostField centres = linear_flow().fields[1];
  const auto from = centres.values<double>();
  const auto to = state.fields[1].values<double>();
  for (std::size_t n = 0; n < to.size(); ++n) {
    const auto j = static_cast<int>(n / 7 % 6);
    const double below = j > 0 ? along.width(j - 1) : 0;
    const double wanted =
        j > 0 ? (along.width(j) * from[n - 7] + below * from[n]) / (below + along.width(j))
              : from[n];
    ASSERT_EQ(to[n], wanted) << n;
  }
}

TEST_F(StartFromFile, says_what_it_starts_from) {
  write_snapshot(folder(), linear_flow(), base, "a device", to_yaml(base));
  write_checkpoint(folder(), stepped_flow(CopyPurpose::restart), to_yaml(base), 1);
  const auto lines = [&](const std::string& name) {
    Case resolved = base;
    resolved.initial.file = folder() + "/" + name;
    return start_in_words(resolved);
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(lines("fields_00000000.h5"),
            (Lines{"snapshot " + folder() + "/fields_00000000.h5: step 0, t = 0",
                   "the same 7 x 6 x 5 cells, velocity from centres to faces (linear); divergence "
                   "removed"}));
  EXPECT_EQ(lines("checkpoint_00000001.h5"),
            (Lines{"checkpoint " + folder() + "/checkpoint_00000001.h5: step 1, t = 0.01",
                   "the same 7 x 6 x 5 cells, values as they are; divergence removed"}));
  use_case(splitting_yaml);
  EXPECT_EQ(lines("checkpoint_00000001.h5")[1],
            "7 x 6 x 5 cells of scheme projection interpolated to 7 x 6 x 5 nodes (cubic)");
}

TEST_F(StartFromFile, refuses_what_holds_no_flow) {
  const auto file = [&](const std::string& name) {
    return "initial.path: " + folder() + "/" + name;
  };
  const std::string rule = ", but must be a snapshot, a checkpoint or plain datasets of a flow";
  EXPECT_EQ(message_of(base, "none.h5"), file("none.h5") + " is not there" + rule);
  EXPECT_EQ(message_of(base, ""), file("") + " is a folder" + rule);
  std::ofstream(folder() + "/text.h5") << "hello";
  EXPECT_EQ(message_of(base, "text.h5"), file("text.h5") + " is no HDF5 file" + rule);
  {
    Hdf5File averages = Hdf5File::create(folder() + "/statistics.h5", Hdf5Format::checksummed);
    averages.write_text("format", "dns statistics");
    averages.close();
  }
  EXPECT_EQ(message_of(base, "statistics.h5"),
            file("statistics.h5") + " is of format \"dns statistics\"" + rule);
  Case still = base;
  std::erase(still.output.fields.variables, "velocity");
  write_snapshot(folder(), linear_flow(), still, "a device", to_yaml(still));
  EXPECT_EQ(message_of(base, "fields_00000000.h5"),
            file("fields_00000000.h5") + " has no dataset velocity");
}

TEST_F(StartFromFile, refuses_variables_that_do_not_fit_their_case) {
  const std::string name = "fields_00000000.h5";
  const std::string dataset = "initial.path: " + folder() + "/" + name + ": dataset ";
  Case turned = base;
  turned.grid.points = {7, 5, 6};
  write_snapshot(folder(), linear_flow(), base, "a device", to_yaml(turned));
  EXPECT_EQ(io_error_of([&] { static_cast<void>(started_from(name)); }),
            dataset +
                "velocity: it holds 7 x 6 x 5 values of 3 components, but by its case must "
                "hold 7 x 5 x 6 of 3");
  write_snapshot(folder(), linear_flow(), base, "a device", to_yaml(base));
  const hid_t file = H5Fopen((folder() + "/" + name).c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "velocity", H5P_DEFAULT);
  EXPECT_GE(H5Lmove(file, "pressure", file, "velocity", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_GE(H5Fclose(file), 0);
  EXPECT_EQ(io_error_of([&] { static_cast<void>(started_from(name)); }),
            dataset +
                "velocity: it holds 7 x 6 x 5 values of 1 components, but by its case must "
                "hold 7 x 6 x 5 of 3");
}

TEST_F(StartFromFile, refuses_a_damaged_file) {
  write_snapshot(folder(), linear_flow(), base, "a device", to_yaml(base));
  const std::string path = folder() + "/fields_00000000.h5";
  const double value = linear_flow().fields.back().values<double>()[100];  // of the pressure too
  std::string content = read_whole(path);
  const std::size_t at = content.find(std::string(reinterpret_cast<const char*>(&value), 8));
  ASSERT_NE(at, std::string::npos);
  content[at] = static_cast<char>(content[at] ^ 1);
  std::ofstream(path, std::ios::binary) << content;
  const std::string message =
      io_error_of([&] { static_cast<void>(started_from("fields_00000000.h5")); });
  EXPECT_EQ(message.find("initial.path: " + path + ": dataset "), 0U) << message;
  EXPECT_NE(message.find("do not match their checksum"), std::string::npos) << message;
}

}  // namespace
}  // namespace dns::test_start_from_file
