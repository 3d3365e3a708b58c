/// Words for axes and faces, as in case files and output.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace dns {

inline const std::array<std::string, 3> axis_names{"x", "y", "z"};

[[nodiscard]] inline const std::string& axis_name(int axis) {
  return axis_names.at(static_cast<std::size_t>(axis));
}
/// In the order of Case::faces.
inline const std::array<std::string, 6> face_names{
    "x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};

/// The name of an enumerator in `names`, the names of its enumeration in order.
template <class Enumeration, class Name, std::size_t count>
[[nodiscard]] constexpr std::string_view name_in(const std::array<Name, count>& names,
                                                 Enumeration value) {
  return names.at(static_cast<std::size_t>(value));
}

/// The enumerator whose name in `names`, the names of an enumeration in order, is `name`; none for
/// any other word.
template <class Enumeration, class Name, std::size_t count>
[[nodiscard]] constexpr std::optional<Enumeration> value_named(
    std::string_view name, const std::array<Name, count>& names) {
  for (std::size_t n = 0; n < count; ++n) {
    if (names[n] == name) return static_cast<Enumeration>(n);
  }
  return std::nullopt;
}

}  // namespace dns
