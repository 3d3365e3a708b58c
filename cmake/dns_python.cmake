# The module of Python that controls runs, built where nanobind is: with
# -DPython_EXECUTABLE=.../python3 that of a virtual environment. And what a wheel holds.

find_package(Python 3.11 QUIET COMPONENTS Interpreter Development.Module
  OPTIONAL_COMPONENTS Development.SABIModule)
set(has_nanobind OFF)
if(Python_FOUND)
  execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
    RESULT_VARIABLE failed OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(has_nanobind ON)
  endif()
endif()
option(DNS_PYTHON_MODULE "Build the module by which Python controls runs" ${has_nanobind})
set(python_cure "pip install nanobind, and the headers of Python (Debian, Ubuntu: python3-dev)")
if(DNS_PYTHON_MODULE AND NOT has_nanobind)
  message(FATAL_ERROR "DNS_PYTHON_MODULE is ON, but nanobind and Python 3.11 or later with headers were not found; ${python_cure}")
elseif(NOT DNS_PYTHON_MODULE)
  message(STATUS "left out: runs controlled from Python; needs nanobind (${python_cure})")
endif()

# What pip installs, of the component python: in the package the module, the program with its files
# where it looks for them, the engines of both, and beside both the plugin of MPI; on the PATH a
# script that starts the program.
function(dns_install_wheel)
  install(TARGETS _dns LIBRARY DESTINATION dnsflow COMPONENT python)
  install(TARGETS dns RUNTIME DESTINATION dnsflow/bin COMPONENT python)
  if(DNS_ENGINES)
    set_property(TARGET _dns PROPERTY INSTALL_RPATH $ORIGIN/lib)
    set_property(TARGET dns APPEND PROPERTY INSTALL_RPATH $ORIGIN/../lib)
    foreach(level IN LISTS dns_levels)
      install(TARGETS dns_solvers_on_cpu_${level}
        LIBRARY DESTINATION dnsflow/${dns_engine_folder_${level}} COMPONENT python)
    endforeach()
  endif()
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/cmake/start_dns.py DESTINATION ${SKBUILD_SCRIPTS_DIR} RENAME dns
    COMPONENT python)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs DESTINATION dnsflow/share/dns COMPONENT python
    FILES_MATCHING PATTERN "*.yaml")
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/scripts DESTINATION dnsflow/share/dns COMPONENT python
    USE_SOURCE_PERMISSIONS FILES_MATCHING PATTERN "*.py" PATTERN "data/*.dat" PATTERN "live/*"
    PATTERN validation EXCLUDE PATTERN __pycache__ EXCLUDE)
  if(TARGET dns_mpi)
    install(TARGETS dns_mpi LIBRARY DESTINATION dnsflow COMPONENT python)
    install(TARGETS dns_mpi LIBRARY DESTINATION dnsflow/lib/dns COMPONENT python)
  endif()
endfunction()
