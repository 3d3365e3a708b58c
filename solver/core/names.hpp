/// Words for axes and faces, as in case files and output.
#pragma once

#include <array>
#include <string>

namespace dns {

inline const std::array<std::string, 3> axis_names{"x", "y", "z"};

/// In the order of Case::faces.
inline const std::array<std::string, 6> face_names{
    "x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};

}  // namespace dns
