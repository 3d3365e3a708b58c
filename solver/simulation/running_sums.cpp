#include "solver/simulation/running_sums.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "solver/core/error.hpp"

namespace dns {
namespace {

constexpr double round_off = 1e-9;  // of a time that is a sum of steps

HostField zero_sum(std::string_view name, Extents extents) {
  HostField sum(std::string(name), extents, Precision::double_precision);
  std::ranges::fill(sum.values<double>(), 0.0);
  return sum;
}

const HostField* sum_named(const StatisticsSums& sums, std::string_view name) {
  const auto found = std::ranges::find(sums.sums, name, &HostField::name);
  return found == sums.sums.end() ? nullptr : &*found;
}

/// The same sums, without samples.
StatisticsSums cleared(const StatisticsSums& sums) {
  StatisticsSums zero;
  for (const HostField& sum : sums.sums) zero.sums.push_back(zero_sum(sum.name(), sum.extents()));
  return zero;
}

/// Those of `before` that `sums` has, in its order.
StatisticsSums those_of(const StatisticsSums& sums, const StatisticsSums& before) {
  StatisticsSums same = before;
  same.sums.clear();
  for (const HostField& sum : sums.sums)
    same.sums.push_back(sum_named(before, sum.name())->duplicate());
  return same;
}

}  // namespace

void RunningSums::add_sum(std::string_view name, Extents extents, MissingSum missing) {
  missing_.push_back(missing);
  all_.sums.push_back(zero_sum(name, extents));
  if (length_) window_.sums.push_back(zero_sum(name, extents));
}

StatisticsSums RunningSums::duplicate(StatisticsSums sums) {
  for (HostField& sum : sums.sums) sum = sum.duplicate();
  return sums;
}

/// Requires samples in the window under way.
double RunningSums::end_of_window() const {
  const double since_start = window_.first_time * (1 - round_off) - start_;
  return start_ + std::max(std::ceil(since_start / *length_), 1.0) * *length_;
}

void RunningSums::end_window() {
  StatisticsSums zero = cleared(window_);
  ended_.push_back(std::exchange(window_, std::move(zero)));
}

void RunningSums::begin_step(double time) {
  ended_.clear();
  if (window_.samples > 0 && time * (1 - round_off) > end_of_window()) end_window();
}

void RunningSums::end_step(double time) {
  if (window_.samples > 0 && time >= end_of_window() * (1 - round_off)) end_window();
}

void RunningSums::count_sample(std::int64_t step, double time) {
  const auto count = [&](StatisticsSums& sums) {
    if (sums.samples == 0) sums.first_time = time;
    sums.last_time = time;
    sums.last_step = step;
    ++sums.samples;
  };
  count(all_);
  if (length_) count(window_);
}

bool RunningSums::fits(const StatisticsSums& before) const {
  return std::ranges::all_of(all_.sums, [&](const HostField& sum) {
    const HostField* const found = sum_named(before, sum.name());
    return found != nullptr && found->extents() == sum.extents();
  });
}

void RunningSums::go_on_from(const StatisticsSums& all, const StatisticsSums& window) {
  if (all.samples == 0) return;
  for (std::size_t n = all_.sums.size(); n-- > 0;) {
    const HostField& sum = all_.sums[n];
    const HostField* const found = sum_named(all, sum.name());
    if (found != nullptr) {
      if (found->extents() == sum.extents()) continue;
      throw CaseError(
          "the statistics of the checkpoint were averaged over other axes than "
          "output.statistics.average now asks for");
    }
    if (missing_[n] == MissingSum::is_refused) {
      throw CaseError(
          fmt::format("the statistics of the checkpoint have {} samples without {}, which "
                      "output.statistics now "
                      "asks for: an average of all samples cannot begin late",
                      all.samples,
                      sum.name()));
    }
    const auto at = static_cast<std::ptrdiff_t>(n);
    all_.sums.erase(all_.sums.begin() + at);
    missing_.erase(missing_.begin() + at);
  }
  all_ = those_of(all_, all);
  if (!length_) return;
  window_ = window.samples > 0 && fits(window) ? those_of(all_, window) : cleared(all_);
}

}  // namespace dns
