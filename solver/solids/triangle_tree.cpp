#include "solver/solids/triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/core/index.hpp"

namespace dns {
namespace {

Bounds bounds_around(const TriangleTree::Triangle* begin, const TriangleTree::Triangle* end) {
  Bounds bounds{(*begin)[0], (*begin)[0]};
  for (; begin != end; ++begin) {
    for (const Place& corner : *begin) {
      for (int axis = 0; axis < 3; ++axis) {
        bounds.low[axis] = std::min(bounds.low[axis], corner[axis]);
        bounds.high[axis] = std::max(bounds.high[axis], corner[axis]);
      }
    }
  }
  return bounds;
}

double square_of_distance(const Place& x, const Bounds& bounds) {
  double square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double way = std::max({bounds.low[axis] - x[axis], x[axis] - bounds.high[axis], 0.0});
    square += way * way;
  }
  return square;
}

}  // namespace

TriangleTree::TriangleTree(std::vector<Triangle> triangles) : triangles_(std::move(triangles)) {
  if (!triangles_.empty()) add_node(0, triangles_.size());
}

/// Halves have as many triangles, on the two sides of a plane across the longest axis.
std::size_t TriangleTree::add_node(std::size_t begin, std::size_t end) {
  constexpr std::size_t few = 2;
  const std::size_t number = nodes_.size();
  const Bounds bounds = bounds_around(triangles_.data() + begin, triangles_.data() + end);
  nodes_.push_back({bounds, begin, end, 0});
  if (end - begin <= few) return number;
  int longest = 0;
  for (int axis = 1; axis < 3; ++axis) {
    if (bounds.high[axis] - bounds.low[axis] > bounds.high[longest] - bounds.low[longest])
      longest = axis;
  }
  const auto place = [&](const Triangle& triangle) {
    return triangle[0][longest] + triangle[1][longest] + triangle[2][longest];
  };
  const std::size_t middle = begin + (end - begin) / 2;
  const auto at = [&](std::size_t n) {
    return triangles_.begin() + static_cast<std::ptrdiff_t>(n);
  };
  std::nth_element(at(begin), at(middle), at(end), [&](const Triangle& a, const Triangle& b) {
    return place(a) < place(b);
  });
  add_node(begin, middle);
  const std::size_t second = add_node(middle, end);
  nodes_[number].second = second;
  return number;
}

void TriangleTree::search(std::size_t node, const Place& x, double& least) const {
  const Node& here = nodes_[node];
  if (here.second == 0) {
    for (std::size_t n = here.begin; n < here.end; ++n)
      least = std::min(least, distance_from(x, triangles_[n]));
    return;
  }
  std::pair near(square_of_distance(x, nodes_[node + 1].bounds), node + 1);
  std::pair far(square_of_distance(x, nodes_[here.second].bounds), here.second);
  if (far.first < near.first) std::swap(near, far);
  for (const auto& [square, half] : {near, far})
    if (square < least * least) search(half, x, least);
}

double TriangleTree::distance(const Place& x, double most) const {
  if (!nodes_.empty() && square_of_distance(x, nodes_[0].bounds) < most * most) search(0, x, most);
  return most;
}

}  // namespace dns
