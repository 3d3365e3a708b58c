# Flags every target of the project shares, as INTERFACE targets.

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

# The libraries become part of a module of Python too. What is hidden costs no table look-ups there.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

find_program(DNS_CCACHE ccache)
if(DNS_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${DNS_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${DNS_CCACHE})
endif()

# Sources in groups: their headers are read once for all. What is measured or optimised hard stays by
# itself.
option(DNS_GROUPED_SOURCES "Compile sources in groups: faster from nothing, slower after a change" ON)
set(CMAKE_UNITY_BUILD ${DNS_GROUPED_SOURCES})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)
set(dns_large_group 24)  # for what includes much: reading its headers takes as long as the rest

add_library(dns_settings INTERFACE)
target_compile_features(dns_settings INTERFACE cxx_std_20)
target_include_directories(dns_settings INTERFACE ${PROJECT_SOURCE_DIR})
if(DNS_REPRODUCIBLE)
  target_compile_options(dns_settings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
    $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;-Xcompiler=-ffp-contract=off>)
endif()

add_library(dns_warnings INTERFACE)
set(host_warnings -Wall -Wextra -Wshadow -Wconversion -Wdouble-promotion)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND host_warnings -Wno-restrict)  # GCC bug 105651: false alarms in std::string
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13
    AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # False alarms in format_dragon of fmt 9.
  list(APPEND host_warnings -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # takes a source in a group for a header
  list(APPEND host_warnings $<$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>:-Wno-subobject-linkage>)
endif()
if(DNS_WARNINGS_AS_ERRORS)
  list(APPEND host_warnings -Werror)
endif()
target_compile_options(dns_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${host_warnings}>")

# For targets in which no time is spent: they compile 1.4 times faster.
add_library(dns_lightly_optimised INTERFACE)
target_compile_options(dns_lightly_optimised INTERFACE
  $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)

# dns_native_LEVEL: for the targets whose speed depends on the processor's vector instructions. The
# solvers are built for each level, all else (with dns_native) for the lowest.
if(DNS_ENGINES)
  set(dns_levels ${DNS_ENGINES})
elseif(DNS_NATIVE)
  set(dns_levels native)
else()
  set(dns_levels any)
endif()
foreach(level IN LISTS dns_levels)
  add_library(dns_native_${level} INTERFACE)
  if(NOT level STREQUAL any)
    target_compile_options(dns_native_${level} INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=${level}>)
  endif()
  # Packs wider than a register are always inlined, so how they would be passed does not matter.
  target_compile_options(dns_native_${level} INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-psabi>)
  set(dns_engine_folder_${level} lib/glibc-hwcaps/${level})  # where the loader of glibc looks
endforeach()
list(GET dns_levels 0 dns_lowest_level)
set(dns_engine_folder_${dns_lowest_level} lib)
add_library(dns_native ALIAS dns_native_${dns_lowest_level})

if(DNS_CUDA)
  # CMake itself reads CUDAARCHS only when it configures a folder for the first time.
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
    if(DEFINED ENV{CUDAARCHS})
      set(CMAKE_CUDA_ARCHITECTURES $ENV{CUDAARCHS})
    endif()
  endif()
  enable_language(CUDA)
  # CMake 3.25 does not know the C++20 flag of CUDA 13.
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  find_package(CUDAToolkit REQUIRED)
  if(CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL "Shared")
    set(DNS_CUDART CUDA::cudart)
  else()
    set(DNS_CUDART CUDA::cudart_static)
  endif()
  set(cuda_warnings -Wall -Wextra -Wshadow -Wdouble-promotion)
  if(DNS_WARNINGS_AS_ERRORS)
    list(APPEND cuda_warnings -Werror)
    target_compile_options(dns_warnings INTERFACE
      $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
  endif()
  list(JOIN cuda_warnings "," cuda_warnings)
  target_compile_options(dns_warnings INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${cuda_warnings}>)
endif()
