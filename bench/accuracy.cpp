#include "bench/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>

#include "bench/stepping.hpp"
#include "bench/studies/cuda_studies.hpp"
#include "bench/vortex_decay.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/index.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/simulation/simulation.hpp"
#include "solver/start/initial_state.hpp"

namespace dns::bench {
namespace {

constexpr const char* case_of_flow = R"yaml(
case: accuracy
scheme: projection
device: {device}
precision: {precision}
parameters: {{k: sqrt(2), m: {m}}}
grid: {{points: [{points}, {points}, {points}], {box}}}
fluid: {{reynolds: {reynolds}}}
boundaries: {{x: periodic, {along_y}, z: periodic}}
initial: {{velocity: ["{u}", "{v}", "{w}"]}}
accuracy: {{order: {order}}}
time: {{scheme: {scheme}, cfl: {cfl}, end: {end}}}
output: {{fields: {{variables: [velocity], location: faces}}}}
run: {{threads: {threads}}}
)yaml";

// The moving flow.
constexpr double viscosity = 0.05;
constexpr PerAxis<double> drift{1, 0.7, -0.4};  // [U]
constexpr double moving_end = 1;

/// Velocity component at a point, at time t [U].
double moving_velocity(int component, const PerAxis<double>& point, double t) {
  constexpr double pi = std::numbers::pi;
  PerAxis<double> x{};  // from the component's own axis on
  for (int n = 0; n < 3; ++n) {
    const std::size_t axis = (component + n) % 3;
    x[n] = point[axis] - drift[axis] * t;
  }
  const double factor =
      4 * std::numbers::sqrt2 / (3 * std::sqrt(3.0)) * std::exp(-3 * viscosity * t);
  return drift[component] +
         factor * (std::sin(x[0] - 5 * pi / 6) * std::cos(x[1] - pi / 6) * std::sin(x[2]) -
                   std::cos(x[2] - 5 * pi / 6) * std::sin(x[0] - pi / 6) * std::sin(x[1]));
}
/// Formula in x, y, z of a velocity component of the moving flow at t = 0.
std::string moving_formula(int component) {
  constexpr std::string_view axes = "xyz";
  const auto axis = [&](int n) { return axes[(component + n) % 3]; };
  return fmt::format(
      "{3}+4*sqrt(2)/(3*sqrt(3))*(sin({0}-5*pi/6)*cos({1}-pi/6)*sin({2})"
      "-cos({2}-5*pi/6)*sin({0}-pi/6)*sin({1}))",
      axis(0),
      axis(1),
      axis(2),
      drift[component]);
}

// The wave between walls.
namespace wave {
constexpr double amplitude = 1e-7;  // [U]; what is not linear is smaller by as much again
constexpr double viscosity = 0.01;
constexpr PerAxis<double> stream{1, 0, 0.4};  // [U]
constexpr double end = 2;
constexpr double k = std::numbers::sqrt2;
constexpr double m = 6.079394292476568;  // m tan(m) = -k tanh(k)

/// Velocity component at a point, at time t [U].
double velocity(int component, const PerAxis<double>& point, double t) {
  const double phase = point[0] + point[2] - (stream[0] + stream[2]) * t;
  const double now = amplitude * std::exp(-viscosity * (k * k + m * m) * t);
  const double y = point[1];
  if (component == 1)
    return now * (std::cos(m * y) / std::cos(m) - std::cosh(k * y) / std::cosh(k)) *
           std::cos(phase);
  const double slope = -m * std::sin(m * y) / std::cos(m) - k * std::sinh(k * y) / std::cosh(k);
  return stream[component] - now * slope / (k * k) * std::sin(phase);
}
/// Formula in x, y, z of a velocity component at t = 0.
std::string formula(int component) {
  if (component == 1)
    return fmt::format("{}*(cos(m*y)/cos(m)-cosh(k*y)/cosh(k))*cos(x+z)", amplitude);
  return fmt::format(
      "{}+{}/k^2*(m*sin(m*y)/cos(m)+k*sinh(k*y)/cosh(k))*sin(x+z)", stream[component], amplitude);
}
}  // namespace wave

/// Root mean square of the error of the velocity at the faces, and of what differs from `mean` [U].
struct Deviation {
  double error, size;
};
template <class Real, class Exact>
Deviation deviation(const FlowState& state,
                    const StaggeredGrid& grid,
                    const PerAxis<double>& mean,
                    const Exact& exact) {
  double error = 0, size = 0, count = 0;
  for (int component = 0; component < 3; ++component) {
    const std::string_view name = face_velocity_names.at(component);
    const auto field = std::find_if(state.fields.begin(), state.fields.end(), [&](const auto& one) {
      return one.name() == name;
    });
    const auto values = field->template values<Real>();
    const Extents extents = field->extents();
    for_each_point({{}, {extents.nx, extents.ny, extents.nz}}, [&](Index3 c) {
      PerAxis<double> point{};
      for (int axis = 0; axis < 3; ++axis)
        point[axis] = axis == component ? grid[axis].face(c[axis]) : grid[axis].centre(c[axis]);
      const std::size_t place =
          (static_cast<std::size_t>(c.k) * extents.ny + static_cast<std::size_t>(c.j)) *
              static_cast<std::size_t>(extents.nx) +
          static_cast<std::size_t>(c.i);
      const double right = exact(component, point, state.time);
      error += std::pow(double{values[place]} - right, 2);
      size += std::pow(right - mean[component], 2);
      ++count;
    });
  }
  return {std::sqrt(error / count), std::sqrt(size / count)};
}
template <class Real>
double error_of_state(KnownFlow flow, const FlowState& state, const StaggeredGrid& grid) {
  if (flow == KnownFlow::moving_flow)
    return deviation<Real>(state, grid, drift, moving_velocity).error;
  const Deviation of_wave = deviation<Real>(state, grid, wave::stream, wave::velocity);
  return of_wave.error / of_wave.size;
}

struct Sample {
  double t, value;
};

/// The polynomial of third order through the four samples around t.
double interpolated(const std::vector<Sample>& samples, double t) {
  const auto above = std::lower_bound(
      samples.begin(), samples.end(), t, [](const Sample& s, double at) { return s.t < at; });
  const auto place = std::clamp<std::ptrdiff_t>(
      above - samples.begin() - 2, 0, static_cast<std::ptrdiff_t>(samples.size()) - 4);
  const Sample* around = samples.data() + place;
  double value = 0;
  for (int n = 0; n < 4; ++n) {
    double weight = 1;
    for (int m = 0; m < 4; ++m)
      if (m != n) weight *= (t - around[m].t) / (around[n].t - around[m].t);
    value += weight * around[n].value;
  }
  return value;
}

double error_of_dissipation(const std::vector<Sample>& samples) {
  double peak = 0, error = 0;
  for (const VortexDecay& exact : vortex_decay) {
    peak = std::max(peak, exact.dissipation);
    const double deviation = std::abs(interpolated(samples, exact.t) - exact.dissipation);
    if (!(deviation <= error)) error = deviation;  // also NaN
  }
  return error / peak;
}

std::unique_ptr<Simulation> started(const Case& resolved) {
  std::unique_ptr<Simulation> simulation = make_simulation(resolved);
  simulation->set_state(initial_state(resolved));
  return simulation;
}
bool is_over(const Case& resolved, const Simulation& simulation) {
  return resolved.time.is_over(simulation.step(), simulation.time());
}

/// Energy of the GPU in a step, from steps of two seconds; NaN where it is not known.
double joules_of_step(Simulation& simulation) {
  constexpr double enough_seconds = 2;  // the counter goes in steps of some 0.1 s
  const std::optional<double> before = cuda_joules();
  if (!before) return std::numeric_limits<double>::quiet_NaN();
  const Stopwatch watch;
  int steps = 0;
  for (; watch.seconds() < enough_seconds; ++steps) simulation.advance();
  static_cast<void>(simulation.phase_times());  // waits for the device
  return (cuda_joules().value() - *before) / steps;
}

}  // namespace

