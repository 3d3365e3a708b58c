/// A stage of random fields, to compare ways to march through it with the equation point by point.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include "solver/core/field_layout.hpp"
#include "solver/numerics/stage_march.hpp"

namespace dns {

/// Parts of a stage that a case may leave out.
struct StageParts {
  bool is_first = false;  // without F of the stage before
  bool has_pressure = true;
  bool has_buoyancy = false;
  bool is_implicit = false;  // along the first axis of order 2
};

template <class Real, int x, int y, int z>
class StageCase {
 public:
  using March = StageMarch<Real, x, y, z>;
  static constexpr Real poison = std::numeric_limits<Real>::quiet_NaN();

  StageCase(Extents points, const StageParts& parts, unsigned seed)
      : layout_(points, {x - 1, y - 1, z - 1}), parts_(parts), generator_(seed) {
    constexpr PerAxis<int> orders{x, y, z};
    for (std::vector<Real>& field : velocity_) field = random_field();
    for (auto* fields : {&force_, &result_})
      for (std::vector<Real>& field : *fields) field.assign(places(), poison);
    pressure_ = random_field();
    temperature_ = random_field();
    // A stage may not read ghost points that lie far beyond two axes, nor those of F.
    for_each_point(layout_.all_stored(), [&](Index3 c) {
      int far = 0, beyond = 0;
      for (int a = 0; a < 3; ++a) {
        const int distance = std::max(-c[a], c[a] - layout_.points[a] + 1);
        if (distance > 0) ++beyond;
        if (distance > orders[a] / 2) ++far;
      }
      for (std::size_t q = 0; q < 3; ++q) {
        if (beyond == 3 || (beyond == 2 && far > 0)) view(velocity_[q]).set(c, poison);
        if (beyond == 0 && !parts_.is_first) view(force_[q]).set(c, number(-1, 1));
      }
    });
    for (std::size_t a = 0; a < 3; ++a) {
      const bool is_uniform = orders[a] > 2;
      for (std::vector<Real>& values : metrics_[a]) {
        values.assign(static_cast<std::size_t>(layout_.points[static_cast<int>(a)]) + 128, Real(0));
        for (Real& value : values) value = is_uniform ? Real(0) : number(0.5, 1.5);
      }
      if (is_uniform) {
        const Real width = number(0.5, 1.5);
        for (const int n : {0, 1, 5, 6, 7}) metrics_[a][n].assign(metrics_[a][n].size(), 1 / width);
        for (const int n : {2, 3}) metrics_[a][n].assign(metrics_[a][n].size(), Real(0.5));
        for (const int n : {8}) metrics_[a][n].assign(metrics_[a][n].size(), width);
      }
      for (std::size_t m = 0; m < metrics_[a][8].size(); ++m) {  // widths, distances
        metrics_[a][8][m] = 1 / metrics_[a][0][m];
        metrics_[a][9][m] = 1 / metrics_[a][1][m];
      }
    }
    start_ = force_;
  }

  [[nodiscard]] const FieldLayout& layout() const { return layout_; }

  /// The stage. data_of(values) is where the values of a field or an array of this case are.
  template <class DataOf>
  [[nodiscard]] March march(const DataOf& data_of) {
    March march{
        equation<Real>(velocity_, force_, result_, pressure_, temperature_, metrics_, data_of),
        {},
        {}};
    for_each_axis([&]<Axis axis>() {
      constexpr int a = static_cast<int>(axis);
      const Real scale = March::template order<axis>() > 2 ? metrics_[a][0][0] : Real(1);
      march.advection[a] = Real(-0.5) * scale;
      march.diffusion[a] = march.equation.terms.diffusion[a] * scale;
    });
    return march;
  }

  [[nodiscard]] March march() {
    return march([](std::vector<Real>& values) { return values.data(); });
  }
  /// Calls visit(values) for what a march writes, or for all fields and arrays.
  template <class Visit>
  void for_each_result(const Visit& visit) {
    for (auto* fields : {&force_, &result_})
      for (std::vector<Real>& field : *fields) visit(field);
  }
  template <class Visit>
  void for_each_array(const Visit& visit) {
    for_each_result(visit);
    for (std::vector<Real>& field : velocity_) visit(field);
    visit(pressure_);
    visit(temperature_);
    for (auto& of_axis : metrics_)
      for (std::vector<Real>& values : of_axis) visit(values);
  }

  /// Compares F and V* with those of the equation in double.
  void expect_right() {
    Doubles velocity = in_double(velocity_), force = in_double(start_), result = in_double(result_);
    std::vector<double> pressure(pressure_.begin(), pressure_.end());
    std::vector<double> temperature(temperature_.begin(), temperature_.end());
    PerAxis<std::array<std::vector<double>, 10>> metrics;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t n = 0; n < 10; ++n)
        metrics[a][n].assign(metrics_[a][n].begin(), metrics_[a][n].end());
    const auto exact = equation<double>(
        velocity, force, result, pressure, temperature, metrics, [](std::vector<double>& values) {
          return values.data();
        });
    for_each_point(layout_.all_points(), [&](Index3 c) { exact(c); });
    for (std::size_t q = 0; q < 3; ++q) {
      expect_close("F", force_[q], force[q], static_cast<int>(q));
      expect_close("V*", result_[q], result[q], static_cast<int>(q));
    }
  }

