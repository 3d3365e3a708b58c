#include "solver/projection/solid_pulls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "solver/numerics/solid_rows.hpp"

namespace dns {
namespace {

/// The width of the control volume of an unknown along an axis, and its distance from the
/// neighbours [L]; `index`: in the box.
struct Spans {
  double width;
  std::array<double, 2> distance;  // on the low and the high side
};

Spans spans_of(const StaggeredAxis& axis, bool is_face, int index) {
  if (is_face)
    return {axis.mirrored_distance(index),
            {axis.mirrored_width(index - 1), axis.mirrored_width(index)}};
  return {axis.width(index), {axis.mirrored_distance(index), axis.mirrored_distance(index + 1)}};
}

double point_coordinate(const StaggeredAxis& axis, bool is_face, int index) {
  const int n = axis.cells();
  const int image = periodic_image(index, n);
  const double shift = index < 0 ? -axis.length() : index >= n ? axis.length() : 0;
  return (is_face ? axis.face(image) : axis.centre(image)) + shift;
}

/// Places of points in the box.
class Places {
 public:
  Places(const StaggeredGrid& grid, const Subdomain& part, int variable)
      : grid_(&grid), part_(&part), variable_(variable) {}

  [[nodiscard]] bool is_face(int axis) const { return axis == variable_; }
  [[nodiscard]] double along(int axis, int local) const {
    return point_coordinate(at(axis), is_face(axis), local + part_->first(axis));
  }
  [[nodiscard]] std::array<double, 3> of(Index3 c) const {
    return {along(0, c.i), along(1, c.j), along(2, c.k)};
  }
  [[nodiscard]] Spans spans(int axis, int local) const {
    return spans_of(at(axis), is_face(axis), local + part_->first(axis));
  }

 private:
  [[nodiscard]] const StaggeredAxis& at(int axis) const {
    return (*grid_)[static_cast<std::size_t>(axis)];
  }
  const StaggeredGrid* grid_;
  const Subdomain* part_;
  int variable_;
};

int index_along(Index3 c, int axis) {
  return axis == 0 ? c.i : axis == 1 ? c.j : c.k;
}

/// Whether all bodies have the same value everywhere, and which.
bool has_uniform_value(const Case& resolved, int variable) {
  const SolidCase& first = resolved.solids.front();
  return std::ranges::all_of(resolved.solids, [&](const SolidCase& body) {
    if (variable == temperature_variable)
      return body.is_adiabatic || body.temperature == first.temperature;
    const auto is_zero = [](double value) { return value == 0; };
    return std::ranges::all_of(body.velocity, is_zero) &&
           std::ranges::all_of(body.rotation, is_zero);
  });
}

class Pulls {
 public:
  Pulls(const Case& resolved,
        const StaggeredGrid& grid,
        const Subdomain& part,
        const SolidPoints& points,
        int variable)
      : case_(resolved),
        points_(points),
        variable_(variable),
        places_(grid, part, variable),
        stored_(points.box.extents()) {
    const std::size_t count = stored_.count();
    pulls_.kappa.assign(count, 0);
    if (has_uniform_value(resolved, variable)) {
      pulls_.uniform_target = variable == temperature_variable ? first_temperature() : 0;
    } else {
      pulls_.target.assign(count, 0);
    }
    if (resolved.solids.size() > 1) {
      pulls_.owner.assign(count, 0);
      nearest_.assign(count, 2);
    }
    if (variable == temperature_variable &&
        std::ranges::any_of(resolved.solids, &SolidCase::is_adiabatic))
      pulls_.insulated.assign(count, 0);
  }

  SolidPulls found() {
    add_bodies();
    for (const Cut& cut : points_.cuts) {
      if (!is_insulated(cut.body)) add(cut);
    }
    for (std::size_t n = 0; n < pulls_.target.size(); ++n) {
      const double kappa = pulls_.kappa[n];
      if (kappa > 0 && std::isfinite(kappa)) pulls_.target[n] /= kappa;
    }
    find_box();
    return std::move(pulls_);
  }

