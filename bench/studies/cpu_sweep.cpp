#include "bench/studies/cpu_scalar.hpp"
#include "bench/studies/cpu_studies.hpp"
#include "bench/studies/engine_sweeps.hpp"
#include "cpu/openmp_backend.hpp"
#include "solver/core/host_cache.hpp"

namespace dns::bench {
namespace {

/// Lines solved one after the other, shared out among threads.
template <class Real>
void solve_lines_plainly(const TridiagonalArrays<Real>& arrays, const LineSet& lines, int threads) {
#pragma omp parallel num_threads(threads)
  {
    std::vector<Real> upper(static_cast<std::size_t>(lines.points));
    const int team = omp_get_num_threads();
    const int thread = omp_get_thread_num();
    const std::ptrdiff_t count = lines.count();
    solve_lines_scalar(arrays,
                       lines,
                       static_cast<int>(count * thread / team),
                       static_cast<int>(count * (thread + 1) / team),
                       upper.data());
  }
}

template <class Real>
std::vector<Measurement> plain_sweeps(const Study& study, Axis axis) {
  const std::size_t bytes = buffers_of_systems * study.count() * sizeof(Real);
  require_memory(bytes, study.memory, "a sweep");
  const int sets = sets_beyond_cache(bytes, host_cache_bytes(), study.memory);
  const TridiagonalInput input{axis, study.points};
  std::vector<HostBuffers<Real>> systems;
  for (int set = 0; set < sets; ++set) {
    systems.emplace_back(study.count(), buffers_of_systems, study.threads);
    fill_systems(systems.back(), input);
  }
  const auto arrays = [&](int set) { return arrays_of(systems[set]); };

  Trial trial;
  trial.section = "sweep";
  trial.precision = precision_of_type<Real>;
  trial.points = study.points;
  trial.bytes = words_of_array_sweep * static_cast<double>(study.count() * sizeof(Real));
  trial.tolerance = tridiagonal_tolerance<Real>;
  trial.poison = [&] { systems[0].poison(solution_buffer); };
  trial.error = [&] { return tridiagonal_error(arrays(0), input); };
  trial.seconds = [&](const Variant& variant) {
    return host_seconds(variant, sets, study.seconds);
  };
  std::vector<Measurement> results;
  for (const int threads : {1, study.threads}) {
    if (threads == 1 && !results.empty()) break;
    results.push_back(measure(
        trial, {"plain loop per line", name_of_axis(axis), threads, [&](int set) {
                  solve_lines_plainly(arrays(set), LineSet::along(axis, study.points), threads);
                }}));
  }
  return results;
}

template <class Real>
std::vector<Measurement> sweeps(const Study& study) {
  std::vector<Measurement> results;
  const auto add = [&](const std::vector<Measurement>& more) {
    results.insert(results.end(), more.begin(), more.end());
  };
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) add(plain_sweeps<Real>(study, axis));
  for (const int threads : {1, study.threads}) {
    OpenMpBackend<Real> backend(threads);
    add(engine_sweeps(backend,
                      {.device = Device::cpu,
                       .threads = threads,
                       .points = study.points,
                       .cache = host_cache_bytes(),
                       .memory = study.memory / 2,
                       .seconds = study.seconds}));
    if (study.threads == 1) break;
  }
  return results;
}

}  // namespace

std::vector<Measurement> sweep_on_cpu(Precision precision, const Study& study) {
  return precision == Precision::single_precision ? sweeps<float>(study) : sweeps<double>(study);
}

}  // namespace dns::bench
