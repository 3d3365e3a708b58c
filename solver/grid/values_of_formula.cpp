#include "solver/grid/values_of_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/grid/formula_lines.hpp"

namespace dns {

void evaluate(const Expression& formula,
              const PerAxis<std::span<const double>>& coordinates,
              double t,
              int threads,
              std::span<double> values) {
  if (values.empty()) return;
  const PerAxis<const double*> places{
      coordinates[0].data(), coordinates[1].data(), coordinates[2].data()};
  // Lines along x, or along y in a plane across x.
  const int axis = coordinates[0].size() > 1 ? 0 : 1;
  const auto points = static_cast<int>(coordinates[axis].size());
  const std::ptrdiff_t lines = axis == 0 ? std::ssize(coordinates[1]) : 1;  // in a plane across z
#pragma omp parallel num_threads(threads)
  {
    FormulaLines line(formula.program().data(), formula.instructions(), places, t, axis, points);
#pragma omp for collapse(2) schedule(static)
    for (int k = 0; k < std::ssize(coordinates[2]); ++k) {
      for (int j = 0; j < lines; ++j)
        std::copy_n(line({0, j, k}), points, &values[(k * lines + j) * points]);
    }
  }
}

void evaluate(const Expression& formula,
              const Case& resolved,
              const Subdomain& part,
              int variable,
              double t,
              std::span<double> values) {
  const auto places = point_coordinates(resolved, part, variable);
  evaluate(
      formula, {places[0], places[1], places[2]}, t, std::max(1, resolved.run.threads), values);
}

void refuse_value(const std::string& key,
                  const Expression& formula,
                  double value,
                  const PerAxis<double>& place,
                  double t,
                  std::string_view rule) {
  throw CaseError(fmt::format("{}: {} is {} at x = {:g}, y = {:g}, z = {:g}{}, but must be {}",
                              key,
                              formula.text(),
                              std::isnan(value) ? "undefined" : fmt::format("{:g}", value),
                              place[0],
                              place[1],
                              place[2],
                              formula.depends_on_time() ? fmt::format(", t = {:g}", t) : "",
                              rule));
}

void require_finite(const std::string& key,
                    const Expression& formula,
                    const PerAxis<std::span<const double>>& coordinates,
                    double t,
                    std::span<const double> values) {
  const auto bad =
      std::ranges::find_if_not(values, [](double value) { return std::isfinite(value); });
  if (bad == values.end()) return;
  const auto& [x, y, z] = coordinates;
  const std::size_t point = bad - values.begin();
  refuse_value(
      key,
      formula,
      *bad,
      {x[point % x.size()], y[point / x.size() % y.size()], z[point / x.size() / y.size()]},
      t,
      "finite");
}

}  // namespace dns
