#include "python/bindings/arrays.hpp"

#include <nanobind/ndarray.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace nb = nanobind;

namespace dns {
namespace {

/// Capsule that keeps a copy of `kept` for as long as an array lives.
template <class Kept>
nb::capsule owner_of(const Kept& kept) {
  auto copy = std::make_unique<Kept>(kept);
  return {copy.release(), [](void* gone) noexcept { delete static_cast<Kept*>(gone); }};
}

}  // namespace

nb::object array_of(const HostField& field) {
  const Extents n = field.extents();
  const std::array<std::size_t, 3> shape{static_cast<std::size_t>(n.nz),
                                         static_cast<std::size_t>(n.ny),
                                         static_cast<std::size_t>(n.nx)};
  HostField shared = field;
  nb::object array;
  with_real(field.precision(), [&]<class Real>(Real /*type*/) {
    array = nb::cast(
        nb::ndarray<nb::numpy, Real>(shared.data(), shape.size(), shape.data(), owner_of(field)));
  });
  return array;
}

nb::dict arrays_of(const FlowState& state) {
  nb::dict arrays;
  for (const HostField& field : state.fields) arrays[field.name().c_str()] = array_of(field);
  return arrays;
}

nb::object array_of(const std::vector<double>& values) {
  HostField field("", {static_cast<int>(values.size()), 1, 1}, Precision::double_precision);
  std::copy(values.begin(), values.end(), field.values<double>().begin());
  const std::array<std::size_t, 1> shape{values.size()};
  return nb::cast(
      nb::ndarray<nb::numpy, double>(field.data(), shape.size(), shape.data(), owner_of(field)));
}

}  // namespace dns
