/// Integrals over time of what samples of a flow give, on the host: since the first sample, over
/// windows of time, and by the time within a period.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"

namespace dns {

/// The sums of a run, by name. Between samples values are linear in time (trapezoidal rule), so
/// that averages are over time, however long the steps are: the last sample is kept, and the next
/// one ends the interval that it begins. An interval goes to the sums since the first sample and,
/// where there are windows, to those of the window under way too; one that crosses the end of a
/// window is split there. Window n is
///   start + n length < t <= start + (n + 1) length,     n = 0, 1, ...
/// and begins with the first sample where that is later. It has averages if it has samples, of
/// which the first one of all alone does not suffice. With phases an interval goes, cut at the ends
/// of bins, to the sums of these too. All is kept in double and goes into checkpoints as it is: a
/// run that goes on has the same bits.
class RunningSums {
 public:
  RunningSums() = default;
  /// start, window (the length; none: there are no windows): [L/U].
  RunningSums(double start, std::optional<double> window, std::optional<PhaseCase> phase = {})
      : start_(start), length_(window), phase_(phase) {}

  /// Whether a sum is taken by phase, too.
  enum class Phases { summed, left_out };
  /// A further sum of one value at each point of `extents`, all zero; before the first sample.
  /// Those without phases come last.
  void add_sum(std::string_view name, Extents extents, Phases phases = Phases::left_out);

  /// Before the values of the sample of a step to `time` [L/U]: ends the window under way if the
  /// sample lies beyond it. Forgets ended windows that nobody took. Throws CaseError where the last
  /// sample is more than a period of phases ago.
  void begin_sample(std::int64_t step, double time);
  /// The values of a sample, value(which, point) of the sum of each name, at all points, x fastest;
  /// nothing where there is no such sum. All names of one call have as many points.
  template <class Names, class Value>
  void add(const Names& names, const Value& value);
  /// After them: ends the window under way if the sample is at its end.
  void end_sample();

  /// Before the first sample, see StatisticsSums::references.
  void set_references(const std::vector<NamedNumber>& references) {
    all_.references = window_.references = references;
  }
  [[nodiscard]] double reference(std::string_view symbol) const { return all_.reference(symbol); }
  [[nodiscard]] bool has_samples() const { return all_.samples > 0; }

  /// Copies of the sums since the first sample, and of the window under way (empty without
  /// windows).
  [[nodiscard]] StatisticsSums all() const { return duplicate(all_); }
  [[nodiscard]] StatisticsSums window() const { return duplicate(window_); }
  /// The windows that ended with the last sample, the first one first; once.
  [[nodiscard]] std::vector<StatisticsSums> take_ended() { return std::exchange(ended_, {}); }

  /// Continues the sums of a checkpoint; starts anew if it has no samples. A window begins anew
  /// where the checkpoint has none. Throws CaseError when they do not fit.
  void go_on_from(const StatisticsSums& all, const StatisticsSums& window);

 private:
  /// What a piece of the interval between two samples adds to some sums, and by how much the
  /// samples at both its ends count.
  struct Piece {
    std::vector<HostField>* to = nullptr;
    double before = 0, now = 0;  // [L/U]
    int bin = 0;                 // of the sums by phase
  };

  [[nodiscard]] static StatisticsSums duplicate(const StatisticsSums& sums);
  [[nodiscard]] double windows_before(double time) const;
  void add_piece(StatisticsSums& to, double from, double until, double now);
  [[nodiscard]] Piece piece_of(std::vector<HostField>& to,
                               double from,
                               double until,
                               double now) const;
  void end_window();

  double start_ = 0;
  std::optional<double> length_;
  std::optional<PhaseCase> phase_;
  StatisticsSums all_, window_;
  std::vector<StatisticsSums> ended_;
  std::vector<Piece> pieces_;  // of the interval up to the sample being taken
};

template <class Names, class Value>
void RunningSums::add(const Names& names, const Value& value) {
  constexpr std::size_t block = 256;  // points, whose values of all names are in the cache
  std::array<double, block> now;
  std::size_t points = 0;
  std::vector<std::size_t> places;  // among the sums; behind them: there is none
  for (const auto& name : names) {
    const auto sum = std::ranges::find(all_.sums, name, &HostField::name);
    places.push_back(sum - all_.sums.begin());
    if (sum != all_.sums.end()) points = sum->extents().count();
  }
  for (std::size_t first = 0; first < points; first += block) {
    const std::size_t count = std::min(block, points - first);
    for (std::size_t which = 0; which < places.size(); ++which) {
      const std::size_t place = places[which];
      if (place == all_.sums.size()) continue;
      double* const last = all_.last[place].template values<double>().data() + first;
      for (std::size_t n = 0; n < count; ++n) now[n] = value(which, first + n);
      for (const Piece& piece : pieces_) {
        if (place >= piece.to->size()) continue;
        double* const sum =
            (*piece.to)[place].template values<double>().data() + points * piece.bin + first;
        for (std::size_t n = 0; n < count; ++n)
          sum[n] += piece.before * last[n] + piece.now * now[n];
      }
      std::copy_n(now.begin(), count, last);
    }
  }
}

}  // namespace dns
