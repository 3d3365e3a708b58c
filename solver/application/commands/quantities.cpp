#include "quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "solver/application/commands/commands.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

using Json = nlohmann::json;

/// What dnsflow and the program say of the quantities in files (python/dnsflow/quantities.json).
/// Names hold placeholders: FACE, AXIS (x, y, z), NAME (a scalar or a body), SCALAR (SAME: the same
/// again), A (u, v, w, p or T) and AB (two of them, or k).
const Json& quantity_table() {
  static const Json table = Json::parse(quantities_text);
  return table;
}

/// The pattern of a name with placeholders.
std::regex pattern_of(const std::string& name) {
  const Json& of_placeholders = quantity_table()["placeholders"];
  std::string pattern;
  std::istringstream words{name};
  for (std::string word; std::getline(words, word, '_');)
    pattern += (pattern.empty() ? "" : "_") + of_placeholders.value(word, word);
  return std::regex(pattern);
}

/// Quantities of this name; without any, those whose names hold the word.
std::string quantities_named(const std::string& word) {
  const auto is_so_named = [&](const Json& quantity) {
    return std::regex_match(word, pattern_of(quantity["name"]));
  };
  const bool are_any = std::ranges::any_of(quantity_table()["quantities"], is_so_named);
  std::string text;
  for (const Json& quantity : quantity_table()["quantities"]) {
    const auto fact = [&](const char* name) { return quantity[name].get<std::string>(); };
    const bool is_meant =
        are_any ? is_so_named(quantity) : fact("name").find(lower_case(word)) != std::string::npos;
    if (!is_meant) continue;
    text += fmt::format(
        "{}: in {} [{}]\n    {}\n", fact("name"), fact("file"), fact("unit"), fact("meaning"));
  }
  return text;
}

}  // namespace

std::string explain(const std::string& word) {
  const std::string quantities = quantities_named(word);
  try {
    return describe_keys(word) + (quantities.empty() ? "" : "\n" + quantities);
  } catch (const CaseError&) {
    if (quantities.empty()) throw;
    return quantities;
  }
}

}  // namespace dns
