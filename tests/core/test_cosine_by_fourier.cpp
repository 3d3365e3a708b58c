#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

#include "solver/core/cosine_by_fourier.hpp"
#include "solver/core/transforms.hpp"

namespace dns::testing::test_cosine_by_fourier {
namespace {

/// sum over m of row(m) exp(+-2 pi i m k/n) in long double, so that only the formulas under test
/// round.
template <class Real>
std::vector<ComplexNumber<Real>> fourier_sums(const std::vector<ComplexNumber<Real>>& row,
                                              int sign) {
  const auto n = static_cast<long>(row.size());
  std::vector<ComplexNumber<Real>> sums;
  for (long k = 0; k < n; ++k) {
    std::complex<long double> sum = 0;
    for (long m = 0; m < n; ++m) {
      const ComplexNumber<Real> value = row[m];
      const long double turns = static_cast<long double>(m * k % n) / static_cast<long double>(n);
      sum +=
          std::complex<long double>(value[0], value[1]) *
          std::polar(1.0L,
                     static_cast<long double>(sign) * 2 * std::numbers::pi_v<long double> * turns);
    }
    sums.push_back({{static_cast<Real>(sum.real()), static_cast<Real>(sum.imag())}});
  }
  return sums;
}

template <class Real>
ComplexNumber<Real> rotation(int k, int n) {
  const Real angle = std::numbers::pi_v<Real> * half_turns<Real>(k, n);
  return {{std::cos(angle), std::sin(angle)}};
}

/// A field and its buffer; all that is neither is NaN, which must get nowhere.
template <class Real>
struct Rows {
  static constexpr Real nothing = std::numeric_limits<Real>::quiet_NaN();

  Extents points;
  Strides strides;  // of the field, with a row and some numbers between planes
  BufferLayout layout;
  std::vector<Real> field, buffer;

  explicit Rows(Extents n)
      : points(n),
        strides{n.nx + 2 + n.nx % 2, (n.nx + 2 + n.nx % 2) * (n.ny + 1) + 2},
        layout(BufferLayout::of_row_pairs(n, sizeof(Real))),
        field(static_cast<std::size_t>(strides.z * n.nz), nothing),
        buffer(layout.values, nothing) {
    for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 c) {
      const int scattered = (17 * c.i * c.i + 29 * c.i + 31 * c.j + 7 * c.k) % 201;
      in_field().rows.set(c, static_cast<Real>(scattered / 100.0 - 1));
    });
  }
  [[nodiscard]] RowPairs<Real> in_field() { return {{field.data(), strides.y, strides.z}, points}; }
  [[nodiscard]] RowPairs<Real> in_buffer() {
    return {{buffer.data(), layout.strides.y, layout.strides.z}, points};
  }
  [[nodiscard]] RowPairs<const Real> constant(const RowPairs<Real>& pairs) const {
    return {pairs.rows.as_const(), points};
  }

  void forward() {
    for_each_point(in_buffer().in_pairs(), ReorderRows<Real>{constant(in_field()), in_buffer()});
    for_each_pair([&](Real* first, bool /*has_partner*/) {
      const auto sums = fourier_sums(complex_row(first), -1);
      const int n = points.nx;
      for (int k = 0; 2 * k <= n; ++k) {
        const auto modes =
            cosine_modes<Real>({at(sums, k), at(sums, k > 0 ? n - k : 0)}, rotation<Real>(k, n));
        put(first, k, modes.here);
        if (k > 0) put(first, n - k, modes.opposite);
      }
    });
  }
  void inverse() {
    for_each_pair([&](Real* first, bool has_partner) {
      const int n = points.nx;
      std::vector<ComplexNumber<Real>> row;
      for (int k = 0; k < n; ++k)
        row.push_back({{first[k], has_partner ? first[layout.strides.y + k] : 0}});
      std::vector<ComplexNumber<Real>> fourier(row.size());
      for (int k = 0; 2 * k <= n; ++k) {
        const auto modes = fourier_modes<Real>(
            {at(row, k), k > 0 ? at(row, n - k) : ComplexNumber<Real>{}}, rotation<Real>(k, n));
        fourier[k] = modes.here;
        if (k > 0) fourier[n - k] = modes.opposite;
      }
      const auto sums = fourier_sums(fourier, 1);
      for (int m = 0; m < n; ++m) store_aligned(first + 2 * m, at(sums, m));
    });
    for_each_point(in_field().in_pairs(), RestoreRows<Real>{constant(in_buffer()), in_field()});
  }

