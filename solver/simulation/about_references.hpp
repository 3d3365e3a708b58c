/// A simulation of scalars that are computed as differences from their references.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solver/simulation/simulation.hpp"

namespace dns {

/// The simulation of a case, made of one of about_references(resolved, references_of(resolved)).
/// States, planes, probes, averages and diagnostics have the scalars themselves. Copies for restart
/// alone keep the differences, beside the references as numbers (reference_number_of), so that a
/// run goes on bit for bit; one with other references takes them over up to round-off.
[[nodiscard]] std::unique_ptr<Simulation> simulation_about_references(
    const Case& resolved, std::unique_ptr<Simulation> differences);

/// A line for each scalar whose reference is not 0.
[[nodiscard]] std::vector<std::string> references_in_words(const Case& resolved);

/// Bytes more than those of `differences` that copies for viewing of so many points take: scalars
/// with a reference are in double there.
[[nodiscard]] std::size_t viewing_bytes_of_references(const Case& resolved, Extents points);

}  // namespace dns
