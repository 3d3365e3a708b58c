/// Typed values of a case file by the path of their key.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/config/case_problems.hpp"
#include "solver/config/case_tree.hpp"
#include "solver/config/expression.hpp"
#include "solver/config/key_table.hpp"

namespace dns {

/// Reads values as the table of keys says: kind, range, default. A wrong or missing value is added
/// to the problems and returned as nothing; so is, without a problem, one that is optional and has
/// no default.
class ValueReader {
 public:
  /// `suggested`: keys that a misspelt one was probably meant to be; they are not reported as
  /// missing.
  /// The references must outlive the reader.
  ValueReader(const CaseNode& root,
              CaseProblems& problems,
              std::vector<std::string> suggested,
              NamedFiles files)
      : root_(root), problems_(problems), suggested_(std::move(suggested)), files_(files) {}

  /// A number, of seconds also as "HH:MM:SS".
  [[nodiscard]] std::optional<double> number(const std::string& path);
  [[nodiscard]] std::optional<std::array<double, 3>> numbers(const std::string& path);
  [[nodiscard]] std::optional<std::int64_t> whole(const std::string& path);
  [[nodiscard]] std::optional<std::array<std::int64_t, 3>> wholes(const std::string& path);
  /// Orders of differences along x, y, z, from one number for all of them or from a list.
  [[nodiscard]] std::optional<std::array<int, 3>> orders(const std::string& path);
  /// A text, or one of the words of a choice.
  [[nodiscard]] std::optional<std::string> text(const std::string& path);
  [[nodiscard]] std::optional<std::string> choice(const std::string& path);
  [[nodiscard]] std::optional<bool> flag(const std::string& path);
  [[nodiscard]] std::optional<std::vector<std::string>> choices(const std::string& path);
  /// A list, or that of a file found from `folder`.
  [[nodiscard]] std::optional<std::vector<double>> coordinates(const std::string& path,
                                                               const std::string& folder);
  [[nodiscard]] std::optional<Expression> formula(const std::string& path);
  [[nodiscard]] std::optional<std::array<Expression, 3>> formulas(const std::string& path);

  /// Reads the value at `path` of the type of `value`, which stays as it is where there is none.
  void read_into(const std::string& path, double& value) { take(number(path), value); }
  void read_into(const std::string& path, std::array<double, 3>& value) {
    take(numbers(path), value);
  }
  template <std::integral Value>
  void read_into(const std::string& path, Value& value) {
    if constexpr (std::is_same_v<Value, bool>) {
      take(flag(path), value);
    } else if (const auto given = whole(path)) {
      value = static_cast<Value>(*given);
    }
  }
  void read_into(const std::string& path, Extents& value);
  void read_into(const std::string& path, std::string& value) { take(text(path), value); }
  void read_into(const std::string& path, Expression& value) { take(formula(path), value); }
  void read_into(const std::string& path, std::array<Expression, 3>& value) {
    take(formulas(path), value);
  }
  template <class Value>
  void read_into(const std::string& path, std::optional<Value>& value) {
    Value given{};
    read_into(path, given);
    if (is_given(path) && !is_wrong(path)) value = given;
  }

  /// Reads the keys of section `path` ("" is the file) that are bound to a Case and that the scheme
  /// has into it, in the order of the table, without those that are read apart; `n` counts what a
  /// placeholder in the path stands for.
  void read_section(const std::string& path, Case& read, std::size_t n = 0);
  /// One of them.
  void read_key(const std::string& path, Case& read, std::size_t n = 0);

  /// A mistake has been found in the value at `path`.
  [[nodiscard]] bool is_wrong(const std::string& path) const { return wrong_.contains(path); }

  /// Whether files that the case names are to be looked at.
  [[nodiscard]] bool looks_at_files() const { return files_ == NamedFiles::looked_at; }

  /// The scheme of the case; none where it is missing or unknown.
  [[nodiscard]] std::optional<Scheme> scheme() const;
  /// Keys of this scheme are to be read: it is the case's scheme, or the case's is not known.
  [[nodiscard]] bool may_be(Scheme asked) const { return scheme().value_or(asked) == asked; }

  /// Scheme projection has a temperature only where fluid.prandtl is given.
  [[nodiscard]] bool has_temperature() const;

  [[nodiscard]] bool is_given(const std::string& path) const;
  /// The value is a map, as that of `temperature: {gradient: 0}`.
  [[nodiscard]] bool is_map(const std::string& path) const;

  /// The value is a list, as [1, 2, 3].
  [[nodiscard]] bool is_list(const std::string& path) const;

  /// The keys of the map at `path`, in the order of the file; none where there is no map.
  [[nodiscard]] std::vector<std::string> words_in(const std::string& path) const;

  /// Those of them that stand for NAME.
  [[nodiscard]] std::vector<std::string> names_in(const std::string& path) const;

  /// The value is the scalar `text`.
  [[nodiscard]] bool has_text(const std::string& path, std::string_view text) const;

  /// No problem found so far explains why `path` is not given.
  [[nodiscard]] bool may_be_missed(const std::string& path) const;

  /// Adds "PATH is missing, but must be given: EXPECTED (meaning)", unless its section is no map or
  /// the key was probably misspelt, which is reported elsewhere.
  void add_missing(const std::string& path);
  void add_missing(const std::string& path, const std::string& expected);

  /// Adds "PATH is VALUE, but must be RULE (meaning)REMARK".
  void add_mistake(const std::string& path, const std::string& rule, const std::string& remark);
  /// The same for item `item` of a list; nothing where the value is no list of that length, which
  /// is refused as a whole.
  void add_item_mistake(const std::string& path,
                        std::size_t item,
                        const std::string& rule,
                        const std::string& remark);

  /// Adds "PATH: MESSAGE" where the key stands.
  void add_problem(const std::string& path, const std::string& message);

  /// Adds a problem where `path` is given, but the flow has no temperature.
  void refuse_without_temperature(const std::string& path);

 private:
  template <class Value, class Parse>
  std::optional<Value> read(const std::string& path, Parse parse);
  template <class Value, class Parse>
  std::optional<std::array<Value, 3>> read_vector(const std::string& path, Parse parse);

  template <class Value>
  static void take(std::optional<Value> given, Value& value) {
    if (given) value = std::move(*given);
  }

  [[nodiscard]] Position position(const std::string& path) const;

  const CaseNode& root_;
  CaseProblems& problems_;
  std::vector<std::string> suggested_;
  std::set<std::string> wrong_;
  NamedFiles files_;
};

}  // namespace dns
