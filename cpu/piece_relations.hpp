/// Lines along z that go on beyond a box: how their ends depend on the unknowns beyond.
#pragma once

#include <omp.h>

#include <algorithm>
#include <array>

#include "cpu/denormals.hpp"
#include "cpu/lines_in_packs.hpp"
#include "solver/core/line_pieces.hpp"

namespace dns {

/// The relations of a few lines side by side, from row `begin` to row `end`; set(pack, relations)
/// receives them. Rows m of all packs are eliminated before rows m + 1. Ends that are no seams are
/// closed by `rows`.
template <class Real, class Point, class Rows, class Set>
void relations_of_lines(const Point* first,
                        int packs,
                        int begin,
                        int end,
                        const Rows& rows,
                        const std::array<bool, 2>& is_seam,
                        const Set& set) {
  using System = typename Rows::System;
  using Value = decltype(load(static_cast<const Real*>(nullptr), *first));
  EliminatedRow<System, Value, true> eliminated[packs_per_block];
  EndRelation<System, Value> start[packs_per_block];
  std::fill_n(eliminated, packs, before_first_row<System, Value, true>());
  std::fill_n(start, packs, EndRelation<System, Value>::next());
  // Inlined for each kind of `ends`, so that the many rows between the ends do not test for them.
  const auto eliminate_rows = [&](int m, LineEnds ends) __attribute__((always_inline)) {
    for (int pack = 0; pack < packs; ++pack) {
      eliminated[pack] =
          eliminate(row_at(rows, placed<Axis::z>(first[pack], m), ends), eliminated[pack]);
      start[pack].absorb(eliminated[pack]);
    }
  };
  const int last = end - 1;
  eliminate_rows(begin, {!is_seam[0], !is_seam[1] && begin == last});
  for (int m = begin + 1; m < last; ++m) eliminate_rows(m, {});
  if (begin < last) eliminate_rows(last, {false, !is_seam[1]});
  for (int pack = 0; pack < packs; ++pack) {
    set(first[pack],
        PieceRelations<System, Value>{start[pack],
                                      EndRelation<System, Value>::of_last(eliminated[pack])});
  }
}

/// The relations of all lines along z of a box; `values`: LineValues.
template <class Real, class Rows, class Values>
void find_relations(Box box,
                    const Rows& rows,
                    const std::array<bool, 2>& is_seam,
                    const Values& values,
                    int threads) {
  constexpr int width = pack_width<Real>;
  const bool has_packs = box.extents().nx >= width;
  const auto keep = [&](const auto& c, auto relations) {
    for (int part = 0; part < decltype(relations)::parts; ++part)
      values.set(c, part, relations[part]);
  };
#pragma omp parallel num_threads(threads)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for schedule(static)
    for (int j = box.begin.j; j < box.end.j; ++j) {
      if (!has_packs) {
        for (int i = box.begin.i; i < box.end.i; ++i) {
          const Index3 first{i, j, 0};
          relations_of_lines<Real>(&first, 1, box.begin.k, box.end.k, rows, is_seam, keep);
        }
        continue;
      }
      const PacksOfRange<width> packs{box.begin.i, box.end.i};
      for (int start = 0; start < packs.count(); start += packs_per_block) {
        const int count = std::min(packs_per_block, packs.count() - start);
        PackPoint<width> first[packs_per_block];
        for (int pack = 0; pack < count; ++pack) first[pack] = {{packs.start(start + pack), j, 0}};
        relations_of_lines<Real>(first, count, box.begin.k, box.end.k, rows, is_seam, keep);
      }
    }
  }
}

}  // namespace dns
