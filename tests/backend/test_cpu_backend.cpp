#include <array>

#include "cpu/openmp_backend.hpp"
#include "tests/backend/backend_tests.hpp"

namespace dns::testing {
namespace {

template <class Real>
struct CpuDevice {
  using Backend = OpenMpBackend<Real>;
  static Backend make() { return Backend(3); }
  static bool is_present() { return true; }
};
using CpuDevices = ::testing::Types<CpuDevice<float>, CpuDevice<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, BackendTest, CpuDevices);

template <class Real>
class ThreadsTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ThreadsTest, Reals);

TYPED_TEST(ThreadsTest, tallies_do_not_depend_on_the_number_of_threads) {
  using Backend = OpenMpBackend<TypeParam>;
  const Extents points{35, 17, 19};
  std::array<Tally<double, 2, 1>, 4> results;
  const std::array<int, 4> threads{1, 2, 3, 7};
  for (std::size_t n = 0; n < threads.size(); ++n) {
    Backend backend(threads[n]);
    const Layer<Backend> layer(backend, LayerShape{points});
    upload(backend, layer, points, scattered);
    results[n] = backend.template tally<2, 1>(LayerShape{points}.all_points(),
                                              SumOfFields<TypeParam>{layer.view_const()});
    SCOPED_TRACE(threads[n]);
    expect_same(results[n], results[0]);
  }
}

TYPED_TEST(ThreadsTest, transposing_a_block_swaps_lanes_and_rows) {
  constexpr int width = pack_width<TypeParam>;
  Pack<TypeParam, width> block[width];
  for (int row = 0; row < width; ++row) {
    for (int lane = 0; lane < width; ++lane) {
      block[row].lanes[lane] = static_cast<TypeParam>(100 * row + lane);
    }
  }
  transpose(block);
  for (int row = 0; row < width; ++row) {
    for (int lane = 0; lane < width; ++lane) {
      EXPECT_EQ(block[row].lanes[lane], static_cast<TypeParam>(100 * lane + row));
    }
  }
}

}  // namespace
}  // namespace dns::testing
