#include "solver/solids/dead_ends.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "solver/core/index.hpp"
#include "solver/flow/conditions.hpp"

namespace dns {
namespace {

using Plane = std::vector<std::int16_t>;

Index3 with(Index3 c, int axis, int index) {
  c[axis] = index;
  return c;
}

/// Calls visit(place in a plane, point) for the points of a plane across an axis, those beyond the
/// ends along the other two included.
template <class Visit>
void for_each_in_plane(const SolidPoints& points, int axis, int index, const Visit& visit) {
  std::size_t n = 0;
  for_each_point({with(points.box.begin, axis, index), with(points.box.end, axis, index + 1)},
                 [&](Index3 c) { visit(n++, c); });
}

Plane taken(const SolidPoints& points, int axis, int index) {
  const Extents n = points.box.extents();
  Plane plane(n.count() / n[axis]);
  for_each_in_plane(points, axis, index, [&](std::size_t at, Index3 c) {
    plane[at] = points.body[points.place(c)];
  });
  return plane;
}

/// Puts bodies where there were none, or whatever is there.
void put(SolidPoints& points, int axis, int index, const Plane& plane, bool only_bodies) {
  for_each_in_plane(points, axis, index, [&](std::size_t at, Index3 c) {
    std::int16_t& body = points.body[points.place(c)];
    if (!only_bodies || plane[at] != no_body) body = plane[at];
  });
}

bool is_seam(const Subdomain& part, bool is_high) {
  return part.ends[2][is_high ? 1 : 0] == End::neighbour;
}

/// The plane that the neighbour on the other side sends while this rank sends `own` to one side;
/// empty where there is none.
Plane passed_on(const Plane& own, bool upwards, const Subdomain& part, Communicator& communicator) {
  const int ranks = communicator.size();
  const std::size_t bytes = own.size() * sizeof(own[0]);
  const auto neighbour = [&](bool is_high) {
    return (communicator.rank() + (is_high ? 1 : ranks - 1)) % ranks;
  };
  std::vector<SentMessage> sent;
  std::vector<ReceivedMessage> received;
  Plane plane;
  if (is_seam(part, upwards)) sent.push_back({neighbour(upwards), own.data(), bytes});
  if (is_seam(part, !upwards)) {
    plane.resize(own.size());
    received.push_back({neighbour(!upwards), plane.data(), bytes});
  }
  communicator.transfer(sent, received);
  return plane;
}

/// Brings bodies found beyond the high end along the axis to the points there, which other cells
/// see as theirs.
void return_high_plane(SolidPoints& points,
                       int axis,
                       const Subdomain& part,
                       Communicator& communicator) {
  const int n = part.points()[axis];
  if (part.is_periodic(axis)) put(points, axis, 0, taken(points, axis, n), true);
  if (axis != 2 || communicator.size() == 1) return;
  const Plane plane = passed_on(taken(points, 2, n), true, part, communicator);
  if (!plane.empty()) put(points, 2, 0, plane, true);
}

class Cells {
 public:
  Cells(PerAxis<SolidPoints*> velocity, const Case& resolved, const Subdomain& part)
      : velocity_(velocity), part_(part) {
    for (int face = 0; face < is_closed_.size(); ++face) {
      is_closed_[face] = part.is_boundary(face) && !FaceConditions(resolved, face).is_opening();
    }
  }

  /// Closes the dead ends of all cells of the part once; returns how many it found.
  std::size_t close() {
    std::size_t found = 0;
    const Extents n = part_.points();
    for_each_point({{}, {1, n.ny, n.nz}}, [&](Index3 row) {
      if (!has_body_beside(row)) return;
      for_each_point({row, {n.nx, row.j + 1, row.k + 1}},
                     [&](Index3 cell) { found += close_end_of(cell) ? 1 : 0; });
    });
    return found;
  }

 private:
  /// Whether a face of the cells of a row along x is in a body.
  [[nodiscard]] bool has_body_beside(Index3 row) const {
    return velocity_[0]->has_body_in_row(row.j, row.k) ||
           velocity_[1]->has_body_in_row(row.j, row.k) ||
           velocity_[1]->has_body_in_row(row.j + 1, row.k) ||
           velocity_[2]->has_body_in_row(row.j, row.k) ||
           velocity_[2]->has_body_in_row(row.j, row.k + 1);
  }

  bool close_end_of(Index3 cell) {
    int open = 0;
    std::int16_t body = no_body;
    std::int16_t* last_open = nullptr;  // null: on the boundary of the box
    for (int axis = 0; axis < 3; ++axis) {
      SolidPoints& points = *velocity_[axis];
      const int index = cell[axis];
      for (int end = 0; end < 2; ++end) {
        std::int16_t& at = points.body[points.place(with(cell, axis, index + end))];
        body = std::max(body, at);
        const bool is_at_end = index + end == (end == 0 ? 0 : part_.points()[axis]);
        const auto face = face_index(axis, end == 1);
        if (at != no_body || (is_at_end && is_closed_[face])) continue;
        ++open;
        last_open = is_at_end && part_.is_boundary(face) ? nullptr : &at;
      }
    }
    if (open != 1 || last_open == nullptr || body == no_body) return false;
    *last_open = body;
    return true;
  }

  PerAxis<SolidPoints*> velocity_;
  const Subdomain& part_;
  PerFace<bool> is_closed_{};
};

}  // namespace

void fill_beyond(SolidPoints& points, const Subdomain& part, Communicator& communicator) {
  for (int axis = 0; axis < 3; ++axis) {
    const int n = part.points()[axis];
    if (part.is_periodic(axis)) {
      put(points, axis, -1, taken(points, axis, n - 1), false);
      put(points, axis, n, taken(points, axis, 0), false);
    }
    if (axis != 2 || communicator.size() == 1) continue;
    const Plane from_below = passed_on(taken(points, 2, n - 1), true, part, communicator);
    const Plane from_above = passed_on(taken(points, 2, 0), false, part, communicator);
    if (!from_below.empty()) put(points, 2, -1, from_below, false);
    if (!from_above.empty()) put(points, 2, n, from_above, false);
  }
}

void close_dead_ends(PerAxis<SolidPoints*> velocity,
                     const Case& resolved,
                     const Subdomain& part,
                     Communicator& communicator) {
  Cells cells(velocity, resolved, part);
  for (;;) {
    const std::size_t found = cells.close();
    const std::vector<std::size_t> of_ranks = communicator.gathered(found);
    if (std::accumulate(of_ranks.begin(), of_ranks.end(), std::size_t{0}) == 0) return;
    for (int axis = 0; axis < 3; ++axis) {
      SolidPoints& points = *velocity[axis];
      return_high_plane(points, axis, part, communicator);
      fill_beyond(points, part, communicator);
    }
  }
}

}  // namespace dns
