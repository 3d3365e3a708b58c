#include "solver/projection/solid_pulls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>

#include "solver/core/index.hpp"
#include "solver/flow/variables.hpp"
#include "solver/numerics/solid_rows.hpp"
#include "solver/solids/point_places.hpp"

namespace dns {
namespace {

/// The width of the control volume of an unknown along an axis, and its distance from the
/// neighbours [L]; `index`: in the box.
struct Spans {
  double width;
  std::array<double, 2> distance;  // on the low and the high side
};

Spans spans_of(const StaggeredAxis& axis, bool is_face, int index) {
  if (is_face) {
    return {axis.mirrored_distance(index),
            {axis.mirrored_width(index - 1), axis.mirrored_width(index)}};
  }
  return {axis.width(index), {axis.mirrored_distance(index), axis.mirrored_distance(index + 1)}};
}

class Pulls {
 public:
  Pulls(const Case& resolved,
        const StaggeredGrid& grid,
        const Subdomain& part,
        const SolidPoints& points,
        int variable)
      : case_(resolved),
        grid_(grid),
        part_(part),
        points_(points),
        variable_(variable),
        diffusivity_(solved_variables(resolved).at(variable).diffusivity),
        places_(resolved, part, variable) {
    const std::size_t count = points.body.size();
    pulls_.kappa.assign(count, 0);
    const std::optional<double> uniform = uniform_solid_value(resolved, variable);
    pulls_.uniform_target = uniform.value_or(0);
    if (!uniform) pulls_.target.assign(count, 0);
    if (names_owners(resolved, variable)) {
      pulls_.owner.assign(count, 0);
      nearest_.assign(count, 2);
    }
    if (has_closed_body(resolved, variable)) pulls_.insulated.assign(count, 0);
    if (has_given_flux(resolved, variable)) pulls_.gain.assign(count, 0);
    if (!has_conductor(resolved, variable)) return;
    for (auto& k : pulls_.conductivity) k.assign(count, 1);
    pulls_.inverse_capacity.assign(count, 1);
    pulls_.conductor.assign(count, 0);
  }

  SolidPulls found() {
    add_bodies();
    add_conduction();
    for (const Cut& cut : points_.cuts) {
      if (!conducts(cut.body)) add(cut, 1, inverse_capacity(cut.point));
    }
    for (const Cut& cut : points_.from_inside) {
      const int own = points_.body_at(cut.point);
      if (conducts(own) && cut.body != no_body && !conducts(cut.body))
        add(cut, body(own).scalar(variable_).conductivity, inverse_capacity(cut.point));
    }
    for (std::size_t n = 0; n < pulls_.target.size(); ++n) {
      const double kappa = pulls_.kappa[n];
      if (kappa > 0 && std::isfinite(kappa)) pulls_.target[n] /= kappa;
    }
    find_box();
    return std::move(pulls_);
  }

 private:
  [[nodiscard]] const SolidCase& body(int number) const { return case_.solids[number]; }
  [[nodiscard]] bool is_closed(int number) const {
    return !is_velocity(variable_) && body(number).scalar(variable_).is_closed();
  }
  [[nodiscard]] bool conducts(int number) const {
    return !is_velocity(variable_) && body(number).scalar(variable_).conducts();
  }
  [[nodiscard]] double inverse_capacity(Index3 c) const {
    return pulls_.inverse_capacity.empty() ? 1 : pulls_.inverse_capacity[points_.place(c)];
  }
  void add_bodies() {
    for_each_point(points_.box, [&](Index3 c) {
      const int number = points_.body_at(c);
      if (number == no_body) return;
      const std::size_t n = points_.place(c);
      if (conducts(number)) {
        pulls_.conductor[n] = number + 1;
        return;
      }
      pulls_.kappa[n] = std::numeric_limits<double>::infinity();
      if (!pulls_.owner.empty()) pulls_.owner[n] = number + 1;
      if (is_closed(number)) pulls_.insulated[n] = 1;
      if (!pulls_.target.empty())
        pulls_.target[n] = solid_value(body(number), variable_, places_.at(c));
    });
  }