 private:
  [[nodiscard]] double first_temperature() const {
    for (const SolidCase& body : case_.solids) {
      if (!body.is_adiabatic) return body.temperature;
    }
    return 0;
  }
  [[nodiscard]] const SolidCase& body(int number) const {
    return case_.solids[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] bool is_insulated(int number) const {
    return variable_ == temperature_variable && body(number).is_adiabatic;
  }
  [[nodiscard]] std::size_t place(Index3 c) const {
    const Index3 first = points_.box.begin;
    const auto row =
        static_cast<std::size_t>(c.k - first.k) * static_cast<std::size_t>(stored_.ny) +
        static_cast<std::size_t>(c.j - first.j);
    return row * static_cast<std::size_t>(stored_.nx) + static_cast<std::size_t>(c.i - first.i);
  }

  void add_bodies() {
    const Box& box = points_.box;
    std::size_t n = 0;
    for (int k = box.begin.k; k < box.end.k; ++k) {
      for (int j = box.begin.j; j < box.end.j; ++j) {
        for (int i = box.begin.i; i < box.end.i; ++i, ++n) {
          const int number = points_.body[n];
          if (number == no_body) continue;
          pulls_.kappa[n] = std::numeric_limits<double>::infinity();
          if (!pulls_.owner.empty()) pulls_.owner[n] = number + 1;
          if (!pulls_.insulated.empty() && is_insulated(number)) pulls_.insulated[n] = 1;
          if (!pulls_.target.empty())
            pulls_.target[n] = solid_value(body(number), variable_, places_.of({i, j, k}));
        }
      }
    }
  }

  void add(const Cut& cut) {
    const std::size_t n = place(cut.point);
    const Spans spans = places_.spans(cut.axis, index_along(cut.point, cut.axis));
    const double distance = spans.distance[cut.is_high ? 1 : 0];
    const double diffusivity =
        variable_ == temperature_variable ? case_.conductivity() : case_.viscosity();
    const double diffusion = diffusivity / (spans.width * distance);
    pulls_.kappa[n] += pull_of_cut(diffusion, cut.theta);
    if (!pulls_.owner.empty() && cut.theta < nearest_[n]) {
      nearest_[n] = cut.theta;
      pulls_.owner[n] = cut.body + 1;
    }
    if (pulls_.target.empty()) return;
    const double step = cut.is_high ? distance : -distance;
    const auto beyond = [&](double way) {
      std::array<double, 3> x = places_.of(cut.point);
      x[static_cast<std::size_t>(cut.axis)] += way * step;
      return solid_value(body(cut.body), variable_, x);
    };
    pulls_.target[n] += pull_times_target(diffusion, cut.theta, beyond(cut.theta), beyond(1));
  }

  /// Of points of the part alone; a point whose neighbour is an adiabatic body counts as cut.
  void find_box() {
    const Box& all = points_.box;
    Box box{all.end, all.begin};
    const auto include = [&](Index3 c) {
      box.begin = {
          std::min(box.begin.i, c.i), std::min(box.begin.j, c.j), std::min(box.begin.k, c.k)};
      box.end = {
          std::max(box.end.i, c.i + 1), std::max(box.end.j, c.j + 1), std::max(box.end.k, c.k + 1)};
    };
    std::size_t n = 0;
    for (int k = all.begin.k; k < all.end.k; ++k) {
      for (int j = all.begin.j; j < all.end.j; ++j) {
        for (int i = all.begin.i; i < all.end.i; ++i, ++n) {
          if (pulls_.kappa[n] > 0) include({i, j, k});
          if (pulls_.insulated.empty() || pulls_.insulated[n] == 0) continue;
          include({i - 1, j - 1, k - 1});
          include({i + 1, j + 1, k + 1});
        }
      }
    }
    const Box own{{all.begin.i + 1, all.begin.j + 1, all.begin.k + 1},
                  {all.end.i - 1, all.end.j - 1, all.end.k - 1}};
    pulls_.box = common_box(box, own);
  }

  const Case& case_;
  const SolidPoints& points_;
  int variable_;
  Places places_;
  Extents stored_;
  SolidPulls pulls_;
  std::vector<double> nearest_;  // theta of the nearest cut
};

}  // namespace

Box common_box(Box a, Box b) {
  Box both{{std::max(a.begin.i, b.begin.i),
            std::max(a.begin.j, b.begin.j),
            std::max(a.begin.k, b.begin.k)},
           {std::min(a.end.i, b.end.i), std::min(a.end.j, b.end.j), std::min(a.end.k, b.end.k)}};
  const Extents n = both.extents();
  if (n.nx <= 0 || n.ny <= 0 || n.nz <= 0) both.end = both.begin;
  return both;
}

Box joint_box(Box a, Box b) {
  if (a.extents().count() == 0) return b;
  if (b.extents().count() == 0) return a;
  return {{std::min(a.begin.i, b.begin.i),
           std::min(a.begin.j, b.begin.j),
           std::min(a.begin.k, b.begin.k)},
          {std::max(a.end.i, b.end.i), std::max(a.end.j, b.end.j), std::max(a.end.k, b.end.k)}};
}

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

int& begin_along(Box& box, int axis) {
  return axis == 0 ? box.begin.i : axis == 1 ? box.begin.j : box.begin.k;
}
int& end_along(Box& box, int axis) {
  return axis == 0 ? box.end.i : axis == 1 ? box.end.j : box.end.k;
}

/// Cuts what lies below and above `near` along an axis off `rest`.
void cut_off(Box& rest, Box near, int axis, std::vector<Box>& pieces) {
  const int begin = std::max(begin_along(rest, axis), begin_along(near, axis));
  const int end = std::min(end_along(rest, axis), end_along(near, axis));
  if (begin > begin_along(rest, axis)) {
    end_along(pieces.emplace_back(rest), axis) = begin;
    begin_along(rest, axis) = begin;
  }
  if (end < end_along(rest, axis)) {
    begin_along(pieces.emplace_back(rest), axis) = end;
    end_along(rest, axis) = end;
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
  const int first = axis == 0 ? 1 : 0;
  const int second = axis == 2 ? 1 : 2;
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

std::size_t solid_fields(const Case& resolved) {
  if (resolved.solids.empty()) return 0;
  std::size_t fields = 0;
  const int variables = resolved.has_temperature() ? 4 : 3;
  for (int variable = 0; variable < variables; ++variable) {
    fields += 1;
    if (!has_uniform_value(resolved, variable)) ++fields;
    if (resolved.solids.size() > 1) ++fields;
  }
  if (resolved.has_temperature() && std::ranges::any_of(resolved.solids, &SolidCase::is_adiabatic))
    ++fields;
  return fields;
}

std::vector<double> arms_of(const SolidCase& body,
                            const StaggeredGrid& grid,
                            const Subdomain& part,
                            int axis) {
  const auto a = static_cast<std::size_t>(axis);
  const StaggeredAxis& along = grid[a];
  std::vector<double> arms(static_cast<std::size_t>(part.points()[axis]));
  for (std::size_t n = 0; n < arms.size(); ++n) {
    const double arm = along.centre(part.first(axis) + static_cast<int>(n)) - body.center[a];
    arms[n] = along.is_periodic ? std::remainder(arm, along.length()) : arm;
  }
  return arms;
}

}  // namespace dns
