/// Pictures of measurements, drawn by a program of scripts/.
#pragma once

#include <string>

namespace dns {

/// Makes sure that draw_measurements can draw, before long measurements. Throws IoError that says
/// what is missing.
void require_plot_script();

/// Draws `measurements` (JSON of `dns bench`) into the PNG file `path`. Throws IoError.
void draw_measurements(const std::string& measurements, const std::string& path);

}  // namespace dns
