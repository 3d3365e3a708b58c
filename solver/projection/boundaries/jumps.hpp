/// Given values and slip lengths that jump in time, and flows that start with a jump beside them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/numerics/staggered_ghosts.hpp"
#include "solver/projection/boundaries/given_planes.hpp"

namespace dns {

/// Finds where Crank-Nicolson steps would ring.
template <class Backend>
class Jumps {
 public:
  using Real = typename Backend::Real;

  /// Both outlive it.
  Jumps(const ProjectionFields<Backend>& fields, GivenPlanes<Backend>& given)
      : backend_(fields.backend), fields_(&fields), given_(&given) {}

  /// Whether a given value or a slip length jumps in a step from t to t + dt [L/U] where that
  /// rings.
  [[nodiscard]] bool value_jumps(double t, double dt);

  /// The largest diffusivity/width^2 where a flow that starts and a given value differ as by a
  /// jump; 0: nowhere [U/L]. Flows around bodies always do.
  [[nodiscard]] double rate_of_jumps(const VelocityView<const Real>& velocity,
                                     const ScalarViews<const Real>& scalars);

 private:
  [[nodiscard]] double rate_of(int face, int variable) const {
    return given_rate(given_->conditions(), fields_->resolved, fields_->grid, face, variable);
  }
  template <Axis axis>
  [[nodiscard]] bool differs_as_by_jump(int face, int variable, const FieldView<const Real>& field);

  Backend* backend_;
  const ProjectionFields<Backend>* fields_;
  GivenPlanes<Backend>* given_;
};

/// A normal velocity that jumps makes the flow jump along all faces and bodies.
template <class Backend>
bool Jumps<Backend>::value_jumps(double t, double dt) {
  constexpr int times = 6;
  bool is_asked = false;  // alike on all ranks
  bool jumps = false;
  for (int face = 0; face < given_->faces; ++face) {
    for (int variable = 0; variable < given_->variables(); ++variable) {
      if (!may_jump(given_->conditions()[face][variable])) continue;
      const bool is_normal = variable == face / 2;
      const double rate = is_normal ? largest_given_rate(fields_->resolved, fields_->grid)
                                    : rate_of(face, variable);
      if (!rings_after_jump(dt, rate)) continue;
      is_asked = true;
      if (jumps || !fields_->part.is_boundary(face)) continue;
      std::vector<std::vector<double>> values;
      std::vector<std::vector<double>> slip_lengths;
      for (int before = 0; before < times; ++before) {
        const double at = std::max(t + (1 - before) * dt, 0.0);  // as at the start before it
        values.push_back(given_->values_at(face, variable, at));
        slip_lengths.push_back(given_->slip_lengths_at(face, variable, at));
      }
      jumps = ends_with_jump(values) || ends_with_jump(slip_lengths);
    }
  }
  if (!is_asked || !backend_->is_divided()) return jumps;
  return backend_->sum_of_ranks(std::array{jumps ? 1.0 : 0.0})[0] > 0;
}

template <class Backend>
double Jumps<Backend>::rate_of_jumps(const VelocityView<const Real>& velocity,
                                     const ScalarViews<const Real>& scalars) {
  double largest = largest_rate_of_bodies(fields_->resolved, fields_->grid);
  for (int face = 0; face < given_->faces; ++face) {
    for (int variable = 0; variable < given_->variables(); ++variable) {
      const double rate = rate_of(face, variable);
      if (rate <= largest || variable == face / 2) continue;
      const FieldView<const Real> field =
          is_velocity(variable) ? velocity[variable] : scalars[variable - first_scalar];
      with_axis(face / 2, [&]<Axis axis>() {
        if (differs_as_by_jump<axis>(face, variable, field)) largest = rate;
      });
    }
  }
  return largest;
}

/// Whether what the field's last two planes extrapolate to where a value is given, on the plane or
/// beyond it, differs from that by more than curvature explains: by half a per cent of the larger
/// difference from these planes.
template <class Backend>
template <Axis axis>
bool Jumps<Backend>::differs_as_by_jump(int face,
                                        int variable,
                                        const FieldView<const Real>& field) {
  constexpr double small_part = 0.005;
  constexpr double round_off = 64 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  using Kernel = JumpAtPlane<axis, Real>;
  const bool is_high = face % 2 != 0;
  const int n = fields_->grid[axis].cells();
  const double width = fields_->grid[axis].width(is_high ? n - 1 : 0);
  const double next_width =
      fields_->grid[axis].width(is_high ? std::max(n - 2, 0) : std::min(n - 1, 1));
  const double beyond = given_->conditions()[face][variable].distance_of_given();
  const bool is_here = fields_->part.is_boundary(face);
  Box box = fields_->layout.all_points();
  const int plane = is_high ? fields_->part.points()[axis] - 1 : 0;
  box.begin = placed<axis>(box.begin, plane);
  box.end = placed<axis>(box.end, is_here ? plane + 1 : plane);
  const auto reduction = backend_->template reduce<0, Kernel::maxima>(
      box,
      Kernel{field,
             given_->line_end(axis, variable, is_high).next,
             static_cast<Real>((width + 2 * beyond) / (width + next_width)),
             is_high ? -1 : 1});
  const double jump = reduction.maximum[Kernel::jump];
  return jump > small_part * reduction.maximum[Kernel::difference] &&
         jump > round_off * reduction.maximum[Kernel::size];
}

}  // namespace dns
