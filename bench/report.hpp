/// Measurements as files and tables.
#pragma once

#include <span>
#include <string>

#include "bench/measurement.hpp"

namespace dns::bench {

/// A header and one line per measurement. Quantities in SI units, shares as fractions; empty where
/// there is no value. `status` is ok or wrong.
std::string to_csv(std::span<const Measurement> measurements);

/// Measurements as a JSON list of objects with the columns of to_csv; null where there is no value.
std::string to_json(std::span<const Measurement> measurements);

/// "cuda", or "cpu, 2" with two threads.
std::string in_words_device(Device device, int threads);

/// A table of at most 100 columns: variant with its direction, device, precision, time, traffic,
/// share of the copy bandwidth, and whether the result was right (else its error).
std::string to_table(std::span<const Measurement> measurements);

}  // namespace dns::bench
