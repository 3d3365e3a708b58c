/// The solvers on the CPU, by scheme and precision. Each is a file of its own, so that they compile
/// side by side.
#pragma once

#include <memory>

#include "solver/time/simulation.hpp"

namespace dns {

template <Scheme scheme, class Real>
std::unique_ptr<Simulation> make_openmp_solver(const Case& resolved, int threads);

template <>
std::unique_ptr<Simulation> make_openmp_solver<Scheme::splitting, float>(const Case&, int);
template <>
std::unique_ptr<Simulation> make_openmp_solver<Scheme::splitting, double>(const Case&, int);
template <>
std::unique_ptr<Simulation> make_openmp_solver<Scheme::projection, float>(const Case&, int);
template <>
std::unique_ptr<Simulation> make_openmp_solver<Scheme::projection, double>(const Case&, int);

}  // namespace dns
