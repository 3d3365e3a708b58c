/// Sorting by whole numbers.
#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace dns {

/// order[n] = the place of the n-th of `count` keys in ascending order; equal keys keep their
/// order. By digits of 11 bits, the lowest first: each thread counts the digits of its part, and
/// puts it behind those of the threads before it. room has 2 count numbers. The keys are
/// overwritten.
inline void sort_by_key(unsigned* keys, int* order, int count, unsigned* room, int threads) {
  constexpr unsigned bits = 11, digits = 1U << bits;
  unsigned* const other_keys = room;
  int* const other_order = reinterpret_cast<int*>(room + count);
  unsigned* from_keys = keys;
  unsigned* to_keys = other_keys;
  int* from = other_order;  // of three passes the last writes `order`
  int* to = order;
  std::vector<std::array<int, digits>> counts(threads);
#pragma omp parallel num_threads(threads)
  {
    const int team = omp_get_num_threads();
    const int thread = omp_get_thread_num();
    const auto first_of = [&](int part) {
      return static_cast<int>(static_cast<long>(count) * part / team);
    };
    const int begin = first_of(thread);
    const int end = first_of(thread + 1);
    for (int n = begin; n < end; ++n) from[n] = n;
    for (unsigned shift = 0; shift < 32; shift += bits) {
      std::array<int, digits>& own = counts[thread];
      own.fill(0);
      for (int n = begin; n < end; ++n) ++own[from_keys[n] >> shift & (digits - 1)];
#pragma omp barrier
#pragma omp single
      {
        int next = 0;
        for (unsigned digit = 0; digit < digits; ++digit) {
          for (int part = 0; part < team; ++part) {
            int& of_part = counts[part][digit];
            const int here = of_part;
            of_part = next;
            next += here;
          }
        }
      }
      for (int n = begin; n < end; ++n) {
        const int place = own[from_keys[n] >> shift & (digits - 1)]++;
        to_keys[place] = from_keys[n];
        to[place] = from[n];
      }
#pragma omp barrier
#pragma omp single
      {
        std::swap(from_keys, to_keys);
        std::swap(from, to);
      }
    }
  }
}

}  // namespace dns
