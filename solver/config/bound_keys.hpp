/// Keys bound to where a Case holds their values: what states a key reads it, writes it and gives
/// its default.
#pragma once

#include <array>
#include <concepts>
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

/// The kind of the values that a member of type Value holds, and whether there are three of them.
template <class Value>
struct KindOf;
template <>
struct KindOf<double> : std::integral_constant<KeyKind, KeyKind::number> {};
template <>
struct KindOf<bool> : std::integral_constant<KeyKind, KeyKind::flag> {};
template <std::integral Value>
struct KindOf<Value> : std::integral_constant<KeyKind, KeyKind::whole> {};
template <>
struct KindOf<std::string> : std::integral_constant<KeyKind, KeyKind::text> {};
template <>
struct KindOf<Expression> : std::integral_constant<KeyKind, KeyKind::formula> {};
template <>
struct KindOf<std::vector<double>> : std::integral_constant<KeyKind, KeyKind::coordinates> {};
template <class Value>
struct KindOf<std::optional<Value>> : KindOf<Value> {};
template <class Value>
struct KindOf<std::array<Value, 3>> : KindOf<Value> {};
template <>
struct KindOf<Extents> : KindOf<int> {};

template <class Value>
inline constexpr bool is_triple = std::is_same_v<Value, Extents>;
template <class Value>
inline constexpr bool is_triple<std::array<Value, 3>> = true;
template <class Value>
inline constexpr bool is_triple<std::optional<Value>> = is_triple<Value>;

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
  if (terms.kind == KeyKind::section) terms.kind = KindOf<Value>::value;
  terms.is_vector = is_triple<Value>;
  if (terms.has_default) terms.default_text = yaml_text(Object{}.*member);
  terms.read = [=](ValueReader& reader, const std::string& at, Case& read, std::size_t n) {
    if (auto* const object = place(read, n)) reader.read_into(at, object->*member);
  };
  terms.written = [=](const Case& resolved, std::size_t n) {
    const auto* const object = place(resolved, n);
    return object == nullptr ? std::string{} : yaml_text(object->*member);
  };
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
    return std::string_view(names.at(static_cast<std::size_t>(object.*member)));
  };
  terms.path = path;
  terms.meaning = meaning;
  terms.kind = KeyKind::choice;
  if (terms.choices.empty()) terms.choices = {names.begin(), names.end()};
  if (terms.has_default) terms.default_text = name_of_value(Object{});
  terms.read = [=, &names](ValueReader& reader, const std::string& at, Case& read, std::size_t n) {
    auto* const object = place(read, n);
    if (object == nullptr) return;
    if (const auto given = reader.choice(at))
      object->*member = value_named<Value>(*given, names).value();
  };
  terms.written = [=](const Case& resolved, std::size_t n) {
    const auto* const object = place(resolved, n);
    if (object == nullptr) return std::string{};
    const std::string_view name = name_of_value(*object);
    return std::is_same_v<Name, std::string> ? std::string(name) : yaml_text(name);
  };
  return terms;
}

/// A section, or a word in one that stands for a list: its `terms` have `names` then.
[[nodiscard]] inline Key section(std::string_view path, Key terms, std::string_view meaning) {
  terms.path = path;
  terms.meaning = meaning;
  return terms;
}

/// Their names, as a case file writes them.
template <class Objects>
[[nodiscard]] std::vector<std::string> names_of(const Objects& objects) {
  std::vector<std::string> names;
  for (const auto& object : objects) names.push_back(yaml_text(object.name));
  return names;
}

inline constexpr std::array<std::string_view, 2> precision_names{"float", "double"};

}  // namespace dns
