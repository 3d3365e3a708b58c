/// The libraries that files are written with, as this program runs with them.
#pragma once

#include <string>

namespace dns {

/// "1.10.8"
std::string hdf5_version();

/// "1.6.39"
std::string png_version();

}  // namespace dns
