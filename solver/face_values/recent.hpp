/// Values that are asked for again and again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>

namespace dns {

/// The values made last, at most so many; the oldest goes first.
template <class Value>
class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}

  /// The value for which is_it(value) is true, or make(), which is kept. Valid until it is the
  /// oldest of `most`.
  template <class IsIt, class Make>
  [[nodiscard]] const Value& get(const IsIt& is_it, const Make& make) {
    const auto known = std::ranges::find_if(values_, is_it);
    if (known != values_.end()) return *known;
    if (values_.size() == most_) values_.pop_front();
    return values_.emplace_back(make());
  }

 private:
  std::size_t most_;
  std::deque<Value> values_;
};

}  // namespace dns
