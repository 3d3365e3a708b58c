/// Sums over samples of a flow, on the host: since the first sample, and over windows of time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/core/flow_state.hpp"

namespace dns {

/// What a sum that a checkpoint lacks does to a run that goes on from it.
enum class MissingSum {
  is_refused,  // averages that the case asks for would be of other samples than the rest
  is_left_out  // the run goes on without it: older versions did not take it
};

/// The sums of a run, by name. A sample goes to the sums since the first sample and, where there
/// are windows, to those of the window under way too. Window n takes the samples of
///   start + n length < t <= start + (n + 1) length,     n = 0, 1, ...;   window 0 that of t =
///   start too,
/// so that a run that ends with a window leaves no sample over. All is kept in double and goes into
/// checkpoints as it is: a run that goes on has the same bits.
class RunningSums {
 public:
  RunningSums() = default;
  /// start, window (the length; none: there are no windows): [L/U].
  RunningSums(double start, std::optional<double> window) : start_(start), length_(window) {}

  /// A further sum of one value at each point of `extents`, all zero; before the first sample.
  void add_sum(std::string_view name, Extents extents, MissingSum missing = MissingSum::is_refused);

  /// Before the sample of a step to `time` [L/U]: ends the window under way if the step went beyond
  /// it. Forgets ended windows that nobody took.
  void begin_step(double time);
  /// After it: ends the window under way if the step reached its end.
  void end_step(double time);

  /// Adds value(point) to the sum of that name, for all its points, x fastest; nothing if it was
  /// left out.
  template <class Value>
  void add(std::string_view name, const Value& value) {
    add_to(all_, name, value);
    if (length_) add_to(window_, name, value);
  }
  /// To be called once all values of a sample have been added.
  void count_sample(std::int64_t step, double time);

  /// Copies of the sums since the first sample, and of the window under way (empty without
  /// windows).
  [[nodiscard]] StatisticsSums all() const { return duplicate(all_); }
  [[nodiscard]] StatisticsSums window() const { return duplicate(window_); }
  /// The windows that ended in this step, the first one first; once.
  [[nodiscard]] std::vector<StatisticsSums> take_ended() { return std::exchange(ended_, {}); }

  /// Continues the sums of a checkpoint; starts anew if it has no samples. A window begins anew
  /// where the checkpoint has none. Throws CaseError when they do not fit.
  void go_on_from(const StatisticsSums& all, const StatisticsSums& window);

 private:
  template <class Value>
  static void add_to(StatisticsSums& to, std::string_view name, const Value& value) {
    const auto sum = std::ranges::find(to.sums, name, &HostField::name);
    if (sum == to.sums.end()) return;
    const auto values = sum->template values<double>();
    for (std::size_t point = 0; point < values.size(); ++point) values[point] += value(point);
  }
  [[nodiscard]] static StatisticsSums duplicate(StatisticsSums sums);
  [[nodiscard]] double end_of_window() const;
  void end_window();
  [[nodiscard]] bool fits(const StatisticsSums& before) const;

  double start_ = 0;
  std::optional<double> length_;
  std::vector<MissingSum> missing_;  // of each sum
  StatisticsSums all_, window_;
  std::vector<StatisticsSums> ended_;
};

}  // namespace dns
