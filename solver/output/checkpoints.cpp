/// Checkpoints of a run.
#include "solver/output/checkpoint.hpp"
#include "solver/output/outputs.hpp"

namespace dns {
namespace {

class CheckpointOutput final : public Output {
 public:
  explicit CheckpointOutput(const OutputContext& context)
      : Output({.sums = true, .restart = true}), context_(context) {}

  [[nodiscard]] FileKind kind_of(std::string_view name) const override {
    return step_of_name(checkpoint_prefix, name) ? FileKind::data : FileKind::foreign;
  }

  RemovedFiles cut_back(const FlowState& checkpoint) override {
    const OutputCase& output = context_.output();
    remove_older_checkpoints(output.directory, checkpoint.step, output.checkpoint_keep);
    return {};
  }

  [[nodiscard]] bool is_scheduled(std::int64_t step, double /*time*/) const override {
    return is_multiple(step, context_.output().checkpoint_every);
  }

  [[nodiscard]] bool is_due(const Moment& moment, Ask /*ask*/) const override {
    switch (moment.kind) {
      case Moment::Kind::stepped:
        return is_multiple(moment.step, context_.output().checkpoint_every);
      case Moment::Kind::asked:
        return moment.is_signalled && !is_done(moment.step);
      case Moment::Kind::finished:
        return context_.output().checkpoint_final && !is_done(moment.step);
      case Moment::Kind::stopped:
      case Moment::Kind::cut_off:
        return !is_done(moment.step);
      default:
        return false;
    }
  }

  [[nodiscard]] bool claims_records() const override { return true; }

  Warnings write(const CopiedFlow& flow) override {
    const OutputCase& output = context_.output();
    write_checkpoint(output.directory, flow.restart, context_.case_yaml, output.checkpoint_keep);
    return {};
  }

 private:
  const OutputContext& context_;
};

}  // namespace

std::unique_ptr<Output> make_checkpoints(const OutputContext& context) {
  return std::make_unique<CheckpointOutput>(context);
}

}  // namespace dns
