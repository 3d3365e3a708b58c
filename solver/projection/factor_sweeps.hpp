/// The three sweeps that advance one component of the velocity, or a scalar.
#pragma once

#include <algorithm>
#include <cstddef>

#include "solver/core/backend.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/projection_rows.hpp"
#include "solver/numerics/solid_rows.hpp"
#include "solver/projection/boundaries/given_planes.hpp"
#include "solver/projection/solid_pulls.hpp"
#include "solver/projection/staggered_field.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// Solves (I + A_z)(I + A_y)(I + A_x) dq = right-hand side, factor after factor.
template <class Backend>
class FactorSweeps {
 public:
  using Real = typename Backend::Real;

  /// Both outlive it.
  FactorSweeps(const ProjectionFields<Backend>& fields, const GivenPlanes<Backend>& given)
      : backend_(fields.backend),
        given_(&given),
        layout_(fields.layout),
        part_(fields.part),
        is_uniform_{
            fields.grid[0].is_uniform, fields.grid[1].is_uniform, fields.grid[2].is_uniform} {}

  /// Reserves what sweeps along these axes need, those of all components at once.
  void reserve(const PerAxis<bool>& is_swept) {
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      if (is_swept[axis])
        backend_->template reserve_sweeps<OneUnknown>(
            axis, layout_.all_points(), part_.is_periodic(axis), 3);
    }
  }

  /// next := q^n + dq of the variable with this number, a velocity `component` or a scalar. `right`
  /// is the right-hand side: RightHandSide, or SolutionBefore where it is in `next` already.
  /// Requires the ghost points of `now` and of the advecting velocity.
  template <int component, class Right>
  void advance(int variable,
               const AdvectingVelocity<Real>& advecting,
               const SweepCoefficients<Real>& step,
               const Right& right,
               const FieldView<const Real>& now,
               const FieldView<Real>& next) {
    advance_with<component>(
        right, now, next, [&]<Axis axis>(Box box, const auto& from, const auto& sink) {
          sweep<axis, component>(variable, box, from, advecting, step, sink);
        });
  }

  /// next := q^n + dq from a right-hand side in `next`, with factors along some axes only, one at
  /// least.
  template <int component>
  void advance_along(int variable,
                     const PerAxis<bool>& is_swept,
                     const AdvectingVelocity<Real>& advecting,
                     const SweepCoefficients<Real>& step,
                     const FieldView<const Real>& now,
                     const FieldView<Real>& next) {
    const Box box = unknowns(component);
    if (box.extents().count() == 0) return;
    auto left = std::ranges::count(is_swept, true);
    const auto solve = [&]<Axis axis>() {
      if (!is_swept[axis]) return;
      backend_->enter(phase::of_sweep(axis));
      const SolutionBefore<Real> before{next};
      if (--left == 0) {
        sweep<axis, component>(variable, box, before, advecting, step, AddToFlow<Real>{now, next});
      } else {
        sweep<axis, component>(variable, box, before, advecting, step, StoreSolution<Real>{next});
      }
    };
    solve.template operator()<Axis::z>();
    solve.template operator()<Axis::y>();
    solve.template operator()<Axis::x>();
  }

  /// next := q^n + dq, as advance(), with solid bodies: lines that meet none are swept as without
  /// bodies. lines_near: the points through which lines along each axis may meet one.
  template <int component, class Right>
  void advance_at_solids(int variable,
                         const AdvectingVelocity<Real>& advecting,
                         const SweepCoefficients<Real>& step,
                         const PulledRightHandSide<component, Right, Real>& right,
                         const FieldView<const Real>& now,
                         const FieldView<Real>& next,
                         const PerAxis<Box>& lines_near) {
    advance_with<component>(
        right, now, next, [&]<Axis axis>(Box box, const auto& from, const auto& sink) {
          const LinePieces pieces = pieces_of_lines(box, lines_near[axis], velocity_along(axis));
          const int near = pieces.near.extents().count() > 0 ? 1 : 0;
          const int count = near + static_cast<int>(pieces.far.size());
          backend_->template side_by_side<axis>(count, [&](int piece) {
            if (piece < near) {
              sweep_at_solids<axis, component>(
                  variable, pieces.near, from, advecting, step, right.solids, sink);
            } else {
              const Box& far = pieces.far[piece - near];
              sweep<axis, component>(variable, far, without_pull(from), advecting, step, sink);
            }
          });
        });
  }

  /// The points of a component whose equations are solved: all but the faces on boundaries.
  [[nodiscard]] Box unknowns(int component) const {
    Box box = layout_.all_points();
    if (component == 0 && part_.is_boundary(0, false)) box.begin.i = 1;
    if (component == 1 && part_.is_boundary(1, false)) box.begin.j = 1;
    if (component == 2 && part_.is_boundary(2, false)) box.begin.k = 1;
    return box;
  }

 private:
  template <int component, class Right, class Sweep>
  void advance_with(const Right& right,
                    const FieldView<const Real>& now,
                    const FieldView<Real>& next,
                    const Sweep& sweep) {
    const Box box = unknowns(component);
    if (box.extents().count() == 0) return;  // one cell between two boundaries
    const auto solve = [&]<Axis axis>(const auto& from, const auto& sink) {
      backend_->enter(phase::of_sweep(axis));
      sweep.template operator()<axis>(box, from, sink);
    };
    const StoreSolution<Real> store{next};
    const SolutionBefore<Real> before{next};
    solve.template operator()<Axis::z>(right, store);
    solve.template operator()<Axis::y>(before, store);
    solve.template operator()<Axis::x>(before, AddToFlow<Real>{now, next});
  }

  template <int component, class Right>
  static const Right& without_pull(const PulledRightHandSide<component, Right, Real>& right) {
    return right.right;
  }
  static const SolutionBefore<Real>& without_pull(const SolutionBefore<Real>& right) {
    return right;
  }

  template <Axis axis, int component, class Right, class Sink>
  void sweep_at_solids(int variable,
                       Box box,
                       const Right& right,
                       const AdvectingVelocity<Real>& advecting,
                       const SweepCoefficients<Real>& step,
                       const SolidsView<Real>& solids,
                       const Sink& sink) {
    const auto solve = [&]<bool is_cyclic>() {
      using Rows = FactorRows<axis, component, Real, is_cyclic, false, Right>;
      backend_->template sweep<axis>(
          box,
          RowsAtSolids<axis, Rows, Real>{{right,
                                          advecting,
                                          step,
                                          given_->line_end(axis, variable, false),
                                          given_->line_end(axis, variable, true)},
                                         solids,
                                         is_uniform_[axis]},
          sink);
    };
    part_.is_periodic(axis) ? solve.template operator()<true>()
                            : solve.template operator()<false>();
  }

  template <Axis axis, int component, class Right, class Sink>
  void sweep(int variable,
             Box box,
             const Right& right,
             const AdvectingVelocity<Real>& advecting,
             const SweepCoefficients<Real>& step,
             const Sink& sink) {
    with_kinds<axis>([&]<bool is_cyclic, bool is_uniform>() {
      backend_->template sweep<axis>(
          box,
          FactorRows<axis, component, Real, is_cyclic, is_uniform, Right>{
              right,
              advecting,
              step,
              given_->line_end(axis, variable, false),
              given_->line_end(axis, variable, true)},
          sink);
    });
  }

  /// Calls solve<is_cyclic, is_uniform>() for what the axis is.
  template <Axis axis, class Solve>
  void with_kinds(const Solve& solve) const {
    if (part_.is_periodic(axis)) {
      is_uniform_[axis] ? solve.template operator()<true, true>()
                        : solve.template operator()<true, false>();
    } else {
      is_uniform_[axis] ? solve.template operator()<false, true>()
                        : solve.template operator()<false, false>();
    }
  }

  Backend* backend_;
  const GivenPlanes<Backend>* given_;
  StaggeredLayout layout_;
  Subdomain part_;
  PerAxis<bool> is_uniform_;
};

}  // namespace dns
