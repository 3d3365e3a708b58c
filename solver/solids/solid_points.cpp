#include "solver/solids/solid_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>

#include "solver/config/smallest_cells.hpp"
#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/in_threads.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/solids/body_geometry.hpp"
#include "solver/solids/closed_ways.hpp"
#include "solver/solids/dead_ends.hpp"

namespace dns {
namespace {

Index3 beside(Index3 c, int axis, bool is_high) {
  c[axis] += is_high ? 1 : -1;
  return c;
}

bool move_alike(const SolidCase& a, const SolidCase& b) {
  const PerAxis<double> rest{};
  const bool turn_alike = a.rotation == b.rotation && (a.rotation == rest || a.center == b.center);
  return a.velocity == b.velocity && turn_alike;
}

/// The geometry of all bodies for the points of one variable.
class Bodies {
 public:
  Bodies(const Case& resolved,
         const std::vector<std::optional<Triangles>>& surfaces,
         const PointPlaces& places,
         Extents points)
      : case_(resolved), places_(places) {
    for (std::size_t n = 0; n < resolved.solids.size(); ++n) {
      const Triangles* const surface = surfaces[n] ? &*surfaces[n] : nullptr;
      bodies_.push_back(geometry_of(resolved.solids[n], resolved, surface, places, points));
      near_.push_back(static_cast<std::int16_t>(n));
    }
  }
  Bodies(const Bodies& other) : case_(other.case_), places_(other.places_), near_(other.near_) {
    for (const auto& body : other.bodies_) bodies_.push_back(body->copy());
  }
  Bodies& operator=(const Bodies&) = delete;

  /// Throws CaseError where two bodies that move differently overlap.
  [[nodiscard]] std::int16_t body_at(Index3 c) const {
    std::int16_t found = no_body;
    for (const std::int16_t n : near_) {
      if (!bodies_[n]->is_inside(c)) continue;
      if (found == no_body) {
        found = n;
        continue;
      }
      const SolidCase& one = case_.solids[found];
      const SolidCase& other = case_.solids[n];
      if (move_alike(one, other)) continue;
      const PerAxis<double> x = places_.at(c);
      throw CaseError(fmt::format(
          "{}: it overlaps solids.{} at ({:.6g}, {:.6g}, {:.6g}), but they move differently",
          one.path(),
          other.name,
          x[0],
          x[1],
          x[2]));
    }
    return found;
  }
  /// Leaves out of body_at() what does not reach a plane across z: spheres far from it.
  void keep_near_plane(Index3 c) {
    const double z = places_.at(c)[2];
    near_.clear();
    for (std::size_t n = 0; n < bodies_.size(); ++n) {
      const SolidCase& body = case_.solids[n];
      double way = z - body.center[2];
      if (case_.is_periodic(2)) way = std::remainder(way, case_.grid.length[2]);
      constexpr double with_round_off = 1.001;
      if (body.shape != SolidCase::Shape::sphere || std::abs(way) <= with_round_off * body.radius)
        near_.push_back(static_cast<std::int16_t>(n));
    }
  }
  struct Surface {
    double theta = 1;
    int body = no_body;
  };
  /// The nearest surface between a point in the fluid and its neighbour, which is in `body`: of
  /// bodies that overlap there that of the first one on the way.
  [[nodiscard]] Surface surface(int body, Index3 c, int axis, bool is_high) const {
    const auto theta = [&](int of) { return bodies_[of]->theta(c, axis, is_high); };
    Surface nearest{.theta = theta(body), .body = body};
    for (int other = body + 1; other < std::ssize(bodies_); ++other) {
      if (!bodies_[other]->is_inside(beside(c, axis, is_high))) continue;
      if (const double way = theta(other); way < nearest.theta)
        nearest = {.theta = way, .body = other};
    }
    return nearest;
  }
  /// The way from a point outside of a body to its surface.
  [[nodiscard]] double theta(int body, Index3 c, int axis, bool is_high) const {
    return bodies_[body]->theta(c, axis, is_high);
  }
  /// Normal of a cut, where its body gives a flux; else 1.
  [[nodiscard]] double normal(const Cut& cut) const {
    const auto gives = [](const ScalarAtBody& scalar) {
      return scalar.is_closed() && !scalar.is_insulated();
    };
    if (std::ranges::none_of(case_.solids[cut.body].scalars, gives)) return 1;
    return bodies_[cut.body]->normal(cut.point, cut.axis, cut.is_high, cut.theta);
  }

