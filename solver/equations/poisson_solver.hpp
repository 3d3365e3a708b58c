/// Stand-in: conjugate gradients on the host.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "solver/core/field_view.hpp"
#include "solver/grid/staggered_grid.hpp"

namespace dns {

template <class Backend>
class PoissonSolver {
 public:
  using Real = typename Backend::Real;
  PoissonSolver(Backend& /*backend*/, const StaggeredGrid& grid) : grid_(grid) {}

  void solve(FieldView<Real> field) {
    const int n[3] = {grid_[0].cells(), grid_[1].cells(), grid_[2].cells()};
    const std::size_t count = std::size_t(n[0]) * std::size_t(n[1]) * std::size_t(n[2]);
    const auto at = [&](int i, int j, int k) { return std::size_t((k * n[1] + j) * n[0] + i); };
    std::vector<double> b(count), x(count), r(count), p(count), ap(count);
    double total = 0, volume = 0;
    const auto size = [&](int i, int j, int k) {
      return grid_[0].width(i) * grid_[1].width(j) * grid_[2].width(k);
    };
    const auto visit = [&](const auto& f) {
      for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
          for (int i = 0; i < n[0]; ++i) f(i, j, k);
    };
    visit([&](int i, int j, int k) {
      b[at(i, j, k)] = -double(field(Index3{i, j, k})) * size(i, j, k);
      total += b[at(i, j, k)];
      volume += size(i, j, k);
    });
    visit([&](int i, int j, int k) { b[at(i, j, k)] -= total * size(i, j, k) / volume; });
    const auto apply = [&](const std::vector<double>& q, std::vector<double>& out) {
      visit([&](int i, int j, int k) {
        const int c[3] = {i, j, k};
        double sum = 0;
        for (int a = 0; a < 3; ++a) {
          const auto& axis = grid_[std::size_t(a)];
          double area = 1;
          for (int o = 0; o < 3; ++o)
            if (o != a) area *= grid_[std::size_t(o)].width(c[o]);
          for (int side = 0; side < 2; ++side) {
            int d[3] = {i, j, k};
            const int f = c[a] + side;
            d[a] += side == 0 ? -1 : 1;
            if (d[a] < 0 || d[a] >= n[a]) {
              if (!axis.is_periodic) continue;
              d[a] = (d[a] + n[a]) % n[a];
            }
            sum += area * (q[at(i, j, k)] - q[at(d[0], d[1], d[2])]) / axis.centre_distance(f);
          }
        }
        out[at(i, j, k)] = sum;
      });
    };
    const auto dot = [&](const std::vector<double>& u, const std::vector<double>& v) {
      double s = 0;
      for (std::size_t m = 0; m < count; ++m) s += u[m] * v[m];
      return s;
    };
    r = b;
    p = r;
    double rr = dot(r, r);
    const double limit = rr * 1e-31;
    for (int it = 0; it < 4000 && rr > limit && rr > 0 && !getenv("NOCG"); ++it) {
      apply(p, ap);
      const double a = rr / dot(p, ap);
      for (std::size_t m = 0; m < count; ++m) {
        x[m] += a * p[m];
        r[m] -= a * ap[m];
      }
      const double next = dot(r, r);
      for (std::size_t m = 0; m < count; ++m) p[m] = r[m] + next / rr * p[m];
      rr = next;
    }
    double mean = 0;
    visit([&](int i, int j, int k) { mean += x[at(i, j, k)] * size(i, j, k) / volume; });
    visit([&](int i, int j, int k) {
      field.set(Index3{i, j, k}, Real(x[at(i, j, k)] - mean));
    });
  }
  [[nodiscard]] std::string description() const { return "stand-in"; }

 private:
  StaggeredGrid grid_;
};

}  // namespace dns
