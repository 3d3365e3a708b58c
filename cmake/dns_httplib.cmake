# The library that serves the page of dns run --live, if it is there: PkgConfig::DNS_HTTPLIB.

pkg_check_modules(DNS_HTTPLIB IMPORTED_TARGET cpp-httplib)
if(NOT DNS_HTTPLIB_FOUND)
  message(STATUS "cpp-httplib not found: dns run --live will not work (Debian, Ubuntu: libcpp-httplib-dev)")
endif()