 private:
  const Case& case_;
  const PointPlaces& places_;
  std::vector<std::unique_ptr<BodyGeometry>> bodies_;
  std::vector<std::int16_t> near_;  // that body_at() looks at
};

/// The points of a part.
Box own_points(const Subdomain& part) {
  const Extents n = part.points();
  return {{}, {n.nx, n.ny, n.nz}};
}

SolidPoints solid_points_of(const Bodies& bodies,
                            const PointPlaces& places,
                            const Subdomain& part,
                            int threads) {
  const Box box = own_points(part);
  SolidPoints points;
  points.box = widened(box);
  points.body.assign(points.box.extents().count(), no_body);
  in_threads(threads, box.end.k - box.begin.k, [&] {
    return [&, own = Bodies(bodies)](int n) mutable {
      Box plane = box;
      plane.begin.k += n;
      plane.end.k = plane.begin.k + 1;
      own.keep_near_plane(plane.begin);
      for_each_point(plane, [&](Index3 c) {
        if (places.is_unknown(c)) points.body[points.place(c)] = own.body_at(c);
      });
    };
  });
  return points;
}

/// The cuts of a part. find(bodies, point, cuts) adds those of a point. It is called for the points
/// of all rows along x that have a body in them or beside them; cuts are in the order of points.
template <class Find>
std::vector<Cut> cuts_beside(const SolidPoints& points,
                             const Bodies& bodies,
                             const Subdomain& part,
                             int threads,
                             const Find& find) {
  const Extents n = part.points();
  const auto has_body_beside = [&](Index3 row) {
    return points.has_body_in_row(row.j, row.k) || points.has_body_in_row(row.j - 1, row.k) ||
           points.has_body_in_row(row.j + 1, row.k) || points.has_body_in_row(row.j, row.k - 1) ||
           points.has_body_in_row(row.j, row.k + 1);
  };
  std::vector<std::vector<Cut>> of_planes(n.nz);
  in_threads(threads, n.nz, [&] {
    return [&, own = Bodies(bodies)](int k) {
      for_each_point({{0, 0, k}, {1, n.ny, k + 1}}, [&](Index3 row) {
        if (!has_body_beside(row)) return;
        for_each_point({row, {n.nx, row.j + 1, k + 1}},
                       [&](Index3 c) { find(own, c, of_planes[k]); });
      });
    };
  });
  std::vector<Cut> cuts;
  for (const std::vector<Cut>& of_plane : of_planes)
    cuts.insert(cuts.end(), of_plane.begin(), of_plane.end());
  return cuts;
}

/// Where neighbours are in a body; `points` before dead ends are closed, which give no cut.
std::vector<Cut> cuts_of(const Bodies& bodies,
                         const PointPlaces& places,
                         const SolidPoints& points,
                         const SolidPoints& closed,
                         const Subdomain& part,
                         int threads) {
  const auto find = [&](const Bodies& own, Index3 c, std::vector<Cut>& cuts) {
    if (closed.body_at(c) != no_body || !places.is_unknown(c)) return;
    for (int axis = 0; axis < 3; ++axis) {
      for (const bool is_high : {false, true}) {
        const int body = points.body_at(beside(c, axis, is_high));
        if (body == no_body) continue;
        const Bodies::Surface surface = own.surface(body, c, axis, is_high);
        Cut& cut = cuts.emplace_back(Cut{c, axis, is_high, surface.theta, surface.body});
        cut.normal = own.normal(cut);
      }
    }
  };
  return cuts_beside(points, bodies, part, threads, find);
}

/// Where the neighbours of points in bodies that conduct a scalar are not in the same body. Of two
/// bodies the first one in the case has the points that both hold: the way is that from the point
/// outside of it.
std::vector<Cut> cuts_from_inside(const Bodies& bodies,
                                  const PointPlaces& places,
                                  const SolidPoints& points,
                                  const Case& resolved,
                                  const Subdomain& part,
                                  int threads) {
  const auto find = [&](const Bodies& all, Index3 c, std::vector<Cut>& cuts) {
    const int own = points.body_at(c);
    if (own == no_body ||
        std::ranges::none_of(resolved.solids[own].scalars, &ScalarAtBody::conducts))
      return;
    for (int axis = 0; axis < 3; ++axis) {
      for (const bool is_high : {false, true}) {
        const Index3 neighbour = beside(c, axis, is_high);
        const int other = points.body_at(neighbour);
        if (other == own || !places.is_unknown(neighbour)) continue;
        Cut cut{c, axis, is_high, 0.5, other};
        if (other == no_body) {
          cut.theta = 1 - all.surface(own, neighbour, axis, !is_high).theta;
        } else if (other < own) {
          cut.theta = all.theta(other, c, axis, is_high);
          cut.normal = all.normal(cut);
        } else {
          cut.theta = 1 - all.theta(own, neighbour, axis, !is_high);
        }
        cuts.push_back(cut);
      }
    }
  };
  return cuts_beside(points, bodies, part, threads, find);
}

/// Bodies may meet walls and symmetry planes, but no boundary that fluid flows through.
void refuse_bodies_in_openings(const Bodies& bodies,
                               const PointPlaces& places,
                               const Case& resolved,
                               const Subdomain& part,
                               int axis) {
  for (const bool is_high : {false, true}) {
    const int face = face_index(axis, is_high);
    if (!part.is_boundary(face) || !FaceConditions(resolved, face).is_opening()) continue;
    Box plane = own_points(part);
    const bool is_staggered = resolved.scheme == Scheme::projection;
    const int index = is_high ? plane.end[axis] - (is_staggered ? 0 : 1) : 0;
    plane.begin[axis] = index;
    plane.end[axis] = index + 1;
    for_each_point(plane, [&](Index3 c) {
      const int body = bodies.body_at(c);
      if (body == no_body) return;
      const PerAxis<double> x = places.at(c);
      throw CaseError(fmt::format(
          "{}: it reaches boundaries.{}, of type {}, at ({:.6g}, {:.6g}, {:.6g}); a body may meet "
          "walls, symmetry planes and periodic sides alone",
          resolved.solids[body].path(),
          face_names[face],
          name_of(resolved.faces[face].kind),
          x[0],
          x[1],
          x[2]));
    });
  }
}

/// Every body holds a point of some variable, and some cell centre or node is in the fluid.
void require_points(const std::vector<SolidPoints>& all,
                    const std::vector<std::optional<Triangles>>& surfaces,
                    const PointPlaces& last_places,
                    const Case& resolved,
                    const Subdomain& part,
                    Communicator& communicator) {
  std::vector<std::int64_t> held(resolved.solids.size(), 0);
  std::int64_t fluid = 0;
  for (const SolidPoints& points : all) {
    const Box own = own_points(part);
    for_each_point({own.begin, {1, own.end.j, own.end.k}}, [&](Index3 row) {
      if (!points.has_body_in_row(row.j, row.k)) return;
      for_each_point({row, {own.end.i, row.j + 1, row.k + 1}}, [&](Index3 c) {
        const int body = points.body_at(c);
        if (body != no_body) ++held[body];
      });
    });
  }
  for_each_point(own_points(part), [&](Index3 c) {  // cell centres or nodes
    if (fluid > 0) return;
    fluid += last_places.is_unknown(c) && all.back().body_at(c) == no_body ? 1 : 0;
  });
  const auto on_all = [&](std::int64_t own) {
    std::int64_t sum = 0;
    for (const std::int64_t of_rank : communicator.gathered(own)) sum += of_rank;
    return sum;
  };
  const auto unit = [&](std::size_t body) {
    return surfaces[body] ? likely_unit(*surfaces[body], resolved.solids[body], resolved) : "";
  };
  for (std::size_t body = 0; body < held.size(); ++body) {
    if (on_all(held[body]) > 0) continue;
    throw CaseError(fmt::format(
        "{}: it holds no point of the grid; it is smaller than a cell, lies outside of the box, or "
        "in another body{}",
        resolved.solids[body].path(),
        unit(body)));
  }
  if (on_all(fluid) > 0) return;
  std::string message = "solids: they fill the box; no fluid is left";
  for (std::size_t body = 0; body < held.size(); ++body) message += unit(body);
  throw CaseError(message);
}

/// Forces on narrower bodies that move say nothing.
void require_cells_across(const Case& resolved) {
  for (const SolidCase& body : resolved.solids) {
    if (!body.is_mobile()) continue;
    const std::optional<double> cells = cells_across(body, resolved.grid);
    if (!cells || *cells >= least_cells_across * (1 - 1e-9)) continue;
    throw CaseError(
        fmt::format("{}.{}: the body is {:.4g} cells wide, but one that moves must be at least {} "
                    "and should be "
                    "{}; take a finer grid",
                    body.path(),
                    body.motion ? "motion" : "free",
                    *cells,
                    least_cells_across,
                    fair_cells_across));
  }
}

}  // namespace

std::vector<SolidPoints> find_solid_points(const Case& resolved,
                                           const Subdomain& part,
                                           Communicator& communicator) {
  const int threads = std::clamp(threads_or_all(resolved.run.threads), 1, part.points().nz);
  const bool is_staggered = resolved.scheme == Scheme::projection;
  const int count = is_staggered ? 4 : 1;
  std::vector<std::optional<Triangles>> surfaces;
  std::vector<PointPlaces> places;
  std::vector<Bodies> bodies;
  places.reserve(count);
  bodies.reserve(count);
  std::vector<SolidPoints> all;
  const std::exception_ptr error = common_error(communicator, [&] {
    require_cells_across(resolved);
    for (const SolidCase& body : resolved.solids) {
      auto& surface = surfaces.emplace_back();
      if (body.shape != SolidCase::Shape::stl) continue;
      surface = read_stl(body);
      require_fitting_size(*surface, body, resolved);
    }
    for (int variable = 0; variable < count; ++variable) {
      const PointPlaces& of =
          places.emplace_back(resolved, part, is_staggered ? variable : first_scalar);
      const Bodies& here = bodies.emplace_back(resolved, surfaces, of, part.points());
      for (int axis = 0; axis < 3; ++axis) {
        if (!is_staggered || axis == variable)
          refuse_bodies_in_openings(here, of, resolved, part, axis);
      }
      all.push_back(solid_points_of(here, of, part, threads));
    }
  });
  if (error) std::rethrow_exception(error);
  for (SolidPoints& points : all) fill_beyond(points, part, communicator);
  require_points(all, surfaces, places.back(), resolved, part, communicator);
  const std::vector<SolidPoints> open = is_staggered ? all : std::vector<SolidPoints>{};
  if (is_staggered) {
    SolidPoints* const u = all.data();
    close_dead_ends({u, u + 1, u + 2}, resolved, part, communicator);
    refuse_closed_ways({u, u + 1, u + 2}, resolved, part, communicator);
  }
  for (std::size_t n = 0; n < all.size(); ++n)
    all[n].cuts =
        cuts_of(bodies[n], places[n], is_staggered ? open[n] : all[n], all[n], part, threads);
  if (is_staggered) {
    all.back().from_inside =
        cuts_from_inside(bodies.back(), places.back(), all.back(), resolved, part, threads);
  }
  return all;
}

namespace {

/// Where a body is one point thick.
class ThinPlaces {
 public:
  ThinPlaces(const SolidPoints& points, const PointPlaces& places)
      : points_(points), places_(places) {}

