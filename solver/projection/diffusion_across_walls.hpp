/// Implicit diffusion along y across walls of order 4, by products with the inverses of its
/// factors (solver/numerics/inverse_across_walls.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/variables.hpp"
#include "solver/numerics/inverse_across_walls.hpp"
#include "solver/numerics/stage_across_walls.hpp"
#include "solver/projection/axis_modes.hpp"
#include "solver/projection/boundaries/given_planes.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/poisson_transforms.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// Finishes stages of variables, whose right-hand sides r are in q^(n+1):
///
///   q^(n+1) = q^n + (I - a L_y)^-1 (r + a L_y of what given values change by)
///
/// with a = g dt/2 nu, or g dt nu of implicit Euler. Variables with the same diffusivity and the
/// same kind of conditions share the n x n matrices; those of the three stages are kept.
template <class Backend>
class DiffusionAcrossWalls {
 public:
  using Real = typename Backend::Real;

  /// Both outlive it. Requires fields with rows across walls.
  DiffusionAcrossWalls(ProjectionFields<Backend>& fields, const GivenPlanes<Backend>& given)
      : backend_(fields.backend), fields_(&fields), given_(&given) {
    for (int variable = 0; variable < given.variables(); ++variable) {
      const Kind kind = kind_of(variable);
      std::size_t place = 0;
      while (place < factors_.size() && !(factors_[place].kind == kind)) ++place;
      if (place == factors_.size()) factors_.push_back(factor_of(kind));
      place_of_.push_back(place);
      changes_.push_back(changes_of(variable));
    }
  }

