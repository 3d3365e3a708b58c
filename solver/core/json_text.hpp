/// JSON as this program writes it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace dns {

/// A whole number without a point; null for NaN and infinity, which JSON does not know.
[[nodiscard]] nlohmann::ordered_json json_number(double value);

/// On one line, and on many with a line end behind them. What is no UTF-8 becomes U+FFFD.
[[nodiscard]] std::string json_line(const nlohmann::ordered_json& json);
[[nodiscard]] std::string json_page(const nlohmann::ordered_json& json);

}  // namespace dns