  /// Along some axis, at a point of a body and those of its neighbours beside it that are in one:
  /// the last point of a round end has a neighbour where the body is thicker.
  [[nodiscard]] bool has(Index3 c) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (!is_thin_along(c, axis)) continue;
      bool all_are = true;
      for (int other = 0; other < 3; ++other) {
        for (const bool is_high : {false, true}) {
          const Index3 next = beside(c, other, is_high);
          if (other != axis && points_.body_at(next) != no_body && is_within(next, axis))
            all_are = all_are && is_thin_along(next, axis);
        }
      }
      if (all_are) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] bool is_within(Index3 c, int axis) const {
    return points_.box.holds(beside(c, axis, false)) && points_.box.holds(beside(c, axis, true));
  }
  [[nodiscard]] bool is_thin_along(Index3 c, int axis) const {
    return std::ranges::all_of(std::array{false, true}, [&](bool is_high) {
      const Index3 next = beside(c, axis, is_high);
      return places_.is_unknown(next) && points_.body_at(next) == no_body;
    });
  }

  const SolidPoints& points_;
  const PointPlaces& places_;
};

}  // namespace

std::vector<std::string> solids_in_words(const Case& resolved,
                                         const Subdomain& part,
                                         const SolidPoints& centres,
                                         Communicator& communicator) {
  struct Found {
    std::int64_t points = 0;
    bool is_thin = false;
    PerAxis<double> where{};  // it is
  };
  const PointPlaces places(resolved, part, first_scalar);
  const ThinPlaces thin(centres, places);
  std::vector<Found> found(resolved.solids.size());
  for_each_point(own_points(part), [&](Index3 c) {
    const int body = centres.body_at(c);
    if (body == no_body) return;
    Found& of = found[body];
    ++of.points;
    if (of.is_thin || !thin.has(c)) return;
    of.is_thin = true;
    of.where = places.at(c);
  });
  std::vector<std::string> lines;
  for (std::size_t body = 0; body < resolved.solids.size();) {
    const SolidCase& first = resolved.solids[body];
    Found all;
    int count = 0;  // of bodies that are alike
    do {
      for (const Found& of_rank : communicator.gathered(found[body])) {
        all.points += of_rank.points;
        if (!all.is_thin && of_rank.is_thin) all.where = of_rank.where;
        all.is_thin = all.is_thin || of_rank.is_thin;
      }
      ++count;
      ++body;
    } while (first.is_one_of_several() && body < resolved.solids.size() &&
             resolved.solids[body].entry == first.entry);
    const std::string counted = first.is_one_of_several()
                                    ? fmt::format("bodies {}: {} {}s, ",
                                                  first.entry,
                                                  count,
                                                  name_in(SolidCase::shape_names, first.shape))
                                    : fmt::format("body {}: ", first.name);
    std::string line = fmt::format("{}{} of {} {}",
                                   counted,
                                   all.points,
                                   resolved.grid.points.count(),
                                   resolved.scheme == Scheme::projection ? "cells" : "nodes");
    const std::string_view it = count > 1 ? "they are" : "it is";
    if (all.is_thin) {
      line += fmt::format("; at ({:.4g}, {:.4g}, {:.4g}) {} thinner than two, and may leak",
                          all.where[0],
                          all.where[1],
                          all.where[2],
                          it);
    }
    if (first.motion) line += "; it moves";
    if (const auto& free = first.free)
      line += fmt::format("; {} free, of density {:g}", it, free->density);
    if (first.spring) line += ", on springs";
    lines.push_back(std::move(line));
  }
  return lines;
}

