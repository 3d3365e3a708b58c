/// Values as a case file writes them, on one line.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/config/expression.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// `text` bare where no reader of YAML takes it for anything but text, else in quotes.
[[nodiscard]] std::string yaml_text(std::string_view text);
/// The shortest text that reads back to the same double.
[[nodiscard]] std::string yaml_text(double number);
/// A whole number of steps, or "0.5 L/U".
[[nodiscard]] std::string yaml_text(const Interval& interval);
/// A number bare, any other formula in quotes.
[[nodiscard]] std::string yaml_text(const Expression& formula);
[[nodiscard]] std::string yaml_text(Extents points);
/// The names of the axes chosen: "[x, z]".
[[nodiscard]] std::string yaml_text(const PerAxis<bool>& axes);
/// A whole number, or true and false.
template <std::integral Value>
[[nodiscard]] std::string yaml_text(Value value) {
  if constexpr (std::is_same_v<Value, bool>) {
    return value ? "true" : "false";
  } else {
    return std::to_string(value);
  }
}

/// "[1, 2, 3]" of texts that are YAML already.
[[nodiscard]] std::string yaml_list(const std::vector<std::string>& items);
template <class Value>
[[nodiscard]] std::string yaml_text(const std::vector<Value>& values) {
  std::vector<std::string> items;
  items.reserve(values.size());
  for (const Value& value : values) items.push_back(yaml_text(value));
  return yaml_list(items);
}
template <class Value, int count>
[[nodiscard]] std::string yaml_text(const Numbered<Value, count>& values) {
  return yaml_text(std::vector<Value>(values.begin(), values.end()));
}

/// Empty where there is no value.
template <class Value>
[[nodiscard]] std::string yaml_text(const std::optional<Value>& value) {
  return value ? yaml_text(*value) : std::string{};
}

}  // namespace dns
