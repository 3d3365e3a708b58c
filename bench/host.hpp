/// The host as studies use it: buffers, its cache, its clock.
#pragma once

#include <omp.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#include "bench/trial.hpp"

namespace dns::bench {

/// Median seconds of variant.work, sets taken in turn: at least five executions (three slow ones),
/// and as many as fit into `enough_seconds`.
[[nodiscard]] double host_seconds(const Variant& variant, int sets, double enough_seconds);

/// `sets` arrays of `count` values, aligned to cache lines. Each thread first touches its static
/// share of a loop over the values, which places it in near memory.
template <class Real>
class HostBuffers {
 public:
  HostBuffers(std::size_t count, int sets, int threads = omp_get_max_threads())
      : count_(count), stride_((count + line - 1) / line * line), sets_(sets), threads_(threads) {
    const std::size_t bytes = stride_ * static_cast<std::size_t>(sets) * sizeof(Real);
    values_.reset(static_cast<Real*>(::operator new(bytes, alignment)));
    for (int set = 0; set < sets; ++set) poison(set);
  }

  [[nodiscard]] Real* set(int number) const {
    return values_.get() + stride_ * static_cast<std::size_t>(number);
  }
  [[nodiscard]] std::size_t count() const { return count_; }

  /// value(n) for every n, the same in all sets.
  template <class Value>
  void fill(const Value& value) const {
    for (int number = 0; number < sets_; ++number) fill(number, value);
  }
  /// In one set.
  template <class Value>
  void fill(int number, const Value& value) const {
    Real* const values = set(number);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::size_t n = 0; n < count_; ++n) values[n] = static_cast<Real>(value(n));
  }

  /// NaN everywhere.
  void poison(int number) const {
    fill(number, [](std::size_t) { return std::numeric_limits<Real>::quiet_NaN(); });
  }

 private:
  static constexpr std::align_val_t alignment{64};
  static constexpr std::size_t line = 64 / sizeof(Real);
  struct Free {
    void operator()(Real* values) const { ::operator delete(values, alignment); }
  };
  std::size_t count_;
  std::size_t stride_;
  int sets_;
  int threads_;
  std::unique_ptr<Real, Free> values_;
};

/// The largest of error(n) over n < count; infinite when one of them is NaN.
template <class Error>
[[nodiscard]] double largest_error(std::size_t count, const Error& error) {
  double largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (std::size_t n = 0; n < count; ++n) {
    const double one = error(n);
    const double counted = one >= 0 ? one : std::numeric_limits<double>::infinity();
    largest = counted > largest ? counted : largest;
  }
  return largest;
}

}  // namespace dns::bench
