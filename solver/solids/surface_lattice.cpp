#include "solver/solids/surface_lattice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "solver/config/face_coordinates.hpp"
#include "solver/config/smallest_cells.hpp"
#include "solver/core/in_threads.hpp"
#include "solver/core/index.hpp"
#include "solver/solids/places_in_body.hpp"
#include "solver/solids/rigid_motion.hpp"
#include "solver/solids/triangle_lines.hpp"
#include "solver/solids/triangle_tree.hpp"

namespace dns {
namespace {

constexpr int cells_of_block = DistanceLattice::cells_of_block;

double magnitude(const Place& way) {
  return std::hypot(way[0], way[1], way[2]);
}
/// How far from the surface nodes have its distance at most.
double reach_of(const DistanceLattice& lattice) {
  return static_cast<double>(std::max(lattice.farthest, lattice.deepest));
}

/// Where the lattice of a body lies.
DistanceLattice lattice_of(const Bounds& body, const Case& resolved) {
  DistanceLattice lattice{};
  double largest = 0;  // cell
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<double> faces = face_coordinates(resolved.grid, axis);
    double least = resolved.grid.length[axis];
    for (std::size_t n = 0; n + 1 < faces.size(); ++n) {
      const double width = faces[n + 1] - faces[n];
      const bool is_near =
          faces[n + 1] + 2 * width >= body.low[axis] && faces[n] - 2 * width <= body.high[axis];
      if (!is_near && !resolved.is_periodic(axis)) continue;
      least = std::min(least, width);
      largest = std::max(largest, width);
    }
    lattice.length[axis] = resolved.grid.length[axis];
    lattice.repeats[axis] = resolved.is_periodic(axis);
    lattice.spacing[axis] = least / 2;
    if (!lattice.repeats[axis]) continue;
    constexpr double with_round_off = 1 - 1e-9;
    lattice.spacing[axis] =
        lattice.length[axis] / std::ceil(2 * lattice.length[axis] / least * with_round_off);
  }
  // With the nodes around a place, and those of its gradient.
  const double around = magnitude(lattice.spacing);
  lattice.farthest = static_cast<float>(smallest_cell(resolved.grid) / 2 + around +
                                        *std::ranges::max_element(lattice.spacing));
  lattice.deepest = static_cast<float>(2 * largest + around);
  const double reach = reach_of(lattice);
  for (int axis = 0; axis < 3; ++axis) {
    const double spacing = lattice.spacing[axis];
    const double origin = resolved.grid.origin[axis];
    double low = body.low[axis];
    double high = body.high[axis];
    if (!lattice.repeats[axis]) {
      low = std::max(low, origin);
      high = std::min(high, origin + lattice.length[axis]);
    }
    low -= reach;
    high += reach;
    if (lattice.repeats[axis] && high - low + 2 * spacing > lattice.length[axis]) {
      lattice.low[axis] = origin;
      lattice.cells[axis] = static_cast<int>(std::lround(lattice.length[axis] / spacing));
    } else {
      const double nodes_before = std::floor((low - origin) / spacing);
      lattice.low[axis] = origin + nodes_before * spacing;
      lattice.cells[axis] = static_cast<int>(std::ceil((high - lattice.low[axis]) / spacing));
    }
    lattice.blocks[axis] = (lattice.cells[axis] + cells_of_block - 1) / cells_of_block;
  }
  return lattice;
}

using Triangle = TriangleTree::Triangle;

/// The triangles of a surface and its images that are the surface of the body: parts that lie
/// inside of it are left out, to pieces of a given size.
class OuterTriangles {
 public:
  /// near: where triangles are wanted.
  OuterTriangles(const Triangles& surface,
                 const std::vector<Place>& images,
                 const Case& resolved,
                 const Bounds& near,
                 double size_of_pieces)
      : size_of_pieces_(size_of_pieces) {
    const Bounds bounds = bounds_of(surface);
    bool may_overlap = surface.shells.size() > 1;
    for (int axis = 0; axis < 3; ++axis) {
      const double length = bounds.high[axis] - bounds.low[axis] + 4 * surface.tolerance;
      if (resolved.is_periodic(axis) && length >= resolved.grid.length[axis]) may_overlap = true;
    }
    if (may_overlap) body_.emplace(surface, images);
    for (const Place& image : images) {
      for (std::size_t n = 0; n < surface.corners.size(); ++n) {
        const Triangle triangle = triangle_of(surface, n, image);
        if (reaches(triangle, near)) add(triangle);
      }
    }
  }
  [[nodiscard]] const std::vector<Triangle>& all() const { return all_; }

