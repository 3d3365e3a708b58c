/// The solver's own sweeps, measured with one body for every backend.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "bench/studies/array_rows.hpp"
#include "bench/studies/splitting_input.hpp"
#include "bench/studies/study.hpp"
#include "bench/studies/tridiagonal_input.hpp"
#include "bench/trial.hpp"
#include "solver/core/backend.hpp"
#include "solver/simulation/step_phases.hpp"
#include "solver/splitting/time_level.hpp"

namespace dns::bench {

/// Device and sizes of the measurement.
struct EngineStudy {
  Device device = Device::cpu;
  int threads = 0;  // of the CPU
  int points = 0;
  std::size_t cache = 0;   // of the device [B]
  std::size_t memory = 0;  // for buffers on the device [B]
  double seconds = 0.4;    // spent on timing each variant, about
};

/// Median seconds of variant.work by the backend's own clock of phases, sets taken in turn.
template <class Backend>
double seconds_by_phases(Backend& backend,
                         const Variant& variant,
                         int sets,
                         double enough_seconds) {
  constexpr double sample_seconds = 2e-3;
  constexpr double slow_seconds = 4;
  constexpr std::size_t fewest_slow = 3;
  constexpr std::size_t most = 31;
  constexpr std::size_t phase = phase::sweep_x.number;
  int set = 0;
  const auto timed = [&](int executions) {
    const double before = backend.phase_seconds()[phase];
    backend.enter(phase::sweep_x);
    for (int n = 0; n < executions; ++n) {
      set = (set + 1) % sets;
      variant.work(set);
    }
    backend.enter(phase::other);
    backend.synchronize();
    return (backend.phase_seconds()[phase] - before) / executions;
  };
  backend.enter(phase::other);
  backend.synchronize();
  const double estimate = std::max(timed(1), 1e-7);
  const int executions = std::clamp(static_cast<int>(sample_seconds / estimate) + 1, 1, 100);
  std::vector<double> samples;
  double total = 0;
  while (samples.size() < most && (total < enough_seconds || samples.size() < fewest_slow)) {
    samples.push_back(timed(executions));
    total += samples.back() * executions;
    if (total > slow_seconds && samples.size() >= fewest_slow) break;
  }
  return median(samples);
}

/// Copies a field of points^3 from the device.
template <class Backend>
void download_field(Backend& backend,
                    const typename Backend::Real* from,
                    int points,
                    typename Backend::Real* to) {
  backend.download({from, 1, points, points * points}, {points, points, points}, to);
}

template <class Backend>
Trial engine_trial(Backend& backend, const EngineStudy& study, int sets) {
  Trial trial;
  trial.section = "sweep";
  trial.device = study.device;
  trial.precision = precision_of_type<typename Backend::Real>;
  trial.points = study.points;
  trial.seconds = [&backend, sets, seconds = study.seconds](const Variant& variant) {
    return seconds_by_phases(backend, variant, sets, seconds);
  };
  return trial;
}

inline std::string name_of_axis(Axis axis) {
  return axis == Axis::x ? "x" : axis == Axis::y ? "y" : "z";
}

/// Systems stored as arrays: five words per point.
template <Axis axis, class Backend>
Measurement measure_array_sweep(Backend& backend, const EngineStudy& study) {
  using Real = typename Backend::Real;
  const std::size_t n = study.points;
  const std::size_t count = n * n * n;
  const std::size_t bytes = buffers_of_systems * count * sizeof(Real);
  require_memory(bytes, study.memory, "a sweep");
  const int sets = sets_beyond_cache(bytes, study.cache, study.memory / 2);
  const TridiagonalInput input{axis, study.points};
  const HostBuffers<Real> host(count, buffers_of_systems);
  fill_systems(host, input);
  const auto memory =
      backend.template allocate<Real>(static_cast<std::size_t>(sets * buffers_of_systems) * count);
  const auto field = [&](int set, int which) {
    return memory.data() + static_cast<std::size_t>(set * buffers_of_systems + which) * count;
  };
  for (int set = 0; set < sets; ++set) {
    for (int which = 0; which < solution_buffer; ++which) {
      backend.upload_values(host.set(which), field(set, which), count);
    }
  }
  const auto arrays = [&](int set) {
    return TridiagonalArrays<Real>{
        field(set, 0), field(set, 1), field(set, 2), field(set, 3), field(set, solution_buffer)};
  };
  Trial trial = engine_trial(backend, study, sets);
  trial.bytes = words_of_array_sweep * static_cast<double>(count * sizeof(Real));
  trial.tolerance = tridiagonal_tolerance<Real>;
  trial.poison = [&] {
    host.poison(solution_buffer);
    backend.upload_values(host.set(solution_buffer), field(0, solution_buffer), count);
  };
  trial.error = [&] {
    download_field(backend, field(0, solution_buffer), study.points, host.set(solution_buffer));
    backend.synchronize();
    return tridiagonal_error(arrays_of(host), input);
  };
  const Box box{{}, {study.points, study.points, study.points}};
  return measure(trial, {"dns", name_of_axis(axis), study.threads, [&](int set) {
                           backend.template sweep<axis>(
                               box,
                               ArrayRows<Real>{arrays(set), study.points},
                               StoreInArray<Real>{field(set, solution_buffer), study.points});
                         }});
}

/// The levels of a splitting sweep, on the device and on the host.
template <class Backend>
class SplittingLevels {
 public:
  using Real = typename Backend::Real;

