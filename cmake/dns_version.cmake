# DNS_VERSION: "0.1.0 (commit abc1234, g++ 12.2.0, CUDA 13.0)", compiled into version.cpp only.

# The commit of a checkout of its own. A folder within another repository has none, so the repository
# is named and not looked for (which also works where the checkout belongs to another user).
set(commit unknown)
set(repository ${PROJECT_SOURCE_DIR}/.git)
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS ${repository})
  execute_process(
    COMMAND ${GIT_EXECUTABLE} --git-dir=${repository} --work-tree=${PROJECT_SOURCE_DIR}
      describe --always --dirty --abbrev=9
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE described
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit ${described})
  endif()
endif()
set(cuda_part "no CUDA")
if(DNS_CUDA)
  set(cuda_part "CUDA ${CMAKE_CUDA_COMPILER_VERSION}")
endif()
set(DNS_VERSION_TEXT
  "${PROJECT_VERSION} (commit ${commit}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${cuda_part})")
