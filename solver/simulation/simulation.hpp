/// The only interface between the application and the solver: what is behind it is chosen once, by
/// make_simulation (solver/instances/), from scheme, device and precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/communicator.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/grid/plane_values.hpp"
#include "solver/simulation/probe_values.hpp"

namespace dns {

/// Diagnostics of a flow at one time. Means are over the volume of the box.
struct FlowDiagnostics {
  double divergence_mean = 0;    // mean of |net volume flux / volume| of the cells [U/L]
  double divergence_max = 0;     // its maximum [U/L]
  double cfl = 0;                // dt max over the grid of (|u|/hx + |v|/hy + |w|/hz)
  double kinetic_energy = 0;     // mean of (u^2 + v^2 + w^2)/2 over the box [U^2]
  double dissipation = 0;        // mean of Phi/Re over the box [U^3/L]
  std::vector<double> others{};  // further diagnostics, see Simulation::diagnostic_names
  std::size_t undefined = 0;     // how many of them are NaN though the flow is sound: a ratio to 0
  /// The quantities_of_bodies of each entry with several, body after body.
  std::vector<NamedList> bodies{};
  std::string hard_bounce{};  // the first bounce that is not resolved, in words; empty: none
};

/// How the last step went.
struct StepReport {
  int global_iterations = 0;
  double iteration_change =
      0;  // largest change of N or V^(k) in the last global iteration; 0 without a tolerance
  bool reached_tolerance = true;  // false: global_tolerance set and not met
};

/// Time spent in one phase since the first step.
struct PhaseTime {
  std::string name;  // one of phase_names: "sweep z", "boundaries", ...
  double seconds = 0;
};

/// Memory of a variable where the flow is computed: value at a point, x fastest in `points`.
/// Between rows and planes there may be others.
struct DeviceField {
  std::string name;
  void* origin = nullptr;  // of the value at the first point
  Extents points;          // of this rank
  PerAxis<int> strides{};  // values from a point to the next along each axis
  Precision precision = Precision::double_precision;
};

/// What a measurement of the bandwidth of a copy needs to know.
struct CopyMeasurement {
  std::size_t run_bytes = 0;         // on the device, of the run whose speed is stated by it
  std::size_t spare_host_bytes = 0;  // free; at most half of them are used for a moment
};

class Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  virtual ~Simulation() = default;

  /// Sets the flow (either precision): a copy for restart, from which the run goes on bit for bit,
  /// or the result of initial_state. Boundary values are evaluated anew.
  /// Throws CaseError when a field is missing or has other extents.
  virtual void set_state(const FlowState& state) = 0;

  /// Fields of the flow on its device: the velocity where the scheme has it, at the low faces of
  /// cells or at nodes, the pressure, and scalars that are not stored as differences. Waits for the
  /// device. The next step makes them invalid.
  virtual std::vector<DeviceField> device_fields() { return {}; }
  /// The number of the GPU that has them; -1: they are in the memory of the host.
  [[nodiscard]] virtual int device_number() const { return -1; }
  /// Begins anew at the present step and time, from `flow` as initial_state makes it, or, where it
  /// is null, from what was written to device_fields(): ghost points are filled, given values
  /// imposed, div V = 0 made, and the level of time before is forgotten. Averages and records go
  /// on. Throws as set_state does.
  virtual void begin_anew(const FlowState* /*flow*/) {}
  /// Takes forcing.value, acceleration, heat and linear, and time.cfl, step, steps, end and
  /// met_intervals, of a case that has all else in common with the present one. Sources of
  /// set_source are forgotten where the first three change.
  virtual void change(const Case& /*changed*/) {}
  /// Gives the source S of a velocity component or a scalar by its values at the points of this
  /// rank where the variable is, x fastest [U^2/L, T0 U/L]. Copies for restart have it (see
  /// GivenSources). Requires that the case has no formula, sponge or drag for it.
  virtual void set_source(int /*variable*/, const std::vector<double>& /*values*/) {}

  /// One time step. Throws CaseError when the boundary values cannot be satisfied, DivergenceError
  /// of diagnostics that were begun, DeviceError.
  virtual StepReport advance() = 0;

