/// The nearest of many triangles.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/solids/triangles.hpp"

namespace dns {

/// Triangles in a binary tree of boxes around them.
class TriangleTree {
 public:
  using Triangle = std::array<Place, 3>;

  TriangleTree() = default;
  explicit TriangleTree(std::vector<Triangle> triangles);

  /// Distance from a place to the nearest triangle [L]; `most` where none is nearer.
  [[nodiscard]] double distance(const Place& x, double most) const;

 private:
  /// The triangles from `begin` to `end`. The first half has the next node, the second half
  /// `second`.
  struct Node {
    Bounds bounds;
    std::size_t begin, end;
    std::size_t second;  // 0: it has no halves
  };
  std::size_t add_node(std::size_t begin, std::size_t end);
  void search(std::size_t node, const Place& x, double& least) const;

  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;
};

}  // namespace dns
