#include "solver/output/timeseries.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "solver/output/outputs.hpp"

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

namespace {

/// One line of every so many steps, and of the last one of a run that finishes.
class TimeSeriesOutput final : public Output {
 public:
  explicit TimeSeriesOutput(const OutputContext& context)
      : Output(context, {}, context.output().timeseries_every) {}

  [[nodiscard]] FileKind kind_of(std::string_view name) const override {
    return name == timeseries_name ? FileKind::data : FileKind::foreign;
  }

  std::vector<std::string> open(const RunOpening& opening) override {
    if (every() == 0) return {};
    // Step 0 is recorded anew by every run that starts or goes on from there.
    const std::int64_t step = opening.simulation.step();
    const std::int64_t last_line = opening.drops_line_of_last_step ? step - 1 : step;
    series_.emplace(directory(), step > 0 ? last_line : -1, opening.simulation.diagnostic_names());
    return {path(timeseries_name)};
  }

  void record_figures(const StepFigures& figures) override {
    const bool is_due = is_scheduled(figures.step, figures.time) ||
                        context_.resolved.time.is_over(figures.step, figures.time);
    if (series_ && is_due)
      series_->append(figures.step,
                      figures.time,
                      figures.time_step,
                      figures.diagnostics,
                      figures.report,
                      figures.wall_seconds);
  }

  [[nodiscard]] bool is_due(const Moment& moment, Ask /*ask*/) const override {
    return every() > 0 && moment.others.restart;
  }

  void secure(const CopiedFlow& /*flow*/) override {
    if (series_) series_->flush_to_disk();
  }

 private:
  std::optional<TimeSeries> series_;  // none: not asked for, or not rank 0
};

}  // namespace

std::unique_ptr<Output> make_time_series(const OutputContext& context) {
  return std::make_unique<TimeSeriesOutput>(context);
}

}  // namespace dns