 private:
  static ComplexNumber<Real> at(const std::vector<ComplexNumber<Real>>& row, int k) {
    return row[k];
  }
  void put(Real* first, int k, ComplexNumber<Real> mode) const {
    first[k] = mode[0];
    first[layout.strides.y + k] = mode[1];
  }
  std::vector<ComplexNumber<Real>> complex_row(const Real* first) const {
    std::vector<ComplexNumber<Real>> row;
    for (int m = 0; m < points.nx; ++m) row.push_back(load_aligned<2>(first + 2 * m));
    return row;
  }
  template <class Use>
  void for_each_pair(const Use& use) {
    for (int plane = 0; plane < points.nz; ++plane) {
      for (int pair = 0; pair < in_buffer().per_plane(); ++pair)
        use(in_buffer().first(pair, plane), in_buffer().has_partner(pair));
    }
  }
};

template <class Real>
class CosineByFourierTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(CosineByFourierTest, Reals);

TYPED_TEST(CosineByFourierTest, rows_become_the_sums_over_cosines_and_come_back) {
  using Real = TypeParam;
  const auto epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (const Extents n : {Extents{1, 3, 2},
                          Extents{2, 1, 3},
                          Extents{3, 4, 1},
                          Extents{8, 5, 2},
                          Extents{13, 2, 3},
                          Extents{300, 2, 1},
                          Extents{401, 1, 1}}) {
    SCOPED_TRACE(::testing::Message() << n.nx << " " << n.ny << " " << n.nz);
    Rows<Real> rows(n);
    const std::vector<Real> before = rows.field;
    rows.forward();
    for_each_point({{}, {n.nx, n.ny, n.nz}}, [&](Index3 c) {
      long double sum = 0;
      for (int m = 0; m < n.nx; ++m) {
        const auto value = static_cast<long double>(rows.in_field().rows(Index3{m, c.j, c.k}));
        const int part = (2 * m + 1) * c.i % (4 * n.nx);
        sum += 2 * value * std::cos(std::numbers::pi_v<long double> * part / (2 * n.nx));
      }
      // Roundings of Z, of r and of two products, of numbers that are about as large as sqrt(n)
      // times the rms of two rows.
      EXPECT_NEAR(static_cast<double>(rows.in_buffer().rows(c)),
                  static_cast<double>(sum),
                  16 * epsilon * (1 + std::sqrt(static_cast<double>(n.nx))));
    });
    rows.inverse();
    for (std::size_t at = 0; at < before.size(); ++at) {
      if (std::isnan(before[at])) {
        EXPECT_TRUE(std::isnan(rows.field[at])) << at;
      } else {
        EXPECT_NEAR(
            static_cast<double>(rows.field[at]) / gain_of({LineTransformKind::cosine, Axis::x, n}),
            static_cast<double>(before[at]),
            8 * epsilon)
            << at;
      }
    }
  }
}

TEST(PlaceOf, is_a_permutation) {
  for (const int n : {1, 2, 7, 12}) {
    std::vector<int> times(static_cast<std::size_t>(n));
    for (int m = 0; m < n; ++m) ++times[place_of(m, n)];
    EXPECT_EQ(times, std::vector<int>(static_cast<std::size_t>(n), 1)) << n;
  }
}

}  // namespace
}  // namespace dns::testing::test_cosine_by_fourier
