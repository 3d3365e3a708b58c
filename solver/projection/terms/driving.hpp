/// The mean pressure gradient that drives a flow.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "solver/config/case.hpp"
#include "solver/core/backend.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/bulk_velocity.hpp"
#include "solver/projection/rounded_lengths.hpp"
#include "solver/projection/staggered_field.hpp"

namespace dns {

/// F in copies for restart [U^2/L].
inline constexpr PerAxis<std::string_view> driving_numbers{"driving_x", "driving_y", "driving_z"};

/// The uniform acceleration F = -dp/dx of a step [U^2/L]: given, or such that the bulk velocity is
/// held. In the latter case the equations are solved with F of the previous step; the deficit of
/// bulk velocity of the result is added as a uniform velocity, and F grows by deficit/dt. In a
/// steady flow the deficit is 0, and the shear on the walls balances F.
template <class Backend>
class Driving {
 public:
  using Real = typename Backend::Real;

  explicit Driving(const Case& resolved, const StaggeredGrid& grid) : forcing_(resolved.forcing) {
    for (int axis = 0; axis < grid.size(); ++axis) {
      holds_[axis] = forcing_.kind == ForcingCase::Kind::bulk_velocity && grid[axis].is_periodic;
      volumes_[axis] = rounded_volume<Real>(grid, axis);
    }
    if (forcing_.kind == ForcingCase::Kind::pressure_gradient) acceleration_ = forcing_.value;
  }

  [[nodiscard]] const PerAxis<double>& acceleration() const { return acceleration_; }
  void set_acceleration(const PerAxis<double>& acceleration) {
    if (forcing_.kind == ForcingCase::Kind::bulk_velocity) acceleration_ = acceleration;
  }
  void add_to(FlowState& copy) const {
    for (int axis = 0; axis < acceleration_.size(); ++axis)
      copy.numbers.push_back({std::string(driving_numbers[axis]), acceleration_[axis]});
  }
  void start(const FlowState* copy) {
    PerAxis<double> before{};
    for (int axis = 0; copy != nullptr && axis < before.size(); ++axis)
      before[axis] = number_in(*copy, driving_numbers[axis]);
    set_acceleration(before);
  }

  /// The deficit of the bulk velocity [U]; 0 along axes where none is held.
  [[nodiscard]] PerAxis<double> bulk_velocity_deficit(Backend& backend,
                                                      const StaggeredLayout& layout,
                                                      const VelocityView<const Real>& velocity,
                                                      const GridMetrics<Real>& metrics) const {
    PerAxis<double> deficit{};
    for_each_axis([&]<Axis axis>() {
      if (!holds_[axis]) return;
      const auto momentum = backend.template reduce<1, 0>(
          layout.all_points(), FaceMomentum<axis, Real>{velocity[axis], metrics});
      deficit[axis] = forcing_.value[axis] - momentum.sum[0] / volumes_[axis];
    });
    return deficit;
  }

  /// Adds to F the acceleration that gives the uniform velocity `added` [U] within dt [L/U].
  void account_for(const PerAxis<double>& added, double dt) {
    for (int axis = 0; axis < added.size(); ++axis) acceleration_[axis] += added[axis] / dt;
  }

 private:
  ForcingCase forcing_;
  PerAxis<bool> holds_{};
  PerAxis<double> volumes_{};  // of the box, summed over the faces of each component [L^3]
  PerAxis<double> acceleration_{};
};

}  // namespace dns
