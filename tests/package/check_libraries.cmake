# cmake -DROOT=DIR -DSCRATCH=DIR -P check_libraries.cmake
# Configures the project where a library is missing, or is found and cannot be linked: without an
# optional one it is built, for a needed one it ends with the cure.

cmake_minimum_required(VERSION 3.25)

# Configures with a module of pkg-config that names a library nobody has; leaves `code`, `printed`.
function(configure_with_broken module)
  file(REMOVE_RECURSE ${SCRATCH})
  file(WRITE ${SCRATCH}/modules/${module}.pc
    "Name: ${module}\nDescription: broken\nVersion: 99\nLibs: -ldns_no_such_library\n")
  set(ENV{PKG_CONFIG_PATH} ${SCRATCH}/modules)
  execute_process(COMMAND ${CMAKE_COMMAND} --preset release -B ${SCRATCH}/build -DDNS_TESTS=OFF
      -DDNS_GROUPED_SOURCES=OFF  # so that the rules name all sources
      -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
    WORKING_DIRECTORY ${ROOT} OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE code)
  string(REGEX REPLACE "[ \n]+" " " printed "${out}${err}")
  set(code ${code} PARENT_SCOPE)
  set(printed "${printed}" PARENT_SCOPE)
endfunction()

configure_with_broken(none)
if(NOT code EQUAL 0 OR NOT printed MATCHES "-- left out: runs on several ranks; MPI not found")
  message(FATAL_ERROR "without MPI CMake ended with ${code}:\n${printed}")
endif()
file(READ ${SCRATCH}/build/build.ninja rules)
if(rules MATCHES "mpi_plugin.cpp")
  message(FATAL_ERROR "without MPI its plugin is not left out")
endif()
configure_with_broken(openblas)
if(code EQUAL 0 OR NOT printed MATCHES
    "OpenBLAS was found, but a program .* cannot be linked .*scripts/setup .*libopenblas-dev")
  message(FATAL_ERROR "with a broken OpenBLAS CMake ended with ${code}:\n${printed}")
endif()
file(REMOVE_RECURSE ${SCRATCH})
