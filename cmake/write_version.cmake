# cmake -DGIT=FILE -DSOURCE=DIR -DNUMBER=0.1.0 -DBUILT_WITH=TEXT -DHEADER=FILE -P write_version.cmake
# Writes "0.1.0 (commit abc1234, GNU 12.2.0, CUDA 13.0)" into a header, unless it stands there.

cmake_minimum_required(VERSION 3.25)
# A folder within another repository has no commit, so the repository is named and not looked for
# (which also works where the checkout belongs to another user).
set(commit unknown)
set(repository ${SOURCE}/.git)
if(GIT AND EXISTS ${repository})
  execute_process(
    COMMAND ${GIT} --git-dir=${repository} --work-tree=${SOURCE} describe --always --dirty --abbrev=9
    WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE described
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${HEADER}
  CONTENT "#pragma once\n#define DNS_VERSION \"@NUMBER@ (commit @commit@, @BUILT_WITH@)\"\n" @ONLY)
