/// The transforms of every backend against sums written out.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

#include "tests/projection/poisson_tests.hpp"

namespace dns::testing {

template <class Device>
class TransformTest : public PoissonTest<Device> {};
TYPED_TEST_SUITE_P(TransformTest);

/// A grid of unit cells, for CellField.
inline StaggeredGrid unit_grid(Extents n) {
  return grid_of(
      {AxisKind::uniform_periodic, AxisKind::uniform_periodic, AxisKind::uniform_periodic}, n);
}

/// An array with the strides of a buffer on the device.
template <class Backend>
class BufferField {
 public:
  using Real = typename Backend::Real;

  BufferField(Backend& backend, const BufferLayout& layout)
      : backend_(backend),
        layout_(layout),
        values_(backend.template allocate<Real>(layout_.values)) {}
  BufferField(Backend& backend, Extents points, Axis second)
      : BufferField(backend, BufferLayout::of(points, second, sizeof(Real))) {}

  /// As memory may be that was used before.
  void forget() {
    const std::vector<Real> nothing(layout_.values, std::numeric_limits<Real>::quiet_NaN());
    backend_.upload_values(nothing.data(), values_.data(), nothing.size());
  }

  [[nodiscard]] Strides strides() const { return layout_.strides; }
  [[nodiscard]] FieldView<Real> view() const {
    return {values_.data(), layout_.strides.y, layout_.strides.z};
  }
  [[nodiscard]] CellField host(Extents points) const {
    // As one row: backends download rows at equal distances only.
    const int count = static_cast<int>(layout_.values);
    std::vector<Real> values(layout_.values);
    backend_.download({values_.data(), 1, count, count}, {count, 1, 1}, values.data());
    backend_.synchronize();
    CellField field(unit_grid(points));
    for_each_cell(points, [&](int i, int j, int k) {
      const auto at = static_cast<std::size_t>(i + j * layout_.strides.y + k * layout_.strides.z);
      field(i, j, k) = static_cast<double>(values[at]);
    });
    return field;
  }

 private:
  Backend& backend_;
  BufferLayout layout_;
  decltype(std::declval<Backend&>().template allocate<Real>(0)) values_;
};

/// sum over m, n of field(m, n) exp(-2 pi I (m p/nx + n q/n_second)), at each mode by itself; in
/// long double, so that its own rounding does not count.
inline std::complex<double> mode_of(const CellField& field, Axis second, Index3 mode) {
  const Extents n = field.points();
  const int rows = n[second];
  std::complex<long double> sum = 0;
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < n.nx; ++i) {
      const double value = second == Axis::y ? field(i, row, mode.k) : field(i, mode.j, row);
      const int q = second == Axis::y ? mode.j : mode.k;
      // Reduced to one turn exactly.
      const int part = (mode.i * i * rows + q * row * n.nx) % (n.nx * rows);
      const long double turns = static_cast<long double>(part) / (n.nx * rows);
      sum += static_cast<long double>(value) *
             std::polar(1.0L, -2 * std::numbers::pi_v<long double> * turns);
    }
  }
  return std::complex<double>(sum);
}

TYPED_TEST_P(TransformTest, planes_become_the_sums_over_waves_and_come_back) {
  using Backend = typename TypeParam::Backend;
  using Real = typename Backend::Real;
  auto backend = TypeParam::make();
  const auto epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (const Extents n : {Extents{8, 6, 4},
                          Extents{7, 5, 9},
                          Extents{13, 4, 11},
                          Extents{10, 1, 6},
                          Extents{10, 6, 1},
                          Extents{2, 2, 2},
                          Extents{3, 2, 16},
                          Extents{34, 9, 3}}) {
    for (const Axis second : {Axis::y, Axis::z}) {
      SCOPED_TRACE(::testing::Message() << n.nx << " " << n.ny << " " << n.nz << " second axis "
                                        << static_cast<int>(second));
      const CellField values = rounded<Real>(scattered_field(unit_grid(n), 7));
      GhostedField<Backend> field(backend, n);
      field.set(values);
      const PlaneTransform transform{n, second};
      const Extents modes = modes_of(transform, Backend::PlaneTransforms::left_out(transform));
      const BufferField<Backend> buffer(backend, modes, second);
      const FieldView<Real> view = field.view();
      const auto planes =
          backend.plan_planes(transform, {view.stride_y, view.stride_z}, buffer.strides());
      planes.forward(view.origin, buffer.view().origin);
      const CellField computed = buffer.host(modes);
      const double points = n.nx * n[second];
      for_each_cell(resized(modes, Axis::x, modes.nx / 2), [&](int i, int j, int k) {
        const auto expected = mode_of(values, second, {i, j, k});
        EXPECT_NEAR(computed(2 * i, j, k), expected.real(), 8 * epsilon * std::sqrt(points));
        EXPECT_NEAR(computed(2 * i + 1, j, k), expected.imag(), 8 * epsilon * std::sqrt(points));
      });
      planes.inverse(buffer.view().origin, view.origin);
      const auto back = field.values();
      for (std::size_t c = 0; c < back.size(); ++c) {
        EXPECT_NEAR(static_cast<double>(back[c]) / points, values.values()[c], 8 * epsilon);
      }
      EXPECT_TRUE(field.ghosts_are_untouched());
    }
  }
}

