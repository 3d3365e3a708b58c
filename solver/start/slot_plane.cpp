#include "solver/start/slot_plane.hpp"

#include <utility>

#include "solver/flow/conditions.hpp"

namespace dns {

SlotPlane::SlotPlane(const Case& source, int variable, const SourceLines& lines, double t)
    : source_(source),
      variable_(variable),
      lines_(lines),
      t_(t),
      values_(lines[0].coordinates.size() * lines[1].coordinates.size()) {}

void SlotPlane::fill_with_given(bool is_high_end) {
  give(2, is_high_end, is_high_end ? last_slot(2) : 0);
}

/// The values on the part of a face that is in the plane, its edges included.
void SlotPlane::give(int axis, bool is_high_end, int slot_of_z) {
  const Expression given = FaceConditions(source_, face_index(axis, is_high_end))[variable_].given;
  const double z = lines_[2].coordinates[static_cast<std::size_t>(slot_of_z)];
  const auto slots = [&](int along) {
    if (along != axis) return std::pair{0, last_slot(along)};
    return is_high_end ? std::pair{last_slot(along), last_slot(along)} : std::pair{0, 0};
  };
  const auto [first_a, last_a] = slots(0);
  const auto [first_b, last_b] = slots(1);
  for (int b = first_b; b <= last_b; ++b) {
    const double y = lines_[1].coordinates[static_cast<std::size_t>(b)];
    for (int a = first_a; a <= last_a; ++a)
      values_[at(a, b)] = given(lines_[0].coordinates[static_cast<std::size_t>(a)], y, z, t_);
  }
}

}  // namespace dns
