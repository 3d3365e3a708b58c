# cmake -DWAY=install|deb -DBUILD=DIR -DSCRATCH=DIR -DPYTHON=FILE -P check_package.cmake
# Installs into a folder of its own, and uses the program from there.

cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH}/elsewhere)
set(usr ${SCRATCH}/root/usr)

if(WAY STREQUAL install)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${usr}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
else()
  find_program(cpack cpack)
  find_program(dpkg_deb dpkg-deb)
  find_program(dpkg_shlibdeps dpkg-shlibdeps)
  if(NOT cpack OR NOT dpkg_deb OR NOT dpkg_shlibdeps)
    message("skipped: cpack, dpkg-deb or dpkg-shlibdeps is missing (Debian: dpkg-dev)")
    return()
  endif()
  execute_process(COMMAND ${cpack} -G DEB --config ${BUILD}/CPackConfig.cmake -B ${SCRATCH}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB package ${SCRATCH}/dns_*.deb)
  execute_process(COMMAND ${dpkg_deb} --field ${package} Depends
    OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
  if(NOT depends MATCHES "libhdf5" OR NOT depends MATCHES "libc6")
    message(FATAL_ERROR "the package depends on '${depends}', but must on libhdf5 and libc6")
  endif()
  execute_process(COMMAND ${dpkg_deb} --field ${package} Maintainer
    OUTPUT_VARIABLE maintainer COMMAND_ERROR_IS_FATAL ANY)
  if(NOT maintainer MATCHES "^[^<>]+ <[^<>@ ]+@[^<>@ ]+>" OR maintainer MATCHES "root@localhost")
    message(FATAL_ERROR "the maintainer of the package is '${maintainer}', but must be NAME <ADDRESS>")
  endif()
  execute_process(COMMAND ${dpkg_deb} --control ${package} ${SCRATCH}/control
    COMMAND_ERROR_IS_FATAL ANY)
  foreach(script postinst prerm)
    execute_process(COMMAND sh -n ${SCRATCH}/control/${script} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  execute_process(COMMAND ${dpkg_deb} --extract ${package} ${SCRATCH}/root
    COMMAND_ERROR_IS_FATAL ANY)
endif()

# Runs the installed program in ${SCRATCH}/elsewhere; its stdout is left in `printed`.
function(dns)
  execute_process(COMMAND ${usr}/bin/dns ${ARGN} WORKING_DIRECTORY ${SCRATCH}/elsewhere
    OUTPUT_VARIABLE out RESULT_VARIABLE code ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "dns ${ARGN} ended with ${code}: ${err}")
  endif()
  set(printed "${out}" PARENT_SCOPE)
endfunction()

function(expect_file path)
  if(NOT EXISTS ${path})
    message(FATAL_ERROR "${path} is missing")
  endif()
endfunction()

foreach(file
    bin/dns share/man/man1/dns.1 share/doc/dns/README.md share/doc/dns/docs/performance.md
    share/doc/dns/copyright share/doc/dns/CHANGELOG.md share/doc/dns/CITATION.cff
    share/dns/scripts/plot_bench.py share/dns/scripts/plot_run.py share/dns/scripts/average_run.py
    share/dns/scripts/export_run.py share/dns/scripts/sweep_case.py
    share/dns/scripts/live_run.py share/dns/scripts/live/live_page.html
    share/dns/python/dnsflow/__init__.py
    lib/python3/dist-packages/dnsflow/__init__.py
    share/dns/scripts/data/channel180_fd2.dat share/bash-completion/completions/dns
    share/zsh/vendor-completions/_dns share/fish/vendor_completions.d/dns.fish)
  expect_file(${usr}/${file})
endforeach()

dns(--version)
if(HAS_MPI)
  expect_file(${usr}/lib/dns/libdns_mpi.so)
endif()
dns(doctor)
if(HAS_MPI AND printed MATCHES "without MPI|MPI cannot be opened")
  message(FATAL_ERROR "the program does not find its plugin in ${usr}/lib/dns:\n${printed}")
endif()
string(FIND "${printed}" "${usr}/share/dns" found)
if(found EQUAL -1)
  message(FATAL_ERROR "the program does not look for its files in ${usr}/share/dns:\n${printed}")
endif()
dns(new first --template cavity)
dns(run first.yaml --device cpu --threads 1 --quiet --set "grid.points=[16, 16, 4]"
  --set time.end=0.05)
expect_file(${SCRATCH}/elsewhere/runs/first/timeseries.csv)
if(PYTHON)
  cmake_path(GET PYTHON PARENT_PATH folder)
  set(ENV{PATH} "${folder}:$ENV{PATH}")  # where `dns plot` looks first
  dns(plot runs/first)
  # In the folder where Debian's python3 looks there is a link to the only copy of the package.
  set(ENV{PYTHONPATH} ${usr}/lib/python3/dist-packages)
  execute_process(COMMAND ${PYTHON} -c "import dnsflow, os; print(os.path.realpath(dnsflow.__file__), \
dnsflow.Run('runs/first').time_series()['step'][0])"
    WORKING_DIRECTORY ${SCRATCH}/elsewhere OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
  unset(ENV{PYTHONPATH})
  if(NOT found STREQUAL "${usr}/share/dns/python/dnsflow/__init__.py 0\n")
    message(FATAL_ERROR "the package dnsflow is not where python3 finds it, but: ${found}")
  endif()
  expect_file(${SCRATCH}/elsewhere/runs/first/pictures/report.html)
endif()

if(WAY STREQUAL install)
  execute_process(COMMAND ${CMAKE_COMMAND} -DBUILD=${BUILD} -P ${SOURCE}/cmake/uninstall.cmake
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB_RECURSE left ${usr}/*)
  file(GLOB folders ${usr}/share/dns ${usr}/share/doc/dns ${usr}/lib/dns)
  if(left OR folders)
    message(FATAL_ERROR "uninstalling leaves ${left} ${folders}")
  endif()
endif()
