/// The solver's own sweeps on the GPU. In a file of its own because it takes long to compile.
#pragma once

#include <vector>

#include "bench/measurement.hpp"
#include "bench/studies/study.hpp"

namespace dns::bench {

/// Real: float or double.
template <class Real>
std::vector<Measurement> engine_sweeps_on_cuda(const Study& study);

}  // namespace dns::bench
