#include <algorithm>
#include <cmath>

#include "bench/host.hpp"
#include "bench/studies/cpu_scalar.hpp"
#include "bench/studies/cpu_studies.hpp"
#include "bench/studies/reduction_input.hpp"
#include "solver/core/host_cache.hpp"

namespace dns::bench {
namespace {

template <class Real>
double sum_with_vectors(const Real* values, std::size_t count, int threads) {
  double sum = 0;
#pragma omp parallel for simd num_threads(threads) schedule(static) reduction(+ : sum)
  for (std::size_t n = 0; n < count; ++n) sum += static_cast<double>(values[n]);
  return sum;
}

template <class Real>
double largest_magnitude_with_vectors(const Real* values, std::size_t count, int threads) {
  Real largest = 0;
#pragma omp parallel for simd num_threads(threads) schedule(static) reduction(max : largest)
  for (std::size_t n = 0; n < count; ++n) {
    const Real magnitude = std::abs(values[n]);
    largest = magnitude > largest ? magnitude : largest;
  }
  return static_cast<double>(largest);
}

template <class Real>
std::vector<Measurement> reductions(const Study& study) {
  const std::size_t count = study.count();
  require_memory(count * sizeof(Real), study.memory, "a field");
  const int sets = sets_beyond_cache(count * sizeof(Real), host_cache_bytes(), study.memory);
  const HostBuffers<Real> values(count, sets, study.threads);
  values.fill([&](std::size_t n) { return reduction_value(n, count); });

  double result = 0;
  double expected = sum_expected(values.set(0), count);
  Trial trial;
  trial.section = "reduce";
  trial.precision = precision_of_type<Real>;
  trial.points = study.points;
  trial.bytes = static_cast<double>(count * sizeof(Real));
  trial.tolerance = 1e-12;  // sums are in double in both precisions
  trial.poison = [&] { result = std::numeric_limits<double>::quiet_NaN(); };
  trial.error = [&] { return std::abs(result - expected) / std::abs(expected); };
  trial.seconds = [&](const Variant& variant) {
    return host_seconds(variant, sets, study.seconds);
  };

  std::vector<Measurement> results;
  const auto add = [&](const char* name, int threads, const auto& reduce) {
    results.push_back(measure(
        trial, {name, "", threads, [&](int set) { result = reduce(values.set(set), threads); }}));
  };
  const auto sum = [&](const Real* field, int threads) {
    return sum_with_vectors(field, count, threads);
  };
  add("sum: scalar", 1, [&](const Real* field, int) { return sum_scalar(field, count); });
  add("sum: vectorised", 1, sum);
  if (study.threads > 1) add("sum: vectorised", study.threads, sum);

  expected = largest_magnitude_expected;
  trial.tolerance = 0;
  const auto largest = [&](const Real* field, int threads) {
    return largest_magnitude_with_vectors(field, count, threads);
  };
  add("max |x|: scalar", 1, [&](const Real* field, int) {
    return largest_magnitude_scalar(field, count);
  });
  add("max |x|: vectorised", 1, largest);
  if (study.threads > 1) add("max |x|: vectorised", study.threads, largest);
  return results;
}

}  // namespace

std::vector<Measurement> reduce_on_cpu(Precision precision, const Study& study) {
  return precision == Precision::single_precision ? reductions<float>(study)
                                                  : reductions<double>(study);
}

}  // namespace dns::bench
