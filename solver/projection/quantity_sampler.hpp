/// Samples of formulas of the flow: output.statistics.quantities.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/numerics/statistics.hpp"
#include "solver/projection/staggered_field.hpp"
#include "solver/statistics/running_sums.hpp"

namespace dns {

/// Evaluates the formulas on the device, a pass over the cells for each, and adds the averages of
/// their values to the sums of their names.
template <class Backend>
class QuantitySampler {
 public:
  using Real = typename Backend::Real;

  QuantitySampler(Backend& backend, const Case& resolved, const Subdomain& part)
      : points_(part.points()) {
    if (!resolved.output.statistics) return;
    quantities_ = resolved.output.statistics->quantities;
    if (quantities_.empty()) return;
    std::vector<Instruction> programs;
    for (const QuantityCase& quantity : quantities_) {
      const std::vector<Instruction>& program = quantity.formula.program();
      programs.insert(programs.end(), program.begin(), program.end());
    }
    std::vector<double> numbers;
    for (const std::vector<double>& along : point_coordinates(resolved, part, first_scalar))
      numbers.insert(numbers.end(), along.begin(), along.end());
    std::vector<double> references = resolved.output.statistics->references;
    references.resize(resolved.scalar_count());
    numbers.insert(numbers.end(), references.begin(), references.end());
    programs_ = backend.template allocate<Instruction>(programs.size());
    numbers_ = backend.template allocate<double>(numbers.size());
    if constexpr (!Backend::only_counts) {
      backend.upload_values(programs.data(), programs_.data(), programs.size());
      backend.upload_values(numbers.data(), numbers_.data(), numbers.size());
    }
  }

  /// Adds a sample at time t [L/U]. mean(kernel) averages what a kernel adds at the cells of the
  /// flow.
  template <class Mean>
  void sample(double t,
              const VelocityView<const Real>& velocity,
              const FieldView<const Real>& p,
              const ScalarViews<const Real>& scalars,
              const AveragingWeight<Real>& weight,
              const Mean& mean,
              RunningSums& sums) const {
    const Instruction* program = programs_.data();
    const double* const x = numbers_.data();
    const double* const y = x + points_.nx;
    const double* const z = y + points_.ny;
    for (const QuantityCase& quantity : quantities_) {
      const int instructions = quantity.formula.instructions();
      const auto profile = mean(FormulaSample<Real>{.program = program,
                                                    .instructions = instructions,
                                                    .coordinates = {x, y, z},
                                                    .t = t,
                                                    .velocity = velocity,
                                                    .pressure = p,
                                                    .first_scalar = scalars.first,
                                                    .between_scalars = scalars.between,
                                                    .references = z + points_.nz,
                                                    .weight = weight});
      sums.add(std::array{quantity.name},
               [&](std::size_t, std::size_t point) { return profile[point].sum[0]; });
      program += instructions;
    }
  }

 private:
  template <class T>
  using Array = decltype(std::declval<Backend&>().template allocate<T>(0));

  Extents points_;
  std::vector<QuantityCase> quantities_;
  Array<Instruction> programs_;  // one after the other
  Array<double> numbers_;        // coordinates along x, y, z, then the references of scalars
};

}  // namespace dns
