/// The mean pressure gradient that drives a flow, and its mean velocity.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "solver/config/case.hpp"
#include "solver/core/backend.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/projection/mean_velocity.hpp"

namespace dns {

/// The uniform acceleration F = -dp/dx of a step [U^2/L], and the mean velocity along periodic axes
/// where it is given or known. F is given, or such that the bulk velocity is held: the equations
/// are solved with F of the previous step; the deficit of bulk velocity of the result is added as a
/// uniform velocity, and F grows by deficit/dt. In a steady flow the deficit is 0, and the shear on
/// the walls balances F.
///
/// Without walls and other forces (mean_velocity_is_known) the mean M follows from the start and
/// dM/dt = F. The sum of the factors' advection conserves it, their products in the factorisation
/// do not: a step leaves the mean wrong by O(dt^3). That deficit is added, too. It is the deficit
/// of the whole run so far: what a value in Real cannot take up in one step is not lost.
template <class Backend>
class Driving {
 public:
  using Real = typename Backend::Real;

  explicit Driving(const Case& resolved, const StaggeredGrid& grid)
      : forcing_(resolved.forcing), volume_(volume_of(grid)) {
    for (std::size_t axis = 0; axis < grid.size(); ++axis) {
      holds_[axis] = forcing_.kind == ForcingCase::Kind::bulk_velocity && grid[axis].is_periodic;
      knows_[axis] = !holds_[axis] && mean_velocity_is_known(resolved, static_cast<int>(axis));
    }
    if (forcing_.kind == ForcingCase::Kind::pressure_gradient) acceleration_ = forcing_.value;
    forget_mean();
  }

  [[nodiscard]] const std::array<double, 3>& acceleration() const { return acceleration_; }
  void set_acceleration(const std::array<double, 3>& acceleration) {
    if (forcing_.kind == ForcingCase::Kind::bulk_velocity) acceleration_ = acceleration;
  }

  /// The axes along which M is known.
  [[nodiscard]] const std::array<bool, 3>& knows() const { return knows_; }
  /// M at the beginning of a step [U]; 0 along axes where it is not known.
  [[nodiscard]] const std::array<double, 3>& mean() const { return now_; }
  void set_mean(const std::array<double, 3>& mean) {
    now_ = next_ = mean;
    is_corrected_ = either(holds_, knows_);
  }
  /// Until it is set, M is left as it is.
  void forget_mean() { is_corrected_ = holds_; }
  /// Finds M at the end of a step of dt [L/U].
  void begin_step(double dt) {
    for (std::size_t axis = 0; axis < next_.size(); ++axis)
      next_[axis] = now_[axis] + dt * acceleration_[axis];
  }
  void accept() { now_ = next_; }

  /// The mean of a velocity along the axes where it is held or known.
  [[nodiscard]] std::array<double, 3> mean_of(Backend& backend,
                                              const StaggeredLayout& layout,
                                              const VelocityView<const Real>& velocity,
                                              const GridMetrics<Real>& metrics) const {
    return mean_velocity(backend, layout, velocity, metrics, volume_, either(holds_, knows_));
  }

  /// What the mean of a velocity lacks at the end of a step [U]; 0 along axes where it is neither
  /// held nor known, and where a flow of known mean has diverged: the place where can then be
  /// named.
  [[nodiscard]] std::array<double, 3> deficit(Backend& backend,
                                              const StaggeredLayout& layout,
                                              const VelocityView<const Real>& velocity,
                                              const GridMetrics<Real>& metrics) const {
    const std::array<double, 3> mean =
        mean_velocity(backend, layout, velocity, metrics, volume_, is_corrected_);
    std::array<double, 3> deficit{};
    for (std::size_t axis = 0; axis < mean.size(); ++axis) {
      if (holds_[axis]) {
        deficit[axis] = forcing_.value[axis] - mean[axis];
      } else if (is_corrected_[axis] && std::isfinite(mean[axis])) {
        deficit[axis] = next_[axis] - mean[axis];
      }
    }
    return deficit;
  }

  /// Adds to F the acceleration that gives the uniform velocity `added` [U] within dt [L/U], where
  /// the bulk velocity is held.
  void account_for(const std::array<double, 3>& added, double dt) {
    for (std::size_t axis = 0; axis < added.size(); ++axis)
      if (holds_[axis]) acceleration_[axis] += added[axis] / dt;
  }

 private:
  static std::array<bool, 3> either(const std::array<bool, 3>& a, const std::array<bool, 3>& b) {
    return {a[0] || b[0], a[1] || b[1], a[2] || b[2]};
  }

  ForcingCase forcing_;
  double volume_;                         // of the box [L^3]
  std::array<bool, 3> holds_{};           // the bulk velocity, along which axes
  std::array<bool, 3> knows_{};           // M
  std::array<bool, 3> is_corrected_{};    // one of both, and M was set
  std::array<double, 3> now_{}, next_{};  // M
  std::array<double, 3> acceleration_{};
};

}  // namespace dns
