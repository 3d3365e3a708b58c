/// Snapshots of a run.
#include "solver/output/outputs.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/output/snapshot_series.hpp"

namespace dns {
namespace {

class SnapshotOutput final : public Output {
 public:
  explicit SnapshotOutput(const OutputContext& context)
      : Output({.snapshot = true}),
        context_(context),
        every_(context.output().fields.every),
        series_(context.output().directory) {}

  [[nodiscard]] FileKind kind_of(std::string_view name) const override {
    if (name == snapshot_list_name || name == snapshot_points_list_name) return FileKind::list;
    return step_of_name(snapshot_prefix, name) ? FileKind::data : FileKind::foreign;
  }

  RemovedFiles cut_back(const FlowState& checkpoint) override {
    const std::string& directory = context_.output().directory;
    // First: it must never name a file that is gone.
    Warnings warnings = write_snapshot_list(directory, checkpoint.step);
    RemovedFiles removed =
        remove_after(checkpoint.step, directory, numbered_files(directory, snapshot_prefix));
    removed.warnings = std::move(warnings);
    return removed;
  }

  [[nodiscard]] bool is_owed(const FlowState& checkpoint) const override {
    const bool is_last = context_.resolved.time.is_over(checkpoint.step, checkpoint.time);
    return every_ > 0 && (is_last || is_multiple(checkpoint.step, every_)) &&
           !context_.has_file(numbered_name(snapshot_prefix, checkpoint.step));
  }

  std::vector<std::string> open(const RunOpening& opening) override {
    device_ = opening.simulation.device_name();
    return {};
  }

  [[nodiscard]] bool is_scheduled(std::int64_t step, double /*time*/) const override {
    return is_multiple(step, every_);
  }

  [[nodiscard]] bool is_due(const Moment& moment, Ask /*ask*/) const override {
    switch (moment.kind) {
      case Moment::Kind::begun:
      case Moment::Kind::stepped:
        return is_multiple(moment.step, every_);
      case Moment::Kind::asked:
        return moment.is_signalled && !is_done(moment.step);
      case Moment::Kind::finished:
        return every_ > 0 && !is_done(moment.step);
      default:
        return false;
    }
  }

  Warnings write(const CopiedFlow& flow) override {
    write_snapshot(
        context_.output().directory, flow.viewing, context_.resolved, device_, context_.case_yaml);
    return series_.write_list(flow.viewing.slab().step);
  }

 private:
  const OutputContext& context_;
  std::int64_t every_;
  std::string device_;
  SnapshotSeries series_;
};

}  // namespace

std::unique_ptr<Output> make_snapshots(const OutputContext& context) {
  return std::make_unique<SnapshotOutput>(context);
}

}  // namespace dns
