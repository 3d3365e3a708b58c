#include "solver/face_values/reynolds_stresses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "solver/core/error.hpp"
#include "solver/core/index.hpp"

namespace dns {
namespace {

constexpr double rounding = 1e-10;  // of correlation coefficients and what is made of them

[[noreturn]] void refuse(const ReynoldsStresses& stresses, const std::string& why) {
  throw CaseError(
      fmt::format("no velocity has the stresses uu = {:g}, vv = {:g}, ww = {:g}, uv = {:g}, "
                  "uw = {:g}, vw = {:g}: {}",
                  stresses.uu,
                  stresses.vv,
                  stresses.ww,
                  stresses.uv,
                  stresses.uw,
                  stresses.vw,
                  why));
}

/// sqrt(1 - cosine^2)
double sine(double cosine) {
  return std::sqrt(std::max(0.0, 1 - cosine * cosine));
}

}  // namespace

double StressFactor::deviation(int component) const {
  const PerAxis<double>& row = rows[component];
  return std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
}

StressFactor cholesky_factor(const ReynoldsStresses& stresses) {
  const auto deviation = [&](double variance, const char* name) {
    if (!(variance >= 0) || !std::isfinite(variance))
      refuse(stresses, fmt::format("{} must be finite and not negative", name));
    return std::sqrt(variance);
  };
  const double u = deviation(stresses.uu, "uu");
  const double v = deviation(stresses.vv, "vv");
  const double w = deviation(stresses.ww, "ww");
  const auto correlation = [&](double covariance, double a, double b, const char* rule) {
    if (covariance == 0) return 0.0;
    const double coefficient = covariance / a / b;
    if (!(std::abs(coefficient) <= 1 + rounding)) refuse(stresses, rule);
    return std::clamp(coefficient, -1.0, 1.0);
  };
  const double uv = correlation(stresses.uv, u, v, "uv^2 must be at most uu vv");
  const double uw = correlation(stresses.uw, u, w, "uw^2 must be at most uu ww");
  const double vw = correlation(stresses.vw, v, w, "vw^2 must be at most vv ww");
  if (1 + 2 * uv * uw * vw - uv * uv - uw * uw - vw * vw < -rounding)
    refuse(stresses, "their determinant must not be negative");

  const double pivot = sine(uv);
  const bool is_full = pivot > std::sqrt(rounding);  // else v follows u, and w follows both alike
  const double most = sine(uw);
  const double of_w = is_full ? std::clamp((vw - uv * uw) / pivot, -most, most) : 0;
  const double left = std::sqrt(std::max(0.0, (most - of_w) * (most + of_w)));
  return {{{{u, 0, 0}, {v * uv, v * pivot, 0}, {w * uw, w * of_w, w * left}}}};
}

}  // namespace dns
