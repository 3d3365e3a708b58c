/// timeseries.csv: one line per recorded step.
#include <fmt/format.h>

#include <optional>

#include "solver/files/appended_table.hpp"
#include "solver/output/outputs.hpp"

namespace dns {
namespace {

/// The last column is the only one whose values do not read back to the same double.
std::string header_with(const std::vector<std::string>& diagnostic_names) {
  std::string header =
      "step,time,dt,cfl,divergence_mean,divergence_max,kinetic_energy,dissipation,";
  for (const std::string& name : diagnostic_names) header += name + ',';
  return header + "global_iterations,iteration_change,wall_seconds\n";
}

std::string line_of(const StepFigures& of) {
  const FlowDiagnostics& diagnostics = of.diagnostics;
  std::string line = shortest_text(of.step);
  for (const double value : {of.time,
                             of.time_step,
                             diagnostics.cfl,
                             diagnostics.divergence_mean,
                             diagnostics.divergence_max,
                             diagnostics.kinetic_energy,
                             diagnostics.dissipation})
    line += ',' + shortest_text(value);
  for (const double value : diagnostics.others) line += ',' + shortest_text(value);
  line += ',' + shortest_text(std::int64_t{of.report.global_iterations}) + ',' +
          shortest_text(of.report.iteration_change);
  return line + fmt::format(",{:.3f}\n", of.wall_seconds);
}

/// One line of every so many steps, and of the last one of a run that finishes. Each is flushed.
class TimeSeries final : public Output {
 public:
  explicit TimeSeries(const OutputContext& context)
      : Output(context, {}, context.output().timeseries_every) {}

  [[nodiscard]] FileKind kind_of(std::string_view name) const override {
    return name == timeseries_name ? FileKind::data : FileKind::foreign;
  }

  std::vector<std::string> open(const RunOpening& opening) override {
    if (!every().is_any()) return {};
    // Step 0 is recorded anew by every run that starts or goes on from there.
    const std::int64_t step = opening.simulation.step();
    const std::int64_t last_line = opening.drops_line_of_last_step ? step - 1 : step;
    table_.emplace(path(timeseries_name),
                   header_with(opening.simulation.diagnostic_names()),
                   step > 0 ? last_line : -1,
                   "a time series");
    return {path(timeseries_name)};
  }

  void record_figures(const StepFigures& figures) override {
    const bool is_due = is_scheduled(figures.moment()) ||
                        context_.resolved.time.is_over(figures.step, figures.time);
    if (table_ && is_due) table_->append(line_of(figures));
  }

  [[nodiscard]] bool is_due(const Moment& moment, Ask /*ask*/) const override {
    return every().is_any() && moment.others.restart;
  }

  void secure(const CopiedFlow& /*flow*/) override {
    if (table_) table_->flush_to_disk();
  }

 private:
  std::optional<AppendedTable> table_;  // none: not asked for, or not rank 0
};

}  // namespace

std::unique_ptr<Output> make_time_series(const OutputContext& context) {
  return std::make_unique<TimeSeries>(context);
}

}  // namespace dns
