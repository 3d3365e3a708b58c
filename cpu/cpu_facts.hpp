/// What the loops of this build need of the processor, and the libraries they call.
#pragma once

#include <string>
#include <vector>

#include "solver/core/backend_memory.hpp"
#include "solver/core/device_facts.hpp"

namespace dns {

/// Every field by itself, lines of any length.
inline constexpr BackendMemory memory_of_openmp{};

/// The widest vector instructions the loops were built for: "AVX-512".
std::string vectors_in_words();

/// Why this processor cannot run the loops, with the cure; empty when it can. A program that ran
/// them all the same would be ended by the system ("illegal instruction").
std::string cpu_obstacle();

/// FFTW and OpenBLAS.
std::vector<LibraryFacts> cpu_libraries();

}  // namespace dns
