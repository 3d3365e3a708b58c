/// The body of advance_variable.
#pragma once

#include "solver/projection/factor_sweeps.hpp"

namespace dns {

template <int component, class Backend>
void advance_variable(FactorSweeps<Backend>& sweeps,
                      const VariableStep<typename Backend::Real>& step) {
  using Real = typename Backend::Real;
  if constexpr (component != scalar_component) {
    sweeps.template advance<component>(step, SolutionBefore<Real>{step.next});
  } else if (step.source) {
    sweeps.template advance<component>(
        step,
        RightHandSide<component, Real, ScalarSource<Real>>{step.now, *step.source, step.weight});
  } else {
    sweeps.template advance<component>(
        step, RightHandSide<component, Real, NoSource>{step.now, {}, step.weight});
  }
}

}  // namespace dns
