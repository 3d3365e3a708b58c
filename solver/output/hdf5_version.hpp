/// The HDF5 library this program runs with.
#pragma once

#include <string>

namespace dns {

/// "1.10.8"
std::string hdf5_version();

}  // namespace dns
