/// Values as bytes, for messages between ranks of one program: those that can be copied as bytes,
/// texts and lists, and structs of such whose function members(object) ties them together.
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace dns {

class BytePacker {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (add(values), ...);
  }
  void add_bytes(const void* values, std::size_t bytes) {
    text_.append(static_cast<const char*>(values), bytes);
  }
  void reserve(std::size_t bytes) { text_.reserve(bytes); }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  template <class Value>
  void add(const Value& value) {
    if constexpr (std::is_trivially_copyable_v<Value>) {
      add_bytes(&value, sizeof value);
    } else if constexpr (requires { Value::members(value); }) {
      std::apply(*this, Value::members(value));
    } else {
      add(value.size());
      if constexpr (std::is_trivially_copyable_v<typename Value::value_type>) {
        add_bytes(value.data(), value.size() * sizeof(typename Value::value_type));
      } else {
        for (const auto& item : value) add(item);
      }
    }
  }

  std::string text_;
};

template <class... Values>
[[nodiscard]] std::string packed(const Values&... values) {
  BytePacker packer;
  packer(values...);
  return packer.take();
}

/// Takes out what was packed, in the same order. The text outlives it.
class ByteUnpacker {
 public:
  explicit ByteUnpacker(const std::string& text) : text_(text) {}

  template <class... Values>
  void operator()(Values&... values) {
    (take(values), ...);
  }
  template <class Value>
  Value next() {
    Value value{};
    take(value);
    return value;
  }
  /// Puts a list behind what is in `values`.
  template <class Value>
  void append_list(std::vector<Value>& values) {
    const auto more = next<std::vector<Value>>();
    values.insert(values.end(), more.begin(), more.end());
  }
  const char* next_bytes(std::size_t bytes) {
    if (bytes > bytes_left()) throw std::logic_error("a message of ranks ends early");
    const char* const here = text_.data() + position_;
    position_ += bytes;
    return here;
  }
  [[nodiscard]] std::size_t bytes_left() const { return text_.size() - position_; }

 private:
  template <class Value>
  void take(Value& value) {
    if constexpr (std::is_trivially_copyable_v<Value>) {
      std::memcpy(&value, next_bytes(sizeof value), sizeof value);
    } else if constexpr (requires { Value::members(value); }) {
      std::apply(*this, Value::members(value));
    } else {
      const auto count = next<std::size_t>();
      if constexpr (std::is_trivially_copyable_v<typename Value::value_type>) {
        const std::size_t bytes = count * sizeof(typename Value::value_type);
        const char* const from = next_bytes(bytes);
        value.resize(count);
        if (count > 0) std::memcpy(value.data(), from, bytes);
      } else {
        value.resize(count);
        for (auto& item : value) take(item);
      }
    }
  }

  const std::string& text_;
  std::size_t position_ = 0;
};

}  // namespace dns
