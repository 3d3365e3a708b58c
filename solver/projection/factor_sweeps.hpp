/// The three sweeps that advance one component of the velocity, or a scalar.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "solver/core/backend.hpp"
#include "solver/numerics/projection_rows.hpp"
#include "solver/projection/boundaries/given_planes.hpp"
#include "solver/projection/solid_pulls.hpp"
#include "solver/projection/staggered_field.hpp"
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
      : backend_(fields.backend),
        given_(&given),
        layout_(fields.layout),
        part_(fields.part),
        is_uniform_{
            fields.grid[0].is_uniform, fields.grid[1].is_uniform, fields.grid[2].is_uniform} {}

  /// Reserves what sweeps along these axes need, those of all components at once.
  void reserve(const std::array<bool, 3>& is_swept) {
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      const auto a = static_cast<int>(axis);
      if (is_swept[static_cast<std::size_t>(a)])
        backend_->template reserve_sweeps<OneUnknown>(
            axis, layout_.all_points(), part_.is_periodic(a), 3);
    }
  }

  /// next := q^n + dq of a velocity `component` or a scalar. `right` is the right-hand side:
  /// RightHandSide, or SolutionBefore where it is in `next` already. Lines that meet no body are
  /// swept as without bodies. Requires the ghost points of `now` and of the advecting velocity.
  template <int component, class Right>
  void advance(const VariableStep<Real>& step, const Right& right) {
    if (!step.solids) {
      advance_with<component>(
          step, right, [&]<Axis axis>(Box box, const auto& from, const auto& sink) {
            sweep<axis, component>(step, box, from, sink);
          });
      return;
    }
    const PulledRightHandSide<component, Right, Real> pulled{right, step.now, step.solids->view};
    advance_with<component>(
        step, pulled, [&]<Axis axis>(Box box, const auto& from, const auto& sink) {
          constexpr int a = static_cast<int>(axis);
          const LinePieces pieces =
              pieces_of_lines(box, step.solids->lines_near[static_cast<std::size_t>(a)], a);
          const int near = pieces.near.extents().count() > 0 ? 1 : 0;
          const int count = near + static_cast<int>(pieces.far.size());
          backend_->template side_by_side<axis>(count, [&](int piece) {
            if (piece < near) {
              sweep_at_solids<axis, component>(step, pieces.near, from, sink);
            } else {
              const Box& far = pieces.far[static_cast<std::size_t>(piece - near)];
              sweep<axis, component>(step, far, without_pull(from), sink);
            }
          });
        });
  }

  /// The same with factors of diffusion only.
  void diffuse(const DiffusionStep<Real>& step) {
    const Box box = unknowns(step.variable);
    if (box.extents().count() == 0) return;
    auto left = std::ranges::count(step.is_implicit, true);
    const auto solve = [&]<Axis axis>() {
      if (!step.is_implicit[static_cast<std::size_t>(axis)]) return;
      backend_->enter(phase::of_sweep(axis));
      if (--left == 0) {
        sweep_diffusion<axis>(box, step, AddToFlow<Real>{step.now, step.next});
      } else {
        sweep_diffusion<axis>(box, step, StoreSolution<Real>{step.next});
      }
    };
    solve.template operator()<Axis::z>();
    solve.template operator()<Axis::y>();
    solve.template operator()<Axis::x>();
  }

  /// The points of a variable whose equations are solved: all but the faces on boundaries.
  [[nodiscard]] Box unknowns(int variable) const {
    Box box = layout_.all_points();
    if (variable == 0 && part_.is_boundary(0, false)) box.begin.i = 1;
    if (variable == 1 && part_.is_boundary(1, false)) box.begin.j = 1;
    if (variable == 2 && part_.is_boundary(2, false)) box.begin.k = 1;
    return box;
  }

 private:
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
    constexpr int a = static_cast<int>(axis);
    const auto solve = [&]<bool is_cyclic>() {
      using Rows = FactorRows<axis, component, Real, is_cyclic, false, Right>;
      backend_->template sweep<axis>(
          box,
          RowsAtSolids<axis, Rows, Real>{
              {lines<axis, is_cyclic, false>(step), right, step.advecting},
              step.solids->view,
              is_uniform_[static_cast<std::size_t>(a)]},
          sink);
    };
    part_.is_periodic(a) ? solve.template operator()<true>() : solve.template operator()<false>();
  }

  template <Axis axis, int component, class Right, class Sink>
  void sweep(const VariableStep<Real>& step, Box box, const Right& right, const Sink& sink) {
    with_kinds<axis>([&]<bool is_cyclic, bool is_uniform>() {
      backend_->template sweep<axis>(
          box,
          FactorRows<axis, component, Real, is_cyclic, is_uniform, Right>{
              lines<axis, is_cyclic, is_uniform>(step), right, step.advecting},
          sink);
    });
  }

  template <Axis axis, class Sink>
  void sweep_diffusion(Box box, const DiffusionStep<Real>& step, const Sink& sink) {
    constexpr int a = static_cast<int>(axis);
    const SweepCoefficients<Real>& of = step.coefficients;
    with_kinds<axis>([&]<bool is_cyclic, bool is_uniform>() {
      backend_->template sweep<axis>(box,
                                     DiffusionRows<axis, Real, is_cyclic, is_uniform>{
                                         lines<axis, is_cyclic, is_uniform>(step),
                                         step.variable == a ? of.faces[a] : of.centres[a],
                                         step.next},
                                     sink);
    });
  }

  template <Axis axis, bool is_cyclic, bool is_uniform, class Step>
  [[nodiscard]] FactorLines<axis, Real, is_cyclic, is_uniform> lines(const Step& step) const {
    return {step.coefficients,
            given_->line_end(axis, step.variable, false),
            given_->line_end(axis, step.variable, true)};
  }

  /// Calls solve<is_cyclic, is_uniform>() for what the axis is.
  template <Axis axis, class Solve>
  void with_kinds(const Solve& solve) const {
    const auto a = static_cast<std::size_t>(axis);
    if (part_.is_periodic(static_cast<int>(a))) {
      is_uniform_[a] ? solve.template operator()<true, true>()
                     : solve.template operator()<true, false>();
    } else {
      is_uniform_[a] ? solve.template operator()<false, true>()
                     : solve.template operator()<false, false>();
    }
  }

  Backend* backend_;
  const GivenPlanes<Backend>* given_;
  StaggeredLayout layout_;
  Subdomain part_;
  std::array<bool, 3> is_uniform_;
};

}  // namespace dns
