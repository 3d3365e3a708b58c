/// Pictures of runs and of measurements, drawn by programs of scripts/.
#pragma once

#include <string>

#include "solver/application/exit_code.hpp"
#include "solver/application/terminal/command_line.hpp"

namespace dns {

/// `dns plot`: pictures of a run and a page with all of them; their paths go to stdout.
/// Throws IoError when python3 is missing.
ExitCode plot(const Command& command);

/// Makes sure that draw_measurements can draw, before long measurements. Throws IoError that says
/// what is missing.
void require_plot_script();

/// Draws `measurements` (JSON of `dns bench`) into the PNG file `path`. Throws IoError.
void draw_measurements(const std::string& measurements, const std::string& path);

}  // namespace dns
