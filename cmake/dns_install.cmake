# cmake --install FOLDER: the program with what it needs and what explains it.
# cmake --build FOLDER --target uninstall: removes what it installed.
# cpack -G DEB --config FOLDER/CPackConfig.cmake: the same as a Debian package.

include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # the program alone has to be built, not the tests

# Libraries found outside the system's folders stay found.
set_target_properties(dns PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS dns RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The program looks for its plugin in lib/dns beside the folder it is in.
if(TARGET dns_mpi)
  set_target_properties(dns_mpi PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS dns_mpi LIBRARY DESTINATION lib/dns)
endif()

# The program looks for these in share/dns beside the folder it is in.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs DESTINATION ${CMAKE_INSTALL_DATADIR}/dns
  FILES_MATCHING PATTERN "*.yaml")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scripts DESTINATION ${CMAKE_INSTALL_DATADIR}/dns
  USE_SOURCE_PERMISSIONS FILES_MATCHING PATTERN "*.py" PATTERN "data/*.dat" PATTERN "live/*"
  PATTERN validation EXCLUDE PATTERN __pycache__ EXCLUDE)

# The package dnsflow: beside the scripts, which find it there, and by a link where the python3 of
# Debian looks when the prefix is /usr.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/dnsflow
  DESTINATION ${CMAKE_INSTALL_DATADIR}/dns/python
  FILES_MATCHING PATTERN "*.py" PATTERN "*.json" PATTERN __pycache__ EXCLUDE)
if(TARGET _dns)
  install(TARGETS _dns LIBRARY DESTINATION ${CMAKE_INSTALL_DATADIR}/dns/python/dnsflow OPTIONAL)
endif()
file(CREATE_LINK ../../../share/dns/python/dnsflow ${PROJECT_BINARY_DIR}/dnsflow SYMBOLIC)
install(FILES ${PROJECT_BINARY_DIR}/dnsflow DESTINATION lib/python3/dist-packages)

install(FILES ${PROJECT_SOURCE_DIR}/docs/dns.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  ${PROJECT_SOURCE_DIR}/CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png")

# The program itself prints what completes its words, so that it is never out of date.
set(completions ${PROJECT_BINARY_DIR}/completions)
file(MAKE_DIRECTORY ${completions})
foreach(shell bash zsh fish)
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:dns>\" completion ${shell}
    OUTPUT_FILE \"${completions}/${shell}\" COMMAND_ERROR_IS_FATAL ANY)")
endforeach()
install(FILES ${completions}/bash RENAME dns
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completions}/zsh RENAME _dns
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${completions}/fish RENAME dns.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
  VERBATIM)

# Who makes the package, as Debian's tools ask for it, else as Git knows it.
function(dns_package_contact result)
  set(name "$ENV{DEBFULLNAME}")
  set(address "$ENV{DEBEMAIL}")
  foreach(what name address)
    string(REPLACE address email key ${what})
    if(NOT ${what} AND GIT_EXECUTABLE)
      execute_process(COMMAND ${GIT_EXECUTABLE} config user.${key}
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE ${what}
        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
  endforeach()
  if(NOT name)
    set(name "the dns authors")
  endif()
  if(NOT address)
    cmake_host_system_information(RESULT host QUERY FQDN)
    set(address "dns@${host}")
  endif()
  set(${result} "${name} <${address}>" PARENT_SCOPE)
endfunction()

find_package(Git QUIET)
dns_package_contact(contact)
set(DNS_MAINTAINER "${contact}" CACHE STRING "Who made the package: NAME <ADDRESS>")
set(CPACK_PACKAGE_CONTACT ${DNS_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DESCRIPTION
  "Splitting and projection schemes in three dimensions, with temperature and\n\
buoyancy, on CPUs (OpenMP) and NVIDIA GPUs (CUDA); HDF5 files that ParaView opens.")
if(DNS_NATIVE)
  string(APPEND CPACK_PACKAGE_DESCRIPTION
    "\nIt needs a processor like that of the machine it was built on (built with\n\
-DDNS_NATIVE=OFF it would run on all); dns doctor tells.")
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-h5py, python3-matplotlib")
if(TARGET dns_mpi)
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", openmpi-bin")
endif()
if(DNS_CUDA)  # opened on demand, so not found by SHLIBDEPS; the names are those of NVIDIA's packages
  set(release ${CUDAToolkit_VERSION_MAJOR}-${CUDAToolkit_VERSION_MINOR})
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libcufft-${release}, libcublas-${release}")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "paraview, python3-xarray, python3-pandas")
# What Python compiles and keeps beside the modules goes when the package goes.
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/cmake/debian/postinst ${PROJECT_SOURCE_DIR}/cmake/debian/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
