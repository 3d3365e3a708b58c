/// The one door between the application and the solver: everything behind it is chosen once, by
/// make_simulation (solver/instances/), from scheme, device and precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/subdomain.hpp"

namespace dns {

/// What is watched every step. The means are over the volume of the box.
struct FlowDiagnostics {
  double divergence_mean = 0;    // mean of |net volume flux / volume| over the cells [U/L]
  double divergence_max = 0;     // its maximum [U/L]
  double cfl = 0;                // dt * max over the grid of |u|/hx + |v|/hy + |w|/hz
  double kinetic_energy = 0;     // mean of (u^2 + v^2 + w^2)/2 over the box [U^2]
  double dissipation = 0;        // mean of Phi/Re over the box [U^3/L]
  std::vector<double> others{};  // further diagnostics, see Simulation::diagnostic_names
};

/// How the last step went.
struct StepReport {
  int global_iterations = 0;
  double iteration_change =
      0;  // max |N_new - N_old| of the last global iteration; 0 if not asked for
  bool reached_tolerance = true;  // false: global_tolerance set and not met
};

/// Time spent in one phase since the first step.
struct PhaseTime {
  std::string name;  // "sweep z", "sweep y", "sweep x", "boundaries", "diagnostics", "other"
  double seconds = 0;
};

/// What the bandwidth of a copy is measured for.
struct CopyMeasurement {
  std::size_t run_bytes = 0;         // that the run to be measured by it takes on the device
  std::size_t spare_host_bytes = 0;  // at most half of them are taken for the moment
};

class Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  virtual ~Simulation() = default;

  /// Takes over a flow (either precision): a copy for restart, with which the run goes on bit for
  /// bit, or what initial_state gives. Boundary values are evaluated anew.
  /// Throws CaseError when a field is missing or has other extents.
  virtual void set_state(const FlowState& state) = 0;

  /// One time step. Throws DivergenceError, DeviceError.
  virtual StepReport advance() = 0;

  /// Diagnostics of the current flow. Throws DivergenceError when a value is NaN or infinite, or
  /// the CFL number beyond all bounds.
  virtual FlowDiagnostics diagnostics() = 0;

  /// Names of FlowDiagnostics::others, in order: words of [a-z_0-9], as columns of the time series.
  [[nodiscard]] virtual std::vector<std::string> diagnostic_names() const = 0;

  /// A FlowState with memory for copy_state (page-locked where that makes copies faster).
  [[nodiscard]] virtual FlowState allocate_state(CopyPurpose purpose) const = 0;

  /// Copies the current flow to the host, in the precision of the run; returns when it is there.
  /// `state` comes from allocate_state with the same purpose.
  virtual void copy_state(FlowState& state, CopyPurpose purpose) const = 0;

  /// A copy for restart holds what one for viewing does, so that one of them serves for both.
  [[nodiscard]] virtual bool one_copy_serves_both() const = 0;

  /// A copy of the sums of the averages asked for, up to now; without sums where none are.
  [[nodiscard]] virtual StatisticsSums statistics() const { return {}; }

  [[nodiscard]] virtual std::int64_t step() const = 0;
  [[nodiscard]] virtual double time() const = 0;
  /// The last time step taken; before the first one, the step that will be taken [L/U].
  [[nodiscard]] virtual double time_step() const = 0;

  /// Methods chosen for this case, one a line: "Poisson equation: FFT along x and z, sweep along
  /// y".
  [[nodiscard]] virtual std::vector<std::string> methods() const { return {}; }

  /// The part of the box that the states of this simulation hold.
  [[nodiscard]] virtual const Subdomain& subdomain() const = 0;

  [[nodiscard]] virtual std::string device_name() const = 0;   // "NVIDIA H200", "CPU, 2 threads"
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;  // allocated on the device
  /// The bandwidth of a copy in the memory of the device now [bytes read plus written per second],
  /// between buffers that exceed its last-level cache several times and are freed again; about a
  /// tenth of a second. 0, not measured: for a run of fewer bytes than those buffers, because it
  /// computes in the cache in part, and a share of what memory can do would say nothing about it;
  /// and where memory is short.
  virtual double measure_copy_bandwidth(const CopyMeasurement& asked) = 0;

  [[nodiscard]] virtual std::vector<PhaseTime> phase_times() const = 0;
};

/// The solver of a scheme on a backend, as Type: every scheme names its own.
template <Scheme scheme, class Backend>
struct SolverOf;

}  // namespace dns
