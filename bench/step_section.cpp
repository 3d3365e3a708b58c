// Whole steps over sizes, precisions, devices and numbers of threads.
#include <fmt/format.h>

#include <cmath>

#include "bench/anchors.hpp"
#include "bench/report.hpp"
#include "bench/session.hpp"
#include "bench/text_table.hpp"
#include "solver/core/error.hpp"

namespace dns::bench {
namespace {

/// Whether steps fit into memory; when their size was asked for they have to.
bool fits(const Session& session, const StepsAsked& asked) {
  try {
    session.require_memory_of_steps(asked);
    return true;
  } catch (const DeviceError&) {
    if (!session.request.points.empty()) throw;
    return false;
  }
}

void add_row(TextTable& table, const StepTimes& times, double copy) {
  const StepsAsked& asked = times.asked;
  const double points = std::pow(static_cast<double>(asked.points), 3);
  const bool is_splitting = asked.scheme == Scheme::splitting;
  const auto share = [&](double seconds) { return percent(seconds / times.seconds); };
  table.add({fmt::format("{}^3", asked.points),
             in_words_device(asked.device, asked.threads),
             std::string(dns::name_of(asked.precision)),
             three_digits(1e3 * times.seconds),
             three_digits(1e9 * times.seconds / points),
             percent(times.bytes / copy / times.seconds),
             three_digits(static_cast<double>(times.memory_bytes) / points),
             std::isnan(times.joules) ? "-" : three_digits(1e9 * times.joules / points),
             share(times.sweep_z),
             share(times.sweep_y),
             share(times.sweep_x),
             share(is_splitting ? times.nonlinear_update : times.poisson)});
}

template <std::size_t count>
std::string anchor_table(const std::string& heading, const std::array<StepAnchor, count>& anchors) {
  constexpr double points = 192.0 * 192.0 * 192.0;
  TextTable table({heading, "<machine", "ms, double", "float", "ns/point, double", "float"});
  const auto or_none = [](double value) { return value > 0 ? three_digits(value) : "-"; };
  for (const StepAnchor& anchor : anchors) {
    table.add({std::string(anchor.program),
               std::string(anchor.machine),
               or_none(anchor.milliseconds_double),
               or_none(anchor.milliseconds_float),
               or_none(1e6 * anchor.milliseconds_double / points),
               or_none(1e6 * anchor.milliseconds_float / points)});
  }
  return table.text();
}

}  // namespace

std::string run_step(Session& session) {
  const Request& request = session.request;
  std::string text = fmt::format(
      "step: scheme splitting, {} global and {} local iterations, {} sweeps of 4 variables;\n"
      "  scheme projection, a channel, one iteration, no temperature\n"
      "  floor: compulsory traffic at copy bandwidth; nJ: energy of the GPU per point; the last "
      "four:\n"
      "  shares of the sweeps, of updating the non-linear level, and of the Poisson equation;\n"
      "  cpu, N: N threads\n",
      global_iterations,
      local_iterations,
      3 * global_iterations * local_iterations);
  std::string left_out;
  for (const Scheme scheme : {Scheme::splitting, Scheme::projection}) {
    TextTable table({std::string(dns::name_of(scheme)),
                     "<device",
                     "<precision",
                     "ms",
                     "ns/point",
                     "floor",
                     "B/point",
                     "nJ",
                     "z",
                     "y",
                     "x",
                     scheme == Scheme::splitting ? "update" : "poisson"});
    const auto add = [&](int points, Device device, int threads) {
      for (const Precision precision : request.precisions) {
        const StepsAsked asked{scheme, points, precision, device, threads};
        if (fits(session, asked)) {
          add_row(table, session.time_steps(asked), session.copy_of(device));
        } else {
          left_out += fmt::format("  {}, {}^3 in {} does not fit into memory ({})\n",
                                  dns::name_of(scheme),
                                  points,
                                  dns::name_of(precision),
                                  name_of(device));
        }
      }
    };
    if (request.uses_cpu) {
      for (const int points : session.points_or({128, 192, 256})) {
        if (request.threads > 1) add(points, Device::cpu, 1);
        add(points, Device::cpu, request.threads);
      }
    }
    if (request.uses_cuda) {
      for (const int points : session.points_or({128, 192, 256, 384, 512})) {
        add(points, Device::cuda, 0);
      }
    }
    text += table.text();
  }
  return text + left_out + anchor_table("anchors at 192^3, the same scheme", authors_program) +
         anchor_table("anchors at 192^3, other schemes", peers);
}

}  // namespace dns::bench
