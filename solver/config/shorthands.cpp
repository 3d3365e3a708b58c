#include "solver/config/shorthands.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "solver/config/key_table.hpp"

namespace dns {
namespace {

CaseNode* value_of(CaseNode& map, std::string_view key) {
  const auto found = std::ranges::find(map.entries, key, &CaseEntry::key);
  return found == map.entries.end() ? nullptr : &found->value;
}

/// A section with this type alone.
CaseNode section_of_type(const CaseNode& type) {
  CaseNode section;
  section.kind = CaseNode::Kind::map;
  section.position = type.position;
  section.entries.push_back({"type", type.position, type});
  return section;
}

void write_out_faces(CaseNode& boundaries, const std::string& axis) {
  const auto given = std::ranges::find(boundaries.entries, axis, &CaseEntry::key);
  if (given == boundaries.entries.end() || given->value.is_list() || given->value.is_empty())
    return;
  if (given->value.is_scalar() && std::ranges::count(kinds_of_both_faces, given->value.text) == 0)
    return;
  for (const char* const end : {"_min", "_max"})
    if (value_of(boundaries, axis + end) != nullptr) return;
  CaseEntry face = *given;
  if (face.value.is_scalar()) face.value = section_of_type(face.value);
  face.key = axis + "_max";
  const auto place = boundaries.entries.insert(std::next(given), face);
  std::prev(place)->key = axis + "_min";
  std::prev(place)->value = face.value;
}

void write_out_center(CaseNode& body) {
  const CaseNode* const shape = value_of(body, "shape");
  const CaseNode* const axis = value_of(body, "axis");
  CaseNode* const center = value_of(body, "center");
  const bool is_endless =
      shape != nullptr && shape->text == "cylinder" && value_of(body, "length") == nullptr;
  if (!is_endless || center == nullptr || !center->is_list() || center->items.size() != 2) return;
  const auto* const named =
      std::ranges::find(axis_names, axis == nullptr ? std::string("z") : axis->text);
  if (named == axis_names.end()) return;
  CaseNode zero;
  zero.kind = CaseNode::Kind::scalar;
  zero.text = "0";
  zero.position = center->position;
  center->items.insert(center->items.begin() + (named - axis_names.begin()), zero);
}

}  // namespace

void write_out_shorthands(CaseNode& root) {
  if (CaseNode* const boundaries = value_of(root, "boundaries"))
    for (const std::string& axis : axis_names) write_out_faces(*boundaries, axis);
  if (CaseNode* const solids = value_of(root, "solids"))
    for (CaseEntry& body : solids->entries) write_out_center(body.value);
}

}  // namespace dns