 private:
  using Fields = PerAxis<std::vector<Real>>;
  using Doubles = PerAxis<std::vector<double>>;

  [[nodiscard]] std::size_t places() const { return layout_.count(sizeof(Real)) + 64; }
  [[nodiscard]] Real number(double low, double high) {
    return static_cast<Real>(std::uniform_real_distribution<double>(low, high)(generator_));
  }
  [[nodiscard]] std::vector<Real> random_field() {
    std::vector<Real> values(places());
    for (Real& value : values) value = number(-1, 1);
    return values;
  }
  /// Views of all copies are those of the case's own precision.
  template <class Number>
  [[nodiscard]] FieldView<Number> view(Number* first) const {
    return {first + layout_.origin(sizeof(Real)),
            layout_.stride_y(sizeof(Real)),
            layout_.stride_z(sizeof(Real))};
  }
  template <class Number>
  [[nodiscard]] FieldView<Number> view(std::vector<Number>& values) const {
    return view(values.data());
  }
  [[nodiscard]] static Doubles in_double(const Fields& fields) {
    Doubles values;
    for (std::size_t q = 0; q < 3; ++q) values[q].assign(fields[q].begin(), fields[q].end());
    return values;
  }

  template <class Number, class Vectors, class Metrics, class DataOf>
  [[nodiscard]] StageEquation<Number, FixedOrders<x, y, z>> equation(
      Vectors& velocity,
      Vectors& force,
      Vectors& result,
      std::vector<Number>& pressure,
      std::vector<Number>& temperature,
      Metrics& metrics,
      const DataOf& data_of) const {
    const auto field = [&](std::vector<Number>& values) { return view(data_of(values)); };
    constexpr PerAxis<int> orders{x, y, z};
    StageEquation<Number, FixedOrders<x, y, z>> stage{};
    bool has_implicit = !parts_.is_implicit;
    for (std::size_t a = 0; a < 3; ++a) {
      stage.terms.velocity.component[a] = field(velocity[a]).as_const();
      stage.force.component[a] = field(force[a]);
      stage.result.component[a] = field(result[a]);
      const auto of = [&](std::size_t n) { return data_of(metrics[a][n]) + 32; };
      stage.terms.metrics.axes[a] = {of(0), of(1), of(2), of(3), of(8), of(9), of(8), of(1)};
      const bool is_implicit = !has_implicit && orders[a] == 2;
      has_implicit = has_implicit || is_implicit;
      stage.implicit.is_implicit.chosen[a] = is_implicit;
      stage.implicit.weight = Number(2);
      stage.implicit.coefficients.centres[a] = {of(4), of(5), of(6)};
      stage.implicit.coefficients.faces[a] = {of(4), of(6), of(7)};
      // Numbers that are the same in float and double.
      stage.terms.diffusion[a] =
          is_implicit ? Number(0) : static_cast<Number>(0.25 + 0.125 * static_cast<double>(a));
      stage.buoyancy[a] = static_cast<Number>(a == 1 ? 0.5 : 0);
      stage.uniform[a] = static_cast<Number>(0.0625 * static_cast<double>(a + 1));
    }
    stage.weights = {Number(0.375), parts_.is_first ? Number(0) : Number(-0.25), Number(0.125)};
    if (parts_.has_pressure) stage.pressure = field(pressure).as_const();
    if (parts_.has_buoyancy) stage.temperature = field(temperature).as_const();
    return stage;
  }

  /// Points have the value of the equation, all other places what they had.
  void expect_close(const char* what,
                    std::vector<Real>& values,
                    std::vector<double>& exact,
                    int component) const {
    double largest = 0, error = 0;
    for_each_point(layout_.all_points(), [&](Index3 c) {
      const double deviation = std::abs(double{view(values)(c)} - view(exact)(c));
      if (!(deviation <= error)) error = deviation;  // also NaN
      largest = std::max(largest, std::abs(view(exact)(c)));
    });
    // Sums of 9 order terms, whose largest is as large as the sum or a few times that.
    EXPECT_LT(error, 16 * double{std::numeric_limits<Real>::epsilon()} * largest)
        << what << " of component " << component << ", orders " << x << y << z;
    std::size_t written = 0;
    for (const Real value : values) written += std::isnan(value) ? 0 : 1;
    EXPECT_EQ(written, layout_.points.count()) << what << " of component " << component;
  }

  FieldLayout layout_;
  StageParts parts_;
  std::mt19937 generator_;
  Fields velocity_, force_, result_, start_;
  std::vector<Real> pressure_, temperature_;
  // Inverse widths, inverse distances, shares below and above, four of coefficients, widths,
  // distances.
  PerAxis<std::array<std::vector<Real>, 10>> metrics_;
};

}  // namespace dns
