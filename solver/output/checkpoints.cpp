/// Checkpoints of a run.
#include "solver/output/checkpoint.hpp"
#include "solver/output/outputs.hpp"

namespace dns {
namespace {

class CheckpointOutput final : public Output {
 public:
  explicit CheckpointOutput(const OutputContext& context)
      : Output(context,
               {.sums = true, .restart = true},
               context.output().checkpoint_every,
               checkpoint_prefix) {}

  RemovedFiles cut_back(const FlowState& checkpoint) override {
    remove_other_checkpoints(
        directory(), checkpoint.step, context_.output().checkpoint_keep, LaterCheckpoints::kept);
    return {};
  }

  [[nodiscard]] bool is_due(const Moment& moment, Ask /*ask*/) const override {
    if (moment.kind == Moment::Kind::stepped) return is_on_schedule(moment);
    const bool is_wanted =
        moment.is_signalled || moment.kind == Moment::Kind::stopped ||
        moment.kind == Moment::Kind::cut_off ||
        (moment.kind == Moment::Kind::finished && context_.output().checkpoint_final);
    return is_wanted && !is_done(moment.flow.step);
  }

  Warnings write(const CopiedFlow& flow) override {
    write_checkpoint(
        directory(), flow.restart, context_.case_yaml, context_.output().checkpoint_keep);
    return {};
  }
};

}  // namespace

std::unique_ptr<Output> make_checkpoints(const OutputContext& context) {
  return std::make_unique<CheckpointOutput>(context);
}

}  // namespace dns
