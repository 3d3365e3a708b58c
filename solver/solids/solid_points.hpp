/// Which points of a grid lie in solid bodies, and where surfaces cut grid lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/communicator.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// A point in the fluid whose neighbour along an axis is in a body: the surface lies theta of their
/// distance away.
struct Cut {
  Index3 point;  // counted from the first one of the part
  int axis = 0;
  bool is_high = false;  // the neighbour's side
  double theta = 1;      // (0, 1]
  int body = 0;          // number in Case::solids
  double normal = 1;     // the part of the surface's normal along the axis, where it matters
};

inline constexpr int no_body = -1;

/// What the bodies are to the points of one variable.
struct SolidPoints {
  Box box;                         // those of the part and one more at every end
  std::vector<std::int16_t> body;  // the number of the body that a point is in, or no_body; x
                                   // fastest. Boundary planes and what lies beyond have none;
                                   // points beyond other ends what the point there has
  std::vector<Cut> cuts;           // of the points of the part
  std::vector<Cut> from_inside;    // likewise, where bodies conduct: points in these, whose
                                   // neighbours are in the fluid (no_body) or another body

  [[nodiscard]] std::size_t place(Index3 c) const {
    return box.extents().place({c.i - box.begin.i, c.j - box.begin.j, c.k - box.begin.k});
  }
  [[nodiscard]] int body_at(Index3 c) const { return body[place(c)]; }
  /// Whether a point of a row along x is in a body.
  [[nodiscard]] bool has_body_in_row(int j, int k) const {
    const auto row = body.begin() + static_cast<std::ptrdiff_t>(place({box.begin.i, j, k}));
    return std::any_of(row, row + (box.end.i - box.begin.i), [](int at) { return at != no_body; });
  }
};

/// Points in bodies, for each variable of scheme projection: u, v, w at their faces, and the cell
/// centres; of scheme splitting for the nodes, which all variables share. Called by all ranks;
/// slabs have what the whole box has there.
///
/// A point is in a body where the body's function is not above 0, at the point itself. Faces that
/// are the only open ones of a cell (scheme projection) can carry nothing and become part of the
/// body beside them, without a cut. Spheres, cylinders, boxes and surfaces of triangles that stick
/// out of a periodic side come in at the other; formulas are taken as they are inside the box.
///
/// Throws CaseError, naming the body, when one has no point or is in another unit of length, the
/// formula of its surface is undefined at a point, bodies that overlap move differently, they fill
/// the box, one meets a boundary through which fluid flows, or they leave the flow no way
/// (closed_ways.hpp); IoError when an STL file cannot be read or its surface is not closed.
std::vector<SolidPoints> find_solid_points(const Case& resolved,
                                           const Subdomain& part,
                                           Communicator& communicator);

/// The bodies of a grid in words, a line each: how many of its cells or nodes they hold and, where
/// one is thinner than two of them, a place, since flow may leak through it. `centres`: the cell
/// centres or nodes. Called by all ranks.
std::vector<std::string> solids_in_words(const Case& resolved,
                                         const Subdomain& part,
                                         const SolidPoints& centres,
                                         Communicator& communicator);

/// In and on the surface of a body: V0 + Omega x (x - center) for a velocity component [U],
/// the value of a scalar.
[[nodiscard]] double solid_value(const SolidCase& body, int variable, const PerAxis<double>& x);

/// The value that all bodies have everywhere; none where they differ. Those that conduct or give a
/// flux have none.
[[nodiscard]] std::optional<double> uniform_solid_value(const Case& resolved, int variable);

/// Whether the surface of a body is closed for a scalar, but for what it gives itself.
[[nodiscard]] inline bool has_closed_body(const Case& resolved, int variable) {
  return !is_velocity(variable) && std::ranges::any_of(resolved.solids, [&](const SolidCase& body) {
    return body.scalar(variable).is_closed();
  });
}
/// Whether a body gives a flux of a scalar that is not 0.
[[nodiscard]] inline bool has_given_flux(const Case& resolved, int variable) {
  return !is_velocity(variable) && std::ranges::any_of(resolved.solids, [&](const SolidCase& body) {
    return body.scalar(variable).flux != 0;
  });
}
[[nodiscard]] inline bool has_conductor(const Case& resolved, int variable) {
  return !is_velocity(variable) && std::ranges::any_of(resolved.solids, [&](const SolidCase& body) {
    return body.scalar(variable).conducts();
  });
}

/// 1 at the points of the part that are in a body, else 0: a field solid_name.
[[nodiscard]] HostField solid_field(const SolidPoints& points, Precision precision);

}  // namespace dns
