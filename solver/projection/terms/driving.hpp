/// The mean pressure gradient that drives a flow.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "solver/config/case.hpp"
#include "solver/core/backend.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/bulk_velocity.hpp"
#include "solver/projection/boundaries/given_planes.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/rounded_lengths.hpp"

namespace dns {

/// F in copies for restart [U^2/L].
inline constexpr PerAxis<std::string_view> driving_numbers{"driving_x", "driving_y", "driving_z"};
/// More where the balance of momentum is known: its mean [U] and the shear of walls [U^2/L].
inline constexpr PerAxis<std::string_view> momentum_numbers{
    "momentum_x", "momentum_y", "momentum_z"};
inline constexpr PerAxis<std::string_view> shear_numbers{"shear_x", "shear_y", "shear_z"};

/// The uniform acceleration F = -dp/dx of a step [U^2/L]: given, or such that the bulk velocity is
/// held. In the latter case the equations are solved with F of the previous step; the deficit of
/// bulk velocity of the result is added as a uniform velocity, and F grows by deficit/dt. In a
/// steady flow the deficit is 0, and the shear on the walls balances F.
///
/// The products of the factors of an implicit step make momentum. Where periodic axes and walls are
/// all that the momentum M [U] of the box knows, part of the deficit makes up for that,
///
///   c = [dt (F - s^n) - (M* - M^n) - theta dt (s* - s^n)]/(1 + theta dt kappa),
///
/// s the shear of the walls over the volume, kappa that of a unit velocity, * what the factors give
/// and theta 1/2 (implicit Euler: 1); the rest is what F lacks, and a uniform velocity shears the
/// walls too: F grows by (deficit - c) (1/dt + theta kappa). Then F = dM/dt + (1 - theta) s^n +
/// theta s^(n+1) to round-off with the F that a step ends with.
template <class Backend>
class Driving {
 public:
  using Real = typename Backend::Real;

  /// `fields` outlive it.
  explicit Driving(const ProjectionFields<Backend>& fields)
      : fields_(&fields), forcing_(fields.resolved.forcing) {
    const StaggeredGrid& grid = fields.grid;
    for (int axis = 0; axis < grid.size(); ++axis) {
      holds_[axis] = forcing_.kind == ForcingCase::Kind::bulk_velocity && grid[axis].is_periodic;
      knows_balance_[axis] = holds_[axis] && knows_balance(fields.resolved, axis);
      volumes_[axis] = rounded_volume<Real>(grid, axis);
    }
    if (forcing_.kind == ForcingCase::Kind::pressure_gradient) acceleration_ = forcing_.value;
  }

  [[nodiscard]] const PerAxis<double>& acceleration() const { return acceleration_; }
  void set_acceleration(const PerAxis<double>& acceleration) {
    if (forcing_.kind == ForcingCase::Kind::bulk_velocity) acceleration_ = acceleration;
  }
  void add_to(FlowState& copy) const {
    for (int axis = 0; axis < acceleration_.size(); ++axis) {
      copy.numbers.push_back({std::string(driving_numbers[axis]), acceleration_[axis]});
      if (!knows_balance_[axis] || !now_[axis]) continue;
      copy.numbers.push_back({std::string(momentum_numbers[axis]), now_[axis]->mean});
      copy.numbers.push_back({std::string(shear_numbers[axis]), now_[axis]->shear});
    }
  }
  void start(const FlowState* copy) {
    PerAxis<double> before{};
    for (int axis = 0; copy != nullptr && axis < before.size(); ++axis)
      before[axis] = number_in(*copy, driving_numbers[axis]);
    set_acceleration(before);
    for (int axis = 0; axis < now_.size(); ++axis) {
      now_[axis].reset();
      if (copy == nullptr || !knows_balance_[axis]) continue;
      const auto mean = find_number(*copy, momentum_numbers[axis]);
      const auto shear = find_number(*copy, shear_numbers[axis]);
      if (mean && shear) now_[axis] = Momentum{*mean, *shear, 0};
    }
  }

  /// Prepares an implicit step, by Crank-Nicolson (theta 1/2) or implicit Euler (1), from V^n and
  /// what is given at its beginning. Other steps have theta 0.
  void begin(double theta, const GivenPlanes<Backend>& given) {
    theta_ = theta;
    for_each_axis([&]<Axis axis>() {
      if (knows_balance_[axis] && !now_[axis])
        now_[axis] = momentum<axis>(fields_->now[axis].view_const(), given, false);
    });
  }
  /// Keeps the momentum of the end of the step for the next one.
  void accept() { now_ = next_; }

  /// The deficit of the bulk velocity of V* [U]; 0 along axes where none is held.
  [[nodiscard]] PerAxis<double> bulk_velocity_deficit(const VelocityView<const Real>& velocity,
                                                      const GivenPlanes<Backend>& given) {
    PerAxis<double> deficit{};
    for_each_axis([&]<Axis axis>() {
      if (!holds_[axis]) return;
      constexpr int component = velocity_along(axis);
      if (has_balance(component)) {
        next_[axis] = momentum<axis>(velocity[axis], given, true);
        deficit[axis] = forcing_.value[axis] - next_[axis]->mean;
      } else {
        const auto momentum = fields_->backend->template reduce<1, 0>(
            fields_->layout.all_points(),
            FaceMomentum<axis, Real>{velocity[axis], fields_->metrics.view()});
        deficit[axis] = forcing_.value[axis] - momentum.sum[0] / volumes_[axis];
      }
    });
    return deficit;
  }

