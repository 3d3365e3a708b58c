// Error against time of flows that are known, by order and grid.
#include <fmt/format.h>

#include <cmath>

#include "bench/accuracy.hpp"
#include "bench/anchors.hpp"
#include "bench/report.hpp"
#include "bench/session.hpp"
#include "bench/text_table.hpp"

namespace dns::bench {
namespace {

constexpr double wanted_error = 2e-3;  // of Taylor-Green, where the spectral program was timed

Measurement measurement_of(const AccuracyRun& run, const AccuracyResult& result) {
  Measurement measurement;
  measurement.section = "accuracy";
  measurement.variant = fmt::format("{}, order {}", name_of(run.flow), run.order);
  measurement.device = run.device;
  measurement.threads = run.device == Device::cpu ? run.threads : 0;
  measurement.precision = run.precision;
  measurement.points = run.points;
  measurement.seconds = result.seconds;
  measurement.joules = result.joules;
  measurement.error = result.error;
  measurement.tolerance = 1;  // coarse grids may err by as much
  return measurement;
}

std::string in_words_joules(double joules) {
  return std::isnan(joules) ? "-" : three_digits(joules);
}

/// Runs all orders of a flow on all grids. Adds to `to_error` a row with the seconds and joules to
/// the wanted error.
void measure(Session& session,
             const AccuracyRun& first,
             const std::vector<int>& points,
             TextTable& table,
             TextTable& to_error) {
  for (const std::string& order : known_orders(first.flow)) {
    std::vector<AccuracyResult> results;
    for (const int n : points) {
      AccuracyRun run = first;
      run.order = order;
      run.points = n;
      session.progress(fmt::format("{}, order {}, {}^3, {}, {}",
                                   name_of(run.flow),
                                   order,
                                   n,
                                   dns::name_of(run.precision),
                                   name_of(run.device)));
      results.push_back(measure_accuracy(run));
      const AccuracyResult& result = results.back();
      session.keep({measurement_of(run, result)});
      table.add({fmt::format("{}, {}", name_of(run.flow), order),
                 fmt::format("{}^3", n),
                 in_words_device(run.device, run.threads),
                 std::string(dns::name_of(run.precision)),
                 std::to_string(result.steps),
                 three_digits(result.seconds),
                 three_digits(1e9 * result.seconds / result.steps / std::pow(n, 3)),
                 in_words_joules(result.joules),
                 fmt::format("{:.2e}", result.error)});
    }
    if (first.flow != KnownFlow::taylor_green) continue;
    const double seconds = cost_of_error(wanted_error, results, &AccuracyResult::seconds);
    to_error.add({fmt::format("order {}", order),
                  in_words_device(first.device, first.threads),
                  std::string(dns::name_of(first.precision)),
                  three_digits(seconds),
                  in_words_joules(cost_of_error(wanted_error, results, &AccuracyResult::joules)),
                  std::isnan(seconds) ? "not between these grids" : ""});
  }
}

}  // namespace

std::string run_accuracy(Session& session) {
  const Request& request = session.request;
  TextTable table({"flow, order",
                   "grid",
                   "<device",
                   "<precision",
                   "steps",
                   "s",
                   "ns/point/step",
                   "J",
                   "error"});
  TextTable to_error({"Taylor-Green to 2e-3", "<device", "<precision", "s", "J", "<"});
  const auto add =
      [&](Device device, const std::vector<int>& of_vortex, const std::vector<int>& of_wave) {
        for (const Precision precision : request.precisions) {
          for (const KnownFlow flow : known_flows) {
            // Floats round off more of a stream than the wave is.
            if (flow == KnownFlow::wave_between_walls && precision == Precision::single_precision)
              continue;
            const std::vector<int> usual = flow == KnownFlow::taylor_green ? of_vortex
                                           : flow == KnownFlow::moving_flow
                                               ? std::vector{16, 24, 32}
                                               : of_wave;
            measure(session,
                    {.flow = flow,
                     .order = "2",
                     .points = 0,
                     .precision = precision,
                     .device = device,
                     .threads = request.threads},
                    session.points_or(usual),
                    table,
                    to_error);
          }
        }
      };
  if (request.uses_cpu) add(Device::cpu, {32, 48, 64}, {24, 32, 48});
  if (request.uses_cuda) add(Device::cuda, {48, 64, 80, 96, 128}, {24, 32, 48, 64, 96, 128});
  to_error.add({"spectral, torch, RK4, 96^3",
                std::string(spectral_to_error.machine),
                "double",
                three_digits(spectral_to_error.seconds),
                three_digits(spectral_to_error.joules),
                "error 2.0e-3"});
  return "accuracy: orders 2 (implicit) and 4, 6, 8 (runge_kutta) at CFL 1 (order 8: 0.9)\n"
         "  Taylor-Green: Reynolds number 400, t = 0 .. 8, largest error of dissipation/peak\n"
         "  moving flow: Antuono (2020), nu 0.05, t = 1, rms error of velocity\n"
         "  wave by walls: a mode of Stokes' equations in a stream along walls that move "
         "with\n"
         "  it, nu 0.01, t = 2, tanh 1.5, Runge-Kutta steps, rms error of velocity over the "
         "wave\n"
         "  J: energy of the GPU\n" +
         table.text() + to_error.text();
}

}  // namespace dns::bench
