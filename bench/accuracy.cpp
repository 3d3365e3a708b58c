#include "bench/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <string>

#include "bench/stepping.hpp"
#include "bench/vortex_decay.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/index.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/simulation/simulation.hpp"
#include "solver/start/initial_state.hpp"

namespace dns::bench {
namespace {

constexpr const char* periodic_box = R"yaml(
case: accuracy
scheme: projection
device: {device}
precision: {precision}
grid: {{points: [{points}, {points}, {points}], length: [{length}, {length}, {length}]}}
fluid: {{reynolds: {reynolds}}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
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

/// Root mean square of the error of the velocity at the faces [U].
template <class Real>
double error_of_moving_flow(const FlowState& state, int points) {
  const double width = 2 * std::numbers::pi / points;
  double sum = 0;
  for (int component = 0; component < 3; ++component) {
    const std::string_view name = face_velocity_names.at(component);
    const auto field = std::find_if(state.fields.begin(), state.fields.end(), [&](const auto& one) {
      return one.name() == name;
    });
    const auto values = field->template values<Real>();
    const Extents extents = field->extents();
    for_each_point({{}, {points, points, points}}, [&](Index3 c) {
      PerAxis<double> point{};
      for (int axis = 0; axis < 3; ++axis)
        point[axis] = width * (c[axis] + (axis == component ? 0 : 0.5));
      const std::size_t place =
          (static_cast<std::size_t>(c.k) * extents.ny + static_cast<std::size_t>(c.j)) *
              static_cast<std::size_t>(extents.nx) +
          static_cast<std::size_t>(c.i);
      const double deviation =
          double{values[place]} - moving_velocity(component, point, state.time);
      sum += deviation * deviation;
    });
  }
  return std::sqrt(sum / (3 * std::pow(static_cast<double>(points), 3)));
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

}  // namespace

Case case_of(const AccuracyRun& run) {
  const bool is_moving = run.flow == KnownFlow::moving_flow;
  const auto formula = [&](const char* of_vortex, int component) {
    return is_moving ? moving_formula(component) : std::string(of_vortex);
  };
  return parse_case(fmt::format(fmt::runtime(periodic_box),
                                fmt::arg("device", name_of(run.device)),
                                fmt::arg("precision", dns::name_of(run.precision)),
                                fmt::arg("points", run.points),
                                fmt::arg("length", 2 * std::numbers::pi),
                                fmt::arg("reynolds", is_moving ? 1 / viscosity : 400),
                                fmt::arg("u", formula("sin(x)*cos(y)*cos(z)", 0)),
                                fmt::arg("v", formula("-cos(x)*sin(y)*cos(z)", 1)),
                                fmt::arg("w", formula("0", 2)),
                                fmt::arg("order", run.order),
                                fmt::arg("scheme", run.order == 2 ? "implicit" : "runge_kutta"),
                                fmt::arg("cfl", run.order == 8 ? 0.9 : 1.0),
                                fmt::arg("end", is_moving ? moving_end : vortex_decay.back().t),
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
    result.error = run.precision == Precision::double_precision
                       ? error_of_moving_flow<double>(state, run.points)
                       : error_of_moving_flow<float>(state, run.points);
  }
  if (result.seconds >= short_run) return result;
  simulation.reset();
  simulation = started(resolved);
  const Stopwatch watch;
  while (!is_over(resolved, *simulation)) simulation->advance();
  static_cast<void>(simulation->phase_times());
  result.seconds = watch.seconds();
  return result;
}

double seconds_to_error(double error, std::span<const AccuracyResult> finer_and_finer) {
  for (std::size_t n = 1; n < finer_and_finer.size(); ++n) {
    const AccuracyResult& coarse = finer_and_finer[n - 1];
    const AccuracyResult& fine = finer_and_finer[n];
    if (!(coarse.error >= error && fine.error <= error)) continue;
    const double way = std::log(coarse.error / error) / std::log(coarse.error / fine.error);
    return coarse.seconds * std::pow(fine.seconds / coarse.seconds, way);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace dns::bench
