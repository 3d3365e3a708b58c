/// Copies of a staggered flow between device and host.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/core/level_view.hpp"
#include "solver/projection/staggered_field.hpp"
#include "solver/sampling/derived_in_snapshots.hpp"
#include "solver/simulation/flow_checks.hpp"

namespace dns {

/// A copy for restart: the fields as stored, with the ghost points next to the box (which hold
/// velocities on boundary planes and values on outflow planes), of extents n + 2 along each axis;
/// names of V^(n-1) end in _before; time.scheme runge_kutta has none of it. The pressure is that of
/// the last step, beside it that at the time of V, which older copies lack. The numbers: the last
/// time step [L/U] (0: there was none), and those of all Terms.
inline constexpr std::string_view pressure_of_flow_name = "pressure_of_flow";
inline constexpr std::array<std::string_view, 3> velocity_before_names{
    "velocity_x_before", "velocity_y_before", "velocity_z_before"};
/// More, which older copies lack: the distance in time of V^(n-1) from V^n where that is not the
/// last step, after a damped one [L/U]; damped steps that are left; given_values_mark of the case.
inline constexpr std::string_view levels_number = "time_between_levels";
/// The time of the pressure of the last step [L/U].
inline constexpr std::string_view pressure_time_number = "pressure_time";
inline constexpr std::string_view damping_number = "damped_steps";
inline constexpr std::string_view given_values_number = "given_values";
/// One more with time.cfl: the step that it alone allows [L/U].
inline constexpr std::string_view free_step_number = "free_step";
/// More where time.scheme is not implicit: its number, and the orders along x, y, z.
inline constexpr PerAxis<std::string_view> order_numbers{"order_x", "order_y", "order_z"};
inline constexpr std::string_view time_scheme_number = "time_scheme";

/// The fields that are copied, on the device.
template <class Backend>
struct StaggeredLevels {
  struct Scalar {
    std::string name;
    FieldView<typename Backend::Real> field;
  };
  const StaggeredVelocity<Backend>& now;
  const StaggeredVelocity<Backend>* before;  // null: none
  const StaggeredField<Backend>& pressure;
  const StaggeredField<Backend>* pressure_of_flow;  // of a copy for restart; null: none
  std::vector<Scalar> scalars;
};

[[nodiscard]] inline bool has_field(const FlowState& state, std::string_view name) {
  return std::ranges::any_of(state.fields,
                             [name](const HostField& field) { return field.name() == name; });
}
[[nodiscard]] inline bool has_level_before(const FlowState& state) {
  return has_field(state, velocity_before_names[0]);
}

[[nodiscard]] inline bool is_restart_copy(const FlowState& state) {
  return has_level_before(state) || find_number(state, time_scheme_number);
}

/// Calls visit(name, field) for the fields of a copy for restart.
template <class Backend, class Visit>
void for_each_restart_field(const StaggeredLevels<Backend>& levels, const Visit& visit) {
  for (int axis = 0; axis < 3; ++axis) {
    visit(velocity_names[axis], levels.now[axis].view());
    if (levels.before != nullptr) visit(velocity_before_names[axis], (*levels.before)[axis].view());
  }
  visit(pressure_name, levels.pressure.view());
  if (levels.pressure_of_flow != nullptr)
    visit(pressure_of_flow_name, levels.pressure_of_flow->view());
  for (const auto& scalar : levels.scalars) visit(scalar.name, scalar.field);
}
/// Calls visit(name, field) for the flow's variables alone.
template <class Backend, class Visit>
void for_each_variable(const StaggeredLevels<Backend>& levels, const Visit& visit) {
  for (int axis = 0; axis < 3; ++axis) {
    visit(velocity_names[axis], levels.now[axis].view());
  }
  visit(pressure_name, levels.pressure.view());
  for (const auto& scalar : levels.scalars) visit(scalar.name, scalar.field);
}

/// Extents of a field with the ghost points next to the box.
[[nodiscard]] inline Extents stored_points(const StaggeredLayout& layout) {
  return layout.with_one_ghost().extents();
}

/// A field from point `first` on, for the copies of a backend.
template <class Real>
[[nodiscard]] StridedField<Real> field_from(const FieldView<Real>& field, Index3 first) {
  return {field.address(first), 1, field.stride_y, field.stride_z};
}

template <class Backend>
FlowState allocate_copy(const StaggeredLevels<Backend>& levels,
                        const StaggeredLayout& layout,
                        CopyPurpose purpose) {
  FlowState state;
  const Extents points = purpose == CopyPurpose::restart ? stored_points(layout) : layout.points;
  const auto add = [&](std::string_view name, const FieldView<typename Backend::Real>& /*field*/) {
    add_field<Backend>(name, points, state);
  };
  if (purpose == CopyPurpose::restart) {
    for_each_restart_field(levels, add);
  } else {
    for_each_variable(levels, add);
  }
  return state;
}

/// Copies the fields that allocate_copy has made, with which the state begins; returns how many
/// they are. Does not wait for them.
template <class Backend>
std::size_t download_copy(Backend& backend,
                          const StaggeredLevels<Backend>& levels,
                          const StaggeredLayout& layout,
                          CopyPurpose purpose,
                          FlowState& state) {
  using Real = typename Backend::Real;
  std::size_t n = 0;
  const bool is_restart = purpose == CopyPurpose::restart;
  const Index3 first = is_restart ? Index3{-1, -1, -1} : Index3{};
  const Extents points = is_restart ? stored_points(layout) : layout.points;
  const auto copy = [&](std::string_view /*name*/, const FieldView<Real>& field) {
    backend.download(field_from(field.as_const(), first),
                     points,
                     state.fields[n++].template values<Real>().data());
  };
  if (is_restart) {
    for_each_restart_field(levels, copy);
  } else {
    for_each_variable(levels, copy);
  }
  return n;
}

/// Uploads a copy for restart. Throws CaseError when a field is missing or has other extents.
template <class Backend>
void upload_restart(Backend& backend,
                    const StaggeredLevels<Backend>& levels,
                    const StaggeredLayout& layout,
                    const FlowState& state) {
  using Real = typename Backend::Real;
  const Extents points = stored_points(layout);
  for_each_restart_field(levels, [&](std::string_view name, const FieldView<Real>& field) {
    const HostField host = field_in(state, name, layout.points, precision_of<Real>(), 1);
    backend.upload(host.template values<Real>().data(), field_from(field, {-1, -1, -1}), points);
    backend.synchronize();
  });
}

/// Uploads the flow of initial_state: velocities at the low faces of all cells, temperature at
/// their centres. Throws CaseError as above.
template <class Backend>
void upload_initial(Backend& backend,
                    const StaggeredLevels<Backend>& levels,
                    const StaggeredLayout& layout,
                    const FlowState& state) {
  using Real = typename Backend::Real;
  for_each_variable(levels, [&](std::string_view name, const FieldView<Real>& field) {
    if (name == pressure_name) return;
    const HostField host = field_in(state, name, layout.points, precision_of<Real>());
    backend.upload(host.template values<Real>().data(), field_from(field, {}), layout.points);
    backend.synchronize();
  });
}

}  // namespace dns
