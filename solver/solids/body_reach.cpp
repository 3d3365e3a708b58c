#include "solver/solids/body_reach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/core/error.hpp"

namespace dns {
namespace {

using Shape = SolidCase::Shape;

constexpr double endless = std::numeric_limits<double>::infinity();

struct Range {
  int begin, end;
};

/// The cell that holds a coordinate, counted on beyond periodic ends; the nearest one beyond
/// others.
int cell_with(const StaggeredAxis& axis, double x) {
  const int n = axis.cells();
  int images = 0;
  if (axis.is_periodic) {
    images = static_cast<int>(std::floor((x - axis.faces.front()) / axis.length()));
    x -= images * axis.length();
  }
  const auto above = std::ranges::upper_bound(axis.faces, x) - axis.faces.begin();
  return images * n + std::clamp(static_cast<int>(above) - 1, 0, n - 1);
}

/// The ranges of stored indices of a part, -1 .. n, that repeat indices of the box.
std::vector<Range> ranges_of_part(Range of_box,
                                  int axis,
                                  const StaggeredGrid& grid,
                                  const Subdomain& part) {
  const int whole = grid[axis].cells();
  const int end = part.points()[axis] + 1;
  std::vector<Range> ranges;
  if (of_box.end - of_box.begin >= whole && grid[axis].is_periodic) return {{-1, end}};
  const int first = part.first(axis);
  const auto add = [&](int shift) {
    const Range here{std::max(of_box.begin + shift - first, -1),
                     std::min(of_box.end + shift - first, end)};
    if (here.begin < here.end) ranges.push_back(here);
  };
  if (!grid[axis].is_periodic) {
    add(0);
    return ranges;
  }
  const int to_box = -static_cast<int>(std::floor(static_cast<double>(of_box.begin) / whole));
  for (int images = -2; images <= 1; ++images) add((to_box + images) * whole);
  std::vector<Range> joint;
  for (const Range& range : ranges) {
    if (!joint.empty() && range.begin <= joint.back().end) {
      joint.back().end = std::max(joint.back().end, range.end);
    } else {
      joint.push_back(range);
    }
  }
  return joint;
}

/// How far the corners of a box turn about its centre from one pose to another [L].
double way_of_corners(const SolidCase& box, const BodyPose& before, const BodyPose& now) {
  double farthest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double way = std::max(std::abs(box.low[axis] - box.center[axis]),
                                std::abs(box.high[axis] - box.center[axis]));
    farthest += way * way;
  }
  double square = 0;  // of the distance of both quaternions: of half the angle, where it is small
  for (std::size_t n = 0; n < now.orientation.size(); ++n) {
    const double difference = now.orientation[n] - before.orientation[n];
    square += difference * difference;
  }
  return 2 * std::sqrt(square * farthest);
}

}  // namespace

BodyReach reach_of(const SolidCase& body, const BodyPose& pose) {
  const Matrix3 turn = matrix_of(pose.orientation);
  PerAxis<double> middle = pose.place;
  PerAxis<double> half{};
  for (int axis = 0; axis < 3; ++axis) {
    if (body.shape == Shape::sphere) {
      half[axis] = body.radius;
    } else if (body.shape == Shape::cylinder) {
      const double along = std::abs(turn[axis][body.axis]);
      const double across = body.radius * std::sqrt(std::max(1 - along * along, 0.0));
      const double length = body.length ? *body.length / 2 * along : along > 1e-12 ? endless : 0;
      half[axis] = across + length;
    } else if (body.shape == Shape::box) {
      for (int of_box = 0; of_box < 3; ++of_box) {
        const double way = (body.low[of_box] + body.high[of_box]) / 2 - body.center[of_box];
        middle[axis] += turn[axis][of_box] * way;
        half[axis] += std::abs(turn[axis][of_box]) * (body.high[of_box] - body.low[of_box]) / 2;
      }
    } else {
      half[axis] = endless;
    }
  }
  BodyReach reach;
  for (int axis = 0; axis < 3; ++axis) {
    reach.low[axis] = middle[axis] - half[axis];
    reach.high[axis] = middle[axis] + half[axis];
  }
  return reach;
}

BodyReach joint_reach(const BodyReach& a, const BodyReach& b) {
  BodyReach joint = a;
  for (int axis = 0; axis < 3; ++axis) {
    joint.low[axis] = std::min(a.low[axis], b.low[axis]);
    joint.high[axis] = std::max(a.high[axis], b.high[axis]);
  }
  return joint;
}

