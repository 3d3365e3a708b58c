/// Derivatives of a staggered velocity, for fields derived from it (derived_fields.hpp).
///
/// Every derivative is the difference of two neighbours where it lives: dV_s/ds at the centre of a
/// cell, dV_s/dt along another axis t at the edges between faces across s and t. What lives at
/// edges, such as a component of omega or the products in Q, is averaged over the four around the
/// cell: order 2 at any accuracy.order, also on grids that are smoothly stretched. Summation by
/// parts: where div V = 0, the sum of Q over the volume of a box is zero to round-off if every axis
/// is periodic or ends at resting walls, on any grid. Central differences of omega have no
/// divergence inside a uniform grid. In solid bodies and beside them both are those of the velocity
/// as it is stored there.
#pragma once

#include "solver/core/field_view.hpp"
#include "solver/numerics/edge_means.hpp"
#include "solver/numerics/grid_metrics.hpp"
#include "solver/numerics/plane_closure.hpp"
#include "solver/numerics/projection.hpp"

namespace dns {

/// Derivatives of a velocity whose ghost points are up to date.
template <class Real>
struct StaggeredGradients {
  using Number = Real;

  VelocityView<const Real> velocity;
  GridMetrics<Real> metrics;
  Extents cells;
  /// Places of the difference of a component at the plane at the low or high end of an axis:
  /// place_of_difference; 1 for the component across the plane, whose value is given.
  struct Place {
    Real everywhere = 0;
    FaceView<const Real> varying{};  // `first` of each point of the plane; null: the same

    [[nodiscard]] DNS_HD Real operator()(Index3 c) const {
      return varying.values == nullptr ? everywhere : place_of_difference(varying(c));
    }
  };
  PerAxis<PerAxis<Place[2]>> place{};  // component; axis; end
  VelocityView<const Real> current{};  // of a Lorentz force, and its potential; null: there is none
  FieldView<const Real> potential{};

  /// dV_s/ds at the centre of cell c.
  template <Axis axis>
  [[nodiscard]] DNS_HD Real normal(Index3 c) const {
    const FieldView<const Real>& q = velocity[axis];
    return (q.template beside<axis>(c, 1) - q(c)) *
           entry<axis>(metrics.template along<axis>().inverse_width, c);
  }

  /// dV_of/d over at an edge, by the cell above it along both axes. Between a ghost point and the
  /// first unknown the difference is the derivative up to a quarter of a cell inside of the plane:
  /// with the next one it is extrapolated to the plane.
  template <Axis of, Axis over>
  [[nodiscard]] DNS_HD Real at_edge(Index3 edge) const {
    const Real here = difference<of, over>(edge);
    const Real inside = place_inside<of, over>(edge);
    if (inside == 0) return here;
    const int inwards = along<over>(edge) == 0 ? 1 : -1;
    if (over < of && along<of>(edge) == along<of>(cells) && place_inside<of, of>(edge) != 0)
      return at_high_end<of, over>(edge, inwards);
    return on_plane<of, over>(edge, here, inside, inwards);
  }

  /// The mean of f(dV_first/d second, dV_second/d first) over the edges of cell c.
  template <Axis first, Axis second, class Formula>
  [[nodiscard]] DNS_HD Real cross(const Formula& formula, Index3 c) const {
    const auto on_edge = [&](Index3 edge) {
      return formula(at_edge<first, second>(edge), at_edge<second, first>(edge));
    };
    return mean_over_edges<first, second>(on_edge, c);
  }

 private:
  /// `place` at an edge on a plane, else 0.
  template <Axis of, Axis across>
  [[nodiscard]] DNS_HD Real place_inside(Index3 edge) const {
    const auto& at_ends = place[of][across];
    const int position = along<across>(edge);
    if (position == 0) return at_ends[0](edge);
    return position == along<across>(cells) ? at_ends[1](edge) : Real(0);
  }
  template <Axis of, Axis over>
  [[nodiscard]] DNS_HD Real difference(Index3 edge) const {
    const FieldView<const Real>& q = velocity[of];
    return (q(edge) - q.template beside<over>(edge, -1)) *
           entry<over>(metrics.template along<over>().inverse_step, edge);
  }

  /// With w the width of the last cell and d the distance to the next centre, the differences are
  /// those at `place` w/4 and at (w + d)/2 from the plane.
  template <Axis of, Axis over>
  [[nodiscard]] DNS_HD Real
  on_plane(Index3 edge, Real outermost, Real place_of_outermost, int inwards) const {
    const int position = along<over>(edge);
    const Real* inverse = metrics.template along<over>().inverse_step + position;
    const Real inside = difference<of, over>(placed<over>(edge, position + inwards));
    return outermost +
           (outermost - inside) * (place_of_outermost * inverse[inwards] /
                                   ((2 - place_of_outermost) * inverse[inwards] + 2 * inverse[0]));
  }

  /// On the high plane that gives the component itself, ghost points across an axis before its own
  /// repeat the last value given there (FillGhosts): the derivative is extrapolated from the next
  /// two edges, (w + d)/2 and, with the next distance e, (w + 2 d + e)/2 from the plane.
  template <Axis of, Axis over>
  [[nodiscard]] DNS_HD Real at_high_end(Index3 edge, int inwards) const {
    const int position = along<over>(edge);
    const Real* inverse = metrics.template along<over>().inverse_step + position;
    const Real near = difference<of, over>(placed<over>(edge, position + inwards));
    const Real far = difference<of, over>(placed<over>(edge, position + 2 * inwards));
    const Real w = 1 / inverse[0];
    const Real d = 1 / inverse[inwards];
    const Real e = 1 / inverse[2 * inwards];
    return near + (near - far) * ((w + d) / (d + e));
  }
};

}  // namespace dns
