/// Sorting by whole numbers and selection on a GPU, by the library CUB.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace dns {

/// Room on the device that sorting or selecting `count` values needs [bytes].
[[nodiscard]] std::size_t bytes_to_sort(std::size_t count);

/// order[n] = the place of the n-th of `count` keys in ascending order; equal keys keep their
/// order. The keys are lost. Returns before it is done. Throws DeviceError.
void sort_on_device(unsigned* keys, int* order, int count, std::byte* room, cudaStream_t stream);

/// Puts the places where flags are not 0 into `chosen`, in order. Returns where, in `room`, their
/// number will be, before it is done. Throws DeviceError.
[[nodiscard]] int* select_on_device(
    const unsigned* flags, int* chosen, int count, std::byte* room, cudaStream_t stream);

}  // namespace dns
