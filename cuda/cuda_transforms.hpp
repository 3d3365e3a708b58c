/// Transforms of fields on a GPU, by cuFFT and cuBLAS.
///
/// cuBLAS computes in the precision of the fields, nothing lower, and in one stream with a work
/// space of its own, so that its results are bitwise repeatable.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <optional>

#include "cuda/cosine_rows.hpp"
#include "cuda/device_memory.hpp"
#include "solver/core/field_view.hpp"
#include "solver/core/transforms.hpp"

namespace dns {

/// A PlaneTransform, from and to the field without copies.
template <class Real>
class CufftPlanes {
 public:
  /// The axis along which modes are left out.
  [[nodiscard]] static constexpr Axis left_out(const PlaneTransform& /*transform*/) {
    return Axis::x;
  }

  /// Throws DeviceError.
  CufftPlanes(const PlaneTransform& transform, Strides field, Strides modes, cudaStream_t stream);
  CufftPlanes(CufftPlanes&&) noexcept;
  CufftPlanes& operator=(CufftPlanes&&) noexcept;
  ~CufftPlanes();

  /// Size of the work space [bytes], which take_workspace must be given before the first transform.
  [[nodiscard]] std::size_t workspace_bytes() const;
  void take_workspace(DeviceArray<std::byte> workspace);

  /// Requires rows of both arrays to start at multiples of 64 bytes. Returns before it finishes, as
  /// `inverse` does.
  void forward(const Real* field, Real* modes) const;
  /// Overwrites the modes.
  void inverse(Real* modes, Real* field) const;

 private:
  struct Plans;
  std::unique_ptr<Plans> plans_;
};

/// A LineTransform of kind `complex` or `waves`, or of kind `cosine` along x; products with
/// matrices are as fast as the others.
template <class Real>
class CufftLines {
 public:
  /// Whether it is faster than the product with a matrix. A cosine transform of rows reads and
  /// writes each point three times, at 3 TB/s on an H100 or H200; the product takes 2 n operations
  /// for it, at 45 TFlop/s in float and in double. Both take the same time for n = 180 in float and
  /// 360 in double.
  [[nodiscard]] static constexpr bool pays(const LineTransform& transform) {
    constexpr int longest_product = 45 * bytes_per<Real>;
    const int n = transform.points.nx;
    return transform.kind == LineTransformKind::complex ||
           transform.kind == LineTransformKind::waves ||
           (pairs_rows(transform) && n > longest_product && n <= longest_cosine_row<Real>);
  }
  /// Whether complex modes along x are faster than a product that makes real ones, of kind
  /// fourier. By numbers moved and operations both take the same time for n = 60 in float and 120
  /// in double; the limit is a third higher. Only n = 256 was timed.
  [[nodiscard]] static constexpr bool prefers_waves(const LineTransform& transform) {
    constexpr int longest_product = 20 * bytes_per<Real>;
    return transform.points.nx > longest_product;
  }
  /// Whether planes of modes must be an even number of rows apart.
  [[nodiscard]] static constexpr bool pairs_rows(const LineTransform& transform) {
    return transform.kind == LineTransformKind::cosine && transform.axis == Axis::x;
  }

  /// Throws DeviceError.
  CufftLines(const LineTransform& transform, Strides from, Strides to, cudaStream_t stream);
  CufftLines(CufftLines&&) noexcept;
  CufftLines& operator=(CufftLines&&) noexcept;
  ~CufftLines();

  /// Size of the work space [bytes], which take_workspace must be given before the first transform.
  [[nodiscard]] std::size_t workspace_bytes() const;
  void take_workspace(DeviceArray<std::byte> workspace);

  /// Returns before it finishes, as `inverse` does, which overwrites `from`.
  void forward(const Real* from, Real* to) const;
  void inverse(Real* from, Real* to) const;

 private:
  void execute(Real* modes, int direction) const;

  struct Plan;
  std::unique_ptr<Plan> plan_;              // of kinds complex and cosine
  std::optional<CufftPlanes<Real>> waves_;  // of that kind
  std::optional<CosineRows<Real>> cosine_;  // of that kind, without the Fourier transform
};

/// Products of the lines of a field with a matrix.
class CublasProducts {
 public:
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;  // as NVIDIA advises
  static constexpr std::size_t own_bytes = std::size_t{66} << 20;  // that cuBLAS 13.0 allocates

  /// Throws DeviceError.
  CublasProducts(cudaStream_t stream, DeviceArray<std::byte> workspace);
  CublasProducts(CublasProducts&&) noexcept;
  CublasProducts& operator=(CublasProducts&&) noexcept;
  ~CublasProducts();

  /// to(m) = sum over l of matrix(m, l) from(l) along `axis`, the matrix row-major. Returns before
  /// it finishes.
  template <class Real>
  void multiply(Axis axis,
                Extents points,
                const Real* matrix,
                FieldView<const Real> from,
                FieldView<Real> to) const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace dns