  /// Makes the factors those of a stage of dt [L/U].
  void set_step(double dt, bool is_trapezoidal) {
    for (Factor& factor : factors_) make_inverse(factor, (is_trapezoidal ? dt / 2 : dt));
  }
  /// See above. Overwrites phi; the next velocity is elsewhere in memory afterwards.
  void diffuse(int variable) {
    const Factor& factor = factors_[place_of_[variable]];
    const Inverse& inverse = factor.inverses[factor.current];
    for (int end = 0; end < ends; ++end) add_change(variable, end, factor.a);
    backend_->for_each(AddDiffused<Real>::points(fields_->layout.points),
                       AddDiffused<Real>{.before = fields_->now_of(variable),
                                         .right = fields_->next_of(variable).as_const(),
                                         .q = fields_->phi.view(),
                                         .matrix = inverse.matrix.data(),
                                         .first = inverse.first.data(),
                                         .end = inverse.end.data(),
                                         .n = fields_->layout.points.ny,
                                         .n_z = fields_->layout.points.nz});
    if (is_velocity(variable)) return fields_->next.swap(variable, fields_->phi);
    backend_->copy(fields_->phi.data(),
                   fields_->scalars[1].data(variable - first_scalar),
                   fields_->phi.count());
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  using Doubles = decltype(std::declval<Backend&>().template allocate<double>(0));
  using Group = ColumnOfGroup<Real>;
  static constexpr int ends = 2;
  static constexpr int stages = 3;

  /// What tells matrices apart.
  struct Kind {
    bool is_at_faces = false;
    double diffusivity = 0;  // [U L]
    std::array<EndAcrossWalls, ends> conditions{};

    friend bool operator==(const Kind&, const Kind&) = default;
  };
  struct Inverse {
    decltype(std::declval<Backend&>().template allocate<Group>(0)) matrix;
    decltype(std::declval<Backend&>().template allocate<int>(0)) first, end;  // columns of groups
  };
  struct Factor {
    Kind kind;
    Doubles forward, inverse, eigenvalues;  // of L_y
    std::array<Inverse, stages> inverses;
    std::array<double, stages> steps{};  // a of each [L^2]; 0: none yet
    std::size_t current = 0;
    double a = 0;
  };
  /// L_y q of a given value of 1 at an end, at `count` points from index `first` on.
  struct Change {
    int first = 0, count = 0;
    Memory of_unit;
  };

  [[nodiscard]] const OperatorsAcrossWalls& along_y() const {
    return *fields_->grid[1].across_walls;
  }
  [[nodiscard]] EndAcrossWalls end_of(int variable, int end) const {
    return end_across_walls(given_->conditions()[face_index(1, end == 1)][variable]);
  }
  [[nodiscard]] Kind kind_of(int variable) const {
    Kind kind{variable == velocity_along(Axis::y), fields_->resolved.diffusivity(variable), {}};
    for (int end = 0; end < ends && !kind.is_at_faces; ++end) {
      kind.conditions[end] = end_of(variable, end);
      kind.conditions[end].given_weight = 1;  // which L_y does not depend on
    }
    return kind;
  }
  [[nodiscard]] Factor factor_of(const Kind& kind) const {
    const std::size_t n = along_y().cells();
    AxisBasis basis;
    if constexpr (!Backend::only_counts)
      basis =
          kind.is_at_faces ? basis_at_faces(along_y()) : basis_at_cells(along_y(), kind.conditions);
    Factor factor;
    factor.kind = kind;
    factor.forward = upload_as<double>(*backend_, basis.forward, n * n);
    factor.inverse = upload_as<double>(*backend_, basis.inverse, n * n);
    factor.eigenvalues = upload_as<double>(*backend_, basis.eigenvalues, n);
    for (Inverse& inverse : factor.inverses) {
      const std::size_t groups = Group::groups_of(along_y().cells());
      inverse = {backend_->template allocate<Group>(groups * n),
                 backend_->template allocate<int>(groups),
                 backend_->template allocate<int>(groups)};
    }
    return factor;
  }
  /// Makes the matrix of a step of dt [L/U] the current one.
  void make_inverse(Factor& factor, double dt) {
    factor.a = dt * factor.kind.diffusivity;
    for (std::size_t place = 0; place < factor.steps.size(); ++place) {
      if (factor.steps[place] != factor.a) continue;
      factor.current = place;
      return;
    }
    factor.current = (factor.current + 1) % factor.steps.size();
    factor.steps[factor.current] = factor.a;
    const int n = along_y().cells();
    const Inverse& inverse = factor.inverses[factor.current];
    backend_->for_each(Box{{}, {n, Group::groups_of(n) * Group::rows, 1}},
                       InverseOfFactor<Real>{.forward = factor.forward.data(),
                                             .inverse = factor.inverse.data(),
                                             .eigenvalues = factor.eigenvalues.data(),
                                             .result = inverse.matrix.data(),
                                             .a = factor.a,
                                             .n = n});
    backend_->for_each(Box{{}, {Group::groups_of(n), 1, 1}},
                       FindColumns<Real>{.matrix = inverse.matrix.data(),
                                         .first = inverse.first.data(),
                                         .end = inverse.end.data(),
                                         .n = n});
  }

  [[nodiscard]] std::array<Change, ends> changes_of(int variable) const {
    std::array<Change, ends> changes;
    for (int end = 0; end < ends; ++end) {
      const std::vector<double> of_unit =
          variable == velocity_along(Axis::y)
              ? second_difference_of_end_face(along_y(), end == 1)
              : second_difference_of_given(along_y(), end_of(variable, end), end == 1);
      int first = 0;
      int last = along_y().cells();
      while (first < last && of_unit[first] == 0) ++first;
      while (first < last && of_unit[last - 1] == 0) --last;
      const std::vector<double> some(of_unit.begin() + first, of_unit.begin() + last);
      changes[end] = {first, last - first, upload_as<Real>(*backend_, some, 1)};
    }
    return changes;
  }
  /// Whether what is given for a variable at an end may change in a stage. Normal velocities are
  /// balanced: where one moves, all do.
  [[nodiscard]] bool moves(int variable, int end) const {
    const Conditions& conditions = given_->conditions();
    if (variable != velocity_along(Axis::y))
      return conditions[face_index(1, end == 1)][variable].moves;
    return conditions[2][variable].moves || conditions[3][variable].moves;
  }
  void add_change(int variable, int end, double a) {
    const Change& change = changes_[variable][end];
    if (!moves(variable, end) || change.count == 0) return;
    const int face = face_index(1, end == 1);
    Box box = fields_->layout.all_points();
    box.begin.j = change.first;
    box.end.j = change.first + change.count;
    backend_->for_each(box,
                       AddGivenChange<Real>{.now = given_->now(face, variable).as_const(),
                                            .next = given_->next(face, variable).as_const(),
                                            .result = fields_->next_of(variable),
                                            .of_unit = change.of_unit.data(),
                                            .first = change.first,
                                            .weight = static_cast<Real>(a)});
  }

  Backend* backend_;
  ProjectionFields<Backend>* fields_;
  const GivenPlanes<Backend>* given_;
  std::vector<Factor> factors_;
  std::vector<std::size_t> place_of_;              // of a variable's factor
  std::vector<std::array<Change, ends>> changes_;  // of each variable
};

}  // namespace dns
