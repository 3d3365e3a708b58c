/// Implicit steps keep the balance of a scalar between walls through which it passes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "solver/config/case.hpp"
#include "solver/core/backend.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/scalar_between_walls.hpp"
#include "solver/projection/boundaries/given_planes.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/flow_copies.hpp"
#include "solver/projection/rounded_lengths.hpp"
#include "solver/projection/terms/balance_on_device.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// Whether the mean of a scalar follows from sources and what passes through walls: in implicit
/// steps in boxes that no fluid flows through, without bodies and sponges for it.
[[nodiscard]] inline bool balance_is_known(const Case& resolved, int variable) {
  if (resolved.time.scheme != TimeScheme::implicit || !resolved.solids.empty() ||
      has_rate_field(resolved, variable) || uniform_rate(resolved, variable) != 0)
    return false;
  int face = 0;
  return std::ranges::all_of(conditions_of(resolved), [&](const FaceConditions& at) {
    const int axis = face++ / 2;
    return at.is_periodic() || (!at.is_opening() && at[axis].is_zero() && !at[variable].varies());
  });
}

/// What a step lacks is found on the device, which the host does not wait for, and added
/// everywhere (solver/numerics/scalar_between_walls.hpp).
template <class Backend>
class ScalarBalance {
 public:
  using Real = typename Backend::Real;

  /// `fields` outlive it. Requires balance_is_known.
  ScalarBalance(const ProjectionFields<Backend>& fields, int variable)
      : fields_(&fields), variable_(variable), device_(*fields.backend) {
    balance_.is_known[0] = true;
    device_.inverse_volume[0] = 1 / rounded_volume<Real>(fields.grid);
  }

  void add_to(FlowState& copy) const {
    if (!is_started_) return;
    fields_->backend->synchronize();
    copy.numbers.push_back({name() + "_mean", device_.report().next.mean[0]});
    copy.numbers.push_back({name() + flux_number, device_.report().next.shear[0]});
    copy.numbers.push_back({name() + diffusivity_number, diffusivity()});
  }
  /// From a copy for restart, or without one.
  void start(const FlowState* copy) {
    is_started_ = copy != nullptr &&
                  find_number(*copy, name() + diffusivity_number) == diffusivity() &&
                  find_number(*copy, given_values_number) == given_values_mark(fields_->resolved);
    if (!is_started_) return;
    Momenta now;
    now.mean[0] = number_in(*copy, name() + "_mean");
    now.shear[0] = number_in(*copy, name() + flux_number);
    device_.store(now);
  }
  /// Prepares a step by Crank-Nicolson (theta 1/2) or implicit Euler (1) from the scalar at t^n and
  /// what is given at its beginning; `given` outlives the step.
  void begin(double theta, const GivenPlanes<Backend>& given) {
    given_ = &given;
    balance_.theta = theta;
    balance_.kappa[0] = passed_by_walls(*fields_, given, variable_, diffusivity());
    if (is_started_) return;
    is_started_ = true;
    device_.sum_up(0,
                   fields_->layout.all_points(),
                   between_walls(fields_->scalars[0][variable_ - first_scalar].as_const(), false));
    device_.store_sums();
  }
  /// Adds to the scalar at t^(n+1), dt after t^n, what its mean lacks; source: the mean of all that
  /// brings it beside walls [1/L U].
  void correct(double dt, double source) {
    const FieldView<Real> q = fields_->scalars[1][variable_ - first_scalar];
    fields_->backend->enter(phase::correction);
    const Box all = fields_->layout.all_points();
    const Sums sums = between_walls(q.as_const(), true);
    balance_.dt = dt;
    if (fields_->backend->is_divided()) {
      device_.sum_up(0, all, sums);
      device_.solve(balance(source));
    } else {
      fields_->backend->template reduce_later<MomentumSum::count, 0>(
          all, ScalarAndBalance<Real>{sums, balance(source)}, device_.sums_of_star());
    }
    fields_->backend->for_each(fields_->layout.all_words(sizeof(Real)),
                               AddFound<Real>{device_.added(), q});
  }
  void accept() { device_.accept(); }

 private:
  using Sums = ScalarBetweenWalls<Real>;
  static constexpr const char* flux_number = "_through_walls";
  static constexpr const char* diffusivity_number = "_diffusivity";

  [[nodiscard]] std::string name() const { return fields_->resolved.name_of_scalar(variable_); }
  [[nodiscard]] double diffusivity() const { return fields_->resolved.diffusivity(variable_); }
  [[nodiscard]] BalanceMomentum<Real> balance(double source) {
    return device_.solved(balance_, {source, 0, 0}, {});
  }

  /// What is to be summed up over the whole box, with what is given at the end or at the beginning
  /// of the step; sums up what passes through walls across x.
  [[nodiscard]] Sums between_walls(const FieldView<const Real>& q, bool at_end) {
    Sums kernel{q, fields_->metrics.view(), {}};
    for (int face = 0; face < given_->faces; ++face) {
      const int across = face / 2;
      if (fields_->grid[across].is_periodic || !fields_->part.is_boundary(face)) continue;
      const int end = face % 2;
      const double width = width_beside(fields_->grid, face);
      const LineEnd<Real> line = given_->line_end(static_cast<Axis>(across), variable_, end == 1);
      typename Sums::Wall wall{.plane = end == 0 ? 0 : fields_->layout.points[across] - 1,
                               .rate = diffusivity() / (width * width),
                               .closure = line.next};
      if (!at_end) wall.closure.given = line.given_now;
      if (across != 0) {
        kernel.walls[across][end] = wall;
        continue;
      }
      Sums alone{q, fields_->metrics.view(), {}};
      alone.walls[across][end] = wall;
      Box box = fields_->layout.all_points();
      box.begin.i = wall.plane;
      box.end.i = wall.plane + 1;
      device_.sum_up(1 + end, box, alone);
    }
    return kernel;
  }

  const ProjectionFields<Backend>* fields_;
  int variable_;
  const GivenPlanes<Backend>* given_ = nullptr;
  MomentumBalance balance_;
  BalanceOnDevice<Backend> device_;
  bool is_started_ = false;  // the mean at t^n is known
};

}  // namespace dns
