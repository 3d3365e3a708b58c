# cmake -DROOT=DIR -DSCRATCH=DIR -P check_version.cmake
# The version names the commit of a checkout, and of nothing else.

cmake_minimum_required(VERSION 3.25)
find_program(git git)
if(NOT git)
  message("skipped: git is missing")
  return()
endif()

# The commit named in the version of a source tree.
function(read_commit result tree)
  execute_process(COMMAND ${CMAKE_COMMAND} -DGIT=${git} -DSOURCE=${tree} -DNUMBER=1.2.3
      -DBUILT_WITH=compiler -DHEADER=${SCRATCH}/header.hpp -P ${ROOT}/cmake/write_version.cmake
    COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${SCRATCH}/header.hpp header)
  string(REGEX REPLACE ".*1.2.3 [(]commit ([^,]*), compiler[)].*" "\\1" commit "${header}")
  set(${result} ${commit} PARENT_SCOPE)
endfunction()

function(expect_commit tree expected)
  read_commit(commit ${tree})
  if(NOT commit STREQUAL expected)
    message(SEND_ERROR "the version of ${tree} names commit '${commit}', but must name '${expected}'")
  endif()
endfunction()

# A repository with one commit of its own, whose name is left in `result`.
function(make_repository result folder)
  file(WRITE ${folder}/file "of ${folder}\n")
  foreach(arguments "init;--quiet" "add;file"
      "-c;user.name=test;-c;user.email=test@localhost;commit;--quiet;--message=first")
    execute_process(COMMAND ${git} ${arguments} WORKING_DIRECTORY ${folder}
      COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  execute_process(COMMAND ${git} rev-parse --short=9 HEAD WORKING_DIRECTORY ${folder}
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${result} ${commit} PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
make_repository(of_outer ${SCRATCH}/outer)
make_repository(of_inner ${SCRATCH}/outer/inner)
file(MAKE_DIRECTORY ${SCRATCH}/outer/unpacked)

expect_commit(${SCRATCH}/outer ${of_outer})
expect_commit(${SCRATCH}/outer/inner ${of_inner})
expect_commit(${SCRATCH}/outer/unpacked unknown)
set(ENV{GIT_DIR} ${SCRATCH}/outer/.git)  # as in a hook of Git
expect_commit(${SCRATCH}/outer/inner ${of_inner})
expect_commit(${SCRATCH}/outer/unpacked unknown)
unset(ENV{GIT_DIR})
file(APPEND ${SCRATCH}/outer/file "changed\n")
expect_commit(${SCRATCH}/outer ${of_outer}-dirty)
