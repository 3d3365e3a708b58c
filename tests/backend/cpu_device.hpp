/// The CPU as a device of typed tests.
#pragma once

#include <string>

#include "cpu/openmp_backend.hpp"

namespace dns::testing {

template <class Real>
struct CpuDevice {
  using Backend = OpenMpBackend<Real>;
  static Backend make() { return Backend(3); }
  static constexpr bool cuts_long_lines = false;
  static std::string obstacle() { return {}; }
};

}  // namespace dns::testing