  /// Begins the diagnostics of the current flow, for which the host need not wait.
  virtual void begin_diagnostics() = 0;
  /// The diagnostics of the flow for which they were begun last; at most one step was taken since.
  /// Waits for the device, but for nothing of that step. Throws DivergenceError when a value is NaN
  /// or infinite, or the CFL number above 1000.
  virtual FlowDiagnostics finish_diagnostics() = 0;
  /// Both at once.
  FlowDiagnostics diagnostics() {
    begin_diagnostics();
    return finish_diagnostics();
  }

  /// Names of FlowDiagnostics::others, in order: words of [a-z_0-9], columns of the time series.
  [[nodiscard]] virtual std::vector<std::string> diagnostic_names() const = 0;

  /// A FlowState with memory for copy_state (page-locked where that makes copies faster).
  [[nodiscard]] virtual FlowState allocate_state(CopyPurpose purpose) const = 0;

  /// Copies the current flow to the host, in the precision of the run; returns when it is done.
  /// `state` comes from allocate_state with the same purpose; one for a snapshot may receive a copy
  /// for viewing, which leaves its further fields as they are.
  virtual void copy_state(FlowState& state, CopyPurpose purpose) const = 0;

  /// Whether a copy for restart holds all that one for a snapshot does, so that it serves for both.
  [[nodiscard]] virtual bool one_copy_serves_both() const = 0;

  /// A copy of the sums of the requested averages so far; empty if none are requested.
  [[nodiscard]] virtual StatisticsSums statistics() const { return {}; }
  /// A copy of the sums of the window of time under way; empty without windows.
  [[nodiscard]] virtual StatisticsSums window() const { return {}; }
  /// The sums of the windows that ended in the last step, once.
  virtual std::vector<StatisticsSums> take_ended_windows() { return {}; }

  /// The present flow in the planes of the case that are recorded, in their order; none if none are
  /// asked for. Of the simulation of a slab the values that it owns (points_of_part).
  virtual std::vector<PlaneValues> planes() { return {}; }

  /// What the probes of the case have recorded since the last call, or since set_state: every step
  /// that is due, and step 0 where that is set. Of the simulation of a slab the samples that it
  /// owns. Records wait on the device: this call makes the host wait for it, a step does not.
  virtual ProbeRecords take_probes() { return {}; }

  /// Particles of one kind; called by all ranks, see ParticleCopy.
  virtual ParticleCopy particles(const ParticlesAsked& /*asked*/) { return {}; }
  /// The sums of output.particle_statistics over all ranks, species by species.
  virtual std::vector<ParticleSums> particle_sums() { return {}; }

  [[nodiscard]] virtual std::int64_t step() const = 0;
  [[nodiscard]] virtual double time() const = 0;
  /// The last time step taken; before the first one, the step that will be taken [L/U].
  [[nodiscard]] virtual double time_step() const = 0;
  /// The time before the last step; before the first one, time() - time_step() [L/U].
  [[nodiscard]] virtual double time_before() const = 0;

  /// Methods chosen for this case, one a line: "Poisson equation: FFT along x and z, sweep along
  /// y".
  [[nodiscard]] virtual std::vector<std::string> methods() const { return {}; }

  /// The part of the box that the states of this simulation hold.
  [[nodiscard]] virtual const Subdomain& subdomain() const = 0;

  [[nodiscard]] virtual std::string device_name() const = 0;   // "NVIDIA H200", "CPU, 2 threads"
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;  // allocated on the device
  /// The bandwidth of a copy in the memory of the device now [bytes read plus written per second],
  /// between buffers that exceed its last-level cache several times and are freed again; takes
  /// about a tenth of a second. 0, not measured, where memory is short, and for a run of fewer
  /// bytes than those buffers: it computes in part in the cache, and a share of the bandwidth of
  /// memory would say nothing about it.
  virtual double measure_copy_bandwidth(const CopyMeasurement& asked) = 0;

  [[nodiscard]] virtual std::vector<PhaseTime> phase_times() const = 0;
  /// How ranks exchange values of their devices, in words; empty: as the communicator does.
  [[nodiscard]] virtual std::string transport() const { return {}; }
  /// What this rank has sent to others to compute the flow, so far.
  [[nodiscard]] virtual Traffic traffic() const { return {}; }
};

/// The solver of a scheme on a backend, as Type: every scheme names its own.
template <Scheme scheme, class Backend>
struct SolverOf;

}  // namespace dns