  SplittingLevels(Backend& backend, const EngineStudy& study)
      : backend_(backend),
        points_(study.points),
        sets_(sets_beyond_cache(bytes(study.points), study.cache, study.memory / 2)),
        host_(study.points),
        face_(backend.template allocate<Real>(host_.face.size())) {
    backend.upload_values(host_.face.data(), face_.data(), host_.face.size());
    const LevelLayout shape{{points_, points_, points_}};
    for (int set = 0; set < sets_; ++set) {
      for (int level = 0; level < 3; ++level) levels_.emplace_back(backend, shape);
      for (int level = 0; level < 2; ++level) upload(set, level);
    }
  }

  static std::size_t bytes(int points) {
    const std::size_t n = points;
    return 3 * variables_per_level * n * n * n * sizeof(Real);
  }
  [[nodiscard]] int sets() const { return sets_; }

  template <Axis axis>
  void sweep(int set) {
    backend_.template sweep<axis>(
        inner_nodes(points_),
        study_rows<axis, Real>(
            level(set, 0).view(), level(set, 1).view_const(), face_.data(), points_),
        study_sink<Real>(level(set, 1).view_const(), level(set, 2).view()));
  }

  /// NaN where the sweeps of set 0 write.
  void poison() {
    host_.levels.poison(2);
    upload(0, 2);
  }
  template <Axis axis>
  double error() {
    for (int variable = 0; variable < variables_per_level; ++variable) {
      backend_.download(
          level(0, 2).view_const().field(variable), {points_, points_, points_}, host(2, variable));
    }
    backend_.synchronize();
    return host_.template error<axis>();
  }

 private:
  [[nodiscard]] Real* host(int level, int variable) {
    return host_.levels.set(level) + static_cast<std::size_t>(variable) * host_.count;
  }
  [[nodiscard]] const TimeLevel<Backend>& level(int set, int which) const {
    return levels_[3 * set + which];
  }
  void upload(int set, int which) {
    for (int variable = 0; variable < variables_per_level; ++variable) {
      backend_.upload(host(which, variable),
                      level(set, which).view().field(variable),
                      {points_, points_, points_});
    }
    backend_.synchronize();
  }

  Backend& backend_;
  int points_;
  int sets_;
  StudyLevels<Real> host_;
  decltype(std::declval<Backend&>().template allocate<Real>(0)) face_;
  std::vector<TimeLevel<Backend>> levels_;  // S, N, N relaxed of each set
};

template <Axis axis, class Backend>
Measurement measure_splitting_sweep(Backend& backend,
                                    const EngineStudy& study,
                                    SplittingLevels<Backend>& levels) {
  using Real = typename Backend::Real;
  const double inner = study.points - 2.0;
  Trial trial = engine_trial(backend, study, levels.sets());
  trial.bytes = words_of_splitting_sweep * inner * inner * inner * sizeof(Real);
  trial.tolerance = splitting_tolerance<Real>;
  trial.poison = [&] { levels.poison(); };
  trial.error = [&] { return levels.template error<axis>(); };
  return measure(trial,
                 {"dns, splitting, 4 variables", name_of_axis(axis), study.threads, [&](int set) {
                    levels.template sweep<axis>(set);
                  }});
}

/// Both kinds along x, y, z.
template <class Backend>
std::vector<Measurement> engine_sweeps(Backend& backend, const EngineStudy& study) {
  std::vector<Measurement> results{measure_array_sweep<Axis::x>(backend, study),
                                   measure_array_sweep<Axis::y>(backend, study),
                                   measure_array_sweep<Axis::z>(backend, study)};
  require_memory(
      SplittingLevels<Backend>::bytes(study.points), study.memory, "a sweep of four variables");
  SplittingLevels<Backend> levels(backend, study);
  results.push_back(measure_splitting_sweep<Axis::x>(backend, study, levels));
  results.push_back(measure_splitting_sweep<Axis::y>(backend, study, levels));
  results.push_back(measure_splitting_sweep<Axis::z>(backend, study, levels));
  return results;
}

}  // namespace dns::bench
