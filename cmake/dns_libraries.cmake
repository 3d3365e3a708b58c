# The libraries that the program cannot do without, each tried with a small program. Those of headers
# alone have nothing to link, and are tried with one that compiles fast.

include(dns_linking)

find_package(OpenMP COMPONENTS CXX)
dns_need(OpenMP "${OpenMP_CXX_FOUND}" g++
  "#include <omp.h>
  int main() { return omp_get_max_threads(); }" OpenMP::OpenMP_CXX)

find_package(PkgConfig)
if(NOT PKG_CONFIG_FOUND)
  message(FATAL_ERROR "pkg-config not found, but FFTW and OpenBLAS are found with it; scripts/setup installs it (Debian, Ubuntu: pkg-config)")
endif()

pkg_check_modules(DNS_FFTW IMPORTED_TARGET fftw3 fftw3f)
dns_need("FFTW in double and in single precision" "${DNS_FFTW_FOUND}" libfftw3-dev
  "#include <fftw3.h>
  int main() { fftw_cleanup(); fftwf_cleanup(); }" PkgConfig::DNS_FFTW)

pkg_check_modules(DNS_OPENBLAS IMPORTED_TARGET openblas)
dns_need(OpenBLAS "${DNS_OPENBLAS_FOUND}" libopenblas-dev
  "#include <cblas.h>
  int main() { openblas_set_num_threads(1); }" PkgConfig::DNS_OPENBLAS)

find_package(HDF5 COMPONENTS C HL)
dns_need(HDF5 "${HDF5_FOUND}" libhdf5-dev
  "#include <hdf5.h>
  #include <hdf5_hl.h>
  int main() { return H5open() + H5DSis_scale(-1); }" hdf5::hdf5_hl hdf5::hdf5)

find_package(yaml-cpp)
set(DNS_YAML_CPP yaml-cpp)
if(TARGET yaml-cpp::yaml-cpp)  # its name from version 0.8 on
  set(DNS_YAML_CPP yaml-cpp::yaml-cpp)
endif()
dns_need(yaml-cpp "${yaml-cpp_FOUND}" libyaml-cpp-dev
  "#include <yaml-cpp/yaml.h>
  int main() { return YAML::Load(\"1\").as<int>(); }" ${DNS_YAML_CPP})

find_package(fmt)
dns_need(fmt "${fmt_FOUND}" libfmt-dev
  "#include <fmt/core.h>
  int main() { fmt::print(\"1\"); }" fmt::fmt)

find_package(CLI11)
dns_need(CLI11 "${CLI11_FOUND}" libcli11-dev
  "#include <CLI/Error.hpp>
  int main() { return CLI::Success().get_exit_code(); }" CLI11::CLI11)

find_package(nlohmann_json)
dns_need(nlohmann-json "${nlohmann_json_FOUND}" nlohmann-json3-dev
  "#include <nlohmann/json_fwd.hpp>
  int main() { const nlohmann::json* none = nullptr; return none == nullptr ? 0 : 1; }"
  nlohmann_json::nlohmann_json)

find_package(PNG 1.6)
dns_need(libpng "${PNG_FOUND}" libpng-dev
  "#include <png.h>
  int main() { png_image image{}; png_image_free(&image); }" PNG::PNG)

find_package(ZLIB)  # libpng needs it too
dns_need(zlib "${ZLIB_FOUND}" zlib1g-dev
  "#include <zlib.h>
  int main() { return crc32_z(0, nullptr, 0) == 0 ? 0 : 1; }" ZLIB::ZLIB)
