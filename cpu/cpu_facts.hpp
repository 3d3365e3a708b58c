/// What the loops of this build require of the processor, and the libraries they call.
#pragma once

#include <string>
#include <vector>

#include "solver/core/device_facts.hpp"

namespace dns {

/// The widest vector instructions the loops were built for: "AVX-512".
std::string vectors_in_words();

/// Why this processor cannot run the loops, with the cure; empty when it can. The system ends a
/// program that runs them anyway ("illegal instruction").
std::string cpu_obstacle();

/// FFTW and OpenBLAS.
std::vector<LibraryFacts> cpu_libraries();

}  // namespace dns
