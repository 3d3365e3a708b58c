#include "solver/particles/divergence_free_lines.hpp"

#include <algorithm>
#include <cstddef>

#include "solver/numerics/formula.hpp"
#include "solver/numerics/particle_divergence_free.hpp"

namespace dns {
namespace {

bool is_even_in_space(const Expression& formula) {
  return std::ranges::none_of(formula.program(), [](const Instruction& instruction) {
    return instruction.operation >= Operation::x && instruction.operation <= Operation::z;
  });
}

DivergenceFreeEnd divergence_free_end(const Case& resolved, int axis, bool is_high) {
  const FaceCase& face = resolved.faces[face_index(axis, is_high)];
  if (face.kind == FaceKind::periodic) return DivergenceFreeEnd::periodic;
  if (face.kind == FaceKind::symmetry) return DivergenceFreeEnd::mirror;
  if (face.kind != FaceKind::wall || face.has_shear() || !face.slip_length.is_zero())
    return DivergenceFreeEnd::open;
  bool rests = true;
  bool is_even = true;
  for (int along = 0; along < 3; ++along) {
    if (along == axis) continue;
    rests = rests && face.velocity[along].is_zero();
    is_even = is_even && is_even_in_space(face.velocity[along]) &&
              resolved.faces[face_index(along, false)].kind == FaceKind::periodic;
  }
  if (rests) return DivergenceFreeEnd::resting_wall;
  return is_even ? DivergenceFreeEnd::moving_wall : DivergenceFreeEnd::open;
}

/// a, b, c of s d (d - p) (d - q) = a d + b d^2 + c d^3.
std::array<double, 3> product(double s, double p, double q) {
  return {s * p * q, -s * (p + q), s};
}

/// Numbers and indices of a cell.
struct CellOfLine {
  std::array<double, DivergenceFreeCell::numbers> numbers{};
  std::array<int, DivergenceFreeCell::indices> indices{};
};

class CellsOfAxis {
 public:
  CellsOfAxis(const StaggeredAxis& axis, std::array<DivergenceFreeEnd, 2> ends)
      : axis_(axis), ends_(ends) {}

  [[nodiscard]] CellOfLine cell(int c) const {
    const int n = axis_.cells();
    if (ends_[1] == DivergenceFreeEnd::open) c = std::min(c, n - 2);
    if (ends_[0] == DivergenceFreeEnd::open) c = std::max(c, 1);
    CellOfLine cell;
    cell.numbers[DivergenceFreeCell::place] = axis_.face(c);
    index(c, cell);
    weigh(c, cell);
    return cell;
  }

 private:
  [[nodiscard]] static bool is_wall(DivergenceFreeEnd end) {
    return end == DivergenceFreeEnd::resting_wall || end == DivergenceFreeEnd::moving_wall;
  }
  [[nodiscard]] bool is_at_low_wall(int c) const { return c == 0 && is_wall(ends_[0]); }
  [[nodiscard]] bool is_at_high_wall(int c) const {
    return c == axis_.cells() - 1 && is_wall(ends_[1]);
  }
  /// Width of cell i, the image of that inside beyond a plane of symmetry; 0: the wall.
  [[nodiscard]] double width(int i) const {
    const int n = axis_.cells();
    if (ends_[0] == DivergenceFreeEnd::periodic) i = (i + n) % n;
    if (i < 0) return is_wall(ends_[0]) ? 0 : width(0);
    if (i >= n) return is_wall(ends_[1]) ? 0 : width(n - 1);
    return axis_.face(i + 1) - axis_.face(i);
  }

