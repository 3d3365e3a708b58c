#include "solver/config/case_difference.hpp"

#include <algorithm>
#include <string_view>

#include "solver/config/case_tree.hpp"
#include "solver/config/load_case.hpp"

namespace dns {
namespace {

bool have_same_value(const CaseNode& one, const CaseNode& other) {
  const auto have_same_entry = [](const CaseEntry& a, const CaseEntry& b) {
    return a.key == b.key && have_same_value(a.value, b.value);
  };
  return one.kind == other.kind && one.text == other.text &&
         std::ranges::equal(one.items, other.items, have_same_value) &&
         std::ranges::equal(one.entries, other.entries, have_same_entry);
}

/// The value of `key` in a map, empty where there is none.
const CaseNode& value_in(const CaseNode& map, std::string_view key) {
  static const CaseNode none;
  const CaseEntry* const entry = map.find(key);
  return entry == nullptr ? none : entry->value;
}

/// The keys at or below `path` whose values differ.
void add_differences(const std::string& path,
                     const CaseNode& one,
                     const CaseNode& other,
                     std::vector<std::string>& keys) {
  if (!one.is_map() || !other.is_map()) {
    if (!have_same_value(one, other)) keys.push_back(path);
    return;
  }
  for (const CaseEntry& entry : one.entries)
    add_differences(path + "." + entry.key, entry.value, value_in(other, entry.key), keys);
  for (const CaseEntry& entry : other.entries)
    if (one.find(entry.key) == nullptr) keys.push_back(path + "." + entry.key);
}

/// solids.NAME.reference, what coefficients are made with: no part of the flow.
bool is_of_coefficients(const std::string& key) {
  if (!key.starts_with("solids.")) return false;
  const std::size_t end_of_name = key.find('.', sizeof "solids." - 1);
  return end_of_name != std::string::npos && key.substr(end_of_name).starts_with(".reference");
}

}  // namespace

std::vector<std::string> differences_of_flow(const Case& one, const Case& other) {
  const CaseNode first = parse_tree(to_yaml(one), 0);
  const CaseNode second = parse_tree(to_yaml(other), 0);
  std::vector<std::string> keys;
  for (const char* section : {"scheme",
                              "grid",
                              "accuracy",
                              "fluid",
                              "temperature",
                              "scalars",
                              "buoyancy",
                              "rotation",
                              "boundaries",
                              "solids",
                              "forcing"})
    add_differences(section, value_in(first, section), value_in(second, section), keys);
  std::erase_if(keys, is_of_coefficients);
  return keys;
}

}  // namespace dns
