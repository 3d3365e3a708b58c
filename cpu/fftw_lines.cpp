#include <cblas.h>

#include <cstddef>
#include <type_traits>

#include "cpu/denormals.hpp"
#include "cpu/fftw.hpp"
#include "cpu/fftw_transforms.hpp"

namespace dns {
namespace {

/// Arrays are cut into planes that contain the lines: along x and y, or along z and x.
Axis across_planes_with(Axis axis) {
  return axis == Axis::z ? Axis::y : Axis::z;
}

template <class Real>
void multiply_matrices(bool transposes_first,
                       const int (&sizes)[3],
                       const Real* first,
                       int first_stride,
                       const Real* second,
                       int second_stride,
                       Real* product,
                       int product_stride) {
  constexpr auto multiply = [] {
    if constexpr (std::is_same_v<Real, float>) {
      return &cblas_sgemm;
    } else {
      return &cblas_dgemm;
    }
  }();
  multiply(CblasColMajor,
           transposes_first ? CblasTrans : CblasNoTrans,
           CblasNoTrans,
           sizes[0],
           sizes[1],
           sizes[2],
           1,
           first,
           first_stride,
           second,
           second_stride,
           0,
           product,
           product_stride);
}

}  // namespace

template <class Real>
struct FftwLines<Real>::Plans {
  FftwPlan<Real> forward, inverse;  // of all lines of a plane
};

template <class Real>
FftwLines<Real>::FftwLines(int threads, const LineTransform& transform, Strides from, Strides to)
    : threads_(threads), transform_(transform), from_(from), to_(to) {
  using Library = Fftw<Real>;
  AlignedForPlans<Real> memory;
  const Axis axis = transform.axis;
  const Axis side = axis == Axis::x ? Axis::y : Axis::x;
  if (transform.kind == LineTransformKind::complex) {
    const int step = from.along(axis) / 2;
    const typename Library::Dimension along{transform.points[axis], step, step};
    const typename Library::Dimension lines{transform.points.nx / 2, 1, 1};
    auto* const modes = reinterpret_cast<typename Library::Complex*>(memory.first);
    const auto plan = [&](int sign) {
      return FftwPlan<Real>([&] {
        return Library::plan_complex(1, &along, 1, &lines, modes, modes, sign, FFTW_ESTIMATE);
      });
    };
    plans_ = std::make_shared<Plans>(Plans{plan(FFTW_FORWARD), plan(FFTW_BACKWARD)});
    return;
  }
  if (transform.kind == LineTransformKind::waves) {
    const int n = transform.points.nx;
    const int rows = transform.points.ny;
    const typename Library::Dimension along{n, 1, 1};
    const typename Library::Dimension there{rows, from.y, to.y / 2};
    const typename Library::Dimension back{rows, to.y / 2, from.y};
    auto* const modes = reinterpret_cast<typename Library::Complex*>(memory.second);
    plans_ = std::make_shared<Plans>(
        Plans{FftwPlan<Real>([&] {
                return Library::plan_real_to_complex(
                    1, &along, 1, &there, memory.first, modes, FFTW_ESTIMATE);
              }),
              FftwPlan<Real>([&] {
                return Library::plan_complex_to_real(
                    1, &along, 1, &back, modes, memory.first, FFTW_ESTIMATE);
              })});
    return;
  }
  const bool is_fourier = transform.kind == LineTransformKind::fourier;
  const auto plan = [&](Strides first, Strides second, fftw_r2r_kind kind) {
    const typename Library::Dimension along{
        transform.points[axis], first.along(axis), second.along(axis)};
    const typename Library::Dimension lines{
        transform.points[side], first.along(side), second.along(side)};
    return FftwPlan<Real>([&] {
      return Library::plan_real_to_real(
          1, &along, 1, &lines, memory.first, memory.second, &kind, FFTW_ESTIMATE);
    });
  };
  plans_ = std::make_shared<Plans>(Plans{plan(from, to, is_fourier ? FFTW_R2HC : FFTW_REDFT10),
                                         plan(to, from, is_fourier ? FFTW_HC2R : FFTW_REDFT01)});
}

/// Measured on two cores with AVX-512: the matrix product takes 7.5 ns per point at 128 points in
/// double and 4 in float, in proportion to the points of a line; the transforms take 6 to 12 ns
/// whatever the length.
template <class Real>
bool FftwLines<Real>::pays(const LineTransform& transform) {
  constexpr int longest_product = sizeof(Real) == 8 ? 160 : 256;
  return transform.kind == LineTransformKind::complex ||
         transform.kind == LineTransformKind::waves ||
         transform.points[transform.axis] > longest_product;
}

template <class Real>
void FftwLines<Real>::forward(const Real* from, Real* to) const {
  // FFTW takes no pointers to const; it does not write there, unless it transforms in place.
  execute(plans_->forward.get(), const_cast<Real*>(from), from_, to, to_);
}

template <class Real>
void FftwLines<Real>::inverse(Real* from, Real* to) const {
  execute(plans_->inverse.get(), from, to_, to, from_);
}

template <class Real>
void FftwLines<Real>::execute(typename Fftw<Real>::Plan plan,
                              Real* from,
                              Strides from_strides,
                              Real* to,
                              Strides to_strides) const {
  using Library = Fftw<Real>;
  using Complex = typename Library::Complex;
  const Axis across = across_planes_with(transform_.axis);
  const auto complex = [](Real* numbers) { return reinterpret_cast<Complex*>(numbers); };
  const auto execute_plane = [&](Real* first, Real* second) {
    switch (transform_.kind) {
      case LineTransformKind::complex:
        return Library::execute_complex(plan, complex(first), complex(second));
      case LineTransformKind::waves:
        return plan == plans_->forward.get()
                   ? Library::execute_real_to_complex(plan, first, complex(second))
                   : Library::execute_complex_to_real(plan, complex(first), second);
      case LineTransformKind::fourier:
      case LineTransformKind::cosine:
        return Library::execute_real_to_real(plan, first, second);
    }
  };
#pragma omp parallel num_threads(threads_)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for schedule(static)
    for (int plane = 0; plane < transform_.points[across]; ++plane) {
      Real* const first = from + std::ptrdiff_t{from_strides.along(across)} * plane;
      Real* const second = to + std::ptrdiff_t{to_strides.along(across)} * plane;
      execute_plane(first, second);
    }
  }
}

