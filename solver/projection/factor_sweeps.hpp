/// The three sweeps that advance one component of the velocity, or a scalar.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "solver/config/step_limit.hpp"
#include "solver/core/backend.hpp"
#include "solver/numerics/projection_rows.hpp"
#include "solver/projection/boundaries/given_planes.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/solid_pulls.hpp"
#include "solver/projection/variable_step.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// Solves (I + A_z)(I + A_y)(I + A_x) dq = right-hand side, factor after factor.
template <class Backend>
class FactorSweeps {
 public:
  using Real = typename Backend::Real;

  /// Both outlive it.
  FactorSweeps(const ProjectionFields<Backend>& fields, const GivenPlanes<Backend>& given)
      : backend_(fields.backend), fields_(&fields), given_(&given) {}

  /// Reserves memory for the sweeps of all variables at once, along axes of implicit diffusion.
  void reserve() {
    const std::size_t together = 3 + fields_->scalars[0].count();
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      if (fields_->resolved.time.scheme == TimeScheme::implicit ||
          is_implicit(velocity_along(axis)))
        backend_->template reserve_sweeps<OneUnknown>(
            axis, fields_->layout.all_points(), fields_->part.is_periodic(axis), together);
    }
  }

  /// next := q^n + dq of a velocity `component` or a scalar. `right` is the right-hand side:
  /// RightHandSide, or SolutionBefore where it is in `next` already. Lines that meet no body are
  /// swept as without bodies. Requires the ghost points of `now` and of the advecting velocity.
  template <int component, class Right>
  void advance(const VariableStep<Real>& step, const Right& right) {
    if (!step.solids)
      return advance_with<component>(
          step, right, [&]<Axis axis>(Box box, const auto& from, const auto& sink) {
            sweep<axis, component>(step, box, from, sink);
          });
    const PulledRightHandSide<component, Right, Real> pulled{right, step.now, step.solids->view};
    advance_with<component>(
        step, pulled, [&]<Axis axis>(Box box, const auto& from, const auto& sink) {
          in_pieces<axis>(
              box,
              *step.solids,
              [&](const Box& near) { sweep_at_solids<axis, component>(step, near, from, sink); },
              [&](const Box& far) { sweep<axis, component>(step, far, without_pull(from), sink); });
        });
  }

  /// Sweeps of a Runge-Kutta stage of a variable, whose right-hand side is in q^(n+1): factors of
  /// diffusion along axes where it is implicit, one at least. Compiled by itself, see stages.hpp.
  void diffuse(int variable,
               const SweepCoefficients<Real>& step,
               const std::optional<SolidsInStep<Real>>& solids);

  /// The points of a variable whose equations are solved: all but the faces on boundaries.
  [[nodiscard]] Box unknowns(int variable) const {
    const Subdomain& part = fields_->part;
    Box box = fields_->layout.all_points();
    if (variable == 0 && part.is_boundary(0, false)) box.begin.i = 1;
    if (variable == 1 && part.is_boundary(1, false)) box.begin.j = 1;
    if (variable == 2 && part.is_boundary(2, false)) box.begin.k = 1;
    return box;
  }

 private:
  /// Calls at_solids(box) for the lines of a box that may meet a body, and sweep(box) for others.
  template <Axis axis, class AtSolids, class Sweep>
  void in_pieces(const Box& box,
                 const SolidsInStep<Real>& solids,
                 const AtSolids& at_solids,
                 const Sweep& sweep) {
    const LinePieces pieces = pieces_of_lines(box, solids.lines_near[axis], velocity_along(axis));
    const int near = pieces.near.extents().count() > 0 ? 1 : 0;
    const int count = near + static_cast<int>(pieces.far.size());
    backend_->template side_by_side<axis>(count, [&](int piece) {
      if (piece < near) {
        at_solids(pieces.near);
      } else {
        sweep(pieces.far[piece - near]);
      }
    });
  }
  template <Axis axis>
  void diffuse_along(const Box& box,
                     int variable,
                     const SweepCoefficients<Real>& step,
                     const std::optional<SolidsInStep<Real>>& solids,
                     const auto& sink);
  template <int component, class Right, class Sweep>
  void advance_with(const VariableStep<Real>& step, const Right& right, const Sweep& sweep) {
    const Box box = unknowns(component);
    if (box.extents().count() == 0) return;  // one cell between two boundaries
    const auto solve = [&]<Axis axis>(const auto& from, const auto& sink) {
      backend_->enter(phase::of_sweep(axis));
      sweep.template operator()<axis>(box, from, sink);
    };
    const StoreSolution<Real> store{step.next};
    const SolutionBefore<Real> before{step.next};
    solve.template operator()<Axis::z>(right, store);
    solve.template operator()<Axis::y>(before, store);
    solve.template operator()<Axis::x>(before, AddToFlow<Real>{step.now, step.next});
  }

  template <int component, class Right>
  static const Right& without_pull(const PulledRightHandSide<component, Right, Real>& right) {
    return right.right;
  }
  static const SolutionBefore<Real>& without_pull(const SolutionBefore<Real>& right) {
    return right;
  }

  template <Axis axis, int component, class Right, class Sink>
  void sweep_at_solids(const VariableStep<Real>& step,
                       Box box,
                       const Right& right,
                       const Sink& sink) {
    const auto solve = [&]<bool is_cyclic>() {
      using Rows = FactorRows<axis, component, Real, is_cyclic, false, Right>;
      backend_->template sweep<axis>(
          box,
          RowsAtSolids<axis, Rows, Real>{
              {lines<axis, is_cyclic, false>(step.variable, step.coefficients),
               right,
               step.advecting},
              step.solids->view,
              has_uniform_cells<axis>()},
          sink);
    };
    fields_->part.is_periodic(axis) ? solve.template operator()<true>()
                                    : solve.template operator()<false>();
  }

  template <Axis axis, int component, class Right, class Sink>
  void sweep(const VariableStep<Real>& step, Box box, const Right& right, const Sink& sink) {
    with_kinds<axis>([&]<bool is_cyclic, bool is_uniform>() {
      backend_->template sweep<axis>(
          box,
          FactorRows<axis, component, Real, is_cyclic, is_uniform, Right>{
              lines<axis, is_cyclic, is_uniform>(step.variable, step.coefficients),
              right,
              step.advecting},
          sink);
    });
  }

  template <Axis axis, bool is_cyclic, bool is_uniform>
  [[nodiscard]] FactorLines<axis, Real, is_cyclic, is_uniform> lines(
      int variable, const SweepCoefficients<Real>& step) const {
    return {step, given_->line_end(axis, variable, false), given_->line_end(axis, variable, true)};
  }

  /// Calls solve<is_cyclic, is_uniform>() for what the axis is.
  template <Axis axis, class Solve>
  void with_kinds(const Solve& solve) const {
    if (fields_->part.is_periodic(axis)) {
      has_uniform_cells<axis>() ? solve.template operator()<true, true>()
                                : solve.template operator()<true, false>();
    } else {
      has_uniform_cells<axis>() ? solve.template operator()<false, true>()
                                : solve.template operator()<false, false>();
    }
  }
  template <Axis axis>
  [[nodiscard]] bool has_uniform_cells() const {
    return fields_->grid[axis].is_uniform;
  }
  [[nodiscard]] bool is_implicit(int axis) const {
    return has_implicit_diffusion(fields_->resolved, axis);
  }

  Backend* backend_;
  const ProjectionFields<Backend>* fields_;
  const GivenPlanes<Backend>* given_;
};

}  // namespace dns