  /// What k of the point's own side, and 1/c, make of the pull of a surface.
  void add(const Cut& cut, double conductivity, double share) {
    const std::size_t n = points_.place(cut.point);
    const Spans spans = spans_of(
        grid_[cut.axis], cut.axis == variable_, cut.point[cut.axis] + part_.first(cut.axis));
    const double distance = spans.distance[cut.is_high ? 1 : 0];
    const auto feel = [&] {
      if (pulls_.owner.empty() || cut.theta >= nearest_[n]) return;
      nearest_[n] = cut.theta;
      pulls_.owner[n] = cut.body + 1;
    };
    if (is_closed(cut.body)) {
      const ScalarAtBody& scalar = body(cut.body).scalar(variable_);
      if (scalar.is_insulated()) return;
      if (!pulls_.gain.empty()) pulls_.gain[n] += share * scalar.flux * cut.normal / spans.width;
      const double rate = share / spans.width *
                          transfer_of_cut(diffusivity_,
                                          scalar.transfer,
                                          cut.normal,
                                          diffusivity_ * conductivity,
                                          cut.theta * distance);
      pulls_.kappa[n] += rate;
      if (!pulls_.target.empty()) pulls_.target[n] += rate * scalar.value;
      return feel();
    }
    const double diffusion = share * conductivity * diffusivity_ / (spans.width * distance);
    pulls_.kappa[n] += pull_of_cut(diffusion, cut.theta);
    feel();
    if (pulls_.target.empty()) return;
    const double step = cut.is_high ? distance : -distance;
    const auto beyond = [&](double way) {
      PerAxis<double> x = places_.at(cut.point);
      x[cut.axis] += way * step;
      return solid_value(body(cut.body), variable_, x);
    };
    pulls_.target[n] += pull_times_target(diffusion, cut.theta, beyond(cut.theta), beyond(1));
  }

