/// The solvers by device, scheme and precision. Each is compiled in a file of its own, from
/// on_cpu.cpp.in and on_cuda.cu.in, so that they compile in parallel.
#pragma once

#include <cstddef>
#include <memory>

#include "solver/core/communicator.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// Requires threads >= 1. Throws DeviceError.
template <Scheme scheme, class Real>
std::unique_ptr<Simulation> solver_on_cpu(const Case& resolved,
                                          int threads,
                                          Communicator& communicator);

/// workspace_values: of CaseNeeds. Throws DeviceError.
template <Scheme scheme, class Real>
std::unique_ptr<Simulation> solver_on_cuda(const Case& resolved,
                                           std::size_t workspace_values,
                                           Communicator& communicator);

/// Chooses scheme and precision. Throws DeviceError; in a build without CUDA CaseError.
std::unique_ptr<Simulation> simulation_on_cuda(const Case& resolved, Communicator& communicator);

/// Returns function.operator()<scheme, Real>() for the scheme and the precision of a case.
template <Scheme scheme = Scheme{}, class Function>
auto with_scheme_and_precision(const Case& resolved, const Function& function) {
  constexpr auto next = static_cast<Scheme>(static_cast<std::size_t>(scheme) + 1);
  if constexpr (static_cast<std::size_t>(next) < scheme_names.size()) {
    if (resolved.scheme != scheme) return with_scheme_and_precision<next>(resolved, function);
  }
  return resolved.precision == Precision::single_precision
             ? function.template operator()<scheme, float>()
             : function.template operator()<scheme, double>();
}

}  // namespace dns
