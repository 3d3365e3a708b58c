/// Values as bytes, for messages between ranks of one program.
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace dns {

class BytePacker {
 public:
  template <class Value>
  void add(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void add_text(const std::string& text) {
    add(text.size());
    text_ += text;
  }
  void add_bytes(const void* values, std::size_t bytes) {
    text_.append(static_cast<const char*>(values), bytes);
  }
  template <class Value>
  void add_list(const std::vector<Value>& values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    add(values.size());
    add_bytes(values.data(), values.size() * sizeof(Value));
  }
  void reserve(std::size_t bytes) { text_.reserve(bytes); }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// Takes out what was packed, in the same order. The text outlives it.
class ByteUnpacker {
 public:
  explicit ByteUnpacker(const std::string& text) : text_(text) {}

  template <class Value>
  Value next() {
    static_assert(std::is_trivially_copyable_v<Value>);
    Value value{};
    std::memcpy(&value, next_bytes(sizeof value), sizeof value);
    return value;
  }
  std::string next_text() {
    const auto length = next<std::size_t>();
    return {next_bytes(length), length};
  }
  /// Puts a list behind what is in `values`.
  template <class Value>
  void append_list(std::vector<Value>& values) {
    const auto count = next<std::size_t>();
    const char* const from = next_bytes(count * sizeof(Value));
    const std::size_t before = values.size();
    values.resize(before + count);
    if (count > 0) std::memcpy(values.data() + before, from, count * sizeof(Value));
  }
  const char* next_bytes(std::size_t bytes) {
    if (bytes > bytes_left()) throw std::logic_error("a message of ranks ends early");
    const char* const here = text_.data() + position_;
    position_ += bytes;
    return here;
  }
  [[nodiscard]] std::size_t bytes_left() const { return text_.size() - position_; }

 private:
  const std::string& text_;
  std::size_t position_ = 0;
};

}  // namespace dns
