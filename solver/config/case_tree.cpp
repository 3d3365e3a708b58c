#include "solver/config/case_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "solver/config/key_path.hpp"

namespace dns {
namespace {

/// Far above the tree of any case file; aliases can blow up a small file to more.
constexpr std::size_t most_bytes_of_tree = std::size_t{16} << 20U;

/// Bytes of a node without what is in it.
std::size_t own_bytes(const CaseNode& node) {
  return sizeof(CaseNode) + node.text.size();
}

std::size_t bytes_in(const CaseNode& node) {
  std::size_t bytes = own_bytes(node);
  for (const CaseNode& item : node.items) bytes += bytes_in(item);
  for (const CaseEntry& entry : node.entries)
    bytes += sizeof(CaseEntry) + entry.key.size() + bytes_in(entry.value);
  return bytes;
}

/// Builds the tree from the events of yaml-cpp's parser.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(int source) : source_(source) {}

  [[nodiscard]] CaseNode take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      throw SyntaxError(position(mark), "a second YAML document; a case file holds one");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(node_of(CaseNode::Kind::empty, mark), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      throw SyntaxError(position(mark), "an alias to something that contains it");
    }
    const CaseNode& meant = found->second;
    count(bytes_in(meant) - own_bytes(meant), position(mark));  // add() counts its own
    CaseNode copy = meant;
    copy.position = position(mark);
    add(std::move(copy), YAML::NullAnchor);
  }

  void OnScalar(const YAML::Mark& mark,
                const std::string& tag,
                YAML::anchor_t anchor,
                const std::string& value) override {
    CaseNode node = node_of(CaseNode::Kind::scalar, mark);
    node.text = value;
    node.is_quoted = tag == "!" || tag == "tag:yaml.org,2002:str";
    add(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& /*tag*/,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open_.push_back({node_of(CaseNode::Kind::list, mark), anchor, {}});
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark,
                  const std::string& /*tag*/,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open_.push_back({node_of(CaseNode::Kind::map, mark), anchor, {}});
  }
  void OnMapEnd() override { close(); }

 private:
  struct OpenNode {
    CaseNode node;
    YAML::anchor_t anchor;
    std::optional<CaseNode> key;  // of a map: read, its value still to come
  };

  [[nodiscard]] Position position(const YAML::Mark& mark) const {
    return {source_, mark.line + 1, mark.column + 1};
  }

  [[nodiscard]] CaseNode node_of(CaseNode::Kind kind, const YAML::Mark& mark) const {
    CaseNode node;
    node.kind = kind;
    node.position = position(mark);
    return node;
  }

  void close() {
    OpenNode closed = std::move(open_.back());
    open_.pop_back();
    add(std::move(closed.node), closed.anchor);
  }

  void count(std::size_t bytes, Position position) {
    bytes_ += bytes;
    if (bytes_ <= most_bytes_of_tree) return;
    throw SyntaxError(
        position, "too much for a case file: more than 16 MiB with all aliases (*name) in full");
  }

  void add(CaseNode node, YAML::anchor_t anchor) {
    count(own_bytes(node), node.position);
    if (anchor != YAML::NullAnchor) {
      count(bytes_in(node), node.position);  // anchors within anchors: copies of copies
      anchors_[anchor] = node;
    }
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    OpenNode& parent = open_.back();
    if (parent.node.is_list()) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      parent.key = std::move(node);
    } else {
      const std::string key = parent.key->is_scalar() ? parent.key->text : shown(*parent.key);
      parent.node.entries.push_back({key, parent.key->position, std::move(node)});
      parent.key.reset();
    }
  }

  int source_;
  int documents_ = 0;
  std::size_t bytes_ = 0;
  CaseNode root_;
  std::vector<OpenNode> open_;
  std::map<YAML::anchor_t, CaseNode> anchors_;
};

/// Whether line `number`, from 1, begins with blanks that hold a tab.
bool is_indented_with_tab(const std::string& yaml, int number) {
  std::istringstream lines(yaml);
  std::string line;
  for (int read = 0; read < number; ++read)
    if (!std::getline(lines, line)) return false;
  return line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string::npos;
}

struct OpenBracket {
  char bracket;
  Position position;
};

