#include "python/bindings/views.hpp"

#include <nanobind/ndarray.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace nb = nanobind;

namespace dns {
namespace {

/// What lives as long as a view.
struct Use {
  std::shared_ptr<int> count;
  nb::object run;  // whose memory it is
};

}  // namespace

nb::object Views::of(const nb::object& run, const DeviceField& field, int device_number) {
  std::shared_ptr<int>& use = uses_[field.name];
  if (!use) use = std::make_shared<int>();
  auto counted = std::make_unique<Use>(Use{use, run});
  const nb::capsule owner(counted.release(),
                          [](void* gone) noexcept { delete static_cast<Use*>(gone); });
  const std::array<std::size_t, 3> shape{static_cast<std::size_t>(field.points.nz),
                                         static_cast<std::size_t>(field.points.ny),
                                         static_cast<std::size_t>(field.points.nx)};
  const std::array<std::int64_t, 3> strides{field.strides[2], field.strides[1], field.strides[0]};
  nb::object view;
  with_real(field.precision, [&]<class Real>(Real /*type*/) {
    const auto make = [&]<class Framework>(Framework /*type*/, int kind, int number) {
      return nb::cast(nb::ndarray<Framework, Real>(field.origin,
                                                   shape.size(),
                                                   shape.data(),
                                                   owner,
                                                   strides.data(),
                                                   nb::dtype<Real>(),
                                                   kind,
                                                   number));
    };
    view = device_number < 0 ? make(nb::numpy{}, nb::device::cpu::value, 0)
                             : make(nb::array_api{}, nb::device::cuda::value, device_number);
  });
  return view;
}

std::vector<std::string> Views::in_use() const {
  std::vector<std::string> names;
  for (const auto& [name, use] : uses_)
    if (use.use_count() > 1) names.push_back(name);
  return names;
}

}  // namespace dns
