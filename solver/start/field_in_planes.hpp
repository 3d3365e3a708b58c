/// A field that is interpolated while planes of another one come in.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/grid/line_stencils.hpp"

namespace dns {

/// Stencils of the points of the target along one axis: what each takes of the slots of the source.
using AxisStencils = std::vector<LineStencil>;

/// The tensor product of interpolations along x, y and z, in double:
///
///   f(i, j, k) = SUM_c Z[k][c] SUM_b Y[j][b] SUM_a X[i][a] f_source(a, b, c)
///
/// Planes of the source are used in the order of their slots, so that the sums do not depend on
/// which part of the target is made; only the target and two planes are held.
class FieldInPlanes {
 public:
  /// slots: of the planes of the source along x, y and z; those of x and y are the shape of each.
  FieldInPlanes(std::string name,
                PerAxis<AxisStencils> stencils,
                const Extents& slots,
                int threads);

  /// Whether the target has a part of the plane in this slot along z.
  [[nodiscard]] bool needs(int slot) const { return !uses_[slot].empty(); }
  /// Adds that plane, (slots of y, slots of x), x fastest.
  void add(int slot, const std::vector<double>& plane);

  /// The field, once all planes that it needs have been added.
  [[nodiscard]] HostField take();

 private:
  /// A plane of the target, and the weight of a plane of the source in it.
  struct Use {
    int plane;
    double weight;
  };

  void interpolate_along_x(const std::vector<double>& plane);
  void interpolate_along_y();
  void add_to(const Use& use);

  PerAxis<AxisStencils> stencils_;
  Extents slots_, points_;
  int threads_;
  HostField field_;
  std::vector<std::vector<Use>> uses_;  // of each slot along z
  std::vector<bool> has_begun_;         // planes of the target
  std::vector<double> rows_;            // (slots of y, points along x)
  std::vector<double> plane_;           // (points along y, points along x)
};

}  // namespace dns
