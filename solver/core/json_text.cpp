#include "solver/core/json_text.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "solver/core/number_text.hpp"

namespace dns {

using nlohmann::ordered_json;

ordered_json json_number(double value) {
  const bool is_whole = std::trunc(value) == value && std::abs(value) <= largest_whole_number;
  return is_whole ? ordered_json(static_cast<std::int64_t>(value)) : ordered_json(value);
}

std::string json_line(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string json_page(const ordered_json& json) {
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace dns
