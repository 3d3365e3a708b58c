#include <cstddef>

#include "cpu/denormals.hpp"
#include "cpu/fftw.hpp"
#include "cpu/transforms.hpp"

namespace dns {

/// Rows along x, one at a time (two such loops are faster than FFTW's own), and all columns along
/// the second axis of a plane of modes, in place.
template <class Real>
struct FftwPlanes<Real>::Plans {
  FftwPlan<Real> rows_forward, rows_inverse, columns_forward, columns_inverse;
};

namespace {

template <class Real>
typename Fftw<Real>::Complex* as_complex(Real* values) {
  return reinterpret_cast<typename Fftw<Real>::Complex*>(values);
}

}  // namespace

template <class Real>
FftwPlanes<Real>::FftwPlanes(int threads,
                             const PlaneTransform& transform,
                             Strides field,
                             Strides modes)
    : threads_(threads), transform_(transform), field_(field), modes_(modes) {
  using Library = Fftw<Real>;
  AlignedForPlans<Real> memory;
  auto* const complex = as_complex(memory.second);
  const int nx = transform.points.nx;
  const int row = modes.along(transform.second) / 2;
  const typename Library::Dimension along_row{nx, 1, 1};
  const typename Library::Dimension along_column{
      points_along(transform.points, transform.second), row, row};
  const typename Library::Dimension columns{nx / 2 + 1, 1, 1};
  const auto plan_columns = [&](int sign) {
    return FftwPlan<Real>(Library::plan_complex(
        1, &along_column, 1, &columns, complex, complex, sign, FFTW_ESTIMATE));
  };
  plans_ = std::make_shared<Plans>(
      Plans{FftwPlan<Real>(Library::plan_real(
                1, &along_row, 0, nullptr, memory.first, complex, FFTW_ESTIMATE)),
            FftwPlan<Real>(Library::plan_back_to_real(
                1, &along_row, 0, nullptr, complex, memory.first, FFTW_ESTIMATE)),
            plan_columns(FFTW_FORWARD),
            plan_columns(FFTW_BACKWARD)});
}

template <class Real>
void FftwPlanes<Real>::forward(const Real* field, Real* modes) const {
  using Library = Fftw<Real>;
  const Axis third = third_axis(Axis::x, transform_.second);
  const int rows = points_along(transform_.points, transform_.second);
#pragma omp parallel num_threads(threads_)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for schedule(static)
    for (int plane = 0; plane < points_along(transform_.points, third); ++plane) {
      // FFTW's functions take no pointers to const.
      Real* const from = const_cast<Real*>(field) + std::ptrdiff_t{field_.along(third)} * plane;
      Real* const to = modes + std::ptrdiff_t{modes_.along(third)} * plane;
      for (int row = 0; row < rows; ++row) {
        Library::execute_real(
            plans_->rows_forward.get(),
            from + std::ptrdiff_t{field_.along(transform_.second)} * row,
            as_complex(to + std::ptrdiff_t{modes_.along(transform_.second)} * row));
      }
      Library::execute_complex(plans_->columns_forward.get(), as_complex(to), as_complex(to));
    }
  }
}

template <class Real>
void FftwPlanes<Real>::inverse(Real* modes, Real* field) const {
  using Library = Fftw<Real>;
  const Axis third = third_axis(Axis::x, transform_.second);
  const int rows = points_along(transform_.points, transform_.second);
#pragma omp parallel num_threads(threads_)
  {
    const DenormalsAreZero in_this_thread;
#pragma omp for schedule(static)
    for (int plane = 0; plane < points_along(transform_.points, third); ++plane) {
      Real* const from = modes + std::ptrdiff_t{modes_.along(third)} * plane;
      Real* const to = field + std::ptrdiff_t{field_.along(third)} * plane;
      Library::execute_complex(plans_->columns_inverse.get(), as_complex(from), as_complex(from));
      for (int row = 0; row < rows; ++row) {
        Library::execute_back_to_real(
            plans_->rows_inverse.get(),
            as_complex(from + std::ptrdiff_t{modes_.along(transform_.second)} * row),
            to + std::ptrdiff_t{field_.along(transform_.second)} * row);
      }
    }
  }
}

template class FftwPlanes<float>;
template class FftwPlanes<double>;

}  // namespace dns
