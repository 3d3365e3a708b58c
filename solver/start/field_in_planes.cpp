#include "solver/start/field_in_planes.hpp"

#include <algorithm>
#include <utility>

#include "solver/core/index.hpp"

namespace dns {
namespace {

/// SUM weight[n] value(point[n]), over the divisor where it is not 1.
template <class Value>
double at(const LineStencil& stencil, const Value& value) {
  double sum = stencil.weight[0] * value(stencil.point[0]);
  for (int n = 1; n < stencil.count; ++n) {
    const std::size_t m = n;
    sum += stencil.weight[m] * value(stencil.point[m]);
  }
  return stencil.divisor == 1 ? sum : sum / stencil.divisor;
}

int size_of(const AxisStencils& stencils) {
  return static_cast<int>(stencils.size());
}

}  // namespace

FieldInPlanes::FieldInPlanes(std::string name,
                             PerAxis<AxisStencils> stencils,
                             const Extents& slots,
                             int threads)
    : stencils_(std::move(stencils)),
      slots_(slots),
      points_{size_of(stencils_[0]), size_of(stencils_[1]), size_of(stencils_[2])},
      threads_(std::max(1, threads)),
      field_(std::move(name), points_, Precision::double_precision),
      uses_(slots.nz),
      has_begun_(stencils_[2].size()),
      rows_(Extents{points_.nx, slots.ny, 1}.count()),
      plane_(Extents{points_.nx, points_.ny, 1}.count()) {
  for (int k = 0; k < points_.nz; ++k) {
    const LineStencil& stencil = stencils_[2][k];
    for (int n = 0; n < stencil.count; ++n) {
      const std::size_t m = n;
      uses_[stencil.point[m]].push_back({k, stencil.weight[m]});
    }
  }
}

void FieldInPlanes::interpolate_along_x(const std::vector<double>& plane) {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int b = 0; b < slots_.ny; ++b) {
    const double* const from = plane.data() + static_cast<std::ptrdiff_t>(b) * slots_.nx;
    double* to = rows_.data() + static_cast<std::ptrdiff_t>(b) * points_.nx;
    for (const LineStencil& stencil : stencils_[0])
      *to++ = at(stencil, [&](int slot) { return from[slot]; });
  }
}

void FieldInPlanes::interpolate_along_y() {
  const std::ptrdiff_t nx = points_.nx;
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int j = 0; j < points_.ny; ++j) {
    const LineStencil& stencil = stencils_[1][j];
    double* const to = plane_.data() + j * nx;
    for (std::ptrdiff_t i = 0; i < nx; ++i)
      to[i] = at(stencil, [&](int slot) { return rows_[slot * nx + i]; });
  }
}

/// The last divisor is that of all sums along z.
void FieldInPlanes::add_to(const Use& use) {
  const std::size_t k = use.plane;
  const auto points = static_cast<std::ptrdiff_t>(plane_.size());
  double* const to = field_.values<double>().data() + use.plane * points;
  const double* const from = plane_.data();
  const bool has_begun = has_begun_[k];
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::ptrdiff_t n = 0; n < points; ++n)
    to[n] = has_begun ? to[n] + use.weight * from[n] : use.weight * from[n];
  has_begun_[k] = true;
}

void FieldInPlanes::add(int slot, const std::vector<double>& plane) {
  if (!needs(slot)) return;
  interpolate_along_x(plane);
  interpolate_along_y();
  for (const Use& use : uses_[slot]) add_to(use);
}

HostField FieldInPlanes::take() {
  const auto plane = static_cast<std::ptrdiff_t>(plane_.size());
  double* to = field_.values<double>().data();
  for (const LineStencil& stencil : stencils_[2]) {
    if (stencil.divisor != 1)
      std::for_each(to, to + plane, [&](double& value) { value /= stencil.divisor; });
    to += plane;
  }
  return std::move(field_);
}

}  // namespace dns
