#include "solver/files/library_versions.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <png.h>

namespace dns {

std::string hdf5_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

std::string png_version() {
  return png_get_libpng_ver(nullptr);
}

}  // namespace dns
