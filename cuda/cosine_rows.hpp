/// What is done before and after the Fourier transforms of cosine transforms of rows
/// (solver/core/cosine_by_fourier.hpp).
#pragma once

#include <cuda_runtime.h>

#include "solver/core/cosine_by_fourier.hpp"
#include "solver/core/transforms.hpp"

namespace dns {

/// The longest rows [points]. As complex numbers they take 96 KB of shared memory, which all GPUs
/// from compute capability 8.0 on give to a block.
template <class Real>
inline constexpr int longest_cosine_row = (96 << 10) / (2 * bytes_per<Real>);

/// Cosine transforms along x of a field into a buffer, where complex rows lie one after the other,
/// and back. All calls return before they finish; they throw DeviceError if a launch is refused.
template <class Real>
class CosineRows {
 public:
  /// Requires planes of the buffer to be an even number of rows apart.
  CosineRows(Extents points, Strides field, Strides buffer, cudaStream_t stream)
      : points_(points), field_(field), buffer_(buffer), stream_(stream) {}

  /// Complex rows of the buffer, and numbers from one to the next.
  [[nodiscard]] long long count() const {
    return static_cast<long long>(buffer_.z / buffer_.y / 2) * points_.nz;
  }
  [[nodiscard]] int distance() const { return buffer_.y; }

  void before_forward(const Real* field, Real* buffer) const;
  void after_forward(Real* buffer) const;
  void before_inverse(Real* buffer) const;
  void after_inverse(const Real* buffer, Real* field) const;

 private:
  template <class Number>
  [[nodiscard]] RowPairs<Number> in_field(Number* first) const {
    return {{first, field_.y, field_.z}, points_};
  }
  template <class Number>
  [[nodiscard]] RowPairs<Number> in_buffer(Number* first) const {
    return {{first, buffer_.y, buffer_.z}, points_};
  }

  Extents points_;
  Strides field_, buffer_;
  cudaStream_t stream_;
};

}  // namespace dns
