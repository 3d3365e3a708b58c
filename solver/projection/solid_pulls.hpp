/// What solid bodies are to the equations of scheme `projection`, on the host.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/solids/solid_points.hpp"

namespace dns {

/// kappa and W of one variable: values of all stored points of a part, one ghost point at every
/// end, x fastest.
struct SolidPulls {
  Box box;                        // of the points that are solid or cut; empty: there are none
  std::vector<double> kappa;      // [U/L], infinite in bodies
  std::vector<double> target;     // W; empty: uniform_target everywhere
  std::vector<double> insulated;  // 1 in bodies with closed surfaces, else 0; empty: there are none
  std::vector<double> owner;      // 1 + number of the body that an unknown feels, 0: none; empty:
                                  // see names_owners
  double uniform_target = 0;
  std::vector<double> gain;  // g, what the surface gives itself [1/time]; empty: nothing
  // Where bodies conduct, see solver/numerics/solid_rows.hpp; empty: none does.
  PerAxis<std::vector<double>> conductivity;  // k of the low face along each axis
  std::vector<double> inverse_capacity;       // 1/c
  std::vector<double> conductor;  // 1 + number of the body that a point conducts in, else 0
};

/// Whether SolidPulls::owner tells whose an unknown is; else it is the only body's where kappa is
/// above 0.
[[nodiscard]] inline bool names_owners(const Case& resolved, int variable) {
  return resolved.solids.size() > 1 || has_given_flux(resolved, variable);
}

/// The pulls of a velocity component or a scalar.
[[nodiscard]] SolidPulls solid_pulls(const Case& resolved,
                                     const StaggeredGrid& grid,
                                     const Subdomain& part,
                                     const SolidPoints& points,
                                     int variable);

/// Gives kappa at ghost points what the neighbours have there, and beyond boundaries that of the
/// first point: solid_pulls knows the cuts of its own points alone. Called by all ranks.
void exchange_rates(SolidPulls& pulls, const Subdomain& part, Communicator& communicator);

/// The Nusselt number over the heat that leaves a body, length/(surface D difference) of its
/// reference [1/(U T0 L^2)]: with D the diffusivity of temperature, by default with the diameter
/// and the surface of a sphere or of an endless cylinder within the box. None where the reference
/// has no temperature_difference.
[[nodiscard]] std::optional<double> nusselt_per_heat(const Case& resolved, const SolidCase& body);

/// Distances of the cell centres of a part from a body's centre along an axis [L], the shortest
/// ones along a periodic axis.
[[nodiscard]] std::vector<double> arms_of(const SolidCase& body,
                                          const StaggeredGrid& grid,
                                          const Subdomain& part,
                                          int axis);

/// The extents along x and y of the smallest box that holds those of all ranks; one plane along z.
[[nodiscard]] Box box_of_all(Box own, Communicator& communicator);

/// How the lines of a box along an axis are swept: those that may meet a body by themselves.
struct LinePieces {
  Box near;              // may be empty
  std::vector<Box> far;  // no line of these meets one
};
/// near: the lines through these points, more where that makes fewer or better aligned pieces.
[[nodiscard]] LinePieces pieces_of_lines(Box box, Box near, int axis);

}  // namespace dns
