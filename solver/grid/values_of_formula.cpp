#include "solver/grid/values_of_formula.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "solver/grid/case_grid.hpp"

namespace dns {

void evaluate(const Expression& formula,
              const Case& resolved,
              const Subdomain& part,
              int variable,
              double t,
              std::span<double> values) {
  if (formula.is_constant()) {
    std::ranges::fill(values, formula(0, 0, 0, t));
    return;
  }
  const std::array<std::vector<double>, 3> places = point_coordinates(resolved, part, variable);
  const Extents n = part.points();
  const std::vector<double>& x = places[0];  // OpenMP regions allow no structured bindings
  const std::vector<double>& y = places[1];
  const std::vector<double>& z = places[2];
#pragma omp parallel num_threads(std::max(1, resolved.run.threads))
  {
    const Expression own = formula;  // one parser per thread
#pragma omp for schedule(static)
    for (int k = 0; k < n.nz; ++k) {
      std::size_t point = static_cast<std::size_t>(k) * static_cast<std::size_t>(n.nx) *
                          static_cast<std::size_t>(n.ny);
      for (int j = 0; j < n.ny; ++j) {
        for (int i = 0; i < n.nx; ++i) {
          values[point++] = own(x[static_cast<std::size_t>(i)],
                                y[static_cast<std::size_t>(j)],
                                z[static_cast<std::size_t>(k)],
                                t);
        }
      }
    }
  }
}

}  // namespace dns
