/// The solvers by device, scheme and precision. Each is compiled in a file of its own, from
/// on_cpu.cpp.in and on_cuda.cu.in, so that they compile in parallel.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "solver/config/references.hpp"
#include "solver/core/communicator.hpp"
#include "solver/core/counting_backend.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/ranks/distributed_backend.hpp"
#include "solver/simulation/about_references.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// Requires threads >= 1. Throws DeviceError.
template <Scheme scheme, class Real>
std::unique_ptr<Simulation> solver_on_cpu(const Case& resolved,
                                          int threads,
                                          Communicator& communicator);

/// Throws DeviceError.
template <Scheme scheme, class Real>
std::unique_ptr<Simulation> solver_on_cuda(const Case& resolved, Communicator& communicator);

/// What they need on a rank. Throws DeviceError.
template <Scheme scheme, class Real>
CaseNeeds needs_on_cpu(const Case& resolved, int rank, int ranks);
template <Scheme scheme, class Real>
CaseNeeds needs_on_cuda(const Case& resolved, int rank, int ranks);

/// What a solver needs on a rank that computes on the backend `Counted`.
template <Scheme scheme, class Counted>
CaseNeeds needs_of_solver(const Case& resolved, int rank, int ranks) {
  using Backend = DistributedBackend<CountingBackend<Counted>>;
  using Solver = typename SolverOf<scheme, Backend>::Type;
  const std::unique_ptr<Communicator> communicator = imagined_rank(rank, ranks);
  const Solver solver(Backend({}, *communicator, whole_box(resolved)), resolved);
  const auto bytes_of_copy = [&](CopyPurpose purpose) {
    std::size_t bytes = 0;
    for (const HostField& field : solver.allocate_state(purpose).fields) bytes += field.bytes();
    return bytes;
  };
  const bool serves_both = solver.one_copy_serves_both() && !has_references(resolved);
  CaseNeeds needs{solver.memory_bytes(),
                  bytes_of_copy(CopyPurpose::restart),
                  serves_both
                      ? 0
                      : bytes_of_copy(CopyPurpose::snapshot) +
                            viewing_bytes_of_references(resolved, solver.subdomain().points()),
                  solver.methods()};
  for (std::string& line : references_in_words(resolved)) needs.methods.push_back(std::move(line));
  return needs;
}

/// The simulation of a case on resolved.run.threads threads, or as many as OpenMP offers when that
/// is 0, and its needs on a rank. Throw DeviceError.
std::unique_ptr<Simulation> simulation_on_cpu(const Case& resolved, Communicator& communicator);
CaseNeeds needs_on_cpu(const Case& resolved, int rank, int ranks);

/// The simulation of a case on a GPU, and its needs on a rank, in the scheme and the precision of
/// the case. Throw DeviceError; in a build without CUDA CaseError.
std::unique_ptr<Simulation> simulation_on_cuda(const Case& resolved, Communicator& communicator);
CaseNeeds needs_on_cuda(const Case& resolved, int rank, int ranks);

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
