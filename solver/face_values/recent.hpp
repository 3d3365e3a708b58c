/// Values that are asked for again and again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace dns {

/// The values made last, at most so many; the oldest goes first.
template <class Value>
class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}

  /// The value for which is_it(value) is true, or make(), which is kept. Valid until it is the
  /// oldest of `most`.
  template <class IsIt, class Make>
  [[nodiscard]] Value& get(const IsIt& is_it, const Make& make) {
    const auto known = std::ranges::find_if(values_, is_it);
    if (known != values_.end()) return *known;
    if (values_.size() == most_) values_.pop_front();
    return values_.emplace_back(make());
  }

  [[nodiscard]] auto begin() { return values_.begin(); }
  [[nodiscard]] auto end() { return values_.end(); }

 private:
  std::size_t most_;
  std::deque<Value> values_;
};

/// The remainder of number/length, >= 0.
[[nodiscard]] constexpr std::int64_t place_in_cycle(std::int64_t number, std::int64_t length) {
  return (number % length + length) % length;
}

/// Values with numbers, of which `length` consecutive ones are kept.
template <class Value, int length>
class Cycle {
 public:
  /// The value of a number, or make(), which is kept. Valid until another number is asked for that
  /// differs by a multiple of `length`.
  template <class Make>
  [[nodiscard]] const Value& get(std::int64_t number, const Make& make) {
    auto& known = values_[place_in_cycle(number, length)];
    if (!known || known->first != number) known.emplace(number, make());
    return known->second;
  }

 private:
  std::array<std::optional<std::pair<std::int64_t, Value>>, length> values_;
};

}  // namespace dns