  /// Adds to F what the uniform velocity `added` [U] needs within dt [L/U], `part` of it.
  void account_for(const PerAxis<double>& added, double dt, double part) {
    for (int axis = 0; axis < added.size(); ++axis) {
      double lack = added[axis];
      double rate = 1 / dt;
      if (has_balance(axis)) {
        Momentum& next = *next_[axis];
        const Momentum& now = *now_[axis];
        const double shear = now.shear + theta_ * (next.shear - now.shear);
        lack -= (dt * (acceleration_[axis] - shear) - (next.mean - now.mean)) /
                (1 + theta_ * dt * next.kappa);
        rate += theta_ * next.kappa;
        next.mean += added[axis];
        next.shear += next.kappa * added[axis];
      }
      acceleration_[axis] += part * lack * rate;
    }
  }

 private:
  /// M [U], s [U^2/L] and kappa [U/L].
  struct Momentum {
    double mean, shear, kappa;
  };

  /// Whether this step has what the balance along an axis needs.
  [[nodiscard]] bool has_balance(int axis) const { return theta_ > 0 && now_[axis].has_value(); }
  /// Whether nothing but F and walls that let nothing through changes the momentum along an axis.
  [[nodiscard]] static bool knows_balance(const Case& resolved, int axis) {
    if (resolved.time.scheme != TimeScheme::implicit || !resolved.solids.empty() ||
        has_source(resolved, axis) || resolved.coriolis_frequency() != 0 ||
        (resolved.buoyancy && resolved.buoyancy_along()[axis] != 0))
      return false;
    int face = 0;
    return std::ranges::all_of(conditions_of(resolved), [&](const FaceConditions& at) {
      const int across = face++ / 2;
      return at.is_periodic() || (!at.is_opening() && at[across].given.is_zero());
    });
  }
  template <Axis axis>
  [[nodiscard]] Momentum momentum(const FieldView<const Real>& q,
                                  const GivenPlanes<Backend>& given,
                                  bool at_end) const {
    using Sums = MomentumBetweenWalls<axis, Real>;
    constexpr int component = velocity_along(axis);
    const Sums plain{{q, fields_->metrics.view()}, {}};
    Sums kernel = plain;
    double shear = 0;
    double kappa = 0;
    for (int face = 0; face < given.faces; ++face) {
      const int across = face / 2;
      const StaggeredAxis& cells = fields_->grid[across];
      if (cells.is_periodic) continue;
      const bool is_high = face % 2 != 0;
      const double width = cells.width(is_high ? cells.cells() - 1 : 0);
      const double rate = fields_->resolved.viscosity() / (width * width);
      const bool is_here = fields_->part.is_boundary(face);
      const int plane = is_high ? fields_->layout.points[across] - 1 : 0;
      const LineEnd<Real> end = given.line_end(static_cast<Axis>(across), component, is_high);
      if (given.varies(face, component)) {
        Box box = fields_->layout.all_points();
        box.begin[across] = plane;
        box.end[across] = is_here ? plane + 1 : plane;
        const auto found = fields_->backend->template reduce<1, 0>(
            box, DragOnUnitVelocity<axis, Real>{plain.of_faces, end.next});
        kappa += rate * found.sum[0] / volumes_[axis];
      } else {
        kappa += rate * (1 - given.closure(face, component).first) * width / cells.length();
      }
      if (!is_here) continue;
      typename Sums::Wall wall{end.next, rate, plane};
      if (!at_end) wall.closure.given = end.given_now;
      if (across != 0) {
        kernel.walls[across][is_high ? 1 : 0] = wall;
        continue;
      }
      Sums alone = plain;
      alone.walls[0][0] = wall;
      Box box = fields_->layout.all_points();
      box.begin.i = plane;
      box.end.i = plane + 1;
      shear += fields_->backend->template reduce<Sums::sums, 0>(box, alone).sum[Sums::shear];
    }
    const auto found =
        fields_->backend->template reduce<Sums::sums, 0>(fields_->layout.all_points(), kernel);
    return {found.sum[Sums::momentum] / volumes_[axis],
            (found.sum[Sums::shear] + shear) / volumes_[axis],
            kappa};
  }

  const ProjectionFields<Backend>* fields_;
  ForcingCase forcing_;
  PerAxis<bool> holds_{}, knows_balance_{};
  PerAxis<double> volumes_{};  // of the box, summed over the faces of each component [L^3]
  PerAxis<double> acceleration_{};
  double theta_ = 0;
  PerAxis<std::optional<Momentum>> now_{}, next_{};  // at t^n; of V*, then at t^(n+1)
};

}  // namespace dns
