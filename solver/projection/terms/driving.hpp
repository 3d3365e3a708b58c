/// The mean pressure gradient that drives a flow, and the balance of its momentum.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "solver/config/case.hpp"
#include "solver/config/particles_in_words.hpp"
#include "solver/core/backend.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/bulk_velocity.hpp"
#include "solver/numerics/momentum_balance.hpp"
#include "solver/projection/boundaries/given_planes.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/flow_copies.hpp"
#include "solver/projection/rounded_lengths.hpp"
#include "solver/projection/terms/balance_on_device.hpp"

namespace dns {

/// F in copies for restart [U^2/L].
inline constexpr PerAxis<std::string_view> driving_numbers{"driving_x", "driving_y", "driving_z"};
/// More where the balance of momentum is known: its mean [U], the shear of walls [U^2/L] and the
/// viscosity that it was found with [U L].
inline constexpr PerAxis<std::string_view> momentum_numbers{
    "momentum_x", "momentum_y", "momentum_z"};
inline constexpr PerAxis<std::string_view> shear_numbers{"shear_x", "shear_y", "shear_z"};
inline constexpr std::string_view shear_viscosity_number = "shear_viscosity";

/// The uniform acceleration F = -dp/dx of a step [U^2/L]: given, or such that the bulk velocity is
/// held. In the latter case the equations are solved with F of the previous step; the deficit of
/// bulk velocity of the result is added as a uniform velocity, and F grows by what it lacks. In a
/// steady flow the deficit is 0, and the shear on the walls balances F.
///
/// Implicit steps keep the momentum along the periodic axes of a box that nothing flows through,
/// where it is known what acts on it: see momentum_balance.hpp. What is added then is found on the
/// device, and the host waits for it only where a bulk velocity is held.
template <class Backend>
class Driving {
 public:
  using Real = typename Backend::Real;

  /// `fields` outlive it.
  explicit Driving(const ProjectionFields<Backend>& fields)
      : fields_(&fields), device_(*fields.backend) {
    for (int axis = 0; axis < fields.grid.size(); ++axis)
      device_.inverse_volume[axis] = 1 / rounded_volume<Real>(fields.grid, axis);
    balance_.turns = fields.resolved.rotates();
    balance_.turn = fields.resolved.coriolis_rate();
    take_forcing();
  }

  /// Begins with the forcing of the case, or goes on with what it is now.
  void take_forcing() {
    const StaggeredGrid& grid = fields_->grid;
    forcing_ = fields_->resolved.forcing;
    const PerAxis<bool> knew = knows_balance_;
    for (int axis = 0; axis < grid.size(); ++axis) {
      balance_.is_held[axis] =
          forcing_.kind == ForcingCase::Kind::bulk_velocity && grid[axis].is_periodic;
      balance_.held[axis] = forcing_.value[axis];
      knows_balance_[axis] = knows_balance(fields_->resolved, axis);
      is_measured_[axis] = has_source(fields_->resolved, axis) || buoyancy_along(axis) != 0 ||
                           is_pushed_by_particles(fields_->resolved);
    }
    for (int axis = 0; balance_.turns && axis < grid.size(); ++axis) {  // which couples the axes
      if (grid[axis].is_periodic && !knows_balance_[axis]) knows_balance_ = {};
    }
    if (knows_balance_ != knew) has_momenta_ = false;
    if (forcing_.kind == ForcingCase::Kind::pressure_gradient) acceleration_ = forcing_.value;
  }
  /// A source acts along an axis that the case does not have.
  void measure(int axis) { is_measured_[axis] = true; }

