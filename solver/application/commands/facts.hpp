/// Facts about something, in words and as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "solver/config/case.hpp"

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
  /// A line that JSON has in its list `warnings`: "averages" and "cannot be read: ...".
  void warning(const std::string& name, const std::string& words);

  /// On stdout.
  void print(bool as_json) const;

 private:
  std::string lines_;
  std::vector<std::pair<std::string, std::string>> values_;  // names, and values as JSON
  std::vector<std::string> warnings_;
};

/// Adds what a case is about: the lines that a run prints first. As JSON `case` with name,
/// scheme, device, precision, points, length and origin (along x, y, z), reynolds, prandtl (where
/// there is a temperature), scalars (each with its prandtl), steps (null: until `end`), end and cfl
/// (where given), solids (names of bodies).
void add_case_facts(const Case& resolved, Facts& facts);

}  // namespace dns
