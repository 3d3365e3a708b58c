#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include "cuda/cuda_error.hpp"
#include "cuda/for_each.cuh"
#include "cuda/sort_and_select.hpp"
#include "solver/core/host_device.hpp"

namespace dns {
namespace {

constexpr std::size_t alignment = 256;

std::size_t aligned(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

using Places = thrust::counting_iterator<int>;

std::size_t temporary_bytes(int count) {
  std::size_t of_sort = 0;
  std::size_t of_selection = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr,
                                        of_sort,
                                        static_cast<const unsigned*>(nullptr),
                                        static_cast<unsigned*>(nullptr),
                                        static_cast<const int*>(nullptr),
                                        static_cast<int*>(nullptr),
                                        count),
        "asking how much a sort needs");
  check(cub::DeviceSelect::Flagged(nullptr,
                                   of_selection,
                                   Places(0),
                                   static_cast<const unsigned*>(nullptr),
                                   static_cast<int*>(nullptr),
                                   static_cast<int*>(nullptr),
                                   count),
        "asking how much a selection needs");
  return aligned(std::max(of_sort, of_selection));
}

/// Numbers places; rows of a box count 1024.
struct NumberPlaces {
  int* places;
  int count;

  DNS_HD void operator()(Index3 c) const {
    const int n = 1024 * c.j + c.i;
    if (n < count) places[n] = n;
  }
};

}  // namespace

std::size_t bytes_to_sort(std::size_t count) {
  return alignment + 2 * aligned(count * sizeof(int)) + temporary_bytes(static_cast<int>(count));
}

void sort_on_device(unsigned* keys, int* order, int count, std::byte* room, cudaStream_t stream) {
  if (count == 0) return;
  auto* const sorted = reinterpret_cast<unsigned*>(room + alignment);
  auto* const places = reinterpret_cast<int*>(room + alignment + aligned(count * sizeof(int)));
  std::byte* const temporary = room + alignment + 2 * aligned(count * sizeof(int));
  std::size_t bytes = temporary_bytes(count);
  for_each({{}, {1024, (count + 1023) / 1024, 1}}, NumberPlaces{places, count}, stream);
  check(cub::DeviceRadixSort::SortPairs(
            temporary, bytes, keys, sorted, places, order, count, 0, 32, stream),
        "sorting");
}

int* select_on_device(
    const unsigned* flags, int* chosen, int count, std::byte* room, cudaStream_t stream) {
  auto* const found = reinterpret_cast<int*>(room);
  if (count == 0) {
    check(cudaMemsetAsync(found, 0, sizeof(int), stream), "clearing memory");
    return found;
  }
  std::byte* const temporary = room + alignment + 2 * aligned(count * sizeof(int));
  std::size_t bytes = temporary_bytes(count);
  check(
      cub::DeviceSelect::Flagged(temporary, bytes, Places(0), flags, chosen, found, count, stream),
      "selecting");
  return found;
}

}  // namespace dns
