/// Storage of a level: u, v, w, T with the ghost nodes of periodic axes.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "solver/core/backend.hpp"
#include "solver/core/field_layout.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/numerics/nodal_gradients.hpp"

namespace dns {

/// How a level lies in memory: one ghost node at both ends of an axis that is periodic or divided
/// between ranks; one group of variables (LevelView) after the other. A node has `node_bytes` in a
/// group: a word for each of its variables.
struct LevelLayout : FieldLayout {
  /// Nodes at both ends of axes without ghosts are boundary nodes.
  explicit LevelLayout(Extents nodes, Extents ghost_nodes = {})
      : FieldLayout(nodes, ghost_nodes),
        first_{1 - ghosts.nx, 1 - ghosts.ny, 1 - ghosts.nz},
        last_(first_),
        periodic_(ghosts) {}

  static LevelLayout of(const Subdomain& part) {
    Extents ghosts{};
    for (const int axis : {0, 1, 2})
      ghosts[axis] = part.is_boundary(axis, false) && part.is_boundary(axis, true) ? 0 : 1;
    LevelLayout layout(part.points(), ghosts);
    for (const int axis : {0, 1, 2}) {
      layout.periodic_[axis] = part.is_periodic(axis) ? 1 : 0;
      layout.first_[axis] = part.is_boundary(axis, false) ? 1 : 0;
      layout.last_[axis] = part.is_boundary(axis, true) ? 1 : 0;
    }
    return layout;
  }

  /// Words of all variables.
  [[nodiscard]] std::size_t values(std::size_t node_bytes) const {
    return variables_per_level * count(node_bytes);
  }

  /// The view of a level whose words start at `values`.
  template <class Real, int interleave_width = 1>
  [[nodiscard]] LevelView<Real, interleave_width> view(Real* values) const {
    constexpr std::size_t node_bytes = interleave_width * sizeof(Real);
    LevelView<Real, interleave_width> view;
    view.stride_y = interleave_width * stride_y(node_bytes);
    view.stride_z = interleave_width * stride_z(node_bytes);
    for (Real*& origin_of_group : view.origin) {
      origin_of_group = values + interleave_width * origin(node_bytes);
      values += interleave_width * count(node_bytes);
    }
    return view;
  }

  /// Nodes whose equations are solved: all but the boundary nodes.
  [[nodiscard]] Box interior() const { return {{first_.nx, first_.ny, first_.nz}, cells().end}; }
  /// Cells by their lowest corner: those between nodes, and those between the last node and the
  /// ghost node at the high end of a periodic axis or of another rank's part.
  [[nodiscard]] Box cells() const {
    return {{}, {points.nx - last_.nx, points.ny - last_.ny, points.nz - last_.nz}};
  }

  /// Nodes with those that the part evaluates beyond them: the ghost nodes of periodic axes.
  [[nodiscard]] Box evaluated() const {
    return {{-periodic_.nx, -periodic_.ny, -periodic_.nz},
            {points.nx + periodic_.nx, points.ny + periodic_.ny, points.nz + periodic_.nz}};
  }

 private:
  Extents first_, last_;  // boundary nodes at the low and the high end
  Extents periodic_;      // 1 along periodic axes
};

template <class Backend>
class TimeLevel {
 public:
  using Real = typename Backend::Real;
  static constexpr int interleave_width = Backend::interleave_width;
  using View = LevelView<Real, interleave_width>;
  using ConstView = LevelView<const Real, interleave_width>;

  TimeLevel(Backend& backend, const LevelLayout& layout)
      : layout_(layout), values_(backend.template allocate<Real>(count())) {}

  [[nodiscard]] View view() const { return layout_.view<Real, interleave_width>(values_.data()); }
  [[nodiscard]] ConstView view_const() const { return view().as_const(); }

  /// Fills the nodes beyond the seams to other ranks from theirs.
  void exchange(Backend& backend) const {
    constexpr std::size_t group = interleave_width;
    std::array<Real*, variables_per_level / group> groups;
    for (std::size_t n = 0; n < groups.size(); ++n)
      groups[n] = values_.data() + n * group * layout_.count(group * sizeof(Real));
    backend.exchange(layout_, interleave_width, groups);
  }

  [[nodiscard]] Real* data() const { return values_.data(); }
  [[nodiscard]] std::size_t count() const {
    return layout_.values(interleave_width * sizeof(Real));
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  LevelLayout layout_;
  Memory values_;
};

/// The derivatives of a level.
template <class Backend>
[[nodiscard]] auto gradients_of(const TimeLevel<Backend>& level,
                                const InverseTwoSpacings<typename Backend::Real>& inverse_two_h,
                                const Subdomain& part) {
  NodalGradients<typename Backend::Real, Backend::interleave_width> gradients{
      level.view_const(), inverse_two_h, part.points()};
  for (const int axis : {0, 1, 2}) {
    for (const int end : {0, 1})
      gradients.is_boundary[axis][end] = part.is_boundary(axis, end == 1);
  }
  return gradients;
}

}  // namespace dns
