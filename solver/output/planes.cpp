/// Recorded planes of a run.
#include <array>

#include "solver/output/outputs.hpp"
#include "solver/output/plane_store.hpp"
#include "solver/output/record_transfer.hpp"

namespace dns {
namespace {

/// Records wait in memory; they are set down before each checkpoint, and where they take much.
class PlaneOutput final : public Output {
 public:
  explicit PlaneOutput(const OutputContext& context)
      : Output(context, {}),
        store_(directory(), plane_grids(context.resolved), context.case_yaml) {}

  [[nodiscard]] FileKind kind_of(std::string_view name) const override {
    return kind_of_plane_file(name, planes_prefix);
  }

  RemovedFiles cut_back(const FlowState& checkpoint) override {
    return remove_later_pieces(directory(), planes_prefix, checkpoint.step);
  }

  std::vector<std::string> open(const RunOpening& opening) override {
    // Step 0 is recorded anew by a run that goes on from there.
    if (opening.simulation.step() == 0) remove_later_pieces(directory(), planes_prefix, -1);
    return {};
  }

  /// The record ends with the run, so that its period is that of the run.
  [[nodiscard]] bool is_scheduled(const FlowMoment& flow) const override {
    const auto& planes = context_.output().planes;
    if (!planes) return false;
    const bool is_last =
        flow.time >= planes->start && context_.resolved.time.is_over(flow.step, flow.time);
    return is_last || planes->every.is_due(flow, planes->start);
  }

  void record(Simulation& simulation) override {
    if (!is_scheduled({simulation.step(), simulation.time(), simulation.time_before()})) return;
    waiting_.add({.step = simulation.step(),
                  .time = simulation.time(),
                  .planes = planes_of_all(context_.communicator, simulation.planes())});
  }

  [[nodiscard]] Ask asks(bool /*is_writer_idle*/) const override {
    return waiting_.are_many() ? Ask::now : Ask::nothing;
  }

  [[nodiscard]] bool is_due(const Moment& moment, Ask ask) const override {
    return context_.output().planes && (moment.is_end() || moment.others.restart ||
                                        (moment.kind == Moment::Kind::asked && ask == Ask::now));
  }

  void collect(Simulation& /*simulation*/, const Moment& /*moment*/, std::size_t slot) override {
    of_slots_.at(slot) = waiting_.take();
  }

  void secure(const CopiedFlow& flow) override { store_.set_down(of_slots_.at(flow.slot)); }

  Warnings write(const CopiedFlow& /*flow*/) override { return store_.write_lists(); }

 private:
  PlaneStore store_;
  WaitingRecords waiting_;
  std::array<std::vector<PlaneRecord>, copy_slots> of_slots_;
};

}  // namespace

std::unique_ptr<Output> make_planes(const OutputContext& context) {
  return std::make_unique<PlaneOutput>(context);
}

}  // namespace dns
