/// The given values on the boundary planes of a staggered grid, from the faces of a case.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/face_values/face_values.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/boundary_closure.hpp"
#include "solver/numerics/order_across_walls.hpp"
#include "solver/numerics/staggered_ghosts.hpp"

namespace dns {

/// The points of a boundary plane: -1 .. n along both axes in it, contiguous along the first.
struct PlaneShape {
  int first_axis, second_axis;
  int first_points, second_points;  // n + 2

  static PlaneShape of(Extents cells, int normal);
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(first_points) * second_points;
  }
  [[nodiscard]] std::size_t at(int first, int second) const {
    return static_cast<std::size_t>(second + 1) * first_points + first + 1;
  }
  /// A view of such values, addressed by points of the grid.
  template <class Real>
  [[nodiscard]] FaceView<Real> view(Real* values) const {
    FaceView<Real> face{values + at(0, 0), 0, 0, 0};
    const auto stride = [&](int axis) -> int& {
      return axis == 0 ? face.stride_x : axis == 1 ? face.stride_y : face.stride_z;
    };
    stride(first_axis) = 1;
    stride(second_axis) = first_points;
    return face;
  }
};

/// Coordinates of a variable's points of a boundary plane along both axes in it [L]; beyond the
/// ends of the box those of the last points.
[[nodiscard]] std::array<std::vector<double>, 2> places_on_plane(const StaggeredGrid& grid,
                                                                 const Subdomain& part,
                                                                 int face,
                                                                 int variable);

/// Width of the cells inside of a face [L].
[[nodiscard]] double width_beside(const StaggeredGrid& grid, int face);

/// The closure of a variable on a face that is not periodic, in double.
[[nodiscard]] BoundaryClosure<double> staggered_closure(const Conditions& conditions,
                                                        const StaggeredGrid& grid,
                                                        int face,
                                                        int variable);

/// A condition across walls of order 4.
[[nodiscard]] inline EndAcrossWalls end_across_walls(const Condition& condition) {
  return {
      condition.weights.value_weight, condition.weights.gradient_weight, condition.given_weight};
}

/// The given values of a variable on a face at time t, its given outward normal derivatives, the
/// given shear of a velocity, or what is outside. Shape (second_points, first_points) of
/// PlaneShape; each at the variable's own point of the plane. 0 where the face gives none.
[[nodiscard]] std::vector<double> given_on_plane(FaceValues& values,
                                                 const StaggeredGrid& grid,
                                                 const Subdomain& part,
                                                 int face,
                                                 int variable,
                                                 double t);

/// The slip lengths of a velocity component on a face at time t at the same points, where they vary
/// [L]; else empty. Throws CaseError where one is negative or not finite.
[[nodiscard]] std::vector<double> slip_lengths_on_plane(const Condition& condition,
                                                        const Case& resolved,
                                                        const StaggeredGrid& grid,
                                                        const Subdomain& part,
                                                        int face,
                                                        int variable,
                                                        double t);

/// diffusivity/(width (width + 2 distance_of_given)) of a variable beside a face that gives a
/// value, the rate at which it takes it over; else 0 [U/L].
[[nodiscard]] double given_rate(const Conditions& conditions,
                                const Case& resolved,
                                const StaggeredGrid& grid,
                                int face,
                                int variable);
/// The largest of all faces, bodies included: these count with the smallest width of the grid.
[[nodiscard]] double largest_given_rate(const Case& resolved, const StaggeredGrid& grid);
[[nodiscard]] double largest_rate_of_bodies(const Case& resolved, const StaggeredGrid& grid);

/// Whether Crank-Nicolson steps of dt [L/U] ring where diffusivity/width^2 is `rate` [U/L].
[[nodiscard]] constexpr bool rings_after_jump(double dt, double rate) {
  return dt * rate > 2;
}

/// Whether the given values of a variable on a face may jump in time: those of formulas. Records
/// and synthetic turbulence never rest, so that a jump would be no event.
[[nodiscard]] bool may_jump(const Condition& condition);

/// Whether values at equal distances in time, the latest first, end with a jump: their last change,
/// and by how much it differs from the one before, are most of the range that they have passed
/// through. A wave does not, as long as seven steps follow it.
[[nodiscard]] bool ends_with_jump(const std::vector<std::vector<double>>& latest_first);

/// A number that differs between cases whose faces or bodies give different values.
[[nodiscard]] double given_values_mark(const Case& resolved);

/// Normal velocities on all six planes [U]; empty for periodic axes and outflow faces.
using NormalVelocities = PerFace<std::vector<double>>;

/// Net volume flux out of the box through the planes of `velocities`, and the sum of the magnitudes
/// of the fluxes through their cell faces [U L^2].
struct PlaneFluxes {
  double net = 0;
  double gross = 0;
};
[[nodiscard]] PlaneFluxes fluxes_through(const StaggeredGrid& grid,
                                         const Subdomain& part,
                                         const NormalVelocities& velocities);

/// Multiplies outflow by 1 - e and inflow by 1 + e, so that the net flux vanishes: e = net/gross of
/// the fluxes through the whole box. For a box without open boundaries, where the discrete fluxes
/// of given profiles do not quite cancel.
void balance(const PlaneFluxes& fluxes, NormalVelocities& velocities);

/// What balancing does to an imbalance (net flux into the box over all that flows in and out), in
/// words; empty where it is round-off.
[[nodiscard]] std::string balance_in_words(double imbalance);

/// Area of a face of the box [L^2].
[[nodiscard]] double area_of(const StaggeredGrid& grid, int face);

}  // namespace dns