/// A mode of a line of values, by its definition. Arguments are reduced to one turn exactly.
inline double line_mode(LineTransformKind kind, const std::vector<double>& values, int mode) {
  const int n = static_cast<int>(values.size());
  const auto angle = [](int part, int of_turn) {
    return 2 * std::numbers::pi * (part % of_turn) / of_turn;
  };
  double sum = 0;
  for (int m = 0; m < n; ++m) {
    const double value = values[m];
    if (kind == LineTransformKind::cosine) {
      sum += 2 * value * std::cos(angle((2 * m + 1) * mode, 4 * n));
    } else if (2 * mode <= n) {
      sum += value * std::cos(angle(m * mode, n));
    } else {
      sum -= value * std::sin(angle(m * (n - mode), n));
    }
  }
  return sum;
}

/// The line of a field through c along an axis.
inline std::vector<double> line_through(const CellField& field, Axis axis, Index3 c) {
  std::vector<double> line;
  line.reserve(static_cast<std::size_t>(field.points()[axis]));
  for (int m = 0; m < field.points()[axis]; ++m) {
    line.push_back(
        field(axis == Axis::x ? m : c.i, axis == Axis::y ? m : c.j, axis == Axis::z ? m : c.k));
  }
  return line;
}

/// roundings: of a value of order 1 on its way there and back, at most.
template <class Backend>
void expect_lines_there_and_back(Backend& backend,
                                 const LineTransform& transform,
                                 double roundings = 8) {
  using Real = typename Backend::Real;
  const auto epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
  const Extents n = transform.points;
  const Axis axis = transform.axis;
  SCOPED_TRACE(::testing::Message()
               << n.nx << " " << n.ny << " " << n.nz << " axis " << static_cast<int>(axis));
  const CellField values = rounded<Real>(scattered_field(unit_grid(n), 5));
  GhostedField<Backend> field(backend, n);
  field.set(values);
  BufferField<Backend> buffer(backend,
                              Backend::LineTransforms::pairs_rows(transform)
                                  ? BufferLayout::of_row_pairs(n, sizeof(Real))
                                  : BufferLayout::of(n, Axis::y, sizeof(Real)));
  buffer.forget();
  const FieldView<Real> view = field.view();
  const auto lines =
      backend.plan_lines(transform, {view.stride_y, view.stride_z}, buffer.strides());
  lines.forward(view.origin, buffer.view().origin);
  const CellField computed = buffer.host(n);
  for_each_cell(n, [&](int i, int j, int k) {
    const int mode = axis == Axis::x ? i : axis == Axis::y ? j : k;
    const auto line = line_through(values, axis, {i, j, k});
    // Two sums of n values up to 2, with two roundings per term.
    EXPECT_NEAR(computed(i, j, k),
                line_mode(transform.kind, line, mode),
                4 * epsilon * static_cast<double>(line.size()));
  });
  lines.inverse(buffer.view().origin, view.origin);
  const auto back = field.values();
  for (std::size_t c = 0; c < back.size(); ++c) {
    EXPECT_NEAR(
        static_cast<double>(back[c]) / gain_of(transform), values.values()[c], roundings * epsilon);
  }
  EXPECT_TRUE(field.ghosts_are_untouched());
}

