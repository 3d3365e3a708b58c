/// The phases of a run's steps and the time they take.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// The phases that are timed separately, of all schemes.
namespace phase {
inline constexpr Phase sweep_z{0}, sweep_y{1}, sweep_x{2};
inline constexpr Phase boundaries{3};
inline constexpr Phase diagnostics{4, true};
inline constexpr Phase copy{5, true};
inline constexpr Phase other{6};
inline constexpr Phase advecting_velocity{7};  // of scheme projection
inline constexpr Phase poisson{8};             // the Poisson equation
inline constexpr Phase correction{9};  // divergence before it, correction of velocity and pressure
inline constexpr Phase exchange{10};   // of planes and of line ends between ranks
inline constexpr Phase stage{11};      // of time scheme runge_kutta: forces and right-hand sides
inline constexpr Phase particles{12};

[[nodiscard]] constexpr Phase of_sweep(Axis axis) {
  return axis == Axis::z ? sweep_z : axis == Axis::y ? sweep_y : sweep_x;
}
}  // namespace phase

/// By the numbers of the phases.
inline constexpr std::array<std::string_view, 13> phase_names{"sweep z",
                                                              "sweep y",
                                                              "sweep x",
                                                              "boundaries",
                                                              "diagnostics",
                                                              "copy",
                                                              "other",
                                                              "advecting velocity",
                                                              "poisson",
                                                              "correction",
                                                              "exchange",
                                                              "stage",
                                                              "particles"};
static_assert(phase_names.size() <= Phase::most);

/// Seconds of each phase, without those before the first step.
class StepPhases {
 public:
  /// Call at the beginning of every step on a grid of so many points.
  template <class Backend>
  void begin_step(Backend& backend, Extents points) {
    if (seconds_before_.empty()) {
      backend.enter(phase::other);
      backend.synchronize();
      seconds_before_ = backend.phase_seconds();
    }
    backend.begin_step(points);
  }

  /// Times of all phases, in the order of phase_names. Waits for the device.
  template <class Backend>
  [[nodiscard]] std::vector<PhaseTime> times(Backend& backend) const {
    backend.synchronize();
    const std::vector<double> seconds = backend.phase_seconds();
    std::vector<PhaseTime> times;
    for (std::size_t phase = 0; phase < phase_names.size(); ++phase) {
      const double before = seconds_before_.empty() ? seconds[phase] : seconds_before_[phase];
      times.push_back({std::string(phase_names[phase]), seconds[phase] - before});
    }
    return times;
  }

 private:
  std::vector<double> seconds_before_;  // empty before the first step
};

}  // namespace dns
