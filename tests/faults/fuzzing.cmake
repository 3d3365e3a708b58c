# Harnesses of libFuzzer, built by hand with tests/faults/fuzz (preset fuzz, clang).

# fuzz_NAME from fuzz_NAME.cpp beside this file and the libraries it tries.
function(add_fuzzer name)
  add_executable(fuzz_${name} EXCLUDE_FROM_ALL faults/fuzz_${name}.cpp)
  target_link_libraries(fuzz_${name} PRIVATE dns_warnings ${ARGN})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endfunction()

add_fuzzer(case dns_config)
