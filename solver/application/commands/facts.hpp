/// Facts about something, in words and as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace dns {

/// Facts one below the other, each with its name.
class Facts {
 public:
  void text(const std::string& name, const std::string& value);
  void number(const std::string& name, double value);
  void integer(const std::string& name, std::int64_t value);
  /// A number of a table, shown in a wider column.
  void named_line(const std::string& name, double number);
  /// Words for readers; JSON has the value instead.
  void value(const std::string& name,
             const std::string& words,
             const nlohmann::ordered_json& value);
  /// A value that JSON alone has.
  void value(const std::string& name, const nlohmann::ordered_json& value);
  /// A line that is left out of JSON.
  void line(const std::string& text) { lines_ += text + "\n"; }

  [[nodiscard]] std::string shown(bool as_json) const;

 private:
  std::string lines_;
  std::vector<std::pair<std::string, std::string>> values_;  // names, and values as JSON
};

}  // namespace dns
