/// The mean of a scalar in boxes through whose faces nothing flows.
#pragma once

#include <cstddef>

#include "solver/config/case.hpp"
#include "solver/core/backend.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/cell_sum.hpp"
#include "solver/projection/staggered_field.hpp"

namespace dns {

/// Whether the mean of a scalar changes at a known, constant rate: each axis of the box is periodic
/// or ends at planes of symmetry or walls without normal velocity, through which nothing or a
/// constant gradient of the scalar passes, and there are neither bodies, sources of it nor an
/// imposed mean gradient. Scheme projection.
[[nodiscard]] inline bool mean_is_known(const Case& resolved, int variable) {
  if (!resolved.solids.empty() || has_source(resolved, variable) ||
      resolved.has_mean_gradient(variable))
    return false;
  for (std::size_t face = 0; face < resolved.faces.size(); ++face) {
    const FaceCase& at = resolved.faces[face];
    if (at.kind == FaceKind::periodic) continue;
    const bool is_closed = at.kind == FaceKind::symmetry ||
                           (at.kind == FaceKind::wall && at.velocity.at(face / 2).is_zero());
    const bool passes_nothing =
        !at.gives(variable) || (at.gives_transfer(variable) && at.scalar(variable).transfer == 0);
    const bool is_constant = at.gives_gradient(variable) && at.given(variable).is_constant();
    if (!is_closed || (!passes_nothing && !is_constant)) return false;
  }
  return true;
}

/// The mean M(t) of a scalar that follows from the start and the gradients at the walls,
///
///   dM/dt = 1/(Re Pr) SUM over the faces of gradient/(length of the box across them).
///
/// The sum of the factors' advection conserves the scalar, their products in the factorisation do
/// not: a step leaves the mean wrong by O(dt^3). The deficit is added to it everywhere. It is that
/// of the whole run so far: what a value in Real cannot take up in one step is not lost.
template <class Backend>
class MeanScalar {
 public:
  using Real = typename Backend::Real;

  MeanScalar(const Case& resolved, const StaggeredGrid& grid, int variable)
      : is_known_(mean_is_known(resolved, variable)) {
    for (const StaggeredAxis& axis : grid) volume_ *= axis.length();
    for (std::size_t face = 0; is_known_ && face < resolved.faces.size(); ++face) {
      if (!resolved.faces[face].gives_gradient(variable)) continue;
      rate_ += resolved.diffusivity(variable) * resolved.faces[face].given(variable)(0, 0, 0, 0) /
               grid[face / 2].length();
    }
  }

  /// Whether M is known; if not, the rest means nothing.
  [[nodiscard]] bool is_known() const { return is_known_; }
  /// M at the beginning of a step, and dt [L/U] later.
  [[nodiscard]] double now() const { return mean_; }
  [[nodiscard]] double after(double dt) const { return mean_ + dt * rate_; }
  void set(double mean) { mean_ = mean; }

  /// The mean of a field.
  [[nodiscard]] double of(Backend& backend,
                          const StaggeredLayout& layout,
                          const FieldView<const Real>& scalar,
                          const GridMetrics<Real>& metrics) const {
    const auto all =
        backend.template reduce<1, 0>(layout.all_points(), CellSum<Real>{scalar, metrics});
    return all.sum[0] / volume_;
  }

 private:
  bool is_known_;
  double volume_ = 1;  // of the box [L^3]
  double rate_ = 0;    // dM/dt [U/L]
  double mean_ = 0;
};

}  // namespace dns
