/// Waves exp(i a x + s t) on a flow U(y) between walls, in the operators of order 4 across walls,
/// exact along x: eigenvalues s and their u, v and p, by inverse iteration.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "solver/config/operators_across_walls.hpp"
#include "solver/core/index.hpp"

namespace dns::testing {

using Complex = std::complex<double>;

/// A square matrix, row-major, and its solutions by elimination with row pivots.
template <class Number>
class DenseMatrix {
 public:
  explicit DenseMatrix(int size) : n_(size), entries_(static_cast<std::size_t>(size) * size) {}

  [[nodiscard]] int size() const { return n_; }
  Number& operator()(int row, int column) {
    return entries_[static_cast<std::size_t>(row) * n_ + column];
  }
  /// Replaces the matrix by its factors. Call it once, before solve().
  void factorise() {
    pivots_.resize(n_);
    for (int step = 0; step < n_; ++step) {
      int pivot = step;
      for (int row = step + 1; row < n_; ++row) {
        if (std::abs((*this)(row, step)) > std::abs((*this)(pivot, step))) pivot = row;
      }
      pivots_[step] = pivot;
      for (int column = 0; pivot != step && column < n_; ++column)
        std::swap((*this)(pivot, column), (*this)(step, column));
      for (int row = step + 1; row < n_; ++row) {
        const Number factor = (*this)(row, step) / (*this)(step, step);
        (*this)(row, step) = factor;
        if (factor == Number(0)) continue;
        for (int column = step + 1; column < n_; ++column)
          (*this)(row, column) -= factor * (*this)(step, column);
      }
    }
  }
  [[nodiscard]] std::vector<Number> solve(std::vector<Number> x) {
    for (int step = 0; step < n_; ++step) std::swap(x[step], x[pivots_[step]]);
    for (int row = 0; row < n_; ++row) {
      for (int column = 0; column < row; ++column) x[row] -= (*this)(row, column) * x[column];
    }
    for (int row = n_ - 1; row >= 0; --row) {
      for (int column = row + 1; column < n_; ++column) x[row] -= (*this)(row, column) * x[column];
      x[row] /= (*this)(row, row);
    }
    return x;
  }

 private:
  int n_;
  std::vector<Number> entries_;
  std::vector<int> pivots_;
};

/// Faces from -1 to 1.
inline std::vector<double> faces_of_channel(int cells, double factor) {
  std::vector<double> faces;
  for (int j = 0; j <= cells; ++j) {
    const double place = 2.0 * j / cells - 1;
    faces.push_back(factor == 0 ? place : std::tanh(factor * place) / std::tanh(factor));
  }
  return faces;
}

/// L = D G at cells, with conditions at both ends.
inline double second_difference(const OperatorsAcrossWalls& y,
                                const EndAcrossWalls& low,
                                const EndAcrossWalls& high,
                                int row,
                                int column) {
  double sum = 0;
  for (int face = 0; face <= y.cells(); ++face) {
    const bool is_end = face == 0 || face == y.cells();
    const EndAcrossWalls& end = face == 0 ? low : high;
    if (is_end && end.gives_gradient()) continue;
    sum -= y.difference(row, face) * y.difference(column, face) /
           (y.face_volume(face) + (is_end ? end.length() : 0));
  }
  return sum / y.cell_volume(row);
}

/// u of the steady equation L u + decay u = source with values given at both ends.
inline std::vector<double> steady_profile(const OperatorsAcrossWalls& y,
                                          const EndAcrossWalls& low,
                                          const EndAcrossWalls& high,
                                          PerAxis<double> given_and_source,
                                          double decay = 0) {
  const int n = y.cells();
  const auto& [given_low, given_high, source] = given_and_source;
  DenseMatrix<double> matrix(n);
  std::vector<double> rhs(n);
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column)
      matrix(row, column) = second_difference(y, low, high, row, column);
    matrix(row, row) -= decay;
    rhs[row] =
        source + (y.difference(row, 0) * given_low * low.slope_of_given(y.face_volume(0)) -
                  y.difference(row, n) * given_high * high.slope_of_given(y.face_volume(n))) /
                     y.cell_volume(row);
  }
  matrix.factorise();
  return matrix.solve(rhs);
}

struct Wave {
  Complex rate;
  std::vector<Complex> u, v, p;  // at cells, at inner faces, at cells
};

/// The wave whose s is nearest to a guess.
inline Wave wave_nearest(const OperatorsAcrossWalls& y,
                         double a,
                         double reynolds,
                         const std::function<double(double)>& flow,
                         Complex guess,
                         const EndAcrossWalls& high = {}) {
  const int n = y.cells();
  const int inner = n - 1;
  const int size = 3 * n - 1;
  const EndAcrossWalls low{};
  const Complex i(0, 1);
  const Complex shift = guess * (1 + 1e-6) + 1e-8;
  DenseMatrix<Complex> matrix(size);
  std::vector<double> base(n);
  for (int m = 0; m < n; ++m) base[m] = flow(y.centre(m));
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column)
      matrix(row, column) = second_difference(y, low, high, row, column) / reynolds;
    matrix(row, row) -= a * a / reynolds + 1.5 * i * a * base[row] + shift;
    matrix(row, n + inner + row) = -i * a;
    matrix(n + inner + row, row) = i * a;
    for (int face = 1; face < n; ++face) {
      // 1/2 [D (v I U) + I* (v G U)], of v alone.
      double mean = 0;
      double difference = 0;
      for (int cell = 0; cell < n; ++cell) {
        mean += y.mean(face, cell) / y.weight_of_face(face) * base[cell];
        difference -= y.difference(cell, face) * base[cell];
      }
      matrix(row, n + face - 1) = -0.5 *
                                  (y.difference(row, face) * mean +
                                   y.mean(face, row) / y.weight_of_face(face) * difference) /
                                  y.cell_volume(row);
      matrix(n + inner + row, n + face - 1) = y.difference(row, face) / y.cell_volume(row);
      matrix(n + face - 1, n + inner + row) = y.difference(row, face) / y.face_volume(face);
    }
  }
  for (int row = 1; row < n; ++row) {
    for (int column = 1; column < n; ++column) {
      double sum = 0;
      for (int cell = 0; cell < n; ++cell)
        sum -= y.difference(cell, row) * y.difference(cell, column) / y.cell_volume(cell);
      matrix(n + row - 1, n + column - 1) = sum / y.face_volume(row) / reynolds;
    }
    double carried = 0;
    for (int cell = 0; cell < n; ++cell) carried += y.carry(row, cell) * base[cell];
    matrix(n + row - 1, n + row - 1) -= a * a / reynolds + i * a * carried + shift;
  }
  matrix.factorise();
  std::vector<Complex> x(size);
  for (int m = 0; m < size; ++m) x[m] = Complex(std::cos(1.7 * m * m), std::sin(0.3 * m));
  Complex found;
  for (int times = 0; times < 14; ++times) {
    for (int m = n + inner; m < size; ++m) x[m] = 0;
    const std::vector<Complex> z = matrix.solve(x);
    Complex product = 0;
    double square = 0;
    double norm = 0;
    for (int m = 0; m < n + inner; ++m) {
      product += std::conj(x[m]) * z[m];
      square += std::norm(x[m]);
    }
    for (const Complex& value : z) norm += std::norm(value);
    found = product / square;
    for (int m = 0; m < size; ++m) x[m] = z[m] / std::sqrt(norm);
  }
  return {shift + 1.0 / found,
          {x.begin(), x.begin() + n},
          {x.begin() + n, x.begin() + n + inner},
          {x.begin() + n + inner, x.end()}};
}

}  // namespace dns::testing
