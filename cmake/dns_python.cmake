# The module of Python that controls runs, built where nanobind is: with
# -DPython_EXECUTABLE=.../python3 that of a virtual environment.

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