/// One product per plane. Column-major: x is the first index of a plane, the matrix is transposed.
template <class Real>
void multiply_lines(int threads,
                    Axis axis,
                    Extents points,
                    const Real* matrix,
                    FieldView<const Real> from,
                    FieldView<Real> to) {
  openblas_set_num_threads(1);
  const Strides from_strides{from.stride_y, from.stride_z};
  const Strides to_strides{to.stride_y, to.stride_z};
  const Axis across = across_planes_with(axis);
  const Axis second = axis == Axis::x ? Axis::y : axis;
  const int n = points[axis];
  const int sizes[3] = {points.nx, points[second], n};
  const int from_column = from_strides.along(second);
  const int to_column = to_strides.along(second);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int plane = 0; plane < points[across]; ++plane) {
    const Real* const in = from.origin + std::ptrdiff_t{from_strides.along(across)} * plane;
    Real* const out = to.origin + std::ptrdiff_t{to_strides.along(across)} * plane;
    if (axis == Axis::x) {
      multiply_matrices(true, sizes, matrix, n, in, from_column, out, to_column);
    } else {
      multiply_matrices(false, sizes, in, from_column, matrix, n, out, to_column);
    }
  }
}

template class FftwLines<float>;
template class FftwLines<double>;
template void multiply_lines(
    int, Axis, Extents, const float*, FieldView<const float>, FieldView<float>);
template void multiply_lines(
    int, Axis, Extents, const double*, FieldView<const double>, FieldView<double>);

}  // namespace dns