/// The brackets that are open where line and column of `end`, from 1, begin. Quotes and comments
/// have none; outside of brackets one opens where a value begins.
std::vector<OpenBracket> open_brackets(const std::string& yaml, Position end) {
  std::vector<OpenBracket> open;
  Position here{end.source, 1, 1};
  char quote = 0;
  char before = '\n';  // the last character but blanks
  char last = '\n';
  bool is_comment = false;
  for (const char c : yaml) {
    if (here.line > end.line || (here.line == end.line && here.column >= end.column)) break;
    const bool begins_value = std::string_view(":-\n[{,").find(before) != std::string_view::npos;
    if (quote != 0) {
      if (c == quote && last != '\\') quote = 0;
    } else if (is_comment) {
      is_comment = c != '\n';
    } else if (c == '#' && (last == ' ' || last == '\n')) {
      is_comment = true;
    } else if ((c == '"' || c == '\'') && begins_value) {
      quote = c;
    } else if ((c == '[' || c == '{') && (begins_value || !open.empty())) {
      open.push_back({c, here});
    } else if ((c == ']' || c == '}') && !open.empty()) {
      open.pop_back();
    }
    if (c != ' ' && !is_comment) before = c;
    last = c;
    ++here.column;
    if (c == '\n') here = {here.source, here.line + 1, 1};
  }
  return open;
}

std::string printable(std::string text) {
  const auto is_control = [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; };
  std::ranges::replace_if(text, is_control, ' ');
  return text;
}

constexpr std::size_t longest_shown = 80;  // bytes

void show(const CaseNode& node, std::string& text) {
  if (text.size() > longest_shown) return;
  const char* separator = "";
  if (node.is_empty()) text += "empty";
  if (!node.formula.empty()) text += '"' + printable(node.formula) + "\" = ";
  if (node.is_scalar())
    text += node.is_quoted ? '"' + printable(node.text) + '"' : printable(node.text);
  if (node.is_list()) text += '[';
  for (const CaseNode& item : node.items) {
    text += std::exchange(separator, ", ");
    show(item, text);
  }
  if (node.is_list()) text += ']';
  if (node.is_map()) text += '{';
  for (const CaseEntry& entry : node.entries) {
    text += std::exchange(separator, ", ") + printable(entry.key) + ": ";
    show(entry.value, text);
  }
  if (node.is_map()) text += '}';
}

}  // namespace

const CaseEntry* CaseNode::find(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &CaseEntry::key);
  return found == entries.end() ? nullptr : &*found;
}

const CaseEntry* find_entry(const CaseNode& root, std::string_view path) {
  const std::size_t dot = path.find('.');
  const CaseEntry* const entry = root.find(path.substr(0, dot));
  if (entry == nullptr || dot == std::string_view::npos) return entry;
  return find_entry(entry->value, path.substr(dot + 1));
}

Position position_of(const CaseNode& root, std::string_view path) {
  for (; !path.empty(); path = section_of(path)) {
    if (const CaseEntry* const entry = find_entry(root, path)) return entry->position;
  }
  return {};
}

std::string shown(const CaseNode& node) {
  std::string text;
  show(node, text);
  if (text.size() <= longest_shown) return text;
  std::size_t end = longest_shown - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // whole UTF-8
  return text.substr(0, end) + "...";
}

CaseNode parse_tree(const std::string& yaml, int source) {
  TreeBuilder builder(source);
  try {
    std::istringstream stream(yaml);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::ParserException& error) {
    const YAML::Mark mark = error.mark.is_null() ? YAML::Mark() : error.mark;  // null: no place
    const int line = mark.line + 1;
    const int column = mark.column + 1;
    const char* const hint =
        is_indented_with_tab(yaml, line) ? "; YAML indents with spaces, not tabs" : "";
    const std::vector<OpenBracket> open = open_brackets(yaml, {source, line, column});
    const bool is_about_brackets = error.msg.find("flow") != std::string::npos;
    if (is_about_brackets && !open.empty()) {
      const auto& [bracket, position] = open.back();
      throw SyntaxError(position,
                        fmt::format("the '{}' here is not closed by a '{}': {} in line {}{}",
                                    bracket,
                                    bracket == '[' ? ']' : '}',
                                    error.msg,
                                    line,
                                    hint));
    }
    throw SyntaxError({source, line, column}, error.msg + hint);
  }
  return builder.take_root();
}

}  // namespace dns
