#include "solver/config/case_difference.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "solver/config/case_tree.hpp"
#include "solver/config/key_path.hpp"
#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/numerics/formula.hpp"

namespace dns {
namespace {

/// Whether two texts are the same formula, such as "2*x" and "(2) * x"; false for other texts.
bool are_same_formula(const std::string& one, const std::string& other) {
  try {
    const auto are_same = [](const Instruction& a, const Instruction& b) {
      return a.operation == b.operation && a.constant == b.constant;
    };
    return std::ranges::equal(Expression(one).program(), Expression(other).program(), are_same);
  } catch (const CaseError&) {
    return false;
  }
}

bool have_same_value(const CaseNode& one, const CaseNode& other, bool is_formula) {
  const auto are_same = [=](const CaseNode& a, const CaseNode& b) {
    return have_same_value(a, b, is_formula);
  };
  return one.kind == other.kind &&
         (one.text == other.text || (is_formula && are_same_formula(one.text, other.text))) &&
         std::ranges::equal(one.items, other.items, are_same);
}

/// Keys that name a file, whose contents are compared by the key `content` beside them.
bool names_file_with_content(const CaseNode& map, const std::string& key) {
  constexpr std::array<std::string_view, 5> names{"path", "file", "profile", "planes", "stresses"};
  return std::ranges::find(names, key) != names.end() && map.find("content") != nullptr;
}

/// The value of `key` in a map, empty where there is none.
const CaseNode& value_in(const CaseNode& map, std::string_view key) {
  static const CaseNode none;
  const CaseEntry* const entry = map.find(key);
  return entry == nullptr ? none : entry->value;
}

std::string shown_or_none(const CaseNode& node) {
  return node.is_empty() ? "none" : shown(node);
}

/// The keys at or below `path` whose values differ.
void add_differences(const std::string& path,
                     const CaseNode& before,
                     const CaseNode& now,
                     std::vector<KeyDifference>& found) {
  // A section of which nothing is required may be left out: then its keys differ, not the section.
  const bool is_left_out = path == "temperature" && before.is_map() != now.is_map();
  if (!is_left_out && (!before.is_map() || !now.is_map())) {
    const Key* const key = find_key(path);
    if (!have_same_value(before, now, key != nullptr && takes_formulas(key->kind)))
      found.push_back({path, shown_or_none(before), shown_or_none(now)});
    return;
  }
  const auto add = [&](const std::string& key) {
    if (names_file_with_content(before, key) && names_file_with_content(now, key)) return;
    add_differences(joined_path(path, key), value_in(before, key), value_in(now, key), found);
  };
  for (const CaseEntry& entry : before.entries) add(entry.key);
  for (const CaseEntry& entry : now.entries)
    if (before.find(entry.key) == nullptr) add(entry.key);
}

}  // namespace

std::vector<KeyDifference> differences(const Case& before, const Case& now) {
  std::vector<KeyDifference> found;
  add_differences("", parse_tree(to_yaml(before), 0), parse_tree(to_yaml(now), 0), found);
  return found;
}

bool is_of_flow(std::string_view key) {
  const Key* const known = find_key(key);
  return known != nullptr && known->changes_flow.value_or(false);
}

bool is_of_averages(std::string_view key) {
  return key.starts_with("output.statistics") && key != "output.statistics.every";
}

std::vector<std::string> differences_of_flow(const Case& one, const Case& other) {
  std::vector<std::string> keys;
  for (KeyDifference& difference : differences(one, other))
    if (is_of_flow(difference.key)) keys.push_back(std::move(difference.key));
  return keys;
}

void take_order_of_scalars(const Case& before, Case& now) {
  const auto have_same_name = [](const ScalarCase& one, const ScalarCase& other) {
    return one.name == other.name;
  };
  if (!std::ranges::is_permutation(before.scalars, now.scalars, have_same_name)) return;
  std::vector<std::size_t> places;  // in `now`, of each scalar of `before`
  for (const ScalarCase& scalar : before.scalars) {
    const auto found = std::ranges::find(now.scalars, scalar.name, &ScalarCase::name);
    places.push_back(found - now.scalars.begin());
  }
  // Lists begin with temperature where that is one of them.
  const auto reorder = [&](auto& list) {
    const std::size_t first = list.size() - places.size();
    auto ordered = list;
    for (std::size_t n = 0; n < places.size(); ++n) ordered[first + n] = list[first + places[n]];
    list = std::move(ordered);
  };
  std::vector<std::string> written;
  for (const ScalarCase& scalar : before.scalars)
    if (now.output.fields.has(scalar.name)) written.push_back(scalar.name);
  auto next = written.begin();
  for (std::string& variable : now.output.fields.variables)
    if (std::ranges::find(written, variable) != written.end()) variable = *next++;
  for (FaceCase& face : now.faces) reorder(face.scalars);
  for (SolidCase& body : now.solids) reorder(body.scalars);
  for (SpongeCase& sponge : now.forcing.sponges) reorder(sponge.scalars);
  reorder(now.scalars);
}

}  // namespace dns
