#include "solver/grid/values_of_formula.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "solver/grid/case_grid.hpp"
#include "solver/grid/formula_lines.hpp"

namespace dns {

void evaluate(const Expression& formula,
              const std::array<std::span<const double>, 3>& coordinates,
              double t,
              int threads,
              std::span<double> values) {
  if (values.empty()) return;
  const std::array<const double*, 3> places{
      coordinates[0].data(), coordinates[1].data(), coordinates[2].data()};
  const std::vector<Instruction>& program = formula.program();
  // Lines along x, or along y in a plane across x.
  const int axis = coordinates[0].size() > 1 ? 0 : 1;
  const std::size_t points = coordinates[static_cast<std::size_t>(axis)].size();
  const std::size_t lines = axis == 0 ? coordinates[1].size() : 1;  // in a plane across z
#pragma omp parallel num_threads(threads)
  {
    FormulaLines line(program.data(),
                      static_cast<int>(program.size()),
                      places,
                      t,
                      axis,
                      static_cast<int>(points));
#pragma omp for collapse(2) schedule(static)
    for (std::size_t k = 0; k < coordinates[2].size(); ++k) {
      for (std::size_t j = 0; j < lines; ++j)
        std::copy_n(line({0, static_cast<int>(j), static_cast<int>(k)}),
                    points,
                    &values[(k * lines + j) * points]);
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

}  // namespace dns
