/// What the loops of this build require of the processor, and the libraries they call.
#pragma once

#include <string>
#include <vector>

#include "cpu/vectors.hpp"
#include "solver/core/device_facts.hpp"

namespace dns {

/// The name of an instruction set: "AVX-512".
std::string vectors_in_words(Vectors vectors);

/// Why this processor cannot run loops built for `vectors`, with the cure; empty when it can. The
/// system ends a program that runs them anyway ("illegal instruction").
std::string cpu_obstacle(Vectors vectors);

/// FFTW and OpenBLAS.
std::vector<LibraryFacts> cpu_libraries();

}  // namespace dns
