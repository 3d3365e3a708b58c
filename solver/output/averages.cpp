/// Averages of a run: since the first sample, and over windows of time.
#include <array>

#include "solver/core/error.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/output/outputs.hpp"
#include "solver/output/statistics_file.hpp"

namespace dns {
namespace {

/// Renewed with every snapshot and checkpoint, and at the end.
class StatisticsOutput final : public Output {
 public:
  explicit StatisticsOutput(const OutputContext& context) : Output(context, {.sums = true}) {}

  [[nodiscard]] FileKind kind_of(std::string_view name) const override {
    const bool is_own = name == statistics_name || name == phases_name ||
                        step_of_name(phases_prefix, name).has_value();
    return is_own ? FileKind::data : FileKind::foreign;
  }

  /// Where the file holds averages of another flow than the checkpoint's.
  [[nodiscard]] bool is_owed(const FlowState& checkpoint) const override {
    if (!is_asked_for() || checkpoint.statistics.samples == 0) return false;
    if (!has_file(statistics_name)) return true;
    const bool has_phases = !checkpoint.statistics.phases.empty();
    if (has_phases && checkpoint.statistics.duration > 0 && !has_file(phases_name)) return true;
    try {
      const Hdf5File file = Hdf5File::open(path(statistics_name));
      return file.read_integer("step") != checkpoint.step ||
             file.read_integer("samples") != checkpoint.statistics.samples;
    } catch (const IoError&) {
      return true;
    }
  }

  [[nodiscard]] bool is_due(const Moment& moment, Ask /*ask*/) const override {
    return is_asked_for() && (moment.is_end() || moment.others.snapshot || moment.others.restart);
  }

  Warnings write(const CopiedFlow& flow) override {
    const std::string& folder = context_.output().directory;
    write_statistics(folder, flow.restart.slab(), context_.resolved, context_.case_yaml);
    write_phases(folder, flow.restart.slab(), context_.resolved, context_.case_yaml);
    return {};
  }

 private:
  [[nodiscard]] bool is_asked_for() const { return context_.output().statistics.has_value(); }
};

/// Written when they have ended; a checkpoint claims those before it. Its files are those set aside
/// too.
class WindowOutput final : public Output {
 public:
  explicit WindowOutput(const OutputContext& context)
      : Output(context, {}, {}, statistics_prefix) {}

  /// A window that goes on had ended only if the run had.
  RemovedFiles cut_back(const FlowState& checkpoint) override {
    if (!is_asked_for()) return {};
    const bool goes_on = checkpoint.window.samples > 0 && !is_last(checkpoint);
    return remove_after(goes_on ? checkpoint.window.last_step - 1 : checkpoint.step,
                        directory(),
                        statistics_prefix);
  }

  /// The one that the end of the run cut short.
  [[nodiscard]] bool is_owed(const FlowState& checkpoint) const override {
    return is_last(checkpoint) && checkpoint.window.duration > 0 &&
           !has_file(numbered_name(statistics_prefix, checkpoint.window.last_step));
  }

  void record(Simulation& simulation) override {
    has_stepped_ = simulation.step() > 0;
    for (StatisticsSums& window : simulation.take_ended_windows())
      ended_.push_back(std::move(window));
  }

  [[nodiscard]] bool is_due(const Moment& moment, Ask /*ask*/) const override {
    const bool is_cut_short =
        moment.kind == Moment::Kind::finished && is_asked_for() && has_stepped_;
    return (!ended_.empty() && moment.kind != Moment::Kind::diverged) || is_cut_short;
  }

  void collect(Simulation& simulation, const Moment& moment, std::size_t slot) override {
    if (moment.kind == Moment::Kind::finished || moment.kind == Moment::Kind::resumed) {
      StatisticsSums cut_short = simulation.window();
      if (cut_short.duration > 0) ended_.push_back(std::move(cut_short));
    }
    of_slots_.at(slot) = std::exchange(ended_, {});
  }

  void secure(const CopiedFlow& flow) override {
    for (const StatisticsSums& window : of_slots_.at(flow.slot))
      write_window(directory(), window, context_.resolved, context_.case_yaml);
  }

 private:
  [[nodiscard]] bool is_asked_for() const {
    return context_.output().statistics && context_.output().statistics->window;
  }
  bool has_stepped_ = false;
  std::vector<StatisticsSums> ended_;
  std::array<std::vector<StatisticsSums>, copy_slots> of_slots_;
};

}  // namespace

std::unique_ptr<Output> make_statistics(const OutputContext& context) {
  return std::make_unique<StatisticsOutput>(context);
}

std::unique_ptr<Output> make_windows(const OutputContext& context) {
  return std::make_unique<WindowOutput>(context);
}

}  // namespace dns
