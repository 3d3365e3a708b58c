# Libraries of transforms and linear algebra: targets PkgConfig::DNS_FFTW, PkgConfig::DNS_OPENBLAS.

find_package(PkgConfig)
if(NOT PKG_CONFIG_FOUND)
  message(FATAL_ERROR "pkg-config not found, but FFTW and OpenBLAS are found with it; scripts/setup installs it (Debian, Ubuntu: pkg-config)")
endif()
pkg_check_modules(DNS_FFTW IMPORTED_TARGET fftw3 fftw3f)
if(NOT DNS_FFTW_FOUND)
  message(FATAL_ERROR "FFTW not found in double and in single precision (fftw3, fftw3f); scripts/setup installs both (Debian, Ubuntu: libfftw3-dev)")
endif()
pkg_check_modules(DNS_OPENBLAS IMPORTED_TARGET openblas)
if(NOT DNS_OPENBLAS_FOUND)
  message(FATAL_ERROR "OpenBLAS not found; scripts/setup installs it (Debian, Ubuntu: libopenblas-dev)")
endif()