Case case_of(const AccuracyRun& run) {
  struct Words {
    std::string box, along_y;
    double reynolds, end;
    PerAxis<std::string> velocity;
  };
  const std::string cube = fmt::format("length: [{0}, {0}, {0}]", 2 * std::numbers::pi);
  const auto words = [&]() -> Words {
    switch (run.flow) {
      case KnownFlow::moving_flow:
        return {cube,
                "y: periodic",
                1 / viscosity,
                moving_end,
                {moving_formula(0), moving_formula(1), moving_formula(2)}};
      case KnownFlow::wave_between_walls:
        return {"length: [2*pi, 2, 2*pi], origin: [0, -1, 0], stretching: {y: {factor: 1.5}}",
                fmt::format(
                    "y: {{type: wall, velocity: [{}, 0, {}]}}", wave::stream[0], wave::stream[2]),
                1 / wave::viscosity,
                wave::end,
                {wave::formula(0), wave::formula(1), wave::formula(2)}};
      case KnownFlow::taylor_green:
        break;
    }
    return {cube,
            "y: periodic",
            400,
            vortex_decay.back().t,
            {"sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", "0"}};
  }();
  const bool is_implicit = run.order == "2" && run.flow != KnownFlow::wave_between_walls;
  return parse_case(fmt::format(fmt::runtime(case_of_flow),
                                fmt::arg("device", name_of(run.device)),
                                fmt::arg("precision", dns::name_of(run.precision)),
                                fmt::arg("points", run.points),
                                fmt::arg("m", wave::m),
                                fmt::arg("box", words.box),
                                fmt::arg("along_y", words.along_y),
                                fmt::arg("reynolds", words.reynolds),
                                fmt::arg("u", words.velocity[0]),
                                fmt::arg("v", words.velocity[1]),
                                fmt::arg("w", words.velocity[2]),
                                fmt::arg("order", run.order),
                                fmt::arg("scheme", is_implicit ? "implicit" : "runge_kutta"),
                                fmt::arg("cfl", run.order == "8" ? 0.9 : 1.0),
                                fmt::arg("end", words.end),
                                fmt::arg("threads", run.threads)),
                    "bench",
                    {});
}

