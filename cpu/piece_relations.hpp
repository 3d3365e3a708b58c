/// Lines along z that go on beyond a box: how their ends depend on the unknowns beyond.
#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "cpu/denormals.hpp"
#include "cpu/lines_in_packs.hpp"
#include "solver/core/line_pieces.hpp"
#include "solver/core/reduction.hpp"

namespace dns {

/// The largest magnitude of the numbers of a pack, or of a number.
template <class Real>
[[nodiscard]] Real largest_magnitude(Real value) {
  return magnitude(value);
}
template <class Real, int width>
[[nodiscard]] Real largest_magnitude(Pack<Real, width> values) {
  Real largest = 0;
  for (int lane = 0; lane < width; ++lane)
    largest = larger_or_nan(largest, magnitude(static_cast<Real>(values.lanes[lane])));
  return largest;
}

/// A few lines side by side, from row `begin` to row `end`. Rows m of all packs are eliminated
/// before rows m + 1, so that the latencies of their recurrences overlap. Ends that are no seams
/// are closed by `rows`.
template <class Real, class Point, class Rows>
class PiecesOfLines {
 public:
  using System = typename Rows::System;
  using Value = decltype(load(static_cast<const Real*>(nullptr), std::declval<Point>()));
  using Relations = PieceRelations<System, Value>;

  PiecesOfLines(const Point* first,
                int packs,
                int begin,
                int end,
                const Rows& rows,
                const std::array<bool, 2>& is_seam)
      : first_(first), packs_(packs), begin_(begin), end_(end), rows_(rows), is_seam_(is_seam) {}

  /// Finds the relations that other ranks need; those of an end that is no seam mean nothing. Only
  /// rows near a seam are read where the others do not matter.
  void find() {
    if (begin_ >= end_) {
      for (int pack = 0; pack < packs_; ++pack) relations_[pack] = Relations::of_no_rows();
      return;
    }
    int rows = fewest_rows;
    if (is_seam_[0]) {
      const int used = find_first();
      if (used == end_ - begin_) {  // to the last row
        keep_last();
        return;
      }
      rows = rows_enough(used);
    }
    if (is_seam_[1]) find_last(rows);
  }

  [[nodiscard]] const Relations& of(int pack) const { return relations_[pack]; }

 private:
  static constexpr int fewest_rows = 16;
  static constexpr int rows_between_looks = 8;

  /// Eliminates rows begin .. until they do not depend on those that follow; returns how many.
  int find_first() {
    auto* const start = start_;
    std::fill_n(start, packs_, EndRelation<System, Value>::next());
    restart();
    for (int m = begin_; m < end_; m += rows_between_looks) {
      const int next = std::min(m + rows_between_looks, end_);
      eliminate_rows(m, next, [&](int pack) { start[pack].absorb(eliminated_[pack]); });
      const auto coupling = [&](int pack, int matrix) { return start[pack].after[matrix]; };
      const bool is_short = next < end_ && are_negligible(coupling);
      for (int pack = 0; pack < packs_; ++pack) {
        relations_[pack].first = start[pack];
        if (!is_short) continue;
        for (Value& after : relations_[pack].first.after) after = Value(0);
      }
      if (is_short) return next - begin_;
    }
    return end_ - begin_;
  }
  /// Finds the relations of the last unknowns: starts so far from the end that rows before do not
  /// matter.
  void find_last(int rows) {
    for (;;) {
      const int from = std::max(end_ - rows, begin_);
      restart();
      eliminate_rows(from, end_, [](int /*pack*/) {});
      keep_last();
      if (from == begin_) return;
      if (are_negligible(to_unknown_before())) break;
      rows = std::max(rows_enough(rows), rows + rows_between_looks);
    }
    for (int pack = 0; pack < packs_; ++pack) {
      for (Value& before : relations_[pack].last.before) before = Value(0);
    }
  }
  /// Rows after which x_before will not matter, from how much it does after those eliminated last.
  [[nodiscard]] int rows_enough(int eliminated) const {
    return rows_until_negligible(eliminated, largest(to_unknown_before()), rows_between_looks);
  }
  [[nodiscard]] auto to_unknown_before() const {
    return [this](int pack, int matrix) { return eliminated_[pack].before[matrix]; };
  }

