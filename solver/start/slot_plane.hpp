/// A plane of a flow in a file, with what its case gives on the boundaries around it.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/start/source_lines.hpp"

namespace dns {

/// The values of a variable in all slots of x and y, shape (slots of y, slots of x), x fastest, for
/// one slot of z after the other.
class SlotPlane {
 public:
  /// Of a case at time t [L/U]. The references must outlive the plane.
  SlotPlane(const Case& source, int variable, const SourceLines& lines, double t);

  /// Slot of z: the values of its plane of the dataset begin at `first`, `step` numbers apart.
  template <class Real>
  void fill(int slot, const Real* first, int step);
  /// The plane that the case gives at an end of z. Requires LineEndKind::given there.
  void fill_with_given(bool is_high_end);

  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  [[nodiscard]] std::size_t at(int a, int b) const {
    return static_cast<std::size_t>(b) * lines_[0].coordinates.size() + static_cast<std::size_t>(a);
  }
  [[nodiscard]] int last_slot(int axis) const {
    return lines_[static_cast<std::size_t>(axis)].points + 1;
  }
  void give(int axis, bool is_high_end, int slot_of_z);

  const Case& source_;
  int variable_;
  const SourceLines& lines_;
  double t_;
  std::vector<double> values_;
};

template <class Real>
void SlotPlane::fill(int slot, const Real* first, int step) {
  const auto& [x, y, z] = lines_;
  for (int b = 0; b < y.points; ++b) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y.first + b) * x.stored + x.first;
    const Real* from = first + row * step;
    double* to = values_.data() + at(1, b + 1);
    for (int a = 0; a < x.points; ++a, from += step) *to++ = static_cast<double>(*from);
  }
  for (const bool is_high_end : {false, true}) {
    for (const int axis : {0, 1}) {
      if (lines_[static_cast<std::size_t>(axis)].is_given(is_high_end))
        give(axis, is_high_end, slot);
    }
  }
}

}  // namespace dns
