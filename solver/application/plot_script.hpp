/// Pictures, drawn by a script of scripts/.
#pragma once

#include <string>

namespace dns {

/// Makes sure that plot_bench.py can draw, before long measurements. Throws IoError that says what
/// is missing.
void require_plot_script();

/// Draws `measurements` (JSON) into the PNG file `path`. Throws IoError.
void draw_measurements(const std::string& measurements, const std::string& path);

}  // namespace dns
