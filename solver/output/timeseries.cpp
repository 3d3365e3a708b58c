#include "solver/output/timeseries.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace dns {
namespace {

std::string header_with(const std::vector<std::string>& diagnostic_names) {
  std::string header =
      "step,time,dt,cfl,divergence_mean,divergence_max,kinetic_energy,dissipation,";
  for (const std::string& name : diagnostic_names) header += name + ',';
  return header + "global_iterations,iteration_change,wall_seconds\n";
}

}  // namespace

TimeSeries::TimeSeries(const std::string& directory,
                       std::int64_t last_step,
                       const std::vector<std::string>& diagnostic_names)
    : table_((std::filesystem::path(directory) / timeseries_name).string(),
             header_with(diagnostic_names),
             last_step,
             "a time series") {}

void TimeSeries::append(std::int64_t step,
                        double time,
                        double dt,
                        const FlowDiagnostics& diagnostics,
                        const StepReport& report,
                        double wall_seconds) {
  std::string line = shortest_text(step);
  for (const double value : {time,
                             dt,
                             diagnostics.cfl,
                             diagnostics.divergence_mean,
                             diagnostics.divergence_max,
                             diagnostics.kinetic_energy,
                             diagnostics.dissipation})
    line += ',' + shortest_text(value);
  for (const double value : diagnostics.others) line += ',' + shortest_text(value);
  line += ',' + shortest_text(std::int64_t{report.global_iterations}) + ',' +
          shortest_text(report.iteration_change);
  line += fmt::format(",{:.3f}\n", wall_seconds);
  table_.append(line);
}

}  // namespace dns
