#include "solver/config/value_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <stdexcept>
#include <system_error>

#include "solver/config/case_keys.hpp"
#include "solver/core/index.hpp"
#include "solver/core/text_file.hpp"

namespace dns {
namespace {

const Key& key_of(const std::string& path) {
  const Key* const key = find_key(path);
  if (key == nullptr) throw std::logic_error("no key " + path + " in the table");
  return *key;
}

/// "inlet_00000120": planes_inlet_00000120.h5 is a piece of the records called inlet.
bool ends_like_a_piece(const std::string& name) {
  static const std::regex piece(".*_[0-9]{8,}");
  return std::regex_match(name, piece);
}

}  // namespace

Key ValueReader::key_of_scheme(const std::string& path) const {
  Key key = key_of(path);
  if (!key.only) key.only = scheme();
  return key;
}

bool ValueReader::read_with(const std::string& path,
                            const std::function<void(const CaseNode&, const Key&)>& parse_value) {
  Key key = key_of_scheme(path);
  if (key.takes_scalars && is_map("scalars")) {
    for (const CaseEntry& scalar : find("scalars")->entries) key.choices.push_back(scalar.key);
  }
  const CaseNode* const node = find(path);
  if (node == nullptr) {
    if (key.is_required) add_missing(path);
    return false;
  }
  try {
    parse_value(*node, key);
  } catch (const ValueMistake& mistake) {
    add_mistake(path, mistake.what(), mistake.remark);
  }
  return !is_wrong(path);
}

bool ValueReader::read(const std::string& path, Extents& points) {
  PerAxis<int> along{};
  const bool is_read = read(path, along);
  if (is_read) points = {along[0], along[1], along[2]};
  return is_read;
}

bool ValueReader::read(const std::string& path, std::vector<UniformPart>& parts) {
  std::vector<UniformPart> given;
  const bool is_read = read_with(path, [&](const CaseNode& node, const Key& key) {
    const auto add = [&](const CaseNode& part) {
      if (!part.is_list() || part.items.size() != 3) throw ValueMistake(kind_text(key));
      UniformPart& added = given.emplace_back();
      parse(part.items[0], key, added.first);
      parse(part.items[1], key, added.last);
      parse(part.items[2], key, added.width);
    };
    const bool is_one = node.is_list() && !node.items.empty() && !node.items[0].is_list();
    if (!node.is_list() || is_one) return add(node);
    for (const CaseNode& part : node.items) add(part);
    if (given.empty()) throw ValueMistake(kind_text(key));
  });
  if (is_read) parts = std::move(given);
  return is_read;
}

bool ValueReader::read(const std::string& path,
                       Expression& formula,
                       std::span<const std::string> fields) {
  return read_with(
      path, [&](const CaseNode& node, const Key& key) { parse(node, key, formula, fields); });
}

bool ValueReader::read(const std::string& path,
                       PerAxis<Expression>& formulas,
                       std::span<const std::string> fields) {
  PerAxis<Expression> given;
  const bool is_read = read_with(path, [&](const CaseNode& node, const Key& key) {
    if (!node.is_list() || node.items.size() != 3) throw ValueMistake(kind_text(key));
    for (int item = 0; item < 3; ++item) {
      try {
        parse(node.items[item], key, given[item], fields);
      } catch (const ValueMistake& mistake) {
        add_item_mistake(path, item, mistake.what(), mistake.remark);
      }
    }
  });
  if (is_read) formulas = std::move(given);
  return is_read;
}

bool ValueReader::read_direction(const std::string& path, PerAxis<double>& direction) {
  PerAxis<double> given{};
  const bool is_read = read_with(path, [&](const CaseNode& node, const Key& key) {
    const auto* const axis = std::ranges::find(axis_names, node.text);
    if (node.is_scalar() && axis != axis_names.end()) {
      given[axis - axis_names.begin()] = 1;
      return;
    }
    read_items(path, node, key, given);
    if (given == PerAxis<double>{} && !is_wrong(path)) throw ValueMistake(kind_text(key));
  });
  if (is_read) direction = given;
  return is_read;
}

bool ValueReader::read(const std::string& path, PerAxis<bool>& axes) {
  std::vector<std::string> names;
  const bool is_read = read(path, names);
  for (int axis = 0; axis < 3 && is_read; ++axis)
    axes[axis] = std::ranges::count(names, axis_names[axis]) > 0;
  return is_read;
}

bool ValueReader::read(const std::string& path, std::vector<double>& coordinates) {
  return read_with(path, [&](const CaseNode& node, const Key& key) {
    coordinates = parse_coordinates(node, key, folder_);
  });
}

bool ValueReader::read(const std::string& path, FileCase& file) {
  namespace fs = std::filesystem;
  std::string given;
  if (!read(path, given)) return false;
  std::error_code error;
  const std::string full = fs::absolute(fs::path(folder_) / given, error).lexically_normal();
  const auto refuse_file = [&](const std::string& what) {
    add_problem(path, full + " " + what);
    return false;
  };
  std::string checksum;
  if (files_ == NamedFiles::looked_at) {
    if (!fs::is_regular_file(full, error)) return refuse_file("is no file that can be read");
    checksum = checksum_of_file(full);
    if (checksum.empty()) return refuse_file("cannot be read");
  }
  std::string wanted;
  const std::string key_of_checksum = joined_path(section_of(path), "content");
  if (is_given(key_of_checksum)) {
    read(key_of_checksum, wanted);
    if (files_ == NamedFiles::looked_at && wanted != checksum) {
      return refuse_file(
          fmt::format("has changed: its checksum is {}, and was {}", checksum, wanted));
    }
  }
  file = {full, files_ == NamedFiles::looked_at ? checksum : wanted};
  return true;
}

void ValueReader::read_section(const std::string& path, Case& read, std::size_t n) {
  for (const Key* key : keys_of_section(path)) {
    if (!key->is_of(scheme())) continue;
    const std::string_view word = last_word_of(key->path);
    const std::string at = joined_path(path, word);
    const bool is_inner_section =
        key->kind == KeyKind::section && !path.empty() && placeholder_of(word).empty();
    if (key->read) {
      key->read(*this, at, read, n);
    } else if (is_inner_section) {
      read_section(at, read, n);
    }
    if (key->needs_temperature) refuse_without_temperature(at);
  }
}

bool ValueReader::has_good_name(const std::string& path) {
  const Key& key = key_of(path);
  const std::string name(last_word_of(path));
  std::string rule;
  if (!is_name(name, key.marks, 50)) {
    rule = fmt::format("is made of letters, digits{}, 50 at most",
                       key.marks == "_" ? " and '_'" : ", '_' and '-'");
  } else if (key.names_records && ends_like_a_piece(name)) {
    rule = "must not end in '_' and eight digits or more";
  }
  if (rule.empty()) return true;
  wrong_.insert(path);
  add_problem(path, fmt::format("the name of a {} {}", key.named, rule));
  return false;
}

std::optional<Scheme> ValueReader::scheme() const {
  return scheme_of(root_);
}

bool ValueReader::has_temperature() const {
  return scheme() != Scheme::projection || is_given("fluid.prandtl");
}

const CaseNode* ValueReader::find(std::string_view path) const {
  const CaseEntry* const entry = find_entry(root_, path);
  return entry == nullptr ? nullptr : &entry->value;
}

std::vector<std::string> ValueReader::names_in(const std::string& path) const {
  std::vector<std::string> names;
  if (!is_map(path)) return names;
  for (const CaseEntry& entry : find(path)->entries) {
    const Key* const key = find_key(joined_path(path, entry.key));  // null: refused elsewhere
    if (key != nullptr && last_word_of(key->path) == "NAME") names.push_back(entry.key);
  }
  return names;
}

void ValueReader::add_missing(const std::string& path) {
  add_missing(path, kind_text(key_of_scheme(path)));
}

void ValueReader::add_missing(const std::string& path, const std::string& expected) {
  if (!may_be_missed(path)) return;
  const std::string meaning = meaning_text(key_of_scheme(path));
  problems_.add(position_of(root_, path),
                fmt::format("{} is missing, but must be given: {} ({})", path, expected, meaning));
}

void ValueReader::require(const std::string& path) {
  if (!is_given(path)) add_missing(path);
}

void ValueReader::require_one_of(const std::string& path, const std::string& other) {
  if (is_given(path)) return refuse_beside(other, path);
  if (!is_given(other) && may_be_missed(other))
    add_missing(path, fmt::format("{}, or {} instead", kind_text(key_of_scheme(path)), other));
}

void ValueReader::add_mistake(const std::string& path,
                              const std::string& rule,
                              const std::string& remark) {
  wrong_.insert(path);
  problems_.add(
      position_of(root_, path),
      mistake_message(path, *find(path), key_of_scheme(path), ValueMistake(rule, remark)));
}

void ValueReader::add_item_mistake(const std::string& path,
                                   std::size_t item,
                                   const std::string& rule,
                                   const std::string& remark) {
  const std::vector<CaseNode>& items = find(path)->items;
  wrong_.insert(path);
  if (item >= items.size()) return;
  const CaseNode& value = items[item];
  const bool is_in_file = value.position.source == 0;
  problems_.add(is_in_file && !value.is_empty() ? value.position : position_of(root_, path),
                mistake_message(fmt::format("{}[{}]", path, item),
                                value,
                                key_of_scheme(path),
                                ValueMistake(rule, remark)));
}

void ValueReader::add_problem(const std::string& path, const std::string& message) {
  problems_.add(position_of(root_, path), fmt::format("{}: {}", path, message));
}

void ValueReader::refuse(const std::string& path, const std::string& message) {
  if (is_given(path)) add_problem(path, message);
}

void ValueReader::refuse_beside(const std::string& path, const std::string& other) {
  refuse(path, fmt::format("given together with {}; keep one of the two", other));
}

void ValueReader::refuse_without_temperature(const std::string& path) {
  if (!has_temperature()) refuse(path, "the flow has a temperature only if fluid.prandtl is given");
}

void ValueReader::check_keys_of_kind(const std::string& path,
                                     const std::string& word,
                                     std::string_view kind) {
  for (const Key* key : keys_of_section(path)) {
    const std::string at = joined_path(path, last_word_of(key->path));
    if (std::ranges::count(key->needed_by, kind) > 0 && key->is_of(scheme())) require(at);
    if (!key->kinds.empty() && std::ranges::count(key->kinds, kind) == 0)
      refuse(at, fmt::format("not used by {} {}; leave it out", word, kind));
  }
}

bool ValueReader::may_be_missed(const std::string& path) const {
  for (std::string_view section = section_of(path); !section.empty();
       section = section_of(section)) {
    const CaseNode* const node = find(section);
    if (node != nullptr && !node->is_map() && !node->is_empty()) return false;
  }
  return std::ranges::none_of(
      suggested_, [&path](const std::string& key) { return is_at_or_below(path, key); });
}

}  // namespace dns