TYPED_TEST_P(TransformTest, lines_become_the_sums_over_waves_and_come_back) {
  using Backend = typename TypeParam::Backend;
  auto backend = TypeParam::make();
  for (const Extents n : {Extents{8, 6, 4}, Extents{7, 5, 9}, Extents{13, 11, 2}}) {
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      for (const auto kind : {LineTransformKind::fourier, LineTransformKind::cosine}) {
        const bool are_there = Backend::LineTransforms::pays({kind, axis, {999, 999, 999}});
        if (are_there) expect_lines_there_and_back(backend, {kind, axis, n});
      }
    }
  }
}

/// Even, odd and prime lengths, odd and even numbers of rows; one that is longer than the shared
/// memory that a kernel gets without asking.
TYPED_TEST_P(TransformTest, long_rows_become_the_sums_over_cosines_and_come_back) {
  auto backend = TypeParam::make();
  for (const Extents n : {Extents{300, 5, 3},
                          Extents{401, 4, 2},
                          Extents{401, 3, 2},
                          Extents{405, 1, 4},
                          Extents{1024, 2, 1},
                          Extents{5000, 1, 1}}) {
    // One per pass of each transform, whose length is up to four times the row's if it is prime.
    const double roundings = 2 * std::log2(4.0 * n.nx);
    expect_lines_there_and_back(backend, {LineTransformKind::cosine, Axis::x, n}, roundings);
  }
}

TYPED_TEST_P(TransformTest, lines_along_x_become_the_complex_sums_over_waves_and_come_back) {
  using Backend = typename TypeParam::Backend;
  using Real = typename Backend::Real;
  auto backend = TypeParam::make();
  const auto epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (const Extents n : {Extents{8, 6, 4}, Extents{7, 5, 9}, Extents{34, 1, 13}}) {
    SCOPED_TRACE(::testing::Message() << n.nx << " " << n.ny << " " << n.nz);
    const CellField values = rounded<Real>(scattered_field(unit_grid(n), 6));
    GhostedField<Backend> field(backend, n);
    field.set(values);
    const Strides from{field.view().stride_y, field.view().stride_z};
    ASSERT_EQ(from.z % from.y, 0);
    const int row = BufferLayout::of({2 * (n.nx / 2 + 1), 1, 1}, Axis::y, sizeof(Real)).strides.y;
    const Strides to{row, row * (from.z / from.y)};
    auto modes = backend.template allocate<Real>(static_cast<std::size_t>(to.z * n.nz));
    const auto lines = backend.plan_lines({LineTransformKind::waves, Axis::x, n}, from, to);
    lines.forward(field.view().origin, modes.data());
    std::vector<Real> computed(static_cast<std::size_t>(to.z * n.nz));
    const int count = to.z * n.nz;
    backend.download({modes.data(), 1, count, count}, {count, 1, 1}, computed.data());
    backend.synchronize();
    for_each_cell({n.nx / 2 + 1, n.ny, n.nz}, [&](int p, int j, int k) {
      std::complex<double> mode = 0;
      for (int i = 0; i < n.nx; ++i)
        mode += values(i, j, k) * std::polar(1.0, -2 * std::numbers::pi * (i * p % n.nx) / n.nx);
      const auto at = static_cast<std::size_t>(2 * p + j * to.y + k * to.z);
      EXPECT_NEAR(static_cast<double>(computed[at]), mode.real(), 4 * epsilon * n.nx);
      EXPECT_NEAR(static_cast<double>(computed[at + 1]), mode.imag(), 4 * epsilon * n.nx);
    });
    lines.inverse(modes.data(), field.view().origin);
    const auto back = field.values();
    for (std::size_t c = 0; c < back.size(); ++c)
      EXPECT_NEAR(static_cast<double>(back[c]) / n.nx, values.values()[c], 8 * epsilon);
  }
}

