#include "solver/config/value_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "solver/config/case_keys.hpp"
#include "solver/config/value_parsers.hpp"

namespace dns {
namespace {

const Key& key_of(const std::string& path) {
  const Key* const key = find_key(path);
  if (key == nullptr) throw std::logic_error("no key " + path + " in the table");
  return *key;
}

std::string mistake_message(const std::string& path,
                            const CaseNode& value,
                            const std::string& rule,
                            const std::string& remark) {
  return fmt::format("{} is {}, but must be {} ({}){}",
                     path,
                     shown(value),
                     rule,
                     meaning_text(key_of(path.substr(0, path.find('[')))),
                     remark);
}

std::string item_path(const std::string& path, std::size_t item) {
  return fmt::format("{}[{}]", path, item);
}

}  // namespace

template <class Value, class Parse>
std::optional<Value> ValueReader::read(const std::string& path, Parse parse) {
  const Key& key = key_of(path);
  const CaseEntry* const entry = find_entry(root_, path);
  if (entry == nullptr) {
    if (key.is_required) add_missing(path);
    if (key.default_text.empty()) return std::nullopt;
    return parse(parse_tree(std::string(key.default_text), 0), key);
  }
  try {
    return parse(entry->value, key);
  } catch (const ValueMistake& mistake) {
    add_mistake(path, mistake.rule(), mistake.remark());
  }
  return std::nullopt;
}

template <class Value, class Parse>
std::optional<std::array<Value, 3>> ValueReader::read_vector(const std::string& path, Parse parse) {
  using Vector = std::optional<std::array<Value, 3>>;
  const auto parse_items = [&](const CaseNode& node, const Key& key) -> Vector {
    if (!node.is_list() || node.items.size() != 3) throw ValueMistake(kind_text(key));
    Vector vector{std::in_place};
    bool is_good = true;
    for (std::size_t item = 0; item < 3; ++item) {
      try {
        (*vector)[item] = parse(node.items[item], key);
      } catch (const ValueMistake& mistake) {
        add_item_mistake(path, item, mistake.rule(), mistake.remark());
        is_good = false;
      }
    }
    return is_good ? vector : std::nullopt;
  };
  return read<Vector>(path, parse_items).value_or(std::nullopt);
}

std::optional<double> ValueReader::number(const std::string& path) {
  return read<double>(path, key_of(path).kind == KeyKind::duration ? parse_duration : parse_number);
}

std::optional<std::array<double, 3>> ValueReader::numbers(const std::string& path) {
  return read_vector<double>(path, parse_number);
}

std::optional<std::int64_t> ValueReader::whole(const std::string& path) {
  return read<std::int64_t>(path, parse_whole);
}

std::optional<std::array<std::int64_t, 3>> ValueReader::wholes(const std::string& path) {
  return read_vector<std::int64_t>(path, parse_whole);
}

std::optional<std::array<int, 3>> ValueReader::orders(const std::string& path) {
  if (is_list(path)) return read_vector<int>(path, parse_order);
  const std::optional<int> order = read<int>(path, parse_order);
  if (!order) return std::nullopt;
  return std::array{*order, *order, *order};
}

std::optional<std::string> ValueReader::text(const std::string& path) {
  return key_of(path).kind == KeyKind::choice ? choice(path) : read<std::string>(path, parse_text);
}

std::optional<std::string> ValueReader::choice(const std::string& path) {
  return read<std::string>(path, parse_choice);
}

std::optional<bool> ValueReader::flag(const std::string& path) {
  return read<bool>(path, parse_flag);
}

std::optional<std::vector<std::string>> ValueReader::choices(const std::string& path) {
  return read<std::vector<std::string>>(path, parse_choice_list);
}

std::optional<std::vector<double>> ValueReader::coordinates(const std::string& path,
                                                            const std::string& folder) {
  return read<std::vector<double>>(path, [&](const CaseNode& node, const Key& key) {
    return parse_coordinates(node, key, folder);
  });
}

std::optional<Expression> ValueReader::formula(const std::string& path) {
  return read<Expression>(path, parse_formula);
}

std::optional<std::array<Expression, 3>> ValueReader::formulas(const std::string& path) {
  return read_vector<Expression>(path, parse_formula);
}

void ValueReader::read_into(const std::string& path, Extents& value) {
  const auto given = wholes(path);
  if (!given) return;
  value = {
      static_cast<int>((*given)[0]), static_cast<int>((*given)[1]), static_cast<int>((*given)[2])};
}

void ValueReader::read_section(const std::string& path, Case& read, std::size_t n) {
  const std::string_view section = path.empty() ? std::string_view{} : key_of(path).path;
  for (const Key& key : key_table()) {
    const bool is_of_scheme = !key.only || may_be(*key.only);
    const bool is_read_here = section_of(key.path) == section && key.read && !key.is_read_apart;
    if (!is_read_here || !is_of_scheme) continue;
    const std::string word{last_word_of(key.path)};
    key.read(*this, path.empty() ? word : fmt::format("{}.{}", path, word), read, n);
  }
}

void ValueReader::read_key(const std::string& path, Case& read, std::size_t n) {
  key_of(path).read(*this, path, read, n);
}

std::optional<Scheme> ValueReader::scheme() const {
  return scheme_of(root_);
}

bool ValueReader::has_temperature() const {
  return scheme() != Scheme::projection || is_given("fluid.prandtl");
}

bool ValueReader::is_given(const std::string& path) const {
  return find_entry(root_, path) != nullptr;
}

bool ValueReader::is_map(const std::string& path) const {
  const CaseEntry* const entry = find_entry(root_, path);
  return entry != nullptr && entry->value.is_map();
}

bool ValueReader::is_list(const std::string& path) const {
  const CaseEntry* const entry = find_entry(root_, path);
  return entry != nullptr && entry->value.is_list();
}

std::vector<std::string> ValueReader::words_in(const std::string& path) const {
  std::vector<std::string> words;
  if (!is_map(path)) return words;
  for (const CaseEntry& entry : find_entry(root_, path)->value.entries) words.push_back(entry.key);
  return words;
}

std::vector<std::string> ValueReader::names_in(const std::string& path) const {
  std::vector<std::string> names = words_in(path);
  std::erase_if(names, [&path](const std::string& word) {
    const Key* const key = find_key(fmt::format("{}.{}", path, word));
    return key == nullptr || last_word_of(key->path) != "NAME";  // refused elsewhere, or a key
  });
  return names;
}

bool ValueReader::has_text(const std::string& path, std::string_view text) const {
  const CaseEntry* const entry = find_entry(root_, path);
  return entry != nullptr && entry->value.is_scalar() && entry->value.text == text;
}

void ValueReader::add_missing(const std::string& path) {
  add_missing(path, kind_text(key_of(path)));
}

void ValueReader::add_missing(const std::string& path, const std::string& expected) {
  if (!may_be_missed(path)) return;
  const std::string meaning = meaning_text(key_of(path));
  problems_.add(position(path),
                fmt::format("{} is missing, but must be given: {} ({})", path, expected, meaning));
}

void ValueReader::add_mistake(const std::string& path,
                              const std::string& rule,
                              const std::string& remark) {
  const CaseEntry* const entry = find_entry(root_, path);
  wrong_.insert(path);
  problems_.add(entry->position, mistake_message(path, entry->value, rule, remark));
}

void ValueReader::add_item_mistake(const std::string& path,
                                   std::size_t item,
                                   const std::string& rule,
                                   const std::string& remark) {
  const std::vector<CaseNode>& items = find_entry(root_, path)->value.items;
  wrong_.insert(path);
  if (item >= items.size()) return;
  const CaseNode& value = items[item];
  const bool is_in_file = value.position.source == 0;
  problems_.add(is_in_file && !value.is_empty() ? value.position : position(path),
                mistake_message(item_path(path, item), value, rule, remark));
}

void ValueReader::add_problem(const std::string& path, const std::string& message) {
  problems_.add(position(path), fmt::format("{}: {}", path, message));
}

void ValueReader::refuse_without_temperature(const std::string& path) {
  if (is_given(path) && !has_temperature())
    add_problem(path, "the flow has a temperature only if fluid.prandtl is given");
}

bool ValueReader::may_be_missed(const std::string& path) const {
  for (std::string_view section = section_of(path); !section.empty();
       section = section_of(section)) {
    const CaseEntry* const entry = find_entry(root_, section);
    const bool is_no_section =
        entry != nullptr && !entry->value.is_map() && !entry->value.is_empty();
    if (is_no_section) return false;
  }
  return std::none_of(suggested_.begin(), suggested_.end(), [&path](const std::string& key) {
    return path == key || path.substr(0, key.size() + 1) == key + ".";
  });
}

Position ValueReader::position(const std::string& path) const {
  for (std::string_view place = path; !place.empty(); place = section_of(place)) {
    if (const CaseEntry* const entry = find_entry(root_, place)) return entry->position;
  }
  return {};
}

}  // namespace dns
