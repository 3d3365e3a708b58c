/// What advances one variable of scheme `projection` by a step.
#pragma once

#include <optional>

#include "solver/core/index.hpp"
#include "solver/numerics/advection_diffusion.hpp"
#include "solver/numerics/solid_rows.hpp"
#include "solver/numerics/sources.hpp"

namespace dns {

template <class Backend>
class FactorSweeps;

/// The bodies that a variable feels.
template <class Real>
struct SolidsInStep {
  SolidsView<Real> view;
  PerAxis<Box> lines_near;  // the points through which lines along each axis may meet one
};

/// A step of one variable, a velocity component or a scalar. Velocity components have their
/// right-hand sides in `next`.
template <class Real>
struct VariableStep {
  int variable;  // its number
  AdvectingVelocity<Real> advecting;
  SweepCoefficients<Real> coefficients;
  FieldView<const Real> now;  // q^n, ghosts included
  FieldView<Real> next;       // becomes q^n + dq
  std::optional<SolidsInStep<Real>> solids;
  std::optional<ScalarSource<Real>> source;  // of a scalar
  Real weight;                               // see RightHandSide
};

/// Sweeps along z, y and x of a velocity `component`, or a scalar. Declared only: their sweeps, of
/// which there are many kinds, are compiled by themselves (solver/instances). Their body is in
/// advance_variable.hpp.
template <int component, class Backend>
void advance_variable(FactorSweeps<Backend>& sweeps,
                      const VariableStep<typename Backend::Real>& step);

}  // namespace dns
