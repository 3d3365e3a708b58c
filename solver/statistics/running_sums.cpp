#include "solver/statistics/running_sums.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "solver/config/case.hpp"
#include "solver/core/error.hpp"
#include "solver/statistics/phase_bins.hpp"

namespace dns {
namespace {

using Fields = std::vector<HostField>;

HostField zero_sum(std::string_view name, Extents extents) {
  HostField sum(std::string(name), extents, Precision::double_precision);
  std::ranges::fill(sum.values<double>(), 0.0);
  return sum;
}

const HostField* sum_named(const Fields& sums, std::string_view name) {
  const auto found = std::ranges::find(sums, name, &HostField::name);
  return found == sums.end() ? nullptr : &*found;
}

/// Sums with the names, extents and references of `sums`, without samples.
StatisticsSums cleared(const StatisticsSums& sums) {
  StatisticsSums zero;
  zero.references = sums.references;
  for (const HostField& sum : sums.sums) zero.sums.push_back(zero_sum(sum.name(), sum.extents()));
  return zero;
}

Fields duplicates(const Fields& fields) {
  Fields copies;
  for (const HostField& field : fields) copies.push_back(field.duplicate());
  return copies;
}

/// Copies of the fields of `found` that have the names of `sums`, in the order of these.
Fields those_of(const Fields& sums, const Fields& found) {
  Fields same;
  for (const HostField& sum : sums) same.push_back(sum_named(found, sum.name())->duplicate());
  return same;
}

bool fits(const Fields& sums, const Fields& found) {
  return std::ranges::all_of(sums, [&](const HostField& sum) {
    const HostField* const one = sum_named(found, sum.name());
    return one != nullptr && one->extents() == sum.extents();
  });
}

}  // namespace

void RunningSums::add_sum(std::string_view name, Extents extents, Phases phases) {
  all_.sums.push_back(zero_sum(name, extents));
  all_.last.push_back(zero_sum(name, extents));
  if (length_) window_.sums.push_back(zero_sum(name, extents));
  if (!phase_ || phases == Phases::left_out) return;
  extents.nz *= phase_->bins;
  all_.phases.push_back(zero_sum(name, extents));
}

StatisticsSums RunningSums::duplicate(const StatisticsSums& sums) {
  StatisticsSums copy = sums;
  copy.sums = duplicates(sums.sums);
  copy.last = duplicates(sums.last);
  copy.phases = duplicates(sums.phases);
  return copy;
}

/// How many windows end before that of a time; one that ends at the time does not.
double RunningSums::windows_before(double time) const {
  return std::max(std::ceil((time * (1 - round_off_of_time) - start_) / *length_) - 1, 0.0);
}

void RunningSums::end_window() {
  StatisticsSums zero = cleared(window_);
  if (window_.duration > 0) {
    ended_.push_back(std::exchange(window_, std::move(zero)));
  } else {
    window_ = std::move(zero);
  }
}

/// The part of the interval from the last sample to that at `now` that lies between two times.
RunningSums::Piece RunningSums::piece_of(Fields& to, double from, double until, double now) const {
  const double length = until - from;
  const double middle = 0.5 * ((from - all_.last_time) + (until - all_.last_time));
  const double share = middle / (now - all_.last_time);
  return {&to, length * (1 - share), length * share};
}

void RunningSums::add_piece(StatisticsSums& to, double from, double until, double now) {
  const Piece piece = piece_of(to.sums, from, until, now);
  pieces_.push_back(piece);
  to.duration += piece.before + piece.now;
}

void RunningSums::begin_sample(std::int64_t step, double time) {
  ended_.clear();
  pieces_.clear();
  const auto count = [&](StatisticsSums& sums, double first_time) {
    if (sums.samples == 0) sums.first_time = first_time;
    sums.last_time = time;
    sums.last_step = step;
    ++sums.samples;
  };
  const bool is_first = all_.samples == 0;
  if (length_) {
    const double begin = start_ + windows_before(time) * *length_;
    if (window_.samples > 0 && windows_before(time) > windows_before(window_.last_time)) {
      ended_.reserve(2);  // pieces refer to them
      const double end = start_ + (windows_before(window_.last_time) + 1) * *length_;
      add_piece(window_, window_.last_time, end, time);
      window_.last_time = end;
      end_window();
      pieces_.back().to = &ended_.back().sums;
    }
    const double from = is_first ? time : std::max(all_.last_time, begin);
    if (!is_first) add_piece(window_, from, time, time);
    count(window_, from);
  }
  if (!is_first && phase_) {
    if (time - all_.last_time > phase_->period * (1 + round_off_of_time)) {
      throw CaseError(
          fmt::format("output.statistics.phase.period is {:g}, but must be the time between "
                      "samples at least, which was {:g} up to t = {:g}",
                      phase_->period,
                      time - all_.last_time,
                      time));
    }
    for_each_bin(*phase_, all_.last_time, time, [&](int bin, double from, double until) {
      pieces_.push_back(piece_of(all_.phases, from, until, time));
      pieces_.back().bin = bin;
    });
  }
  if (!is_first) add_piece(all_, all_.last_time, time, time);
  count(all_, time);
}

void RunningSums::end_sample() {
  if (!length_) return;
  const double end = start_ + (windows_before(all_.last_time) + 1) * *length_;
  if (all_.last_time >= end * (1 - round_off_of_time)) end_window();
}

void RunningSums::go_on_from(const StatisticsSums& all, const StatisticsSums& window) {
  if (all.samples == 0) return;
  for (const HostField& sum : all_.sums) {
    const HostField* const found = sum_named(all.sums, sum.name());
    if (found == nullptr) {
      throw CaseError(
          fmt::format("the statistics of the checkpoint have {} samples without {}, which "
                      "output.statistics now asks for: an average of all samples cannot begin late",
                      all.samples,
                      sum.name()));
    }
    if (found->extents() != sum.extents()) {
      throw CaseError(
          "the statistics of the checkpoint were averaged over other axes than "
          "output.statistics.average now asks for");
    }
  }
  if (!fits(all_.last, all.last))
    throw CaseError("the statistics of the checkpoint are not complete: it has no last sample");
  if (!fits(all_.phases, all.phases))
    throw CaseError("the statistics of the checkpoint lack output.statistics.phase");
  const auto go_on = [&](StatisticsSums& sums, const StatisticsSums& before) {
    Fields same = those_of(sums.sums, before.sums);
    Fields last = those_of(sums.last, all.last);
    Fields phases = those_of(sums.phases, before.phases);
    sums = before;
    sums.sums = std::move(same);
    sums.last = std::move(last);
    sums.phases = std::move(phases);
  };
  go_on(all_, all);
  if (!length_) return;
  if (window.samples > 0 && fits(window_.sums, window.sums)) {
    go_on(window_, window);
  } else {
    window_ = cleared(window_);
    window_.references = all_.references;
  }
}

}  // namespace dns
