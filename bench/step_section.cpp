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
bool fits(const Session& session, int points, Precision precision, Device device) {
  try {
    session.require_memory_of_steps(points, precision, device);
    return true;
  } catch (const DeviceError&) {
    if (!session.request.points.empty()) throw;
    return false;
  }
}

void add_row(TextTable& table, const StepTimes& times, double copy) {
  const double points = std::pow(static_cast<double>(times.points), 3);
  const auto share = [&](double seconds) { return percent(seconds / times.seconds); };
  table.add({fmt::format("{}^3", times.points),
             in_words_device(times.device, times.threads),
             std::string(dns::name_of(times.precision)),
             three_digits(1e3 * times.seconds),
             three_digits(1e9 * times.seconds / points),
             percent(times.bytes / copy / times.seconds),
             three_digits(static_cast<double>(times.memory_bytes) / points),
             share(times.sweep_z),
             share(times.sweep_y),
             share(times.sweep_x),
             share(times.nonlinear_update)});
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
  TextTable table({"grid",
                   "<device",
                   "<precision",
                   "ms/step",
                   "ns/point",
                   "of floor",
                   "B/point",
                   "z",
                   "y",
                   "x",
                   "update"});
  std::string left_out;
  const auto add = [&](int points, Device device, int threads) {
    for (const Precision precision : request.precisions) {
      if (fits(session, points, precision, device)) {
        add_row(
            table, session.time_steps(points, precision, device, threads), session.copy_of(device));
      } else {
        left_out += fmt::format("  {}^3 in {} does not fit into memory ({})\n",
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
  return fmt::format(
             "step: scheme splitting, {} global and {} local iterations, {} sweeps of 4 variables\n"
             "  floor: compulsory traffic at copy bandwidth; z, y, x, update: shares of the "
             "sweeps\n"
             "  and of updating the non-linear level; cpu, N: N threads\n",
             global_iterations,
             local_iterations,
             3 * global_iterations * local_iterations) +
         table.text() + left_out +
         anchor_table("anchors at 192^3, the same scheme", authors_program) +
         anchor_table("anchors at 192^3, other schemes", peers);
}

}  // namespace dns::bench
