/// Words for axes and faces, as in case files and output.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "solver/core/index.hpp"

namespace dns {

inline const PerAxis<std::string> axis_names{"x", "y", "z"};

[[nodiscard]] inline const std::string& axis_name(AxisOrNumber auto axis) {
  return axis_names[axis];
}
/// In the order of Case::faces.
inline const PerFace<std::string> face_names{"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};

/// The name of an enumerator in `names`, the names of its enumeration in order.
template <class Enumeration, class Names>
[[nodiscard]] constexpr std::string_view name_in(const Names& names, Enumeration value) {
  return names[static_cast<std::size_t>(value)];
}

/// The enumerator whose name in `names`, the names of an enumeration in order, is `name`; none for
/// any other word.
template <class Enumeration, class Names>
[[nodiscard]] constexpr std::optional<Enumeration> value_named(std::string_view name,
                                                               const Names& names) {
  const auto* const found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enumeration>(found - names.begin());
}

}  // namespace dns
