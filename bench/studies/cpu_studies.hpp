/// The studies on the CPU. Each function checks and times all variants of one kind of work.
#pragma once

#include <vector>

#include "bench/measurement.hpp"
#include "bench/studies/study.hpp"

namespace dns::bench {

/// Copies and the triad c = a + s b of arrays that exceed the last-level cache several times.
/// Only study.threads and study.memory count.
std::vector<Measurement> copy_on_cpu(Precision precision, const Study& study);

/// x <-> y of a field: to(y, x, z) = from(x, y, z).
std::vector<Measurement> transpose_on_cpu(Precision precision, const Study& study);

/// Sum and largest magnitude of a field.
std::vector<Measurement> reduce_on_cpu(Precision precision, const Study& study);

/// The dissipation function of a velocity field.
std::vector<Measurement> stencil_on_cpu(Precision precision, const Study& study);

/// Tridiagonal systems along every axis.
std::vector<Measurement> sweep_on_cpu(Precision precision, const Study& study);

}  // namespace dns::bench
