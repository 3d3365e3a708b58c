# cmake -DROOT=DIR -P check_layers.cmake
# Fails, naming file and line, when a file includes what is on its level or above it in the table
# below, when a file of one scheme includes the other's, or when CUDA, OpenMP, memory or a library
# is used where it does not belong. That formulas are in solver/numerics/ only follows for the
# backends: they include no folder that has any.

cmake_minimum_required(VERSION 3.25)
if(NOT IS_DIRECTORY "${ROOT}")
  message(FATAL_ERROR "ROOT is '${ROOT}', but must be the project's folder")
endif()
include("${CMAKE_CURRENT_LIST_DIR}/../../solver/schemes.cmake")
set(problems "")

# Folder: what its files may include besides those of the folder itself.
set(solver/core "")
set(solver/numerics solver/core)
set(solver/config solver/core solver/numerics)
set(solver/flow solver/core solver/config solver/numerics)
set(solver/grid solver/core solver/config solver/flow)
set(solver/simulation ${solver/grid} solver/grid)
set(solver/solids ${solver/grid} solver/grid solver/numerics)
set(solver/forcing ${solver/grid} solver/grid solver/numerics)
set(solver/sampling ${solver/simulation} solver/simulation solver/numerics)
set(solver/files ${solver/grid} solver/grid)
set(solver/statistics ${solver/grid} solver/grid solver/numerics)
set(solver/output ${solver/simulation} solver/simulation solver/files solver/statistics)
set(solver/face_values ${solver/simulation} solver/simulation solver/files)
list(TRANSFORM dns_schemes PREPEND solver/ OUTPUT_VARIABLE schemes)
set(solver/particles ${solver/simulation} solver/simulation solver/numerics solver/files solver/solids)
foreach(folder IN LISTS schemes)
  set(${folder} ${solver/simulation} solver/simulation solver/numerics solver/solids solver/forcing
    solver/face_values solver/sampling solver/statistics solver/particles)
endforeach()
set(solver/ranks ${solver/simulation} solver/simulation)
set(solver/start ${solver/simulation} solver/simulation solver/files)
set(solver/instances solver/core solver/config solver/grid solver/simulation solver/ranks solver/particles ${schemes} cpu cuda)
set(solver/run ${solver/output} solver/output solver/face_values solver/forcing solver/ranks solver/start solver/instances)
set(solver/application ${solver/run} solver/run solver/solids solver/particles bench)
set(python/bindings ${solver/run} solver/run)
set(cpu solver/core)
set(cuda solver/core)
set(bench cpu cuda solver/core solver/config solver/grid solver/simulation solver/numerics solver/splitting
  solver/start solver/instances)
list(APPEND solver/grid solver/numerics)  # not those that may include it
set(folders solver/core solver/numerics solver/config solver/flow solver/grid solver/solids solver/forcing solver/simulation
  solver/sampling solver/statistics solver/ranks
  solver/files solver/output solver/face_values solver/particles ${schemes} solver/start solver/instances solver/run solver/application python/bindings cpu cuda bench)

# Sets `result` to the sources below a folder.
function(sources_in folder result)
  file(GLOB_RECURSE sources RELATIVE "${ROOT}"
    "${ROOT}/${folder}/*.hpp" "${ROOT}/${folder}/*.cpp" "${ROOT}/${folder}/*.cu"
    "${ROOT}/${folder}/*.cuh" "${ROOT}/${folder}/*.in")
  set(${result} "${sources}" PARENT_SCOPE)
endfunction()

# Reports every line of `file` that matches `pattern` and not `unless`.
function(forbid file pattern unless reason)
  file(STRINGS "${ROOT}/${file}" lines)
  set(number 0)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    string(REGEX REPLACE "//.*$" "" code "${line}")
    if(code MATCHES "${pattern}" AND NOT (unless AND code MATCHES "${unless}"))
      set(problems "${problems}${file}:${number}: ${reason}: ${code}\n")
    endif()
  endforeach()
  set(problems "${problems}" PARENT_SCOPE)
endfunction()