 private:
  static bool reaches(const Triangle& triangle, const Bounds& near) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto [low, high] =
          std::minmax({triangle[0][axis], triangle[1][axis], triangle[2][axis]});
      if (low > near.high[axis] || high < near.low[axis]) return false;
    }
    return true;
  }
  static Place from_to(const Place& a, const Place& b) {
    return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  }
  static Place between(const Place& a, const Place& b, double part) {
    return {a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])};
  }

  /// Halves what may be inside in part, until a piece is small: its middle decides.
  void add(const Triangle& triangle) {
    constexpr double near_corners = 0.95;
    if (!body_ || !has_places_inside(triangle, near_corners)) {
      all_.push_back(triangle);
      return;
    }
    std::size_t from = 0;  // of the longest side
    double longest = 0;
    for (std::size_t n = 0; n < 3; ++n) {
      const Place& a = triangle[n];
      const Place& b = triangle[(n + 1) % 3];
      const double length = magnitude(from_to(a, b));
      if (length > longest) from = n;
      longest = std::max(longest, length);
    }
    if (longest <= size_of_pieces_) {
      if (!has_places_inside(triangle, 0)) all_.push_back(triangle);
      return;
    }
    const Place& a = triangle[from];
    const Place& b = triangle[(from + 1) % 3];
    const Place& c = triangle[(from + 2) % 3];
    const Place half = between(a, b, 0.5);
    add({a, half, c});
    add({half, b, c});
  }
  /// Whether the body is on both sides of the middle, or of a place part of the way to a corner.
  [[nodiscard]] bool has_places_inside(const Triangle& triangle, double part) const {
    const auto& [a, b, c] = triangle;
    Place normal = cross_product(from_to(a, b), from_to(a, c));
    const double size = magnitude(normal);
    if (!(size > 0)) return false;
    for (double& along : normal) along /= size;
    const Place middle = between(a, between(b, c, 0.5), 2.0 / 3);
    if (body_->hold_both_sides(middle, normal)) return true;
    return part > 0 && std::ranges::any_of(triangle, [&](const Place& corner) {
             return body_->hold_both_sides(between(middle, corner, part), normal);
           });
  }

  std::optional<PlacesInBody> body_;  // where shells or images may overlap
  double size_of_pieces_;
  std::vector<Triangle> all_;
};

class LatticeOfSurface {
 public:
  LatticeOfSurface(const Triangles& surface, const SolidCase& body, const Case& resolved)
      : surface_(surface) {
    require_fitting_size(surface, body, resolved);
    result_.lattice = lattice_of(bounds_of(surface), resolved);
    Bounds near;
    for (int axis = 0; axis < 3; ++axis) {
      const int nodes = lattice().blocks[axis] * cells_of_block + 1;
      for (int n = 0; n < nodes; ++n)
        nodes_[axis].push_back(lattice().low[axis] + n * lattice().spacing[axis]);
      near.low[axis] = nodes_[axis].front() - reach_of(lattice());
      near.high[axis] = nodes_[axis].back() + reach_of(lattice());
    }
    images_ = images_of(surface, resolved, near);
    const double least = *std::ranges::min_element(lattice().spacing);
    tree_ = TriangleTree(OuterTriangles(surface, images_, resolved, near, least).all());
    find_blocks();
  }

  /// A lattice of zeros until the distances are found.
  [[nodiscard]] const SurfaceLattice& result() const { return result_; }
  void find_distances(int threads) {
    // Beside the nodes: images that should touch may leave a gap of the file's single precision.
    PerAxis<std::vector<double>> beside = nodes_;
    for (int axis = 0; axis < 3; ++axis)
      for (double& x : beside[axis]) x += (3 + axis) * surface_.tolerance;
    const TriangleLines lines(surface_, images_, 0, beside);
    in_threads(threads, lattice().blocks[2], [&] {
      return [&](int k) { for_each_block(k, [&](Index3 block) { find_in_block(block, lines); }); };
    });
  }

