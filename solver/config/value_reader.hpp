/// Values of a case file by the path of their key.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/config/case_problems.hpp"
#include "solver/config/case_tree.hpp"
#include "solver/config/expression.hpp"
#include "solver/config/key_table.hpp"
#include "solver/config/pieces_of_axis.hpp"
#include "solver/config/value_parsers.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// Reads values as the table of keys says: kind, range, need. A wrong or missing value is added to
/// the problems.
class ValueReader {
 public:
  /// `suggested`: keys that a misspelt one was probably meant to be; they are not reported as
  /// missing. Files that the case names are found from `folder`.
  /// The references must outlive the reader.
  ValueReader(const CaseNode& root,
              CaseProblems& problems,
              std::vector<std::string> suggested,
              NamedFiles files,
              std::string folder)
      : root_(root),
        problems_(problems),
        suggested_(std::move(suggested)),
        files_(files),
        folder_(std::move(folder)) {}

  /// Reads the value at `path` of the type of `value`, which stays as it is where there is none or
  /// a wrong one. Returns whether there is a right one.
  template <class Value>
  bool read(const std::string& path, Value& value) {
    return read_with(path, [&](const CaseNode& node, const Key& key) { parse(node, key, value); });
  }
  template <class Value>
  bool read(const std::string& path, std::optional<Value>& value) {
    Value given{};
    const bool is_read = read(path, given);
    if (is_read) value = std::move(given);
    return is_read;
  }
  /// A list for x, y, z; an order may be one number for all of them.
  template <class Value>
  bool read(const std::string& path, PerAxis<Value>& values) {
    PerAxis<Value> given{};
    const bool is_read = read_with(path, [&](const CaseNode& node, const Key& key) {
      if (key.is_vector || node.is_list()) return read_items(path, node, key, given);
      parse(node, key, given[0]);
      given = {given[0], given[0], given[0]};
    });
    if (is_read) values = std::move(given);
    return is_read;
  }
  /// A number that is auto is 0.
  bool read(const std::string& path, Extents& points);
  bool read(const std::string& path, std::vector<UniformPart>& parts);
  /// A formula that may name `fields`.
  bool read(const std::string& path, Expression& formula, std::span<const std::string> fields);
  bool read(const std::string& path,
            PerAxis<Expression>& formulas,
            std::span<const std::string> fields);
  /// An axis by its name, or a list for x, y, z that is not 0.
  bool read_direction(const std::string& path, PerAxis<double>& direction);
  /// The axes named.
  bool read(const std::string& path, PerAxis<bool>& axes);
  bool read(const std::string& path, std::vector<double>& coordinates);
  /// A file by its path, and its checksum, which the key `content` beside it may prescribe. Where
  /// files are left alone, what is given.
  bool read(const std::string& path, FileCase& file);

  [[nodiscard]] bool looks_at_files() const { return files_ == NamedFiles::looked_at; }

  /// Reads the keys at and below section `path` ("" is the file, without its sections) that are
  /// bound to a Case and that the scheme has into it, in the order of the table; `n` counts what a
  /// placeholder in the path stands for.
  void read_section(const std::string& path, Case& read, std::size_t n = 0);

  /// Whether the value at `path` is given and no mistake has been found in it.
  [[nodiscard]] bool is_right(const std::string& path) const {
    return is_given(path) && !is_wrong(path);
  }
  /// A mistake has been found in the value at `path`.
  [[nodiscard]] bool is_wrong(const std::string& path) const { return wrong_.contains(path); }

  /// The scheme of the case; none where it is missing or unknown.
  [[nodiscard]] std::optional<Scheme> scheme() const;
  /// Keys of this scheme are to be read: it is the case's scheme, or the case's is not known.
  [[nodiscard]] bool may_be(Scheme asked) const { return scheme().value_or(asked) == asked; }

  /// Scheme projection has a temperature only where fluid.prandtl is given.
  [[nodiscard]] bool has_temperature() const;

  /// The value at `path`; null where there is none.
  [[nodiscard]] const CaseNode* find(std::string_view path) const;
  [[nodiscard]] bool is_given(const std::string& path) const { return find(path) != nullptr; }
  /// The value is a map, as that of `temperature: {gradient: 0}`.
  [[nodiscard]] bool is_map(const std::string& path) const {
    return is_given(path) && find(path)->is_map();
  }

  /// The keys of the map at `path` that stand for NAME, in the order of the file.
  [[nodiscard]] std::vector<std::string> names_in(const std::string& path) const;

  /// The name that ends `path`, of a section with a name of the user's choice, may be one.
  [[nodiscard]] bool has_good_name(const std::string& path);

  /// No problem found so far explains why `path` is not given.
  [[nodiscard]] bool may_be_missed(const std::string& path) const;

  /// Adds "PATH is missing, but must be given: EXPECTED (meaning)", unless its section is no map or
  /// the key was probably misspelt, which is reported elsewhere.
  void add_missing(const std::string& path);
  void add_missing(const std::string& path, const std::string& expected);
  /// Requires a key: adds the problem of add_missing unless it is given.
  void require(const std::string& path);
  /// Requires one of two keys, and refuses `other` beside `path`.
  void require_one_of(const std::string& path, const std::string& other);

  /// Adds "PATH is VALUE, but must be RULE (meaning)REMARK".
  void add_mistake(const std::string& path,
                   const std::string& rule,
                   const std::string& remark = {});
  /// Adds the mistake of item `item` of a list, as add_mistake does; nothing where the value is no
  /// list of that length, which is refused as a whole.
  void add_item_mistake(const std::string& path,
                        std::size_t item,
                        const std::string& rule,
                        const std::string& remark);

  /// Adds "PATH: MESSAGE" where the key stands.
  void add_problem(const std::string& path, const std::string& message);
  /// Refuses a key: adds the problem of add_problem if it is given.
  void refuse(const std::string& path, const std::string& message);
  /// Refuses `path` where `other` is given, too.
  void refuse_beside(const std::string& path, const std::string& other);

  /// Refuses `path` where the flow has no temperature.
  void refuse_without_temperature(const std::string& path);

  /// Requires and refuses the keys of section `path` as its choice `word` of a kind says.
  void check_keys_of_kind(const std::string& path, const std::string& word, std::string_view kind);

 private:
  /// The key at `path`, with the alternatives that the scheme of the case has.
  [[nodiscard]] Key key_of_scheme(const std::string& path) const;
  bool read_with(const std::string& path,
                 const std::function<void(const CaseNode&, const Key&)>& parse);
  template <class Value>
  void read_items(const std::string& path,
                  const CaseNode& node,
                  const Key& key,
                  PerAxis<Value>& items) {
    if (key.may_be_auto && node.is_scalar() && node.text == "auto") return;
    if (!node.is_list() || node.items.size() != 3) throw ValueMistake(kind_text(key));
    for (std::size_t item = 0; item < 3; ++item) {
      try {
        parse(node.items[item], key, items[item]);
      } catch (const ValueMistake& mistake) {
        add_item_mistake(path, item, mistake.what(), mistake.remark);
      }
    }
  }

  const CaseNode& root_;
  CaseProblems& problems_;
  std::vector<std::string> suggested_;
  std::set<std::string> wrong_;
  NamedFiles files_;
  std::string folder_;
};

}  // namespace dns