std::vector<Box> boxes_near(const BodyReach& reach,
                            int cells,
                            const StaggeredGrid& grid,
                            const Subdomain& part) {
  PerAxis<std::vector<Range>> along;
  for (int axis = 0; axis < 3; ++axis) {
    const StaggeredAxis& of_grid = grid[axis];
    Range range{-cells, of_grid.cells() + cells};
    if (std::isfinite(reach.low[axis]))
      range = {cell_with(of_grid, reach.low[axis]) - cells,
               cell_with(of_grid, reach.high[axis]) + cells + 1};
    along[axis] = ranges_of_part(range, axis, grid, part);
  }
  std::vector<Box> boxes;
  for (const Range& z : along[2]) {
    for (const Range& y : along[1]) {
      for (const Range& x : along[0])
        boxes.push_back({{x.begin, y.begin, z.begin}, {x.end, y.end, z.end}});
    }
  }
  return boxes;
}

Box box_of_part(const std::vector<Box>& boxes, const Subdomain& part) {
  const Extents n = part.points();
  Box all{};
  for (const Box& box : boxes) {
    const Box own = common_box(box, {{}, {n.nx, n.ny, n.nz}});
    if (own.extents().count() > 0) all = all.extents().count() == 0 ? own : joint_box(all, own);
  }
  return all;
}

bool is_cut_by_faces(const BodyReach& reach, const StaggeredGrid& grid) {
  for (int axis = 0; axis < 3; ++axis) {
    const StaggeredAxis& along = grid[axis];
    const double round_off = 1e-9 * along.length();
    const bool is_beyond = reach.low[axis] < along.faces.front() - round_off ||
                           reach.high[axis] > along.faces.back() + round_off;
    if (is_beyond && !along.is_periodic && std::isfinite(reach.low[axis])) return true;
  }
  return false;
}

void require_fitting_step(const SolidCase& body,
                          const BodyPose& before,
                          const BodyPose& now,
                          double t,
                          const StaggeredGrid& grid) {
  const std::string path = body.path() + (body.free ? ".free" : ".motion");
  const std::string it = body.is_one_of_several() ? "body " + body.name : "it";
  const double overlap = body.free ? most_overlap * body.radius : 0;
  const BodyReach from = reach_of(body, before);
  const BodyReach to = reach_of(body, now);
  const BodyReach start = reach_of(body, pose_at_start(body, 0));
  const double turned = body.shape == Shape::box ? way_of_corners(body, before, now) : 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!std::isfinite(now.place[axis]) || std::isnan(to.low[axis]))
      throw CaseError(fmt::format("{}: at t = {:.6g} {} has no finite value", path, t, it));
    const StaggeredAxis& of_grid = grid[axis];
    double least = of_grid.length();
    for (int cell = 0; cell < of_grid.cells(); ++cell) least = std::min(least, of_grid.width(cell));
    double way = std::abs(now.place[axis] - before.place[axis]) + turned;
    if (std::isfinite(to.low[axis])) {
      way = std::max({way,
                      std::abs(to.low[axis] - from.low[axis]),
                      std::abs(to.high[axis] - from.high[axis])});
    }
    if (way > least * (1 + 1e-9)) {
      throw CaseError(fmt::format(
          "{}: the step to t = {:.6g} moves {} by {:.3g} along {}, but one cell, {:.3g}, is the "
          "most; take shorter steps{}",
          path,
          t,
          it,
          way,
          axis_name(axis),
          least,
          body.free ? "; bodies close together need more time.body_projections instead" : ""));
    }
    if (of_grid.is_periodic || !std::isfinite(to.low[axis])) continue;
    for (const bool is_high : {false, true}) {
      const double face = is_high ? of_grid.faces.back() : of_grid.faces.front();
      const double sign = is_high ? 1 : -1;
      const double out = sign * ((is_high ? to.high[axis] : to.low[axis]) - face);
      const double at_start = sign * ((is_high ? start.high[axis] : start.low[axis]) - face);
      if (out <= std::max(at_start, overlap) + 1e-9 * of_grid.length()) continue;
      throw CaseError(
          fmt::format("{}: at t = {:.6g} {} leaves the box through boundaries.{}; bodies leave "
                      "through periodic sides alone",
                      path,
                      t,
                      body.is_one_of_several() ? it : "the body",
                      face_names[face_index(axis, is_high)]));
    }
  }
}

}  // namespace dns