  [[nodiscard]] const PerAxis<double>& acceleration() const { return acceleration_; }
  /// Along which periodic axes implicit steps do not keep the momentum, and why; empty: none.
  [[nodiscard]] std::string in_words() const {
    const Case& resolved = fields_->resolved;
    if (resolved.time.scheme != TimeScheme::implicit) return {};
    std::string axes;
    std::string_view reason;
    for (int axis = 0; axis < 3; ++axis) {
      if (!resolved.is_periodic(axis) || hidden_by(resolved, axis).empty()) continue;
      axes += (axes.empty() ? "" : ", ") + axis_name(axis);
      reason = hidden_by(resolved, axis);
    }
    if (axes.empty()) return {};
    return "momentum along " + axes + ": not balanced, since there are " + std::string(reason) +
           "; steps make some of it, less with the square of dt";
  }
  void set_acceleration(const PerAxis<double>& acceleration) {
    if (forcing_.kind == ForcingCase::Kind::bulk_velocity) acceleration_ = acceleration;
  }
  void add_to(FlowState& copy) const {
    for (int axis = 0; axis < acceleration_.size(); ++axis)
      copy.numbers.push_back({std::string(driving_numbers[axis]), acceleration_[axis]});
    if (!has_momenta_) return;
    fields_->backend->synchronize();
    copy.numbers.push_back({std::string(shear_viscosity_number), fields_->resolved.viscosity()});
    for (int axis = 0; axis < acceleration_.size(); ++axis) {
      if (!knows_balance_[axis]) continue;
      const Momenta& now = device_.report().next;
      copy.numbers.push_back({std::string(momentum_numbers[axis]), now.mean[axis]});
      copy.numbers.push_back({std::string(shear_numbers[axis]), now.shear[axis]});
    }
  }
  void start(const FlowState* copy) {
    PerAxis<double> before{};
    has_momenta_ = copy != nullptr && knows_any() && has_shear_of_this_case(*copy);
    Momenta now;
    for (int axis = 0; copy != nullptr && axis < before.size(); ++axis) {
      before[axis] = number_in(*copy, driving_numbers[axis]);
      if (!knows_balance_[axis]) continue;
      const auto mean = find_number(*copy, momentum_numbers[axis]);
      const auto shear = find_number(*copy, shear_numbers[axis]);
      has_momenta_ = has_momenta_ && mean && shear;
      now.mean[axis] = mean.value_or(0);
      now.shear[axis] = shear.value_or(0);
    }
    set_acceleration(before);
    if (has_momenta_) device_.store(now);
  }

  /// Prepares an implicit step, by Crank-Nicolson (theta 1/2) or implicit Euler (1), from V^n and
  /// what is given at its beginning. Other steps have theta 0.
  void begin(double theta, const GivenPlanes<Backend>& given) {
    balance_.theta = theta;
    balance_.is_known = knows_balance_;
    for (int axis = 0; axis < 3; ++axis)
      balance_.kappa[axis] =
          knows_balance_[axis]
              ? passed_by_walls(*fields_, given, axis, fields_->resolved.viscosity())
              : 0;
    if (!knows_any() || has_momenta_) return;
    has_momenta_ = true;
    device_.sum_up(
        0, fields_->layout.all_points(), between_walls(fields_->now.view_const(), given, false));
    device_.store_sums();
  }
  /// Takes the right-hand sides of V*, where they are needed.
  void take_rows(const VelocityView<const Real>& rows) {
    PerAxis<bool> measured{};
    for (int axis = 0; axis < 3; ++axis)
      measured[axis] = knows_balance_[axis] && is_measured_[axis];
    if (measured == PerAxis<bool>{}) return;
    const MomentaBetweenWalls<Real> kernel{rows, fields_->metrics.view(), measured};
    device_.sum_up_rows(fields_->layout.all_points(), kernel);
  }
  /// What is to be summed up of V*; none: nothing is added to it. The sums go to sums_of_star(),
  /// or, of several ranks, are found here.
  [[nodiscard]] std::optional<MomentaBetweenWalls<Real>> momenta_of(
      const VelocityView<const Real>& star, const GivenPlanes<Backend>& given) {
    if (!holds_any() && !(balance_.theta > 0 && knows_any())) return {};
    const MomentaBetweenWalls<Real> kernel = between_walls(star, given, true);
    if (fields_->backend->is_divided()) device_.sum_up(0, fields_->layout.all_points(), kernel);
    return kernel;
  }
  [[nodiscard]] double* sums_of_star() const { return device_.sums_of_star(); }
  /// Finds what is added to V* in a step of dt [L/U], of its momenta.
  [[nodiscard]] BalanceMomentum<Real> balance(double dt) {
    balance_.dt = dt;
    return device_.solved(balance_, acceleration_, is_measured_);
  }
  /// Does so of momenta that several ranks have summed up.
  void find_added(double dt) { device_.solve(balance(dt)); }
  /// What was found, a value for each axis in the memory of the device; adds `part` of what F lacks
  /// to it.
  [[nodiscard]] const Real* take_added(double part) {
    if (!holds_any()) return device_.added();
    fields_->backend->set(mark_);
    fields_->backend->wait_for(mark_);
    for (int axis = 0; axis < 3; ++axis) acceleration_[axis] += part * device_.report().lack[axis];
    return device_.added();
  }
  /// Keeps the momenta of the end of the step for the next one.
  void accept() {
    device_.accept();
    balance_.theta = 0;
    balance_.is_known = {};
  }

