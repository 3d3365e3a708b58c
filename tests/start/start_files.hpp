/// Files to start from whose flows are known formulas.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <limits>
#include <string>

#include "solver/config/expression.hpp"
#include "solver/config/load_case.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/start/initial_state.hpp"
#include "tests/output/output_testing.hpp"

namespace dns::testing {

/// u, v, w, T as functions of x, y, z, t.
using FormulaFlow = std::array<Expression, 4>;

/// Points of a variable along an axis; with_ghosts: from -1 to n, which are NaN but for the face of
/// the high end.
inline std::vector<double> places(const Case& resolved, int axis, int variable, bool with_ghosts) {
  std::vector<double> along = point_coordinates(resolved, axis, variable);
  if (!with_ghosts) return along;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto a = static_cast<std::size_t>(axis);
  const bool ends_with_face = variable == axis && !resolved.is_periodic(axis);
  along.insert(along.begin(), nan);
  along.push_back(ends_with_face ? resolved.grid.origin[a] + resolved.grid.length[a] : nan);
  return along;
}

/// A field of a formula where a variable lives; ghost points as above.
inline HostField field_of_formula(const Case& resolved,
                                  const FormulaFlow& flow,
                                  int variable,
                                  int at_points_of,
                                  double t,
                                  bool with_ghosts) {
  const auto x = places(resolved, 0, at_points_of, with_ghosts);
  const auto y = places(resolved, 1, at_points_of, with_ghosts);
  const auto z = places(resolved, 2, at_points_of, with_ghosts);
  const auto v = static_cast<std::size_t>(variable);
  HostField field(
      solved_variables(resolved).at(v).name,
      {static_cast<int>(x.size()), static_cast<int>(y.size()), static_cast<int>(z.size())},
      Precision::double_precision);
  auto to = field.values<double>().begin();
  for (const double c : z) {
    for (const double b : y) {
      for (const double a : x) *to++ = flow.at(v)(a, b, c, t);
    }
  }
  return field;
}

/// A test with a folder for files to start from.
class StartFiles : public FolderTest {
 protected:
  /// Writes the flow as a run would at time t; returns the path of the file.
  [[nodiscard]] std::string checkpoint_of(const Case& resolved,
                                          const FormulaFlow& flow,
                                          double t = 0) {
    const bool has_ghosts = resolved.scheme == Scheme::projection;
    write_checkpoint(folder(), state_of(resolved, flow, t, has_ghosts), to_yaml(resolved), 100);
    return kept("checkpoint_00000001.h5");
  }
  [[nodiscard]] std::string snapshot_of(const Case& resolved,
                                        const FormulaFlow& flow,
                                        double t = 0) {
    Case without_pressure = resolved;
    std::erase(without_pressure.output.fields.variables, "pressure");
    write_snapshot(folder(),
                   state_of(resolved, flow, t, false),
                   without_pressure,
                   "a device",
                   to_yaml(without_pressure));
    return kept("fields_00000001.h5");
  }

  static FlowState started(const Case& resolved, const std::string& path) {
    Case from_file = resolved;
    from_file.initial.file = path;
    return initial_state(from_file);
  }

 private:
  /// Under a name of its own, so that the next one does not replace it.
  std::string kept(const std::string& name) {
    std::string path = in_folder(std::to_string(files_++) + "_" + name);
    std::filesystem::rename(in_folder(name), path);
    return path;
  }

  static FlowState state_of(const Case& resolved,
                            const FormulaFlow& flow,
                            double t,
                            bool for_restart) {
    FlowState state;
    state.step = 1;
    state.time = t;
    for (int variable = 0; variable < (resolved.has_temperature() ? 4 : 3); ++variable) {
      state.fields.push_back(field_of_formula(
          resolved, flow, variable, for_restart ? variable : first_scalar, t, for_restart));
    }
    return state;
  }

  int files_ = 0;
};

}  // namespace dns::testing
