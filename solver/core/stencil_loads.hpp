/// How a GPU loads the stencil of a row. Formulas only say what is read once and what again.
#pragma once

#include <type_traits>

#include "solver/core/level_view.hpp"

namespace dns {

/// In any order, in the order of the program, or in that order and with hints for the first-level
/// cache.
enum class StencilLoads { in_any_order, in_order, for_cache };

/// In place of a point: a GPU then loads values in the order of the program, as it does through
/// anchored() pointers. Read-only loads may move.
struct PointInOrder {};
template <class Real>
DNS_HD Real load(const Real* from, PointInOrder /*at*/) {
  return *from;
}
template <class Real>
DNS_HD Real load_unaligned(const Real* from, PointInOrder /*at*/) {
  return *from;
}

/// The loads of one stencil.
template <StencilLoads loads>
struct StencilLoader {
  /// In place of the point of values that are loaded one by one.
  using Point = std::conditional_t<loads == StencilLoads::in_any_order, Index3, PointInOrder>;

  /// All variables, which rows nearby or the sink read again.
  template <class Line>
  [[nodiscard]] DNS_HD static auto read_again(const Line& line, int steps) {
    return line.template values<hint(CacheHint::read_again)>(steps);
  }
  /// All variables, which nothing reads again.
  template <class Line>
  [[nodiscard]] DNS_HD static auto read_once(const Line& line, int steps) {
    return line.template values<hint(CacheHint::read_once)>(steps);
  }

 private:
  [[nodiscard]] DNS_HD static constexpr CacheHint hint(CacheHint wanted) {
    return loads == StencilLoads::for_cache ? wanted : CacheHint::none;
  }
};

}  // namespace dns
