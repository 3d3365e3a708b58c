/// Keys bound to where a Case holds their values: what states a key reads it, writes it and gives
/// its default.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/config/key_table.hpp"
#include "solver/config/value_reader.hpp"
#include "solver/config/yaml_text.hpp"
#include "solver/core/index.hpp"

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
inline constexpr KeyKind kind_of<PerAxis<bool>> = KeyKind::choice_list;
template <class Value>
inline constexpr KeyKind kind_of<PerAxis<Value>> = kind_of<Value>;
template <class Value>
inline constexpr KeyKind kind_of<std::optional<Value>> = kind_of<Value>;

/// Whether it holds three of them.
template <class Value>
inline constexpr bool is_triple = std::is_same_v<Value, Extents>;
template <class Value>
inline constexpr bool is_triple<PerAxis<Value>> = !std::is_same_v<Value, bool>;
template <class Value>
inline constexpr bool is_triple<std::optional<Value>> = is_triple<Value>;

/// A file is written as its path.
[[nodiscard]] inline std::string yaml_text(const FileCase& file) {
  return yaml_text(file.path);
}

/// What `member` holds: of an optional its value, null where there is none; of a list number `n`.
template <class Member>
[[nodiscard]] auto* held_by(Member& member, std::size_t n) {
  if constexpr (requires { member.has_value(); }) {
    return member ? &*member : nullptr;
  } else if constexpr (requires { member.size(); }) {
    return &member[n];
  } else {
    return &member;
  }
}

/// Makes the keys of one object of a case, such as OutputCase::fields. `place(case, n)` points to
/// the object, null where the case has none; `terms` says what does not follow from a member.
template <class Place>
class KeysOf {
 public:
  /// The keys below `path`.
  KeysOf(std::string path, Place place) : path_(std::move(path)), place_(place) {}

  /// The keys of what `member` holds, below `path` from here.
  template <class Object, class Member>
  [[nodiscard]] auto part(std::string_view path, Member Object::*member) const {
    const auto inner = [place = place_, member](auto& of_case, std::size_t n) {
      auto* const object = place(of_case, n);
      return object == nullptr ? nullptr : held_by(object->*member, n);
    };
    return KeysOf<decltype(inner)>(path.empty() ? path_ : joined_path(path_, path), inner);
  }

  /// A section, or a key that `terms` or the reader of the section read and write.
  [[nodiscard]] Key entry(std::string_view path, Key terms, std::string_view meaning) const {
    terms.path = joined_path(path_, path);
    terms.meaning = meaning;
    return terms;
  }

  /// A key with the value of `member`.
  template <class Object, class Value>
  [[nodiscard]] Key key(std::string_view path,
                        Value Object::*member,
                        Key terms,
                        std::string_view meaning) const {
    if (terms.kind == KeyKind::section) terms.kind = kind_of<Value>;
    if (terms.kind == KeyKind::interval) terms.unit = "steps or L/U";
    if (terms.kind == KeyKind::formula && terms.variables.empty()) terms.variables = "x, y, z, t";
    terms.is_vector = is_triple<Value> && terms.kind != KeyKind::order;
    const auto read_value = [](ValueReader& reader, const std::string& at, Value& value) {
      reader.read(at, value);
    };
    const auto text_of = [](const Value& value) { return yaml_text(value); };
    return entry(path, bound(member, std::move(terms), read_value, text_of), meaning);
  }

  /// A key with the value of a member that is one of `names`, in order: an enumeration, or an axis.
  /// The names must outlive the key.
  template <class Object, class Value, class Names>
  [[nodiscard]] Key choice(std::string_view path,
                           Value Object::*member,
                           const Names& names,
                           Key terms,
                           std::string_view meaning) const {
    terms.kind = KeyKind::choice;
    if (terms.choices.empty()) terms.choices = {names.begin(), names.end()};
    const auto read_value = [&names](ValueReader& reader, const std::string& at, Value& value) {
      if (std::string word; reader.read(at, word)) value = value_named<Value>(word, names).value();
    };
    const auto text_of = [&names](const Value& value) {
      const std::string_view name = name_in(names, value);
      return std::is_same_v<Names, PerAxis<std::string>> ? std::string(name) : yaml_text(name);
    };
    return entry(path, bound(member, std::move(terms), read_value, text_of), meaning);
  }

