/// A case file as a tree that remembers where each part of it stands.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace dns {

/// Where something was given: in the file (source 0) or by the override number `source`, from 1.
struct Position {
  int source = 0;
  int line = 1;
  int column = 1;
};

struct CaseEntry;

/// A scalar, a list or a map. Aliases are resolved: each keeps a copy of what it refers to.
struct CaseNode {
  enum class Kind { empty, scalar, list, map };

  Kind kind = Kind::empty;
  std::string text;        // of a scalar
  std::string formula;     // of which it is the value; empty: of none
  std::string trouble;     // "; why its formula has no value"; empty: it has, or is none
  bool is_quoted = false;  // a scalar that YAML must not take for a number
  Position position;
  std::vector<CaseNode> items;     // of a list
  std::vector<CaseEntry> entries;  // of a map, in the order of the file, duplicates included

  [[nodiscard]] bool is_map() const { return kind == Kind::map; }
  [[nodiscard]] bool is_list() const { return kind == Kind::list; }
  [[nodiscard]] bool is_scalar() const { return kind == Kind::scalar; }
  [[nodiscard]] bool is_empty() const { return kind == Kind::empty; }

  /// The first entry named `key` of a map; null when there is none.
  [[nodiscard]] const CaseEntry* find(std::string_view key) const;
};

struct CaseEntry {
  std::string key;
  Position position;  // of the key
  CaseNode value;
};

/// The entry at `path`, such as "grid.points"; null when there is none.
const CaseEntry* find_entry(const CaseNode& root, std::string_view path);

/// The position of the entry at `path`, or of the section that would hold it.
Position position_of(const CaseNode& root, std::string_view path);

/// `node` as short YAML on one line, for messages.
std::string shown(const CaseNode& node);

/// A text that is no YAML: where and why.
struct SyntaxError : std::runtime_error {
  SyntaxError(Position at, const std::string& reason) : std::runtime_error(reason), position(at) {}
  Position position;
};

/// Reads one YAML document; every position gets `source`. An empty document gives an empty node.
/// Throws SyntaxError when the text is no YAML or more than one document.
CaseNode parse_tree(const std::string& yaml, int source);

}  // namespace dns
