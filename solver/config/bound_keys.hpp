/// Keys bound to where a Case holds their values: what states a key reads it, writes it and gives
/// its default.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "solver/config/key_table.hpp"
#include "solver/config/value_reader.hpp"
#include "solver/config/yaml_text.hpp"

namespace dns {

/// The kind of the values that a member of type Value holds. A file is named by a text.
template <class Value>
inline constexpr KeyKind kind_of = std::is_same_v<Value, bool>         ? KeyKind::flag
                                   : std::is_integral_v<Value>         ? KeyKind::whole
                                   : std::is_same_v<Value, double>     ? KeyKind::number
                                   : std::is_same_v<Value, Expression> ? KeyKind::formula
                                                                       : KeyKind::text;
template <>
inline constexpr KeyKind kind_of<Interval> = KeyKind::interval;
template <>
inline constexpr KeyKind kind_of<Extents> = KeyKind::whole;
template <>
inline constexpr KeyKind kind_of<std::vector<double>> = KeyKind::coordinates;
template <>
inline constexpr KeyKind kind_of<std::vector<std::string>> = KeyKind::choice_list;
template <>
inline constexpr KeyKind kind_of<std::array<bool, 3>> = KeyKind::choice_list;
template <class Value>
inline constexpr KeyKind kind_of<std::array<Value, 3>> = kind_of<Value>;
template <class Value>
inline constexpr KeyKind kind_of<std::optional<Value>> = kind_of<Value>;

/// Whether it holds three of them.
template <class Value>
inline constexpr bool is_triple = std::is_same_v<Value, Extents>;
template <class Value>
inline constexpr bool is_triple<std::array<Value, 3>> = !std::is_same_v<Value, bool>;
template <class Value>
inline constexpr bool is_triple<std::optional<Value>> = is_triple<Value>;

/// A file is written as its path.
[[nodiscard]] inline std::string yaml_text(const FileCase& file) {
  return yaml_text(file.path);
}

/// The section that an optional holds, null where there is none.
template <class Section>
[[nodiscard]] auto* held(Section& section) {
  return section ? &*section : nullptr;
}

/// The key `path` of `member` of an object. `place(case, n)` points to the object, null where the
/// case has none; `terms` says the rest.
template <class Place, class Object, class Value>
[[nodiscard]] Key key(std::string_view path,
                      Place place,
                      Value Object::*member,
                      Key terms,
                      std::string_view meaning) {
  terms.path = path;
  terms.meaning = meaning;
  if (terms.kind == KeyKind::section) terms.kind = kind_of<Value>;
  terms.is_vector = is_triple<Value> && terms.kind != KeyKind::order;
  if (terms.has_default) terms.default_text = yaml_text(Object{}.*member);
  terms.read = [=](ValueReader& reader, const std::string& at, Case& read, std::size_t n) {
    if (auto* const object = place(read, n)) reader.read(at, object->*member);
  };
  const auto text_of_member = [=](const Case& resolved, std::size_t n) {
    const auto* const object = place(resolved, n);
    return object == nullptr ? std::string{} : yaml_text(object->*member);
  };
  if (!terms.written) terms.written = text_of_member;
  return terms;
}

/// The same of a member that is one of `names`, in order: an enumeration, or an axis. The names
/// must outlive the key.
template <class Place, class Object, class Value, class Name, std::size_t count>
[[nodiscard]] Key choice(std::string_view path,
                         Place place,
                         Value Object::*member,
                         const std::array<Name, count>& names,
                         Key terms,
                         std::string_view meaning) {
  const auto name_of_value = [&names, member](const Object& object) {
    return name_in(names, object.*member);
  };
  terms.path = path;
  terms.meaning = meaning;
  terms.kind = KeyKind::choice;
  if (terms.choices.empty()) terms.choices = {names.begin(), names.end()};
  if (terms.has_default) terms.default_text = name_of_value(Object{});
  terms.read = [=, &names](ValueReader& reader, const std::string& at, Case& read, std::size_t n) {
    auto* const object = place(read, n);
    if (object == nullptr) return;
    if (std::string word; reader.read(at, word))
      object->*member = value_named<Value>(word, names).value();
  };
  terms.written = [=](const Case& resolved, std::size_t n) {
    const auto* const object = place(resolved, n);
    if (object == nullptr) return std::string{};
    const std::string_view name = name_of_value(*object);
    return std::is_same_v<Name, std::string> ? std::string(name) : yaml_text(name);
  };
  return terms;
}

/// A section.
[[nodiscard]] inline Key section(std::string_view path, Key terms, std::string_view meaning) {
  terms.path = path;
  terms.meaning = meaning;
  return terms;
}

/// The section `path` of an object which an optional member holds where the section is given.
template <class Place, class Object, class Held>
[[nodiscard]] Key section(std::string_view path,
                          Place place,
                          std::optional<Held> Object::*member,
                          Key terms,
                          std::string_view meaning) {
  terms.read = [=](ValueReader& reader, const std::string& at, Case& read, std::size_t n) {
    if (!reader.is_given(at)) return;
    (place(read, n)->*member).emplace();
    reader.read_section(at, read, n);
  };
  return section(path, terms, meaning);
}

/// The sections `path`, which ends in NAME, each with its name a record of the list `member`; one
/// whose name is refused is not read.
template <class Place, class Object, class Record>
[[nodiscard]] Key records(std::string_view path,
                          Place place,
                          std::vector<Record> Object::*member,
                          Key terms,
                          std::string_view meaning) {
  terms.read = [=](ValueReader& reader, const std::string& at, Case& read, std::size_t) {
    const std::string section(section_of(at));
    for (const std::string& name : reader.names_in(section)) {
      std::vector<Record>& list = place(read, 0)->*member;
      list.emplace_back().name = name;
      const std::string path_of_record = joined_path(section, name);
      if (reader.has_good_name(path_of_record))
        reader.read_section(path_of_record, read, list.size() - 1);
    }
  };
  terms.names = [=](const Case& resolved) {
    std::vector<std::string> names;
    const auto* const object = place(resolved, 0);
    if (object == nullptr) return names;
    for (const Record& record : object->*member) names.push_back(yaml_text(record.name));
    return names;
  };
  return section(path, terms, meaning);
}

inline constexpr std::array<std::string_view, 2> precision_names{"float", "double"};

}  // namespace dns
