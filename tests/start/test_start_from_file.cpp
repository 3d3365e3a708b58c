/// Scheme projection: a flow that starts from a snapshot or a checkpoint.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/start/initial_state.hpp"

namespace dns {
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

class StartFromFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "dns_start_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    base = parse_case(yaml, "case.yaml", {});
    base.output.directory = folder;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

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
    resolved.initial.file = folder + "/" + name;
    return initial_state(resolved);
  }
  [[nodiscard]] std::string message_of(Case resolved, const std::string& name) const {
    resolved.initial.file = folder + "/" + name;
    try {
      initial_state(resolved);
    } catch (const CaseError& error) {
      return error.what();
    }
    return "";
  }

  std::string folder;
  Case base;
};

TEST_F(StartFromFile, interpolates_the_centres_of_a_snapshot_to_faces) {
  write_snapshot(folder, linear_flow(), base, "a device");
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
  base.device = DeviceChoice::cpu;
  base.run.threads = 1;
  base.initial.velocity[0] = Expression("y*(1-y)*(1+0.1*sin(2*pi*x/4))");
  const auto simulation = make_simulation(base);
  simulation->set_state(initial_state(base));
  simulation->advance();
  FlowState state = simulation->allocate_state(CopyPurpose::restart);
  simulation->copy_state(state, CopyPurpose::restart);
  write_checkpoint(folder, state, to_yaml(base), 1);
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

TEST_F(StartFromFile, refuses_a_file_of_other_cells) {
  write_snapshot(folder, linear_flow(), base, "a device");
  Case other = base;
  other.grid.stretching[1].factor = 1.6;
  EXPECT_EQ(message_of(other, "fields_00000000.h5"),
            "initial.path is " + folder +
                "/fields_00000000.h5: its cells along y are not those of this case");
}

TEST_F(StartFromFile, refuses_a_snapshot_without_temperature) {
  Case cold = base;
  cold.output.fields.temperature = false;
  write_snapshot(folder, linear_flow(), cold, "a device");
  EXPECT_EQ(message_of(base, "fields_00000000.h5"),
            "initial.path is " + folder +
                "/fields_00000000.h5: the flow to start from has no field temperature");
}

}  // namespace
}  // namespace dns
