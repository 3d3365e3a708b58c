/// How many steps a run takes, and the same flow on other cells, which tells.
#pragma once

#include <string>

#include "solver/config/case.hpp"
#include "solver/run/stability.hpp"

namespace dns {

/// The case with so many points along each axis. Cells that the case lists are joined or divided
/// where the new ones end, by linear interpolation of the coordinates of faces; tables and formulas
/// stand as they are.
[[nodiscard]] Case on_other_cells(Case resolved, const Extents& points);

struct ExpectedSteps {
  double count = 0;   // infinite: nothing is known
  std::string basis;  // what it rests on, in words; empty where the case gives the number
};

/// Steps of the whole run. Where it holds a CFL number until time.end, they are those of a pilot
/// run of the same flow on few cells (4096 at most), times the ratio of the widths of cells:
///
///   steps = f (steps on cells f times wider, at most f times as long),
///
/// since a step of a given CFL number is as long as cells are wide, as far as the largest
/// velocities do not depend on the cells. The pilot takes 2000 steps and two seconds at most, on
/// one core of the CPU; from there on the flow goes on with the mean step of the second half of
/// these.
///
/// The steps of a flow that starts as turbulent_channel are 1.6 times those of its start. Where
/// there can be no pilot (bodies that fall between its points, a flow that diverges on them, a
/// linear forcing), and of a flow from a file, the first step of the run counts for all.
[[nodiscard]] ExpectedSteps expected_steps(const Case& resolved, const StabilityLimits& limits);

/// The step [L/U] at the start of a run that holds a CFL number; infinite where the flow is at rest
/// and time.step is not given. Requires time.cfl.
[[nodiscard]] double first_step(const TimeCase& time, const StabilityLimits& limits);

}  // namespace dns
