#include "cpu/openmp_backend.hpp"
#include "tests/poisson/poisson_tests.hpp"

namespace dns::testing {
namespace {

template <class Real>
struct CpuDevice {
  using Backend = OpenMpBackend<Real>;
  static Backend make() { return Backend(3); }
  static bool is_present() { return true; }
};
using CpuDevices = ::testing::Types<CpuDevice<float>, CpuDevice<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, PoissonTest, CpuDevices);

}  // namespace
}  // namespace dns::testing