TYPED_TEST_P(TransformTest, lines_of_modes_become_the_sums_over_waves_and_come_back) {
  using Backend = typename TypeParam::Backend;
  using Real = typename Backend::Real;
  auto backend = TypeParam::make();
  const auto epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (const Extents n : {Extents{8, 6, 4}, Extents{7, 5, 9}, Extents{34, 9, 13}}) {
    SCOPED_TRACE(::testing::Message() << n.nx << " " << n.ny << " " << n.nz);
    GhostedField<Backend> field(backend, n);
    field.set(rounded<Real>(scattered_field(unit_grid(n), 7)));
    const PlaneTransform planes{n, Axis::y};
    const Extents modes = modes_of(planes, Backend::PlaneTransforms::left_out(planes));
    const BufferField<Backend> buffer(backend, modes, Axis::y);
    const Strides strides = buffer.strides();
    backend.plan_planes(planes, {field.view().stride_y, field.view().stride_z}, strides)
        .forward(field.view().origin, buffer.view().origin);
    const CellField before = buffer.host(modes);
    const LineTransform transform{
        LineTransformKind::complex, Axis::z, resized(modes, Axis::x, strides.y)};
    const auto lines = backend.plan_lines(transform, strides, strides);
    Real* const values = buffer.view().origin;
    lines.forward(values, values);
    const CellField computed = buffer.host(modes);
    lines.inverse(values, values);
    const CellField back = buffer.host(modes);
    const double largest = n.nx * n.ny;
    for_each_cell(resized(modes, Axis::x, modes.nx / 2), [&](int i, int j, int k) {
      std::complex<double> mode = 0;
      for (int l = 0; l < n.nz; ++l) {
        mode += std::complex(before(2 * i, j, l), before(2 * i + 1, j, l)) *
                std::polar(1.0, -2 * std::numbers::pi * (l * k % n.nz) / n.nz);
      }
      EXPECT_NEAR(computed(2 * i, j, k), mode.real(), 4 * epsilon * largest);
      EXPECT_NEAR(computed(2 * i + 1, j, k), mode.imag(), 4 * epsilon * largest);
    });
    for_each_cell(modes, [&](int i, int j, int k) {
      EXPECT_NEAR(back(i, j, k) / n.nz, before(i, j, k), 4 * epsilon * largest);
    });
  }
}

TYPED_TEST_P(TransformTest, lines_are_multiplied_by_a_matrix) {
  using Backend = typename TypeParam::Backend;
  using Real = typename Backend::Real;
  auto backend = TypeParam::make();
  const auto epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (const Extents n :
       {Extents{8, 6, 4}, Extents{7, 5, 9}, Extents{33, 1, 2}, Extents{1, 9, 5}}) {
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
      SCOPED_TRACE(::testing::Message()
                   << n.nx << " " << n.ny << " " << n.nz << " axis " << static_cast<int>(axis));
      const int rows = n[axis];
      std::vector<double> matrix;
      matrix.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows));
      for (int entry = 0; entry < rows * rows; ++entry) {
        matrix.push_back(static_cast<double>(static_cast<Real>(scattered_value(entry))));
      }
      const auto on_device = upload_as<Real>(backend, matrix);
      const CellField values = rounded<Real>(scattered_field(unit_grid(n), 9));
      GhostedField<Backend> field(backend, n);
      field.set(values);
      const BufferField<Backend> buffer(backend, n, Axis::y);
      backend.multiply(axis, n, on_device.data(), field.view().as_const(), buffer.view());
      const CellField product = buffer.host(n);
      const auto expected = [&](int i, int j, int k) {
        const auto line = line_through(values, axis, {i, j, k});
        const int row = axis == Axis::x ? i : axis == Axis::y ? j : k;
        double sum = 0;
        for (std::size_t l = 0; l < line.size(); ++l) {
          sum += matrix[static_cast<std::size_t>(row) * line.size() + l] * line[l];
        }
        return sum;
      };
      for_each_cell(n, [&](int i, int j, int k) {
        EXPECT_NEAR(product(i, j, k), expected(i, j, k), rows * epsilon);
      });
      // And from the buffer to the field, whose ghosts stay as they are.
      const std::vector<double> ones(static_cast<std::size_t>(rows * rows), 1);
      const auto all_ones = upload_as<Real>(backend, ones);
      backend.multiply(axis, n, all_ones.data(), buffer.view().as_const(), field.view());
      EXPECT_TRUE(field.ghosts_are_untouched());
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(TransformTest,
                            planes_become_the_sums_over_waves_and_come_back,
                            lines_become_the_sums_over_waves_and_come_back,
                            long_rows_become_the_sums_over_cosines_and_come_back,
                            lines_along_x_become_the_complex_sums_over_waves_and_come_back,
                            lines_of_modes_become_the_sums_over_waves_and_come_back,
                            lines_are_multiplied_by_a_matrix);

}  // namespace dns::testing
