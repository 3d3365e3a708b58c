/// Transforms of fields on the cores of a CPU, by FFTW and OpenBLAS.
///
/// Every thread transforms planes of its own with single-threaded plans, so that results do not
/// depend on the number of threads; FFTW chooses its plans by estimate, not by measurement, so that
/// they do not depend on timings either.
#pragma once

#include <memory>

#include "cpu/fftw.hpp"
#include "solver/core/field_view.hpp"
#include "solver/core/transforms.hpp"

namespace dns {

/// A PlaneTransform.
template <class Real>
class FftwPlanes {
 public:
  /// The axis along which modes are left out.
  [[nodiscard]] static constexpr Axis left_out(const PlaneTransform& transform) {
    return transform.second;
  }

  FftwPlanes(int threads, const PlaneTransform& transform, Strides field, Strides modes);

  /// Requires rows of both arrays to start at multiples of 64 bytes.
  void forward(const Real* field, Real* modes) const;
  void inverse(Real* modes, Real* field) const;

 private:
  struct Plans;
  int threads_;
  PlaneTransform transform_;
  Strides field_, modes_;
  std::shared_ptr<const Plans> plans_;
};

/// A LineTransform from one array to another, and its inverse.
template <class Real>
class FftwLines {
 public:
  FftwLines(int threads, const LineTransform& transform, Strides from, Strides to);

  /// Whether it is faster than the product with a matrix.
  [[nodiscard]] static bool pays(const LineTransform& transform);
  /// Whether complex modes along x are faster than real ones, of kind fourier.
  [[nodiscard]] static constexpr bool prefers_waves(const LineTransform& /*transform*/) {
    return false;
  }
  /// Whether planes of modes must be an even number of rows apart.
  [[nodiscard]] static constexpr bool pairs_rows(const LineTransform& /*transform*/) {
    return false;
  }

  void forward(const Real* from, Real* to) const;
  /// Overwrites `from`.
  void inverse(Real* from, Real* to) const;

 private:
  struct Plans;
  void execute(typename Fftw<Real>::Plan plan,
               Real* from,
               Strides from_strides,
               Real* to,
               Strides to_strides) const;

  int threads_;
  LineTransform transform_;
  Strides from_, to_;
  std::shared_ptr<const Plans> plans_;
};

/// Multiplies every line along `axis` by a matrix, row-major:
///   to(m) = sum over l of matrix(m, l) from(l)
template <class Real>
void multiply_lines(int threads,
                    Axis axis,
                    Extents points,
                    const Real* matrix,
                    FieldView<const Real> from,
                    FieldView<Real> to);

}  // namespace dns