  void index(int c, CellOfLine& cell) const {
    using Cell = DivergenceFreeCell;
    const int n = axis_.cells();
    const bool is_periodic = ends_[0] == DivergenceFreeEnd::periodic;
    int& ends = cell.indices[Cell::ends];
    for (int m = 0; m < 4; ++m) {
      int face = c - 1 + m;
      if (is_periodic) {
        face = (face + n) % n;
      } else if (face < 0) {
        const bool is_mirror = ends_[0] == DivergenceFreeEnd::mirror;
        ends |= is_mirror ? Cell::low_odd : 0;
        face = is_mirror ? 1 : 0;
      } else if (face > n) {
        const bool is_mirror = ends_[1] == DivergenceFreeEnd::mirror;
        ends |= is_mirror ? Cell::high_odd : 0;
        face = is_mirror ? n - 1 : n;
      } else if ((face == 0 && ends_[0] != DivergenceFreeEnd::mirror) ||
                 (face == n && ends_[1] != DivergenceFreeEnd::mirror)) {
        ends |= Cell::on_plane << m;
      }
      cell.indices.at(Cell::faces + m) = face;
    }
    for (int m = 0; m < 3; ++m) {
      int other = c - 1 + m;
      if (is_periodic) {
        other = (other + n) % n;
      } else if (other < 0) {
        other = ends_[0] == DivergenceFreeEnd::moving_wall ? -1 : 0;
      } else if (other >= n) {
        other = ends_[1] == DivergenceFreeEnd::moving_wall ? n : n - 1;
      }
      cell.indices.at(Cell::cells + m) = other;
    }
    if (is_at_low_wall(c)) ends |= Cell::low_wall;
    if (is_at_high_wall(c)) ends |= Cell::high_wall;
    if (ends_[0] == DivergenceFreeEnd::moving_wall) ends |= Cell::low_moves;
    if (ends_[1] == DivergenceFreeEnd::moving_wall) ends |= Cell::high_moves;
  }

  /// The cubics through faces at d = low, 0, high, top. At a wall two of them coincide: then the
  /// slope there takes the place of the outermost value, and its width is 1.
  void weigh(int c, CellOfLine& cell) const {
    using Cell = DivergenceFreeCell;
    const double below = width(c - 1);
    const double here = width(c);
    const double above = width(c + 1);
    const double low = -below;
    const double high = here;
    const double top = here + above;
    const bool low_wall = is_at_low_wall(c);
    const bool high_wall = is_at_high_wall(c);
    const auto put = [&](int which, const std::array<double, 3>& cubic) {
      std::ranges::copy(cubic, cell.numbers.begin() + (Cell::polynomial + 3 * which));
    };
    put(0,
        product(low_wall ? -1 / (high * top) : 1 / (low * (low - high) * (low - top)), high, top));
    if (high_wall) {
      const double bend = 1 / high + 1 / (high - low);
      put(1, product(-bend / (high * (high - low)), low, high + 1 / bend));
      put(2, product(1 / (high * (high - low)), low, high));
    } else {
      put(1, product(1 / (high * (high - low) * (high - top)), low, top));
      put(2, product(1 / (top * (top - low) * (top - high)), low, high));
    }
    cell.numbers[Cell::widths] = low_wall ? 1 : below;
    cell.numbers[Cell::widths + 1] = here;
    cell.numbers[Cell::widths + 2] = high_wall ? 0 : here;
    cell.numbers[Cell::widths + 3] = high_wall ? 1 : above;
  }

  const StaggeredAxis& axis_;
  std::array<DivergenceFreeEnd, 2> ends_;
};

}  // namespace

std::array<DivergenceFreeEnd, 2> divergence_free_ends(const Case& resolved, int axis) {
  return {divergence_free_end(resolved, axis, false), divergence_free_end(resolved, axis, true)};
}

DivergenceFreeLines::DivergenceFreeLines(const StaggeredAxis& axis,
                                         std::array<DivergenceFreeEnd, 2> ends) {
  const CellsOfAxis cells(axis, ends);
  const std::size_t count = axis.cells();
  numbers.resize(count * DivergenceFreeCell::numbers);
  indices.resize(count * DivergenceFreeCell::indices);
  for (int c = 0; c < axis.cells(); ++c) {
    const CellOfLine cell = cells.cell(c);
    for (std::size_t m = 0; m < cell.numbers.size(); ++m)
      numbers[m * count + c] = cell.numbers.at(m);
    for (std::size_t m = 0; m < cell.indices.size(); ++m)
      indices[m * count + c] = cell.indices.at(m);
  }
}

}  // namespace dns