 private:
  using Sums = MomentaBetweenWalls<Real>;

  [[nodiscard]] bool knows_any() const { return knows_balance_ != PerAxis<bool>{}; }
  [[nodiscard]] bool holds_any() const { return balance_.is_held != PerAxis<bool>{}; }
  [[nodiscard]] double buoyancy_along(int axis) const {
    return fields_->resolved.buoyancy ? fields_->resolved.buoyancy_along()[axis] : 0;
  }
  /// What keeps the balance of momentum along a periodic axis from being known; empty: it is.
  [[nodiscard]] static std::string_view hidden_by(const Case& resolved, int axis) {
    if (!resolved.solids.empty()) return "bodies";
    if (resolved.magnetic) return "forces of a magnetic field";
    if (has_rate_field(resolved, axis) || uniform_rate(resolved, axis) != 0)
      return "forces that depend on the velocity";
    int face = 0;
    for (const FaceConditions& at : conditions_of(resolved)) {
      const int across = face++ / 2;
      if (!at.is_periodic() && (at.is_opening() || !at[across].is_zero()))
        return "what flows through faces";
      if (at[axis].varies()) return "slip lengths by formula";
    }
    return {};
  }
  [[nodiscard]] static bool knows_balance(const Case& resolved, int axis) {
    return resolved.time.scheme == TimeScheme::implicit && resolved.is_periodic(axis) &&
           hidden_by(resolved, axis).empty();
  }
  /// Whether the shear in a copy is that of its velocity in this case.
  [[nodiscard]] bool has_shear_of_this_case(const FlowState& copy) const {
    return find_number(copy, shear_viscosity_number) == fields_->resolved.viscosity() &&
           find_number(copy, given_values_number) == given_values_mark(fields_->resolved);
  }

  /// What is to be summed up of a velocity over the whole box, with what is given at the end or at
  /// the beginning of the step; sums up the shear of walls across x.
  [[nodiscard]] Sums between_walls(const VelocityView<const Real>& velocity,
                                   const GivenPlanes<Backend>& given,
                                   bool at_end) {
    Sums kernel{velocity, fields_->metrics.view(), {}};
    for (int axis = 0; axis < 3; ++axis)
      kernel.is_summed[axis] = knows_balance_[axis] || balance_.is_held[axis];
    for (int face = 0; knows_any() && face < given.faces; ++face) {
      const int across = face / 2;
      if (fields_->grid[across].is_periodic || !fields_->part.is_boundary(face)) continue;
      const int end = face % 2;
      const double width = width_beside(fields_->grid, face);
      typename Sums::Wall wall{.plane = end == 0 ? 0 : fields_->layout.points[across] - 1,
                               .rate = fields_->resolved.viscosity() / (width * width)};
      for (int axis = 0; axis < 3; ++axis) {
        if (!knows_balance_[axis]) continue;
        const LineEnd<Real> line = given.line_end(static_cast<Axis>(across), axis, end == 1);
        wall.of[axis] = line.next;
        if (!at_end) wall.of[axis].given = line.given_now;
      }
      if (across != 0) {
        kernel.walls[across][end] = wall;
        continue;
      }
      Sums alone{velocity, fields_->metrics.view(), knows_balance_};
      alone.walls[across][end] = wall;
      Box box = fields_->layout.all_points();
      box.begin.i = wall.plane;
      box.end.i = wall.plane + 1;
      device_.sum_up(1 + end, box, alone);
    }
    return kernel;
  }

  const ProjectionFields<Backend>* fields_;
  ForcingCase forcing_;
  MomentumBalance balance_;
  PerAxis<bool> knows_balance_{}, is_measured_{};
  PerAxis<double> acceleration_{};
  BalanceOnDevice<Backend> device_;
  typename Backend::Mark mark_;
  bool has_momenta_ = false;  // those of t^n
};

}  // namespace dns