  /// Finds k and 1/c. A cell is of the side that its point is on, and of the other one with what
  /// reaches into it along the line on which the surface is nearest.
  void add_conduction() {
    if (pulls_.inverse_capacity.empty()) return;
    struct Side {
      double place;  // of the surface, over the width of the cell
      double capacity;
    };
    std::vector<PerAxis<std::array<std::optional<Side>, 2>>> sides(pulls_.kappa.size());
    for_each_point(points_.box, [&](Index3 c) {
      const int own = points_.body_at(c);
      for (int axis = 0; axis < 3; ++axis) {
        Index3 below = c;
        --below[axis];
        const int other = below[axis] < points_.box.begin[axis] ? own : points_.body_at(below);
        const bool is_own = places_.is_unknown(c) && may_pass(own);
        pulls_.conductivity[axis][points_.place(c)] = conductivity_of(is_own ? own : other);
      }
    });
    const auto cross = [&](const Cut& cut, int own, int other) {
      const bool passes = may_pass(own) && may_pass(other);
      const Spans spans =
          spans_of(grid_[cut.axis], false, cut.point[cut.axis] + part_.first(cut.axis));
      const double distance = spans.distance[cut.is_high ? 1 : 0];
      Index3 face = cut.point;
      if (cut.is_high) ++face[cut.axis];
      pulls_.conductivity[cut.axis][points_.place(face)] =
          passes ? face_conductivity(cut.theta, conductivity_of(own), conductivity_of(other))
                 : conductivity_of(own);
      if (passes) {
        sides[points_.place(cut.point)][cut.axis][cut.is_high ? 1 : 0] =
            Side{cut.theta * distance / spans.width, capacity_of(other)};
      }
    };
    for (const Cut& cut : points_.cuts) {
      Index3 beyond = cut.point;
      beyond[cut.axis] += cut.is_high ? 1 : -1;
      cross(cut, no_body, points_.body_at(beyond));
    }
    for (const Cut& cut : points_.from_inside) {
      const int own = points_.body_at(cut.point);
      if (conducts(own)) cross(cut, own, cut.body);
    }
    const Extents n = part_.points();
    for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 c) {
      const std::size_t at = points_.place(c);
      const int own = points_.body_at(c);
      if (!may_pass(own)) return;
      const auto nearest_along = [&](int axis) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const auto& side : sides[at][axis]) {
          if (side) nearest = std::min(nearest, side->place);
        }
        return nearest;
      };
      int along = 0;
      for (const int axis : {1, 2}) {
        if (nearest_along(axis) < nearest_along(along)) along = axis;
      }
      double capacity = capacity_of(own);
      for (const auto& side : sides[at][along]) {
        if (side)
          capacity += std::max(0.0, 0.5 - side->place) * (side->capacity - capacity_of(own));
      }
      pulls_.inverse_capacity[at] = 1 / capacity;
    });
  }
  /// The fluid and what conducts.
  [[nodiscard]] bool may_pass(int number) const { return number == no_body || conducts(number); }
  [[nodiscard]] double conductivity_of(int number) const {
    return may_pass(number) && number != no_body ? body(number).scalar(variable_).conductivity : 1;
  }
  [[nodiscard]] double capacity_of(int number) const {
    return may_pass(number) && number != no_body ? body(number).scalar(variable_).heat_capacity : 1;
  }

  /// Finds the box of the points of the part alone that are solid or cut; a point whose neighbour
  /// is a body with a closed surface or one that conducts counts as cut.
  void find_box() {
    Box box;
    for_each_point(points_.box, [&](Index3 c) {
      const std::size_t n = points_.place(c);
      const Box here{c, {c.i + 1, c.j + 1, c.k + 1}};
      const bool gains = !pulls_.gain.empty() && pulls_.gain[n] != 0;
      if (pulls_.kappa[n] > 0 || gains) box = joint_box(box, here);
      if (!pulls_.conductor.empty() && pulls_.conductor[n] != 0)
        box = joint_box(box, widened(here));
      if (!pulls_.insulated.empty() && pulls_.insulated[n] != 0)
        box = joint_box(box, widened(here));
    });
    const Extents n = part_.points();
    pulls_.box = common_box(box, {{}, {n.nx, n.ny, n.nz}});
  }

  const Case& case_;
  const StaggeredGrid& grid_;
  const Subdomain& part_;
  const SolidPoints& points_;
  int variable_;
  double diffusivity_;
  PointPlaces places_;
  SolidPulls pulls_;
  std::vector<double> nearest_;  // theta of the nearest cut
};

}  // namespace

Box box_of_all(Box own, Communicator& communicator) {
  Box all{};
  for (Box of_rank : communicator.gathered(own)) {
    if (of_rank.extents().count() == 0) continue;
    of_rank.begin.k = 0;
    of_rank.end.k = 1;
    all = joint_box(all, of_rank);
  }
  return all;
}

namespace {

/// Cuts what lies below and above `near` along an axis off `rest`.
void cut_off(Box& rest, Box near, int axis, std::vector<Box>& pieces) {
  const int begin = std::max(rest.begin[axis], near.begin[axis]);
  const int end = std::min(rest.end[axis], near.end[axis]);
  if (begin > rest.begin[axis]) {
    pieces.emplace_back(rest).end[axis] = begin;
    rest.begin[axis] = begin;
  }
  if (end < rest.end[axis]) {
    pieces.emplace_back(rest).begin[axis] = end;
    rest.end[axis] = end;
  }
}

/// In points of ordinary lines: lines with bodies cost about twice as much, and each piece takes
/// the time of some points to begin.
double cost_of(const LinePieces& pieces) {
  constexpr double factor_near = 2;
  constexpr double to_begin = 1.5e5;
  double cost = factor_near * static_cast<double>(pieces.near.extents().count()) + to_begin;
  for (const Box& far : pieces.far) cost += static_cast<double>(far.extents().count()) + to_begin;
  return cost;
}

}  // namespace

