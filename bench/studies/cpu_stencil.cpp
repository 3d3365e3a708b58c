#include "bench/studies/cpu_scalar.hpp"
#include "bench/studies/cpu_studies.hpp"
#include "bench/studies/dissipation_check.hpp"
#include "bench/studies/random_values.hpp"
#include "solver/core/host_cache.hpp"

namespace dns::bench {
namespace {

template <class Real>
void dissipation_with_vectors(const VelocityField<Real>& field, int threads) {
  const std::ptrdiff_t n = field.points;
#pragma omp parallel for collapse(2) num_threads(threads) schedule(static)
  for (std::ptrdiff_t k = 1; k < n - 1; ++k) {
    for (std::ptrdiff_t j = 1; j < n - 1; ++j) {
      const std::ptrdiff_t line = n * (j + n * k);
#pragma omp simd
      for (std::ptrdiff_t c = line + 1; c < line + n - 1; ++c) {
        field.dissipation[c] = field.template dissipation_at<Real>(c);
      }
    }
  }
}

template <class Real>
std::vector<Measurement> stencils(const Study& study) {
  const std::size_t bytes = 4 * study.count() * sizeof(Real);
  require_memory(bytes, study.memory, "a velocity field and its dissipation");
  const int sets = sets_beyond_cache(bytes, host_cache_bytes(), study.memory);
  const HostBuffers<Real> u(study.count(), sets, study.threads);
  const HostBuffers<Real> v(study.count(), sets, study.threads);
  const HostBuffers<Real> w(study.count(), sets, study.threads);
  const HostBuffers<Real> dissipation(study.count(), sets, study.threads);
  u.fill([](std::size_t n) { return scattered_sign(n, 0); });
  v.fill([](std::size_t n) { return scattered_sign(n, 1); });
  w.fill([](std::size_t n) { return scattered_sign(n, 2); });
  const auto field = [&](int set) {
    return VelocityField<Real>{
        u.set(set), v.set(set), w.set(set), dissipation.set(set), study.points};
  };

  Trial trial;
  trial.section = "stencil";
  trial.precision = precision_of_type<Real>;
  trial.points = study.points;
  trial.bytes = dissipation_bytes(study.points, sizeof(Real));
  trial.tolerance = dissipation_tolerance<Real>;
  trial.poison = [&] { dissipation.poison(0); };
  trial.error = [&] { return dissipation_error(field(0)); };
  trial.seconds = [&](const Variant& variant) {
    return host_seconds(variant, sets, study.seconds);
  };

  std::vector<Measurement> results;
  results.push_back(measure(trial, {"scalar", "", 1, [&](int set) {
                                      dissipation_scalar(field(set), 1, study.points - 1);
                                    }}));
  for (const int threads : {1, study.threads}) {
    if (threads == 1 && results.size() > 1) break;
    results.push_back(measure(trial, {"vectorised", "", threads, [&](int set) {
                                        dissipation_with_vectors(field(set), threads);
                                      }}));
  }
  return results;
}

}  // namespace

std::vector<Measurement> stencil_on_cpu(Precision precision, const Study& study) {
  return precision == Precision::single_precision ? stencils<float>(study)
                                                  : stencils<double>(study);
}

}  // namespace dns::bench