  /// A section that `member`, an optional, holds where it is given.
  template <class Object, class Held>
  [[nodiscard]] Key section(std::string_view path,
                            std::optional<Held> Object::*member,
                            Key terms,
                            std::string_view meaning) const {
    terms.read = [=, place = place_](
                     ValueReader& reader, const std::string& at, Case& read, std::size_t n) {
      if (!reader.is_given(at)) return;
      (place(read, n)->*member).emplace();
      reader.read_section(at, read, n);
    };
    return entry(path, std::move(terms), meaning);
  }

  /// The sections `path`, which ends in NAME, each with its name a record of the list `member`; one
  /// whose name is refused is not read.
  template <class Object, class Record>
  [[nodiscard]] Key records(std::string_view path,
                            std::vector<Record> Object::*member,
                            Key terms,
                            std::string_view meaning) const {
    terms.read = [=, place = place_](
                     ValueReader& reader, const std::string& at, Case& read, std::size_t) {
      const std::string section(section_of(at));
      for (const std::string& name : reader.names_in(section)) {
        std::vector<Record>& list = place(read, 0)->*member;
        list.emplace_back().name = name;
        const std::string path_of_record = joined_path(section, name);
        if (reader.has_good_name(path_of_record))
          reader.read_section(path_of_record, read, list.size() - 1);
      }
    };
    terms.names = [=, place = place_](const Case& resolved) {
      std::vector<std::string> names;
      const auto* const object = place(resolved, 0);
      if (object == nullptr) return names;
      for (const Record& record : object->*member) names.push_back(yaml_text(record.name));
      return names;
    };
    return entry(path, std::move(terms), meaning);
  }

 private:
  /// `terms` with what follows from a member that is read and written so.
  template <class Object, class Value, class ReadValue, class TextOf>
  [[nodiscard]] Key bound(Value Object::*member,
                          Key terms,
                          ReadValue read_value,
                          TextOf text_of) const {
    if (terms.has_default && !terms.is_required && terms.default_text.empty())
      terms.default_text = text_of(Object{}.*member);
    terms.read = [=, place = place_](
                     ValueReader& reader, const std::string& at, Case& read, std::size_t n) {
      if (auto* const object = place(read, n)) read_value(reader, at, object->*member);
    };
    const auto text_of_member = [=, place = place_](const Case& resolved, std::size_t n) {
      const auto* const object = place(resolved, n);
      return object == nullptr ? std::string{} : text_of(object->*member);
    };
    if (!terms.written) terms.written = text_of_member;
    return terms;
  }

  std::string path_;
  Place place_;
};

/// Makes the keys of the case itself.
[[nodiscard]] inline auto keys_of_case() {
  const auto whole = [](auto& of_case, std::size_t) { return &of_case; };
  return KeysOf<decltype(whole)>("", whole);
}

/// "{salt: 1, dye: {gradient: 0}}" of the case's scalars, each with the text of its value, which
/// stands last in `values` in their order. Empty where none has a text.
template <class Value, class TextOf>
[[nodiscard]] std::string text_of_scalars(const Case& resolved,
                                          const std::vector<Value>& values,
                                          TextOf text_of) {
  std::string entries;
  std::size_t place = values.size() - resolved.scalars.size();
  for (const ScalarCase& scalar : resolved.scalars) {
    const std::string text = text_of(values[place++]);
    if (text.empty()) continue;
    entries += (entries.empty() ? "" : ", ") + yaml_text(scalar.name) + ": " + text;
  }
  return entries.empty() ? entries : "{" + entries + "}";
}

inline constexpr std::array<std::string_view, 2> precision_names{"float", "double"};

}  // namespace dns
