#include <cstddef>
#include <set>

#include "cuda/cuda_backend.cuh"
#include "tests/backend/backend_tests.hpp"

namespace dns::testing {
namespace {

template <class Real>
struct CudaDevice {
  using Backend = CudaBackend<Real>;
  static Backend make() { return Backend(std::size_t{8} * 67 * 66 * 65); }
  static bool is_present() {
    int count = 0;
    const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
    static_cast<void>(cudaGetLastError());
    return found;
  }
};
using CudaDevices = ::testing::Types<CudaDevice<float>, CudaDevice<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, BackendTest, CudaDevices);

/// A warp's access is served in groups of lanes that fill the 128 bytes of all banks once: 32 words
/// of a float, 16 of a double. Without conflicts every lane of a group has a bank of its own.
template <class Real, class Slot>
bool has_conflict(const Slot& slot_of_lane) {
  constexpr int lanes_at_once = 128 / static_cast<int>(sizeof(Real));
  for (int group = 0; group < 32; group += lanes_at_once) {
    std::set<int> banks;
    for (int lane = group; lane < group + lanes_at_once; ++lane) {
      banks.insert(slot_of_lane(lane) % lanes_at_once);
    }
    if (banks.size() != static_cast<std::size_t>(lanes_at_once)) return true;
  }
  return false;
}

template <class Real>
class TransposeTileTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(TransposeTileTest, Reals);

TYPED_TEST(TransposeTileTest, rows_and_columns_are_free_of_bank_conflicts) {
  using Tile = TransposeTile<TypeParam, 1>;
  for (int round = 0; round < Tile::points; ++round) {
    EXPECT_FALSE(has_conflict<TypeParam>([&](int lane) {  // a row goes in: lanes along x
      const int line = round * (Tile::lines / Tile::points) + lane / Tile::points;
      return Tile::slot(line, lane % Tile::points);
    }));
    EXPECT_FALSE(has_conflict<TypeParam>([&](int lane) {  // a column comes out: a line per lane
      return Tile::slot(lane, round);
    }));
  }
  std::set<int> slots;
  for (int line = 0; line < Tile::lines; ++line) {
    for (int point = 0; point < Tile::points; ++point) slots.insert(Tile::slot(line, point));
  }
  EXPECT_EQ(slots.size(), static_cast<std::size_t>(Tile::lines * Tile::points));
  EXPECT_EQ(*slots.rbegin(), Tile::lines * Tile::points - 1);
}

}  // namespace
}  // namespace dns::testing
