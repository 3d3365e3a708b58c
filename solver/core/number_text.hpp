/// Numbers as text, whatever the locale; letters and blanks of texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dns {

/// The largest whole number of files, 2^53: exact in a double and in JSON.
inline constexpr double largest_whole_number = 9007199254740992;

/// The shortest decimal text that reads back to the same double: "0.001", "1.0e-05",
/// "1000000". An exponent comes with a point and a sign: YAML 1.1 readers take "1e-05" for text.
[[nodiscard]] std::string number_text(double value);

/// The finite number that the whole of `text` says ("-1.5e3"); nothing otherwise.
[[nodiscard]] std::optional<double> number_from(std::string_view text);

/// The whole number that the whole of `text` says, also as "1e3" or "8.0"; nothing otherwise.
[[nodiscard]] std::optional<std::int64_t> whole_number_from(std::string_view text);

/// "010", "-007.5": octal to some readers of YAML, decimal to others.
[[nodiscard]] bool has_leading_zeros(std::string_view text);

/// `text` with a to z for A to Z.
[[nodiscard]] std::string lower_case(std::string_view text);

/// `text` without blanks and line ends around it.
[[nodiscard]] std::string trimmed(std::string_view text);

}  // namespace dns
