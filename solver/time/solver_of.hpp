/// Which solver a scheme has: the one place to name a new one.
#pragma once

#include <type_traits>

#include "solver/time/projection_solver.hpp"
#include "solver/time/splitting_solver.hpp"

namespace dns {

template <Scheme scheme, class Backend>
using SolverOf = std::conditional_t<scheme == Scheme::projection,
                                    ProjectionSolver<Backend>,
                                    SplittingSolver<Backend>>;

}  // namespace dns
