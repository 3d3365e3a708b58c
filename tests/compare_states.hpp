/// One comparison of flows: bit for bit, or within a tolerance, with what differs in words.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "solver/core/flow_state.hpp"

namespace dns {

/// The values of a field in double.
inline std::vector<double> in_doubles(const HostField& field) {
  std::vector<double> values;
  values.reserve(field.extents().count());
  with_real(field.precision(), [&]<class Real>(Real) {
    for (const Real value : field.template values<Real>()) {
      values.push_back(static_cast<double>(value));
    }
  });
  return values;
}

enum class Precisions { must_agree, may_differ };

/// What differs between two flows, in words.
class StateComparison {
 public:
  /// Without a tolerance every bit counts; with one, values differ by that much at most, and a NaN
  /// equals nothing.
  StateComparison(const FlowState& a,
                  const FlowState& b,
                  std::optional<double> tolerance,
                  Precisions precisions)
      : tolerance_(tolerance), precisions_(precisions) {
    compare("step", a.step, b.step);
    compare_numbers("time", a.time, b.time);
    compare_fields("fields", a.fields, b.fields);
    compare_all_numbers("numbers", a.numbers, b.numbers);
    compare_sums("statistics", a.statistics, b.statistics);
    compare_sums("window", a.window, b.window);
    compare("last step of window", a.window.last_step, b.window.last_step);
  }

  /// A line for each difference; empty when there is none.
  [[nodiscard]] const std::string& words() const { return words_; }

 private:
  template <class Value>
  void compare(const std::string& what, const Value& a, const Value& b) {
    if (!(a == b)) words_ += fmt::format("{}: {} and {}\n", what, a, b);
  }

  template <class Real>
  [[nodiscard]] bool are_same(Real a, Real b) const {
    if (tolerance_) return std::abs(static_cast<double>(a) - static_cast<double>(b)) <= *tolerance_;
    using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
    return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
  }

  void compare_numbers(const std::string& what, double a, double b) {
    if (!are_same(a, b)) words_ += fmt::format("{}: {} and {}\n", what, a, b);
  }

  void compare_all_numbers(const std::string& what,
                           const std::vector<NamedNumber>& a,
                           const std::vector<NamedNumber>& b) {
    compare("count of " + what, a.size(), b.size());
    for (std::size_t n = 0; n < std::min(a.size(), b.size()); ++n) {
      compare(fmt::format("name of {} {}", what, n), a[n].name, b[n].name);
      compare_numbers(a[n].name, a[n].value, b[n].value);
    }
  }

  void compare_sums(const std::string& what, const StatisticsSums& a, const StatisticsSums& b) {
    compare("samples of " + what, a.samples, b.samples);
    compare_numbers("first time of " + what, a.first_time, b.first_time);
    compare_numbers("last time of " + what, a.last_time, b.last_time);
    compare_numbers("duration of " + what, a.duration, b.duration);
    compare_all_numbers("references of " + what, a.references, b.references);
    compare_fields("sums of " + what, a.sums, b.sums);
    compare_fields("last sample of " + what, a.last, b.last);
    compare_fields("sums by phase of " + what, a.phases, b.phases);
  }

  void compare_fields(const std::string& what,
                      const std::vector<HostField>& a,
                      const std::vector<HostField>& b) {
    compare("count of " + what, a.size(), b.size());
    for (std::size_t n = 0; n < std::min(a.size(), b.size()); ++n) {
      compare(fmt::format("name of {} {}", what, n), a[n].name(), b[n].name());
      compare_field(a[n], b[n]);
    }
  }

  void compare_field(const HostField& a, const HostField& b) {
    const std::string extents = "extents of " + a.name();
    compare(extents, in_words(a.extents()), in_words(b.extents()));
    const bool has_one_precision = a.precision() == b.precision();
    if (precisions_ == Precisions::must_agree) {
      compare("precision of " + a.name(), name_of(a.precision()), name_of(b.precision()));
    }
    if (a.extents() != b.extents()) return;
    if (has_one_precision) {
      with_real(a.precision(), [&]<class Real>(Real) {
        compare_values(a, a.template values<Real>(), b.template values<Real>());
      });
    } else if (precisions_ == Precisions::may_differ) {
      compare_values(a, in_doubles(a), in_doubles(b));
    }
  }

  /// Says where the first difference is and how many there are.
  template <class Values>
  void compare_values(const HostField& field, const Values& a, const Values& b) {
    std::size_t count = 0;
    std::size_t first = 0;
    for (std::size_t n = a.size(); n-- > 0;) {
      if (are_same(a[n], b[n])) continue;
      first = n;
      ++count;
    }
    if (count == 0) return;
    const auto nx = static_cast<std::size_t>(field.extents().nx);
    const auto ny = static_cast<std::size_t>(field.extents().ny);
    words_ += fmt::format("{} at ({}, {}, {}): {} and {}; {} of {} values differ\n",
                          field.name(),
                          first % nx,
                          first / nx % ny,
                          first / nx / ny,
                          a[first],
                          b[first],
                          count,
                          a.size());
  }

  static std::string in_words(Extents n) { return fmt::format("{} x {} x {}", n.nx, n.ny, n.nz); }

  std::optional<double> tolerance_;
  Precisions precisions_;
  std::string words_;
};

inline ::testing::AssertionResult assertion_of(const StateComparison& comparison) {
  if (comparison.words().empty()) return ::testing::AssertionSuccess() << "the flows are the same";
  return ::testing::AssertionFailure() << "the flows differ:\n" << comparison.words();
}

/// Passes when step, time, names, extents and precisions, and every bit of fields, numbers and
/// statistics are the same; else says what differs, and where.
inline ::testing::AssertionResult same_bits(const FlowState& a, const FlowState& b) {
  return assertion_of(StateComparison(a, b, {}, Precisions::must_agree));
}

/// The same, but times and values may differ by `tolerance`. A NaN always differs.
inline ::testing::AssertionResult same_within(double tolerance,
                                              const FlowState& a,
                                              const FlowState& b,
                                              Precisions precisions = Precisions::must_agree) {
  return assertion_of(StateComparison(a, b, tolerance, precisions));
}

}  // namespace dns
