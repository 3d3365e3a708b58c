/// Pictures of a run: slices as files, and for whoever looks at the live page. That one touches a
/// file in the folder while it is open, and shows another one, in which there are all pictures of
/// one flow, PNG files one after the other.
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/output/outputs.hpp"
#include "solver/output/slice_painter.hpp"

namespace dns {
namespace {

constexpr std::string_view watched_name = ".watched";
constexpr std::string_view pictures_name = ".pictures";

class PictureOutput final : public Output {
  using Clock = std::chrono::steady_clock;

 public:
  explicit PictureOutput(const OutputContext& context)
      : Output(context,
               {.viewing = true},
               context.output().slices ? context.output().slices->every : Interval(),
               slice_prefix),
        painter_(context.resolved, slices_to_draw(context.resolved)) {}

  [[nodiscard]] FileKind kind_of(std::string_view name) const override {
    return name == pictures_name ? FileKind::data : Output::kind_of(name);
  }

  [[nodiscard]] bool is_owed(const FlowState& checkpoint) const override {
    const auto is_missing = [&](const SliceCase& plane) {
      return !has_file(slice_name(plane.name, checkpoint.step));
    };
    return was_on_schedule(checkpoint) &&
           std::ranges::any_of(context_.output().slices->planes, is_missing);
  }

  std::vector<std::string> open(const RunOpening& /*opening*/) override {
    std::error_code none;
    std::filesystem::remove(path(pictures_name), none);  // those of another start
    return {};
  }

  /// Output that is written anyway includes those for the page when they are wanted, so that
  /// continuous output does not keep them from it.
  [[nodiscard]] Ask asks(bool is_writer_idle) const override {
    if (!is_watched()) return Ask::nothing;
    if (Clock::now() < next_) return Ask::at_end;
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
    are_for_page_.at(slot) = is_watched();
  }

  /// Pictures for the page are made at most once a second, and in a twentieth of the time.
  void spent(double seconds) override {
    constexpr double shortest_wait = 1;  // [s]
    constexpr double longest_part = 0.05;
    const std::chrono::duration<double> wait(std::max(shortest_wait, seconds / longest_part));
    next_ = std::max(next_, Clock::now() + std::chrono::duration_cast<Clock::duration>(wait));
  }

  Warnings write(const CopiedFlow& flow) override {
    std::string all;
    for (const auto& [name, step, png] : painter_.draw(flow.viewing)) {
      if (are_for_files_.at(flow.slot)) write_text_file(path(slice_name(name, step)), png);
      all += png;
    }
    try {
      if (are_for_page_.at(flow.slot)) write_text_file(path(pictures_name), all);
    } catch (const IoError&) {  // a run does not end for those who look at it
    }
    return {};
  }

 private:
  /// Whether somebody touched the file in the last seconds, by the clock of this machine: that of a
  /// file server may be another. What was touched before the run began does not count.
  [[nodiscard]] bool is_watched() const {
    constexpr std::chrono::seconds between_looks{1};
    constexpr std::chrono::seconds lasts{10};
    const Clock::time_point now = Clock::now();
    if (!may_be_watched_ || now < next_look_) return may_be_watched_ && now < watched_until_;
    next_look_ = now + between_looks;
    std::error_code none;
    const auto touched = std::filesystem::last_write_time(path(watched_name), none);
    if (touched_ && !none && touched != *touched_) watched_until_ = now + lasts;
    touched_ = touched;
    return now < watched_until_;
  }

  SlicePainter painter_;
  std::array<bool, copy_slots> are_for_files_{};
  std::array<bool, copy_slots> are_for_page_{};
  bool may_be_watched_ =
      context_.communicator.rank() == 0 && (context_.is_live || context_.output().slices);
  Clock::time_point next_;  // pictures for the page
  mutable Clock::time_point next_look_;
  mutable Clock::time_point watched_until_;
  mutable std::optional<std::filesystem::file_time_type> touched_;  // none: not looked yet
};

}  // namespace

std::unique_ptr<Output> make_pictures(const OutputContext& context) {
  return std::make_unique<PictureOutput>(context);
}

}  // namespace dns
