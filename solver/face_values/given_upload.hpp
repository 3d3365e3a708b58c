/// Values given on a face on their way to the device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace dns {

/// The values of all variables given on a face, one after another, as the device has them. Those
/// that are set go there together: the host evaluates all of them while the device works, and then
/// waits for it once.
template <class Backend>
class GivenUpload {
 public:
  using Real = typename Backend::Real;

  GivenUpload() = default;
  GivenUpload(int variables, std::size_t points)
      : points_(points), values_(Backend::allocate_host(points * variables * sizeof(Real))) {}

  /// Rounds the values of a variable at all points. Returns them.
  std::span<const Real> set(int variable, const std::vector<double>& exact) {
    Real* const values = of(variable);
    std::ranges::transform(exact, values, [](double value) { return static_cast<Real>(value); });
    changed_.push_back(variable);
    return {values, exact.size()};
  }

  /// Uploads what was set to `given`, the values of all variables.
  void upload(Backend& backend, Real* given) {
    std::ranges::sort(changed_);
    for (auto first = changed_.begin(); first != changed_.end();) {
      auto last = std::adjacent_find(
          first, changed_.end(), [](int one, int next) { return next != one + 1; });
      if (last != changed_.end()) ++last;
      backend.upload_values(of(*first), given + points_ * *first, points_ * (last - first));
      first = last;
    }
    changed_.clear();
  }

 private:
  [[nodiscard]] Real* of(int variable) const {
    return reinterpret_cast<Real*>(values_.get()) + points_ * variable;
  }

  std::size_t points_ = 0;
  std::shared_ptr<std::byte[]> values_;
  std::vector<int> changed_;
};

}  // namespace dns
