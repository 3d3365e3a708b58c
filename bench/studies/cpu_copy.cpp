#include <algorithm>
#include <cstring>

#include "bench/host.hpp"
#include "bench/studies/cpu_studies.hpp"
#include "bench/studies/random_values.hpp"
#include "cpu/pack.hpp"
#include "solver/core/host_cache.hpp"

namespace dns::bench {
namespace {

constexpr double triad_factor = 3;

/// work(begin, end) with the share of each thread, in whole cache lines.
template <class Real, class SharedWork>
void share_out(std::size_t count, int threads, const SharedWork& work) {
  constexpr std::size_t line = 64 / sizeof(Real);
  const std::size_t lines = count / line;
#pragma omp parallel num_threads(threads)
  {
    const std::size_t team = omp_get_num_threads();
    const std::size_t thread = omp_get_thread_num();
    work(lines * thread / team * line, lines * (thread + 1) / team * line);
  }
}

/// Vector loads and stores without cache bypass. The file is compiled so that the loop is not
/// replaced by a call of memcpy.
template <class Real>
void copy_with_vectors(const Real* from, Real* to, std::size_t begin, std::size_t end) {
#pragma omp simd
  for (std::size_t n = begin; n < end; ++n) to[n] = from[n];
}

template <class Real>
void triad(const Real* a, const Real* b, Real* c, std::size_t begin, std::size_t end) {
#pragma omp simd
  for (std::size_t n = begin; n < end; ++n) c[n] = a[n] + Real(triad_factor) * b[n];
}

/// Values of one array: source and destination of a copy together exceed the cache eight times.
template <class Real>
std::size_t values_per_array(std::size_t memory) {
  constexpr std::size_t times_cache = 4;
  constexpr std::size_t least_bytes = std::size_t{64} << 20U;
  constexpr std::size_t arrays_in_memory = 4;
  const std::size_t bytes = std::max(times_cache * host_cache_bytes(), least_bytes);
  return std::min(bytes, memory / arrays_in_memory) / 64 * 64 / sizeof(Real);
}

template <class Real>
std::vector<Measurement> copies(const Study& study) {
  const std::size_t count = values_per_array<Real>(study.memory);
  const HostBuffers<Real> a(count, 1, study.threads);
  const HostBuffers<Real> b(count, 1, study.threads);
  const HostBuffers<Real> c(count, 1, study.threads);
  a.fill([](std::size_t n) { return scattered(n, 0); });
  b.fill([](std::size_t n) { return scattered(n, 1); });
  Trial trial;
  trial.section = "copy";
  trial.precision = precision_of_type<Real>;
  trial.poison = [&] { c.poison(0); };
  trial.seconds = [&](const Variant& variant) { return host_seconds(variant, 1, study.seconds); };

  trial.bytes = 2.0 * static_cast<double>(count * sizeof(Real));
  trial.error = [&] {
    return largest_error(count,
                         [&](std::size_t n) { return c.set(0)[n] == a.set(0)[n] ? 0.0 : 1.0; });
  };
  std::vector<Measurement> results;
  for (const int threads : {1, study.threads}) {
    if (threads == 1 && study.threads == 1 && !results.empty()) break;
    results.push_back(measure(
        trial, {"memcpy", "", threads, [&](int) {
                  share_out<Real>(count, threads, [&](std::size_t begin, std::size_t end) {
                    std::memcpy(c.set(0) + begin, a.set(0) + begin, (end - begin) * sizeof(Real));
                  });
                }}));
    results.push_back(
        measure(trial, {"vector loop", "", threads, [&](int) {
                          share_out<Real>(count, threads, [&](std::size_t begin, std::size_t end) {
                            copy_with_vectors(a.set(0), c.set(0), begin, end);
                          });
                        }}));
  }
  trial.bytes = 3.0 * static_cast<double>(count * sizeof(Real));
  trial.tolerance = static_cast<double>(std::numeric_limits<Real>::epsilon()) * (1 + triad_factor);
  trial.error = [&] {
    return largest_error(count, [&](std::size_t n) {
      return std::abs(static_cast<double>(c.set(0)[n]) - static_cast<double>(a.set(0)[n]) -
                      triad_factor * static_cast<double>(b.set(0)[n]));
    });
  };
  results.push_back(measure(
      trial, {"triad c = a + s b", "", study.threads, [&](int) {
                share_out<Real>(count, study.threads, [&](std::size_t begin, std::size_t end) {
                  triad(a.set(0), b.set(0), c.set(0), begin, end);
                });
              }}));
  return results;
}

}  // namespace

std::vector<Measurement> copy_on_cpu(Precision precision, const Study& study) {
  return precision == Precision::single_precision ? copies<float>(study) : copies<double>(study);
}

}  // namespace dns::bench
