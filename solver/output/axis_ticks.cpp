#include "solver/output/axis_ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dns {
namespace {

/// The least of 1, 2, 5, 10 times a power of ten that is not below `least` > 0.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  constexpr double round_off = 1e-9;
  for (const double multiple : {1, 2, 5}) {
    if (multiple * power >= least * (1 - round_off)) return multiple * power;
  }
  return 10 * power;
}

std::string text_of(double value, double step, double largest) {
  constexpr double round_off = 1e-9;
  constexpr double longest = 1e5;
  constexpr double shortest = 1e-3;
  if (value == 0) return "0";
  if (largest < longest && step >= shortest) {
    const double decimals = std::max(0.0, -std::floor(std::log10(step) + round_off));
    return fmt::format("{:.{}f}", value, static_cast<int>(decimals));
  }
  const double digits = std::floor(std::log10(largest)) - std::floor(std::log10(step) + round_off);
  return fmt::format("{:.{}g}", value, static_cast<int>(std::clamp(digits + 1, 1.0, 6.0)));
}

}  // namespace

std::vector<Tick> ticks_between(double low, double high, int most) {
  std::vector<Tick> ticks;
  const double length = high - low;
  const double largest = std::max(std::abs(low), std::abs(high));
  constexpr double least_part = 1e-9;  // below it the numbers would look the same
  constexpr double least_length = 1e-300;
  if (!std::isfinite(length) || length < least_length || length < least_part * largest)
    return ticks;
  double step = round_step(length / most);
  constexpr double round_off = 1e-9;
  const auto first = [&] { return std::ceil(low / step - round_off); };
  const auto last = [&] { return std::floor(high / step + round_off); };
  while (last() - first() + 1 > most) step = round_step(1.5 * step);
  for (double n = first(); n <= last(); ++n)
    ticks.push_back({.value = n * step, .text = text_of(n * step, step, largest)});
  return ticks;
}

}  // namespace dns
