# Trials of linking: whether a library that was found works is known when the build is configured.

include(CheckCXXSourceCompiles)

# dns_try_linking(RESULT PROGRAM LIBRARY...)
# RESULT: whether a program links with libraries. Kept while true, tried again while false.
function(dns_try_linking result program)
  if(NOT ${result})
    unset(${result} CACHE)
  endif()
  set(CMAKE_REQUIRED_LIBRARIES ${ARGN})
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles("${program}" ${result})
endfunction()

# dns_need(NAME IS_FOUND PACKAGES PROGRAM TARGET...)
# Ends the configuration, with the cure, unless a library was found and the program links with it.
# PACKAGES: those of Debian and Ubuntu that hold it.
function(dns_need name is_found packages program)
  set(cure "scripts/setup installs it (Debian, Ubuntu: ${packages}); one in a folder of its own is found by CMAKE_PREFIX_PATH")
  if(NOT is_found)
    message(FATAL_ERROR "${name} not found; ${cure}")
  endif()
  string(MAKE_C_IDENTIFIER "DNS_LINKS_${name}" links)
  dns_try_linking(${links} "${program}" ${ARGN})
  if(NOT ${links})
    message(FATAL_ERROR "${name} was found, but a program that uses it cannot be linked (compiler and linker: CMakeFiles/CMakeConfigureLog.yaml or CMakeError.log in ${PROJECT_BINARY_DIR}); ${cure}")
  endif()
endfunction()
