/// A flow of any formula on the staggered points of a box, with the ghost points that its ends
/// make, and the tables that particles read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "solver/core/field_layout.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/numerics/particle_velocity.hpp"
#include "solver/particles/particle_lines.hpp"

namespace dns::testing {

using Flow = std::function<double(int component, double x, double y, double z)>;

/// A case of scheme projection of which the grid and the kinds of the faces matter alone.
struct Box3 {
  Extents points;
  PerAxis<double> length{1, 1, 1}, origin{0, 0, 0};
  PerAxis<std::array<FaceKind, 2>> ends{};
  double factor = 0;  // of tanh cells along y

  [[nodiscard]] Case resolved() const {
    Case box;
    box.scheme = Scheme::projection;
    box.grid.points = points;
    box.grid.length = length;
    box.grid.origin = origin;
    for (int axis = 0; axis < 3; ++axis) {
      box.faces[face_index(axis, false)].kind = ends[axis][0];
      box.faces[face_index(axis, true)].kind = ends[axis][1];
    }
    if (factor > 0) {
      box.grid.stretching[1].kind = StretchingCase::Kind::tanh;
      box.grid.stretching[1].factor = factor;
    }
    return box;
  }
};

inline constexpr std::array<FaceKind, 2> periodic{FaceKind::periodic, FaceKind::periodic};
inline constexpr std::array<FaceKind, 2> walls{FaceKind::wall, FaceKind::wall};

/// The tables of a case on the host.
class AxesOfCase {
 public:
  explicit AxesOfCase(const Case& resolved) : case_(resolved) {
    const StaggeredGrid grid = staggered_grid(resolved);
    for (int axis = 0; axis < 3; ++axis) lines_.emplace_back(resolved, grid[axis], axis);
  }
  [[nodiscard]] PerAxis<ParticleAxis> axes() const {
    PerAxis<ParticleAxis> axes;
    for (int axis = 0; axis < 3; ++axis) {
      const ParticleLines& lines = lines_[static_cast<std::size_t>(axis)];
      axes[axis] = lines.on_host(particle_ends(case_, SpeciesCase{}, axis));
    }
    return axes;
  }

 private:
  Case case_;
  std::vector<ParticleLines> lines_;
};

/// A flow on the staggered points of a box, with the ghost points that its ends make.
template <class Real>
class SampledFlow {
 public:
  SampledFlow(const Box3& box, const Flow& flow)
      : case_(box.resolved()),
        grid_(staggered_grid(case_)),
        layout_(box.points, {1, 1, 1}),
        lines_(case_) {
    for (int component = 0; component < 3; ++component) {
      auto& values = values_[component];
      values.resize(layout_.count(sizeof(Real)));
      const FieldView<Real> view = layout_.field_view(values.data());
      const Extents n = box.points;
      for (int k = -1; k <= n.nz; ++k)
        for (int j = -1; j <= n.ny; ++j)
          for (int i = -1; i <= n.nx; ++i)
            view.set(Index3{i, j, k},
                     static_cast<Real>(ghost_or_value(flow, component, {i, j, k})));
    }
  }

  [[nodiscard]] PerAxis<ParticleAxis> axes() const { return lines_.axes(); }
  [[nodiscard]] VelocityAround<Real> velocity() {
    VelocityAround<Real> around{};
    for (int component = 0; component < 3; ++component)
      around.own.component[component] = layout_.field_view(values_[component].data()).as_const();
    around.planes = around.whole = case_.grid.points.nz;
    return around;
  }
  template <class Weights = PlaceWeights>
  [[nodiscard]] PerAxis<double> at(double x, double y, double z) {
    return velocity_by(velocity(), Weights::at(axes(), PerAxis<double>{x, y, z}));
  }

 private:
  /// What lies beyond two ends, or beyond one in the plane of another, is not of the flow.
  [[nodiscard]] double ghost_or_value(const Flow& flow, int component, Index3 c) const {
    int beyond = 0;
    int on_plane = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const StaggeredAxis& along = grid_[axis];
      const bool is_closed = !along.is_periodic &&
                             case_.faces[face_index(axis, c[axis] > 0)].kind != FaceKind::symmetry;
      const int n = along.cells();
      if (!is_closed) continue;
      if (axis == component && (c[axis] <= 0 || c[axis] == n)) ++on_plane;
      if (axis != component && (c[axis] < 0 || c[axis] == n)) ++beyond;
    }
    if (beyond > 1 || (beyond == 1 && on_plane == 1)) return 1e30;
    return value(flow, component, c);
  }
  /// At a point; a ghost point across a closed end has twice the value on the plane less that
  /// inside.
  [[nodiscard]] double value(const Flow& flow, int component, Index3 c) const {
    PerAxis<double> place{};
    for (int axis = 0; axis < 3; ++axis) {
      const StaggeredAxis& along = grid_[axis];
      const int n = along.cells();
      int p = c[axis];
      double shift = 0;
      if (along.is_periodic) {
        shift = p < 0 ? -along.length() : p >= n ? along.length() : 0;
        p = (p + n) % n;
      } else if (component != axis && (p < 0 || p >= n)) {
        Index3 inside = c;
        inside[axis] = p < 0 ? 0 : n - 1;
        const bool is_mirror = case_.faces[face_index(axis, p >= n)].kind == FaceKind::symmetry;
        if (is_mirror) return value(flow, component, inside);
        PlaneOf plane{axis, p < 0 ? along.faces.front() : along.faces.back()};
        return 2 * on_plane(flow, component, inside, plane) - value(flow, component, inside);
      } else {
        p = std::clamp(p, 0, n);
      }
      place[axis] = (component == axis ? along.face(p) : along.centre(p)) + shift;
    }
    return flow(component, place[0], place[1], place[2]);
  }
  struct PlaneOf {
    int axis;
    double at;
  };
  [[nodiscard]] double on_plane(const Flow& flow,
                                int component,
                                Index3 inside,
                                const PlaneOf& plane) const {
    PerAxis<double> place{};
    for (int axis = 0; axis < 3; ++axis) {
      const StaggeredAxis& along = grid_[axis];
      const int n = along.cells();
      const int p = along.is_periodic
                        ? (inside[axis] + n) % n
                        : std::clamp(inside[axis], 0, n - (axis == component ? 0 : 1));
      place[axis] = component == axis ? along.face(p) : along.centre(p);
    }
    place[plane.axis] = plane.at;
    return flow(component, place[0], place[1], place[2]);
  }

  Case case_;
  StaggeredGrid grid_;
  FieldLayout layout_;
  AxesOfCase lines_;
  std::array<std::vector<Real>, 3> values_;
};

}  // namespace dns::testing
