# The version that files and headers name. It stands in version_text.hpp, made anew with every build
# because a commit does not configure.

find_package(Git QUIET)
set(built_with "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
if(DNS_CUDA)
  string(APPEND built_with ", CUDA ${CMAKE_CUDA_COMPILER_VERSION}")
else()
  string(APPEND built_with ", no CUDA")
endif()
set(DNS_VERSION_FOLDER ${PROJECT_BINARY_DIR}/version)
set(header ${DNS_VERSION_FOLDER}/version_text.hpp)
add_custom_target(dns_version_text
  COMMAND ${CMAKE_COMMAND} -DGIT=${GIT_EXECUTABLE} -DSOURCE=${PROJECT_SOURCE_DIR}
    -DNUMBER=${PROJECT_VERSION} -DBUILT_WITH=${built_with} -DHEADER=${header}
    -P ${PROJECT_SOURCE_DIR}/cmake/write_version.cmake
  BYPRODUCTS ${header} COMMENT "Asking for the commit" VERBATIM)