# The same in all sources of a folder, except those whose path matches `except`.
function(forbid_in folder except pattern reason)
  sources_in(${folder} sources)
  foreach(source IN LISTS sources)
    if(except AND source MATCHES "${except}")
      continue()
    endif()
    forbid("${source}" "${pattern}" "" "${reason}")
  endforeach()
  set(problems "${problems}" PARENT_SCOPE)
endfunction()

# (solver/core/host_device.hpp includes cuda/intrinsics.cuh where CUDA compiles.)
foreach(folder IN LISTS folders)
  list(JOIN ${folder} "|" allowed)
  string(REPLACE ";" " " words "${${folder}}")
  if(NOT words)
    set(words "nothing else")
  endif()
  sources_in(${folder} sources)
  foreach(source IN LISTS sources)
    forbid("${source}" "#include \"(solver|cpu|cuda|bench|tests)/"
      "#include \"(${folder}|${allowed}|solver/@scheme@)/[a-z0-9_/@]+[.]|cuda/intrinsics.cuh" "${folder} includes itself and ${words}")
  endforeach()
endforeach()

# An instance of one scheme is not compiled with the other's headers, nor a host file with CUDA's.
list(JOIN schemes "|" any_scheme)
set(of_one_scheme
  "particles_on_cpu.cpp.in|particles_on_cuda.cu.in|advance_on_cpu.cpp.in|advance_on_cuda.cu.in|stages_on_cpu.cpp.in|stages_on_cuda.cu.in|stages_across_walls_on_")
forbid_in(solver/instances "${of_one_scheme}" "#include \"(${any_scheme})/"
  "instances of schemes come from on_cpu.cpp.in and on_cuda.cu.in")
forbid_in(solver/instances "solver_on_cpu.hpp|make_simulation.cpp" "#include \"cpu/"
  "only solver_on_cpu.hpp compiles for the CPU")
forbid_in(solver/application "commands/bench_command.cpp" "#include \"bench/"
  "only the command bench knows what is measured")

forbid_in(solver "core/host_device.hpp" "__CUDACC__|__CUDA_ARCH__|__global__|<<<|cuda_runtime"
  "only cuda/ speaks CUDA")
forbid_in(cuda "" "<<<|blockIdx"
  "kernels start by launch() and begin with block_after_kernels_before() (cuda/launch.cuh)")
forbid_in(solver "ranks/mpi_plugin.cpp" "MPI_[A-Z][a-z]|<mpi[.]h>" "only the plugin speaks MPI")
forbid_in(solver/numerics "" "#pragma omp|omp_get|std::vector|new " "numerics has no loops over the grid and no memory")
forbid_in(solver "application/main.cpp|application/ranks/launched_team.cpp|application/run/signals.cpp|core/communicator|ranks/(mpi_plugin|rank_watch).cpp" "(^|[^a-z_])(exit|_exit|quick_exit|abort)\\("
  "only the application's main ends the program, and a communicator all ranks")
foreach(folder bench cpu cuda solver)
  forbid_in(${folder} "core/host_device.hpp" "#include \"cuda/intrinsics.cuh"
    "only host_device.hpp includes it")
endforeach()
foreach(folder bench cpu cuda solver)
  sources_in(${folder} sources)
  list(FILTER sources INCLUDE REGEX "[.](hpp|cuh)$")
  foreach(header IN LISTS sources)
    if(NOT header MATCHES "^solver/files/hdf5_[a-z]+[.]hpp$")  # the one wrapper of a C library
      forbid("${header}" "#include <(fmt|yaml-cpp|hdf5|CLI|png|nlohmann/json[.])" ""
        "libraries stay out of headers")
    endif()
    forbid("${header}" "using namespace" "" "no using namespace in headers")
  endforeach()
endforeach()

# No two files share a name.
set(names "")
foreach(folder bench cpu cuda solver)
  sources_in(${folder} sources)
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME)
    if(name IN_LIST names)
      set(problems "${problems}${source}:1: there is another file of this name\n")
    endif()
    list(APPEND names "${name}")
  endforeach()
endforeach()

if(problems)
  message(FATAL_ERROR "${problems}")
endif()