  void restart() { std::fill_n(eliminated_, packs_, before_first_row<System, Value, true>()); }
  /// Inlined always: GCC 12 at -O3 was seen to take a call of it for one without effect, and to
  /// leave it out (DistributedTest.sweeps_across_slabs_are_those_of_the_whole_box fails then).
  [[gnu::always_inline]] void keep_last() {
    for (int pack = 0; pack < packs_; ++pack)
      relations_[pack].last = EndRelation<System, Value>::of_last(eliminated_[pack]);
  }

  /// Calls take(pack) after each row.
  template <class Take>
  void eliminate_rows(int from, int to, const Take& take) {
    const int last = end_ - 1;
    const bool closes_first = from == begin_ && !is_seam_[0];
    const bool closes_last = to == end_ && !is_seam_[1];
    int m = from;
    if (closes_first) eliminate_end_row(m++, {true, closes_last && from == last}, take);
    for (; m < (closes_last ? last : to); ++m) {
      for (int pack = 0; pack < packs_; ++pack) {
        eliminate_row(pack, m, {});
        take(pack);
      }
    }
    if (closes_last && m == last) eliminate_end_row(last, {false, true}, take);
  }
  [[gnu::always_inline]] void eliminate_row(int pack, int m, LineEnds ends) {
    const Point c = placed<Axis::z>(first_[pack], m);
    eliminated_[pack] = eliminate(row_at(rows_, c, ends), eliminated_[pack]);
  }
  /// Compiled by itself, so that the many rows between the ends do not test for them.
  template <class Take>
  [[gnu::noinline]] void eliminate_end_row(int m, LineEnds ends, const Take& take) {
    for (int pack = 0; pack < packs_; ++pack) {
      eliminate_row(pack, m, ends);
      take(pack);
    }
  }

  template <class CouplingOf>
  [[nodiscard]] Real largest(const CouplingOf& coupling) const {
    Real largest = 0;
    for (int pack = 0; pack < packs_; ++pack) {
      for (int matrix = 0; matrix < System::matrices; ++matrix)
        largest = larger_or_nan(largest, largest_magnitude(coupling(pack, matrix)));
    }
    return largest;
  }
  template <class CouplingOf>
  [[nodiscard]] bool are_negligible(const CouplingOf& coupling) const {
    return largest(coupling) <= negligible_coupling<Real>;
  }

  const Point* first_;
  int packs_, begin_, end_;
  const Rows& rows_;
  std::array<bool, 2> is_seam_;
  EliminatedRow<System, Value, true> eliminated_[packs_per_block];
  EndRelation<System, Value> start_[packs_per_block];
  Relations relations_[packs_per_block] = {};
};

/// The relations of all lines along z of a box; `values`: RelationsOfLines.
template <class Real, class Rows, class Values>
void find_relations(Box box,
                    const Rows& rows,
                    const std::array<bool, 2>& is_seam,
                    const Values& values,
                    int threads) {
  constexpr int width = pack_width<Real>;
  const bool has_packs = box.extents().nx >= width;
  const auto find = [&](const auto* first, int packs) {
    PiecesOfLines<Real, std::remove_cvref_t<decltype(*first)>, Rows> pieces(
        first, packs, box.begin.k, box.end.k, rows, is_seam);
    pieces.find();
    for (int pack = 0; pack < packs; ++pack) {
      auto relations = pieces.of(pack);
      relations.for_each_part(
          [&](int part, const auto& value) { values.set(first[pack], part, value); });
    }
  };
#pragma omp parallel num_threads(threads)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for schedule(static)
    for (int j = box.begin.j; j < box.end.j; ++j) {
      if (!has_packs) {
        for (int i = box.begin.i; i < box.end.i; ++i) {
          const Index3 first{i, j, 0};
          find(&first, 1);
        }
        continue;
      }
      const PacksOfRange<width> packs{box.begin.i, box.end.i};
      for (int start = 0; start < packs.count(); start += packs_per_block) {
        const int count = std::min(packs_per_block, packs.count() - start);
        PackPoint<width> first[packs_per_block];
        for (int pack = 0; pack < count; ++pack) first[pack] = {{packs.start(start + pack), j, 0}};
        find(static_cast<const PackPoint<width>*>(first), count);
      }
    }
  }
}

}  // namespace dns