 private:
  [[nodiscard]] const DistanceLattice& lattice() const { return result_.lattice; }
  [[nodiscard]] int& number(Index3 block) {
    const PerAxis<int>& blocks = lattice().blocks;
    const auto row = static_cast<std::size_t>(block.k) * blocks[1] + block.j;
    return result_.numbers[row * blocks[0] + block.i];
  }
  [[nodiscard]] Place node(Index3 n) const {
    return {nodes_[0][n.i], nodes_[1][n.j], nodes_[2][n.k]};
  }
  [[nodiscard]] Place middle_of(Index3 block) const {
    Place middle;
    for (int axis = 0; axis < 3; ++axis) {
      const double cells = cells_of_block * (block[axis] + 0.5);
      middle[axis] = lattice().low[axis] + cells * lattice().spacing[axis];
    }
    return middle;
  }

  /// Visits the blocks of a layer across z.
  template <class Visit>
  void for_each_block(int k, const Visit& visit) const {
    for (int j = 0; j < lattice().blocks[1]; ++j)
      for (int i = 0; i < lattice().blocks[0]; ++i) visit(Index3{i, j, k});
  }

  void find_blocks() {
    const PerAxis<int>& blocks = lattice().blocks;
    result_.numbers.assign(static_cast<std::size_t>(blocks[0]) * blocks[1] * blocks[2],
                           DistanceLattice::outside);
    const double most = reach_of(lattice()) + cells_of_block / 2.0 * magnitude(lattice().spacing);
    int near = 0;
    for (int k = 0; k < blocks[2]; ++k) {
      for_each_block(k, [&](Index3 block) {
        if (tree_.distance(middle_of(block), most) < most) number(block) = near++;
      });
    }
    result_.distances.resize(static_cast<std::size_t>(near) * DistanceLattice::nodes_of_block);
  }

  [[nodiscard]] bool is_inside(const TriangleLines& lines, Index3 n) const {
    return lines.crossings_up_to({0, n.j - 1, n.k - 1}, nodes_[0][n.i] + 3 * surface_.tolerance) %
               2 !=
           0;
  }

  /// A node is at most a spacing farther from the surface than the one before it.
  void find_in_block(Index3 block, const TriangleLines& lines) {
    constexpr double with_round_off = 1 + 1e-6;
    const double step = with_round_off * lattice().spacing[0];
    const Index3 first{
        cells_of_block * block.i, cells_of_block * block.j, cells_of_block * block.k};
    if (number(block) < 0) {
      if (is_inside(lines, first)) number(block) = DistanceLattice::inside;
      return;
    }
    float* value = result_.distances.data() +
                   static_cast<std::size_t>(number(block)) * DistanceLattice::nodes_of_block;
    for (int k = 0; k <= cells_of_block; ++k) {
      for (int j = 0; j <= cells_of_block; ++j) {
        double before = reach_of(lattice());
        for (int i = 0; i <= cells_of_block; ++i) {
          const Index3 n{first.i + i, first.j + j, first.k + k};
          const bool is_in = is_inside(lines, n);
          const auto most = static_cast<double>(is_in ? lattice().deepest : lattice().farthest);
          before = tree_.distance(node(n), std::min(most, before + step));
          *value++ = static_cast<float>(is_in ? -before : before);
        }
      }
    }
  }

  const Triangles& surface_;
  SurfaceLattice result_;
  PerAxis<std::vector<double>> nodes_;  // [L]
  std::vector<Place> images_;
  TriangleTree tree_;
};

}  // namespace

SurfaceLattice find_distances(const Triangles& surface,
                              const SolidCase& body,
                              const Case& resolved,
                              int threads) {
  LatticeOfSurface lattice(surface, body, resolved);
  lattice.find_distances(threads);
  return lattice.result();
}

SurfaceLattice lattice_of_zeros(const Triangles& surface,
                                const SolidCase& body,
                                const Case& resolved) {
  return LatticeOfSurface(surface, body, resolved).result();
}

}  // namespace dns
