/// Where the relations of the pieces of lines lie in memory, and the solution of the unknowns at
/// their seams (line_pieces.hpp). The pieces of a line belong to ranks, or to blocks of a GPU.
#pragma once

#include <cstddef>

#include "solver/core/field_view.hpp"
#include "solver/core/level_view.hpp"
#include "solver/core/line_pieces.hpp"

namespace dns {

/// `parts` values for each line of a box. Lines along z have their i and j, others place_of_line:
/// rows of lines along i, part after part, contiguous for all lines of equal j. Line i of a row is
/// at place i.
template <class Real>
struct LineValues {
  Real* values = nullptr;
  int first_j = 0;  // of the box
  int pitch = 0;    // values from a part to the next
  int parts = 0;

  /// Room for lines up to i = `end` - 1; rows start at multiples of 64 bytes at least.
  static constexpr int pitch_for(int end) { return (end + 15) / 16 * 16; }
  [[nodiscard]] DNS_HD std::ptrdiff_t row(int j) const {
    return static_cast<std::ptrdiff_t>(j - first_j) * parts * pitch;
  }
  template <class Point>
  [[nodiscard]] DNS_HD Real* address(Point c, int part) const {
    return values + row(c.j) + (part * pitch + c.i);
  }
  template <class Point, class Value>
  DNS_HD void set(Point c, int part, Value value) const {
    store(address(c, part), value, c);
  }
  /// A part, as values on a face across z.
  [[nodiscard]] FaceView<const Real> face(int part) const {
    return {address(Index3{0, 0, 0}, part), 1, parts * pitch, 0};
  }
};

/// The coordinates of a line along `axis` through c, in order, as i and j.
template <Axis axis>
[[nodiscard]] DNS_HD constexpr Index3 place_of_line(Index3 c) {
  constexpr AxesInPlane across = axes_in_plane(axis);
  return {along<across.first>(c), along<across.second>(c), 0};
}

/// The PieceRelations of lines: those of the first unknowns of their pieces and those of the last
/// ones lie apart, as a rank may need but one of the two.
template <class Real>
struct RelationsOfLines {
  LineValues<Real> first, last;

  template <class Point>
  [[nodiscard]] DNS_HD Real* address(Point c, int part) const {
    return part < first.parts ? first.address(c, part) : last.address(c, part - first.parts);
  }
  template <class Point, class Value>
  DNS_HD void set(Point c, int part, Value value) const {
    store(address(c, part), value, c);
  }
};

/// Solves the systems of the seams of lines; called once per line, with i and j of a point of it.
/// The relations of the pieces lie one after the other, relations_stride apart; so do the results,
/// beyond_stride apart.
template <class System, class Real>
struct SolveSeams {
  RelationsOfLines<Real> relations;  // of the first piece; replaced
  LineValues<Real> beyond;           // likewise
  std::ptrdiff_t relations_stride, beyond_stride;
  int pieces;
  bool is_cyclic;

  DNS_HD void operator()(Index3 c) const {
    using Relations = PieceRelations<System, Real>;
    const auto place = [&](int number, int part) {
      return relations.address(c, part) + number * relations_stride;
    };
    solve_seams<System, Real>(
        pieces,
        is_cyclic,
        [&](int number) {
          Relations piece;
          piece.for_each_part([&](int part, Real& value) { value = *place(number, part); });
          return piece;
        },
        [&](int number, Relations piece) {
          piece.for_each_part([&](int part, Real value) { *place(number, part) = value; });
        },
        [&](int number,
            const Real(&x_before)[System::unknowns],
            const Real(&x_after)[System::unknowns]) {
          Real* const to = beyond.address(c, 0) + number * beyond_stride;
          for (int unknown = 0; unknown < System::unknowns; ++unknown) {
            to[unknown * beyond.pitch] = x_before[unknown];
            to[(System::unknowns + unknown) * beyond.pitch] = x_after[unknown];
          }
        });
  }
};

}  // namespace dns
