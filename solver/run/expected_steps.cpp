#include "solver/run/expected_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "solver/config/order_of_axes.hpp"
#include "solver/core/error.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/simulation/simulation.hpp"
#include "solver/start/initial_state.hpp"

namespace dns {
namespace {

constexpr std::size_t most_cells = 4096;
constexpr std::size_t most_steps = 2000;
constexpr std::chrono::seconds longest{2};

/// Faces of `cells` cells between those of an axis, from end to end.
std::vector<double> faces_of(int cells, const std::vector<double>& faces) {
  std::vector<double> other;
  const auto own = static_cast<double>(faces.size() - 1);
  for (int face = 0; face < cells; ++face) {
    const double place = face * own / cells;
    const auto below = static_cast<std::size_t>(place);
    other.push_back(std::lerp(faces[below], faces[below + 1], place - static_cast<double>(below)));
  }
  other.push_back(faces.back());
  return other;
}

/// `factor` times fewer cells along each axis; an axis of a few keeps them.
Extents fewer_cells(const Extents& own, double factor) {
  constexpr int fewest = 8;
  Extents points = own;
  for (int axis = 0; axis < 3; ++axis) {
    if (own[axis] > fewest)
      points[axis] = std::max(fewest, static_cast<int>(std::lround(own[axis] / factor)));
  }
  return points;
}

Extents pilot_cells(const Extents& own) {
  constexpr double finer = 1.02;
  double factor = 1;
  while (fewer_cells(own, factor).count() > most_cells) factor *= finer;
  return fewer_cells(own, factor);
}

/// By how much cells are wider: geometric mean over the axes that have fewer.
double width_ratio(const Extents& own, const Extents& points) {
  double product = 1;
  int axes = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (points[axis] == own[axis]) continue;
    product *= static_cast<double>(own[axis]) / points[axis];
    ++axes;
  }
  return axes == 0 ? 1 : std::pow(product, 1.0 / axes);
}

/// The case on these cells, with nothing but its flow to compute.
Case pilot_of(const Case& resolved, const Extents& points) {
  Case pilot = on_other_cells(resolved, points);
  pilot.device = DeviceChoice::cpu;
  pilot.run.threads = 1;
  pilot.time.step *= width_ratio(resolved.grid.points, points);
  pilot.output.statistics.reset();
  pilot.output.planes.reset();
  pilot.output.probes.reset();
  pilot.output.slices.reset();
  return pilot;
}

struct PilotRun {
  double steps = 0;    // of the whole time
  double reached = 0;  // [L/U]
};

/// Throws CaseError, DivergenceError.
PilotRun run_pilot(const Case& pilot) {
  const std::unique_ptr<Simulation> simulation = make_simulation(pilot);
  simulation->set_state(initial_state(pilot));
  std::vector<double> times{0};
  const auto start = std::chrono::steady_clock::now();
  while (times.size() <= most_steps && !pilot.time.is_over(0, times.back())) {
    simulation->advance();
    times.push_back(simulation->time());
    if (std::chrono::steady_clock::now() - start > longest) break;
  }
  simulation->diagnostics();  // throws where the flow has diverged
  const std::size_t steps = times.size() - 1;
  const double reached = times.back();
  const std::size_t middle = steps / 2;
  const double mean_step = (reached - times[middle]) / static_cast<double>(steps - middle);
  const double left = pilot.time.is_over(0, reached) ? 0 : *pilot.time.end - reached;
  return {static_cast<double>(steps) + left / mean_step, reached};
}

/// None where the flow on few cells cannot be computed, or does not say how fast it becomes on all
/// of them. A flow of a file has become so, and is not read again. A linear forcing feeds all
/// waves, and few cells dissipate too little of that: configs/forced_box.yaml takes 28600, 17500
/// and 14000 steps by its flow on 16^3, 32^3 and 64^3 cells.
std::optional<PilotRun> pilot_run(const Case& resolved, const Extents& points) {
  if (resolved.initial.file || resolved.forcing.linear != 0) return std::nullopt;
  try {
    return run_pilot(pilot_of(resolved, points));
  } catch (const CaseError&) {
  } catch (const DivergenceError&) {
  }
  return std::nullopt;
}

/// `faster`: by how much the flow becomes so.
ExpectedSteps as_at_start(const TimeCase& time,
                          const StabilityLimits& limits,
                          double faster,
                          const std::string& basis) {
  const double step = std::min(time.step, *time.cfl * limits.smooth_step / faster);
  return {std::max(std::ceil(*time.end / step), 1.0), basis};
}

}  // namespace

Case on_other_cells(Case resolved, const Extents& points) {
  for (int axis = 0; axis < 3; ++axis) {
    StretchingCase& along = resolved.grid.stretching[axis];
    const bool is_same = points[axis] == resolved.grid.points[axis];
    if (along.kind == StretchingCase::Kind::coordinates && !is_same)
      along.coordinates = faces_of(points[axis], along.coordinates);
    int& order = resolved.accuracy.order[axis];
    if (points[axis] < fewest_cells(resolved, axis)) order = 2;
  }
  resolved.grid.points = points;
  return resolved;
}

double first_step(const TimeCase& time, const StabilityLimits& limits) {
  return std::min({time.step, *time.cfl * limits.smooth_step, limits.stable_step});
}

ExpectedSteps expected_steps(const Case& resolved, const StabilityLimits& limits) {
  const TimeCase& time = resolved.time;
  if (time.steps != unlimited_steps) return {static_cast<double>(time.steps), ""};
  if (!time.cfl) return {std::max(std::ceil(*time.end / time.step), 1.0), ""};
  if (!std::isfinite(first_step(time, limits))) return {first_step(time, limits), ""};
  // Cells of a pilot run hold too little of the turbulence of a channel (channel_planes.yaml on 24
  // x 16 x 16 cells: 23 % too few steps), but it is known how it starts: it takes 1.6 times as many
  // steps once it is turbulent, channel_planes.yaml and channel_retau180.yaml 1.6 and 1.8 times on
  // a quarter of their cells along each axis.
  if (resolved.initial.turbulent_channel)
    return as_at_start(time, limits, 1.6, "once the flow is turbulent");
  const Extents points = pilot_cells(resolved.grid.points);
  const std::optional<PilotRun> pilot = pilot_run(resolved, points);
  if (!pilot) return as_at_start(time, limits, 1, "if the flow stays as fast as at the start");
  const double ratio = width_ratio(resolved.grid.points, points);
  std::string basis = fmt::format("judged by {} x {} x {} cells", points.nx, points.ny, points.nz);
  if (!time.is_over(0, pilot->reached)) basis += fmt::format(" until t = {:.3g}", pilot->reached);
  return {std::max(std::ceil(pilot->steps * ratio), 1.0), basis};
}

}  // namespace dns
