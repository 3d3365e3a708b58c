/// What the tests of files share: a folder of their own, a flow with known values, whole files.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/error.hpp"
#include "solver/core/flow_state.hpp"
#include "tests/message_of.hpp"

namespace dns {

/// A test with an empty folder that is removed after it.
class FolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "dns_test_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string folder() const { return folder_.string(); }
  [[nodiscard]] std::string in_folder(const std::string& name) const {
    return (folder_ / name).string();
  }
  /// Names of everything in the folder.
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      found.insert(entry.path().filename().string());
    return found;
  }

 private:
  std::filesystem::path folder_;
};

inline std::string read_whole(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream) << path;
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write_whole(const std::string& path, const std::string& content) {
  std::ofstream stream(path, std::ios::binary);
  stream << content;
  EXPECT_TRUE(stream.flush()) << path;
}

/// The value of field `number` (0 .. 4) at point (i, j, k): distinct (up to 32 points) and exact in
/// float (below 2^24 quarters).
inline double known_value(int number, int i, int j, int k) {
  return 0.25 * (i + 32 * (j + 32 * (k + 32 * number))) - 1000;
}

/// A flow of known_value(). Odd unequal extents by default.
inline FlowState known_flow(Precision precision,
                            Extents extents = {7, 5, 3},
                            const std::vector<std::string_view>& variables = {velocity_x_name,
                                                                              velocity_y_name,
                                                                              velocity_z_name,
                                                                              temperature_name}) {
  FlowState state;
  state.step = 100;
  state.time = 0.1;
  int number = 0;
  for (const auto name : variables) {
    HostField field{std::string(name), extents, precision};
    std::size_t at = 0;
    for (int k = 0; k < extents.nz; ++k) {
      for (int j = 0; j < extents.ny; ++j) {
        for (int i = 0; i < extents.nx; ++i, ++at) {
          const double value = known_value(number, i, j, k);
          if (precision == Precision::double_precision) {
            field.values<double>()[at] = value;
          } else {
            field.values<float>()[at] = static_cast<float>(value);
          }
        }
      }
    }
    state.fields.push_back(field);
    ++number;
  }
  return state;
}

/// The bytes of a field.
inline std::string bytes_of_field(const HostField& field) {
  return {static_cast<const char*>(field.data()), field.bytes()};
}

/// A case for known_flow(): x periodic, y and z not.
inline Case known_case(const std::string& directory) {
  Case resolved;
  resolved.name = "known";
  resolved.grid.points = {7, 5, 3};
  resolved.grid.length = {7, 2, 1};
  resolved.grid.origin = {0, -1, 10};
  for (FaceCase& face : resolved.faces) face.scalars.resize(1);  // temperature
  resolved.faces[face_index(0, false)].kind = FaceKind::periodic;
  resolved.faces[face_index(0, true)].kind = FaceKind::periodic;
  resolved.fluid = {.reynolds = 500, .prandtl = 0.72, .heat_capacity_ratio = 1.4};
  resolved.output.directory = directory;
  resolved.output.timeseries_every = 0;
  return resolved;
}

/// A flow of known_value() in cells, with pressure, and a case for it: y stretched.
inline FlowState known_cells(Precision precision) {
  return known_flow(
      precision,
      {7, 5, 3},
      {velocity_x_name, velocity_y_name, velocity_z_name, temperature_name, pressure_name});
}
inline Case known_case_of_cells(const std::string& directory) {
  Case resolved = known_case(directory);
  resolved.scheme = Scheme::projection;
  resolved.grid.stretching[1] = {.kind = StretchingCase::Kind::coordinates,
                                 .factor = 0,
                                 .coordinates = {-1, 0, 0.5, 0.75, 0.875, 1}};
  resolved.fluid.heat_capacity_ratio = 0;
  resolved.output.fields.variables.emplace_back(pressure_name);
  return resolved;
}

/// Adds the sums of the powers of a variable over a time of `duration`: value(order, c) is the mean
/// of q^order at the places where it is kept. cells: one point along axes averaged over.
template <class Value>
void add_power_sums(StatisticsSums& sums, char variable, Extents cells, const Value& value) {
  const auto own = static_cast<int>(std::string_view("uvw").find(variable));
  Extents points = cells;
  Index3 first;
  for (int axis = 0; axis < 3; ++axis) {
    if (cells[axis] == 1 || variable == 'p') continue;
    points[axis] += axis == own ? 1 : 2;
    first[axis] = axis == own ? 0 : -1;
  }
  for (int order = 1; order <= 4; ++order) {
    HostField& sum = sums.sums.emplace_back(std::string(static_cast<std::size_t>(order), variable),
                                            points,
                                            Precision::double_precision);
    std::size_t point = 0;
    for_each_point({{}, {points.nx, points.ny, points.nz}}, [&](Index3 c) {
      const Index3 at{c.i + first.i, c.j + first.j, c.k + first.k};
      sum.values<double>()[point++] = sums.duration * value(order, at);
    });
  }
}

/// The same of a product at cells.
template <class Value>
void add_product_sum(StatisticsSums& sums, const char* name, Extents cells, const Value& value) {
  HostField& sum = sums.sums.emplace_back(name, cells, Precision::double_precision);
  std::size_t point = 0;
  for_each_point({{}, {cells.nx, cells.ny, cells.nz}},
                 [&](Index3 c) { sum.values<double>()[point++] = sums.duration * value(c); });
}

/// All sums of a flow without temperature, in which everything is `value`.
inline StatisticsSums uniform_sums(Extents cells, double value) {
  StatisticsSums sums{.samples = 3, .first_time = 0, .last_time = 1, .duration = 1, .sums = {}};
  for (const char variable : {'u', 'v', 'w', 'p'})
    add_power_sums(
        sums, variable, cells, [=](int order, Index3) { return std::pow(value, order); });
  for (const char* const name : {"uv", "uw", "vw", "dissipation"})
    add_product_sum(sums, name, cells, [=](Index3) { return value * value; });
  return sums;
}

/// The same flow and case with all that may be derived of the velocity, and with its faces.
inline FlowState known_cells_and_more(Precision precision) {
  FlowState state = known_flow(precision,
                               {7, 5, 3},
                               {velocity_x_name,
                                velocity_y_name,
                                velocity_z_name,
                                temperature_name,
                                pressure_name,
                                "vorticity_x",
                                "vorticity_y",
                                "vorticity_z",
                                "q_criterion"});
  for (int axis = 0; axis < 3; ++axis) {
    Extents faces{7, 5, 3};
    ++faces[static_cast<int>(axis)];
    const FlowState at_faces = known_flow(precision, faces, {face_velocity_names.at(axis)});
    state.fields.push_back(at_faces.fields.front());
  }
  return state;
}
inline Case case_of_cells_and_more(const std::string& directory) {
  Case resolved = known_case_of_cells(directory);
  resolved.output.fields.location = FieldOutputCase::Location::faces;
  for (const char* const name : {"vorticity", "q_criterion"})
    resolved.output.fields.variables.emplace_back(name);
  return resolved;
}

/// The message of the IoError that `action` must throw.
template <class Action>
std::string io_error_of(Action action) {
  const std::string message = message_of<IoError>(action);
  EXPECT_NE(message, "") << "no IoError";
  return message;
}

/// Passes when `text` contains `part`.
inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << part << "' is not in '" << text << "'";
}

}  // namespace dns
