/// Diagnostics as a JSON object, for `--json`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "solver/config/json_text.hpp"

namespace dns {

/// An object built member by member. Numbers read back to the same double; NaN and infinite ones,
/// which JSON does not know, become null.
class JsonReport {
 public:
  JsonReport& text(std::string_view name, std::string_view value);
  JsonReport& number(std::string_view name, double value);
  JsonReport& integer(std::string_view name, std::int64_t value);
  JsonReport& report(std::string_view name, const JsonReport& value);

  [[nodiscard]] std::string str() const { return object_.text(); }

 private:
  JsonObject object_;
};

}  // namespace dns
