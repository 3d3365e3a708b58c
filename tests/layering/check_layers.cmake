# cmake -DROOT=DIR -P check_layers.cmake
# Fails, naming file and line, when an include or a formula stands on the wrong side of the lines
# drawn in README.md: formulas in solver/numerics/ only, machines in cpu/ and cuda/ only.

cmake_minimum_required(VERSION 3.25)
if(NOT IS_DIRECTORY "${ROOT}")
  message(FATAL_ERROR "ROOT is '${ROOT}', but must be the project's folder")
endif()
set(problems "")

# Reports every line of `file` that matches `pattern`.
function(forbid file pattern reason)
  file(STRINGS "${ROOT}/${file}" lines)
  set(number 0)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    string(REGEX REPLACE "//.*$" "" code "${line}")
    if(code MATCHES "${pattern}")
      set(problems "${problems}${file}:${number}: ${reason}: ${code}\n")
    endif()
  endforeach()
  set(problems "${problems}" PARENT_SCOPE)
endfunction()

# Applies `forbid` to all sources of a folder, except those whose path matches `except`.
function(forbid_in folder except pattern reason)
  file(GLOB_RECURSE sources RELATIVE "${ROOT}"
    "${ROOT}/${folder}/*.hpp" "${ROOT}/${folder}/*.cpp" "${ROOT}/${folder}/*.cu" "${ROOT}/${folder}/*.cuh")
  foreach(source IN LISTS sources)
    if(except AND source MATCHES "${except}")
      continue()
    endif()
    forbid("${source}" "${pattern}" "${reason}")
  endforeach()
  set(problems "${problems}" PARENT_SCOPE)
endfunction()

set(include_of "#include \"")
forbid_in(solver/core "" "${include_of}(cpu|cuda|tests|solver/[a-b]|solver/[d-z]|solver/config)"
  "core includes only core")
forbid_in(solver/numerics "" "${include_of}(cpu|cuda|tests|solver/(application|config|equations|grid|output|time))"
  "numerics includes only core and numerics")
forbid_in(solver/config "" "${include_of}(cpu|cuda|solver/(application|equations|numerics|output|time))"
  "config knows nothing of schemes and devices")
forbid_in(solver/output "" "${include_of}(cpu|cuda|solver/(application|equations|numerics))"
  "output sees a simulation only through its door")
forbid_in(solver/application "" "${include_of}(cpu|cuda|solver/(equations|numerics))"
  "the application sees a simulation only through its door")
forbid_in(solver/equations "" "${include_of}(cpu|cuda|solver/application)"
  "equations know no device")
forbid_in(solver/time "make_simulation.cpp|device_facts.cpp" "${include_of}(cpu|cuda|solver/application)"
  "only make_simulation.cpp chooses a device, only device_facts.cpp lists them")
forbid_in(cpu "openmp_simulation|openmp_solver" "${include_of}(cuda|solver/(application|config|equations|grid|numerics|output|time))"
  "a backend includes only core")
forbid_in(cuda "cuda_simulation|cuda_solver|without_cuda" "${include_of}(cpu|solver/(application|config|equations|grid|numerics|output|time))"
  "a backend includes only core")
foreach(folder solver cpu cuda)
  forbid_in(${folder} "solver/application/bench.cpp" "${include_of}bench/"
    "only the command bench knows what is measured")
endforeach()
forbid_in(bench "" "${include_of}(tests|solver/application)"
  "measurements know nothing of the application")

set(physics "(^|[^a-z_])(reynolds|prandtl|viscosity|conductivity|diffusion|convection|dissipation|spacing|inverse_dt|inverse_h2|inverse_two_h|central_difference|boundary_closure|gradient)([^a-z_]|$)")
forbid_in(cpu "" "${physics}" "a formula belongs to solver/numerics")
forbid_in(cuda "" "${physics}" "a formula belongs to solver/numerics")
forbid_in(solver "core/host_device.hpp" "__CUDACC__|__CUDA_ARCH__|__global__|<<<|cuda_runtime"
  "only cuda/ speaks CUDA")
forbid_in(cuda "" "<<<|blockIdx"
  "kernels start by launch() and begin with block_after_kernels_before() (cuda/launch.cuh)")
forbid_in(solver/numerics "" "#pragma omp|omp_get|std::vector|new " "numerics has no loops over the grid and no memory")
forbid_in(solver "application/main.cpp|application/signals.cpp" "(^|[^a-z_])(exit|_exit|quick_exit|abort)\\("
  "only the application's main ends the program")
foreach(folder bench cpu cuda solver)
  file(GLOB_RECURSE headers RELATIVE "${ROOT}" "${ROOT}/${folder}/*.hpp" "${ROOT}/${folder}/*.cuh")
  foreach(header IN LISTS headers)
    if(NOT header MATCHES "^solver/output/hdf5_[a-z]+[.]hpp$")  # the one wrapper of a C library
      forbid("${header}" "#include <(fmt|spdlog|yaml-cpp|muParser|hdf5|CLI|png|httplib)"
        "libraries stay out of headers")
    endif()
    forbid("${header}" "using namespace" "no using namespace in headers")
  endforeach()
endforeach()

if(problems)
  message(FATAL_ERROR "${problems}")
endif()