LinePieces pieces_of_lines(Box box, Box near, int axis) {
  constexpr int aligned = 32;  // points along x
  if (near.extents().count() == 0) return {{box.begin, box.begin}, {box}};
  near.begin.i = near.begin.i / aligned * aligned;
  near.end.i = (near.end.i + aligned - 1) / aligned * aligned;
  const AxesInPlane across_lines = axes_in_plane(axis);
  const int first = static_cast<int>(across_lines.first);
  const int second = static_cast<int>(across_lines.second);
  LinePieces best{box, {}};
  for (const std::vector<int>& axes :
       {std::vector<int>{first}, std::vector<int>{second}, std::vector<int>{second, first}}) {
    LinePieces pieces{box, {}};
    for (const int across : axes) cut_off(pieces.near, near, across, pieces.far);
    if (cost_of(pieces) < cost_of(best)) best = pieces;
  }
  return best;
}

SolidPulls solid_pulls(const Case& resolved,
                       const StaggeredGrid& grid,
                       const Subdomain& part,
                       const SolidPoints& points,
                       int variable) {
  return Pulls(resolved, grid, part, points, variable).found();
}

void exchange_rates(SolidPulls& pulls, const Subdomain& part, Communicator& communicator) {
  const Extents n = part.points();
  const Extents stored{n.nx + 2, n.ny + 2, n.nz + 2};
  const std::size_t plane = stored.plane();
  const auto at = [&](Index3 c) -> double& {
    return pulls.kappa[stored.place({c.i + 1, c.j + 1, c.k + 1})];
  };
  for (const int axis : {0, 1}) {
    const bool repeats = part.is_periodic(axis);
    Box ends = widened({{}, {n.nx, n.ny, n.nz}});
    ends.begin[axis] = 0;
    ends.end[axis] = 1;
    for_each_point(ends, [&](Index3 c) {
      Index3 last = c;
      Index3 below = c;
      Index3 above = c;
      last[axis] = n[axis] - 1;
      below[axis] = -1;
      above[axis] = n[axis];
      at(below) = at(repeats ? last : c);
      at(above) = at(repeats ? c : last);
    });
  }
  std::vector<double> own(2 * plane);  // the first plane along z, the last one
  const auto first_plane = pulls.kappa.begin() + static_cast<std::ptrdiff_t>(plane);
  const auto last_plane = pulls.kappa.end() - static_cast<std::ptrdiff_t>(2 * plane);
  std::copy_n(first_plane, plane, own.begin());
  std::copy_n(last_plane, plane, own.begin() + static_cast<std::ptrdiff_t>(plane));
  const int size = communicator.size();
  std::vector<double> of_all(size * own.size());
  communicator.all_gather(own.data(), own.size() * sizeof(double), of_all.data());
  const auto from = [&](int rank, int which) {
    return of_all.begin() +
           static_cast<std::ptrdiff_t>((2 * ((rank + size) % size) + which) * plane);
  };
  const int rank = communicator.rank();
  const bool ends_low = part.is_boundary(2, false);
  const bool ends_high = part.is_boundary(2, true);
  std::copy_n(ends_low ? from(rank, 0) : from(rank - 1, 1), plane, pulls.kappa.begin());
  std::copy_n(ends_high ? from(rank, 1) : from(rank + 1, 0),
              plane,
              pulls.kappa.end() - static_cast<std::ptrdiff_t>(plane));
}

std::optional<double> nusselt_per_heat(const Case& resolved, const SolidCase& body) {
  if (!body.reference || !body.reference->temperature_difference || !resolved.has_temperature())
    return {};
  const BodyReferenceCase& reference = *body.reference;
  const double diameter = 2 * body.radius;
  const double along =
      body.shape == SolidCase::Shape::sphere ? diameter : resolved.grid.length[body.axis];
  const double length = reference.length.value_or(diameter);
  const double surface = reference.surface.value_or(std::numbers::pi * diameter * along);
  return length / (surface * resolved.conductivity() * *reference.temperature_difference);
}

std::vector<double> arms_of(const SolidCase& body,
                            const StaggeredGrid& grid,
                            const Subdomain& part,
                            int axis) {
  const StaggeredAxis& along = grid[axis];
  std::vector<double> arms(part.points()[axis]);
  for (int n = 0; n < std::ssize(arms); ++n) {
    const double arm = along.centre(part.first(axis) + n) - body.center[axis];
    arms[n] = along.is_periodic ? std::remainder(arm, along.length()) : arm;
  }
  return arms;
}

}  // namespace dns
