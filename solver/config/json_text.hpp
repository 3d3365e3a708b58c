/// JSON as text, in the order in which it is put together.
#pragma once

#include <string>
#include <string_view>

namespace dns {

/// `text` in quotes.
[[nodiscard]] std::string json_string(std::string_view text);

/// An object under construction; values are given as JSON.
class JsonObject {
 public:
  JsonObject& add(std::string_view key, std::string_view json);
  /// Adds the members of `other`.
  JsonObject& merge(const JsonObject& other);
  [[nodiscard]] bool is_empty() const { return members_.empty(); }
  [[nodiscard]] std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

/// A list under construction; items are given as JSON.
class JsonList {
 public:
  JsonList& add(std::string_view json);
  [[nodiscard]] bool is_empty() const { return items_.empty(); }
  [[nodiscard]] std::string text() const { return "[" + items_ + "]"; }

 private:
  std::string items_;
};

/// The same JSON on several lines, objects indented, lists of scalars on one line.
[[nodiscard]] std::string indented_json(std::string_view json);

}  // namespace dns
