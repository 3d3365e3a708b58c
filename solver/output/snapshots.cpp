/// Snapshots of a run.
#include "solver/output/outputs.hpp"
#include "solver/output/snapshot.hpp"
#include "solver/output/snapshot_series.hpp"

namespace dns {
namespace {

class SnapshotOutput final : public Output {
 public:
  explicit SnapshotOutput(const OutputContext& context)
      : Output(context, {.snapshot = true}, context.output().fields.every, snapshot_prefix),
        series_(directory()) {}

  [[nodiscard]] FileKind kind_of(std::string_view name) const override {
    if (name == snapshot_list_name || name == snapshot_points_list_name) return FileKind::list;
    return Output::kind_of(name);
  }

  RemovedFiles cut_back(const FlowState& checkpoint) override {
    // First: it must never name a file that is gone.
    Warnings warnings = series_.write_list(checkpoint.step);
    return remove_after(checkpoint.step, directory(), snapshot_prefix, std::move(warnings));
  }

  [[nodiscard]] bool is_owed(const FlowState& checkpoint) const override {
    return was_on_schedule(checkpoint) &&
           !has_file(numbered_name(snapshot_prefix, checkpoint.step));
  }

  [[nodiscard]] bool is_due(const Moment& moment, Ask /*ask*/) const override {
    return is_on_schedule(moment) || (moment.is_signalled && !is_done(moment.flow.step));
  }

  Warnings write(const CopiedFlow& flow) override {
    write_snapshot(directory(), flow.viewing, context_.resolved, flow.device, context_.case_yaml);
    return series_.write_list(flow.viewing.slab().step);
  }

 private:
  SnapshotSeries series_;
};

}  // namespace

std::unique_ptr<Output> make_snapshots(const OutputContext& context) {
  return std::make_unique<SnapshotOutput>(context);
}

}  // namespace dns
