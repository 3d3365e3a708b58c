/// A case in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/run/words.hpp"

namespace dns {

/// Name, physics, boundaries, grid, time, output: what a run says at its start.
std::vector<NamedWords> about_case(const Case& resolved);

/// What the case may not mean: numbers that contradict each other.
std::vector<std::string> warnings_about(const Case& resolved);

/// The order of differences along each axis: "6 along x and z, 2 along y".
std::string orders_in_words(const Case& resolved);

/// What to type to go on with a run in `directory` that ended at this step and time [L/U], for
/// twice as long: "dns resume runs/a --set time.steps=200".
std::string command_for_more(const TimeCase& time,
                             const std::string& directory,
                             std::int64_t at_step,
                             double at_time);

/// The number of steps of the run; NaN where it ends at a time, in however many steps.
double steps_as_number(const TimeCase& time);

}  // namespace dns
