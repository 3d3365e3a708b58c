/// Pictures of a run: slices as files, and for whoever looks at the live page.
#include <algorithm>
#include <array>

#include "solver/config/load_case.hpp"
#include "solver/output/outputs.hpp"

namespace dns {
namespace {

class PictureOutput final : public Output {
 public:
  explicit PictureOutput(const OutputContext& context)
      : Output(context,
               {.viewing = true},
               context.output().slices ? context.output().slices->every : Interval(),
               slice_prefix),
        painter_(context.resolved, slices_to_draw(context.resolved)) {}

  [[nodiscard]] bool is_owed(const FlowState& checkpoint) const override {
    const auto is_missing = [&](const SliceCase& plane) {
      return !has_file(slice_name(plane.name, checkpoint.step));
    };
    return was_on_schedule(checkpoint) &&
           std::ranges::any_of(context_.output().slices->planes, is_missing);
  }

  /// Output that is written anyway includes those for the page when they are wanted, so that
  /// continuous output does not keep them from it.
  [[nodiscard]] Ask asks(bool is_writer_idle) const override {
    const PictureViewer* const viewer = context_.viewer;
    if (viewer == nullptr || !viewer->is_watched()) return Ask::nothing;
    if (!viewer->wants_pictures()) return Ask::at_end;
    return is_writer_idle ? Ask::now : Ask::with_others;
  }

  [[nodiscard]] bool is_due(const Moment& moment, Ask ask) const override {
    return is_on_schedule(moment) || (ask == Ask::now && moment.kind == Moment::Kind::asked) ||
           (ask >= Ask::with_others && moment.has_others) ||
           (ask >= Ask::at_end && moment.is_end());
  }

  void collect(Simulation& /*simulation*/, const Moment& moment, std::size_t slot) override {
    are_for_files_.at(slot) = moment.kind == Moment::Kind::resumed || is_on_schedule(moment);
    if (are_for_files_.at(slot)) note_done(moment.flow.step);
  }

  void spent(double seconds) override {
    if (context_.viewer != nullptr) context_.viewer->spend(seconds);
  }

  Warnings write(const CopiedFlow& flow) override {
    std::vector<SlicePicture> pictures = painter_.draw(flow.viewing);
    if (are_for_files_.at(flow.slot)) {
      for (const auto& [name, step, facts, png] : pictures)
        write_text_file(path(slice_name(name, step)), png);
    }
    if (context_.viewer != nullptr) context_.viewer->put(std::move(pictures));
    return {};
  }

 private:
  SlicePainter painter_;
  std::array<bool, copy_slots> are_for_files_{};
};

}  // namespace

std::unique_ptr<Output> make_pictures(const OutputContext& context) {
  return std::make_unique<PictureOutput>(context);
}

}  // namespace dns