double solid_value(const SolidCase& body, int variable, const PerAxis<double>& x) {
  if (!is_velocity(variable)) return body.scalar(variable).value;
  const std::size_t v = variable;
  const std::size_t first = (v + 1) % 3;
  const std::size_t second = (v + 2) % 3;
  return body.velocity[v] + body.rotation[first] * (x[second] - body.center[second]) -
         body.rotation[second] * (x[first] - body.center[first]);
}

std::optional<double> uniform_solid_value(const Case& resolved, int variable) {
  if (is_velocity(variable)) {
    return std::ranges::none_of(resolved.solids, &SolidCase::moves) ? std::optional(0.0)
                                                                    : std::nullopt;
  }
  std::optional<double> value;
  for (const SolidCase& body : resolved.solids) {
    const ScalarAtBody& scalar = body.scalar(variable);
    if (!scalar.has_value()) continue;
    if (value && scalar.value != *value) return std::nullopt;
    value = scalar.value;
  }
  return value.value_or(0);
}

HostField solid_field(const SolidPoints& points, Precision precision) {
  const Extents stored = points.box.extents();
  const Extents n{stored.nx - 2, stored.ny - 2, stored.nz - 2};
  HostField field(std::string(solid_name), n, precision);
  with_real(precision, [&]<class Real>(Real) {
    auto value = field.template values<Real>().begin();
    for_each_point({{}, {n.nx, n.ny, n.nz}},
                   [&](Index3 c) { *value++ = points.body_at(c) == no_body ? 0 : 1; });
  });
  return field;
}

}  // namespace dns