AccuracyResult measure_accuracy(const AccuracyRun& run) {
  constexpr double short_run = 10;  // [s]
  const Case resolved = case_of(run);
  const bool has_samples = run.flow == KnownFlow::taylor_green;
  AccuracyResult result;
  std::unique_ptr<Simulation> simulation = started(resolved);
  std::vector<Sample> samples;
  const auto sample = [&] {
    if (has_samples) samples.push_back({simulation->time(), simulation->diagnostics().dissipation});
  };
  sample();
  while (!is_over(resolved, *simulation)) {
    const Stopwatch watch;
    simulation->advance();
    static_cast<void>(simulation->phase_times());  // waits for the device
    result.seconds += watch.seconds();
    ++result.steps;
    sample();
  }
  if (has_samples) {
    result.error = error_of_dissipation(samples);
  } else {
    FlowState state = simulation->allocate_state(CopyPurpose::snapshot);
    simulation->copy_state(state, CopyPurpose::snapshot);
    const StaggeredGrid grid = staggered_grid(resolved);
    result.error = run.precision == Precision::double_precision
                       ? error_of_state<double>(run.flow, state, grid)
                       : error_of_state<float>(run.flow, state, grid);
  }
  if (result.seconds >= short_run) return result;
  simulation.reset();
  simulation = started(resolved);
  const Stopwatch watch;
  while (!is_over(resolved, *simulation)) simulation->advance();
  static_cast<void>(simulation->phase_times());
  result.seconds = watch.seconds();
  if (run.device == Device::cuda && has_samples)
    result.joules = result.steps * joules_of_step(*simulation);
  return result;
}

double cost_of_error(double error,
                     std::span<const AccuracyResult> finer_and_finer,
                     double AccuracyResult::*cost) {
  for (std::size_t n = 1; n < finer_and_finer.size(); ++n) {
    const AccuracyResult& coarse = finer_and_finer[n - 1];
    const AccuracyResult& fine = finer_and_finer[n];
    if (!(coarse.error >= error && fine.error <= error)) continue;
    const double way = std::log(coarse.error / error) / std::log(coarse.error / fine.error);
    return coarse.*cost * std::pow(fine.*cost / coarse.*cost, way);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace dns::bench
