#include "solver/config/json_text.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace dns {
namespace {

/// The position behind the string that begins at `begin`.
std::size_t end_of_string(std::string_view json, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2 : 1;
  return end + 1;
}

/// The list or object that begins at `begin` holds no object and no further list.
bool is_flat(std::string_view json, std::size_t begin) {
  for (std::size_t i = begin + 1; i < json.size(); ++i) {
    if (json[i] == '"') i = end_of_string(json, i) - 1;
    if (json[i] == '{' || json[i] == '[') return false;
    if (json[i] == '}' || json[i] == ']') return true;
  }
  return true;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20) {
      quoted += fmt::format("\\u{:04x}", code);
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

JsonObject& JsonObject::add(std::string_view key, std::string_view json) {
  if (!members_.empty()) members_ += ',';
  members_.append(json_string(key)).append(":").append(json);
  return *this;
}

JsonObject& JsonObject::merge(const JsonObject& other) {
  if (!members_.empty() && !other.members_.empty()) members_ += ',';
  members_ += other.members_;
  return *this;
}

JsonList& JsonList::add(std::string_view json) {
  if (!items_.empty()) items_ += ',';
  items_.append(json);
  return *this;
}

std::string indented_json(std::string_view json) {
  std::string text;
  std::string line_start = "\n";
  std::size_t flat_depth = 0;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      const std::size_t end = end_of_string(json, i);
      text.append(json.substr(i, end - i));
      i = end - 1;
    } else if (c == '{' || c == '[') {
      text += c;
      if (flat_depth > 0 || is_flat(json, i)) {
        ++flat_depth;
        continue;
      }
      line_start += "  ";
      text += line_start;
    } else if (c == '}' || c == ']') {
      if (flat_depth > 0) {
        --flat_depth;
      } else {
        line_start.resize(line_start.size() - 2);
        text += line_start;
      }
      text += c;
    } else {
      text += c;
      if (c == ':') text += ' ';
      if (c == ',') text += flat_depth > 0 ? " " : line_start;
    }
  }
  return text;
}

}  // namespace dns
