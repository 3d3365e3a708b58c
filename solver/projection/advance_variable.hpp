/// The body of advance_variable.
#pragma once

#include "solver/projection/variable_step.hpp"

namespace dns {

template <int component, class Backend>
void advance_variable(FactorSweeps<Backend>& sweeps,
                      const VariableStep<typename Backend::Real>& step) {
  using Real = typename Backend::Real;
  const auto advance = [&]<class Right>(const Right& right) {
    if (step.solids) {
      sweeps.template advance_at_solids<component>(
          step.variable,
          step.advecting,
          step.coefficients,
          PulledRightHandSide<component, Right, Real>{right, step.now, step.solids->view},
          step.now,
          step.next,
          step.solids->lines_near);
    } else {
      sweeps.template advance<component>(
          step.variable, step.advecting, step.coefficients, right, step.now, step.next);
    }
  };
  if constexpr (component != scalar_component) {
    advance(SolutionBefore<Real>{step.next});
  } else if (step.source) {
    advance(
        RightHandSide<component, Real, ScalarSource<Real>>{step.now, *step.source, step.weight});
  } else {
    advance(RightHandSide<component, Real, NoSource>{step.now, {}, step.weight});
  }
}

template <int component, class Backend>
void sweep_variable(FactorSweeps<Backend>& sweeps,
                    const VariableStep<typename Backend::Real>& step) {
  sweeps.template advance_along<component>(
      step.variable, step.is_swept, step.advecting, step.coefficients, step.now, step.next);
}

}  // namespace dns
