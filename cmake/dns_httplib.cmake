# The library that serves the page of dns run --live: target dns_httplib, where there is one.
#
# Parts of a compiled cpp-httplib that stand in its header call OpenSSL, which its pkg-config file
# names for static linking alone. So each way to link it is tried, and without one the program is
# built without the page.

find_package(Threads REQUIRED)
pkg_check_modules(DNS_HTTPLIB QUIET IMPORTED_TARGET cpp-httplib)
find_package(httplib QUIET CONFIG)

set(program "#include <httplib.h>
  int main() {
    httplib::Server server;
    server.new_task_queue = [] { return new httplib::ThreadPool(2); };
    return server.listen(\"127.0.0.1\", 0) && httplib::Client(\"127.0.0.1\", 1).Get(\"/\") ? 0 : 1;
  }")

# dns_try_httplib(WAY LIBRARY...): makes the target of the first libraries that a program links with.
function(dns_try_httplib way)
  if(TARGET dns_httplib)
    return()
  endif()
  dns_try_linking(DNS_LINKS_HTTPLIB_${way} "${program}" ${ARGN} Threads::Threads)
  if(DNS_LINKS_HTTPLIB_${way})
    add_library(dns_httplib INTERFACE)
    target_link_libraries(dns_httplib INTERFACE ${ARGN} Threads::Threads)
  endif()
endfunction()

if(DNS_HTTPLIB_FOUND)
  dns_try_httplib(AS_NAMED PkgConfig::DNS_HTTPLIB)
  dns_try_httplib(AS_STATIC PkgConfig::DNS_HTTPLIB ${DNS_HTTPLIB_STATIC_LDFLAGS})
endif()
if(httplib_FOUND)
  dns_try_httplib(BY_CMAKE httplib::httplib)
endif()

# scripts/build shows lines that begin with "left out".
if(TARGET dns_httplib)
elseif(DNS_HTTPLIB_FOUND OR httplib_FOUND)
  message(STATUS "left out: dns run --live; cpp-httplib was found, but a program that uses it cannot be linked (is what it was built with installed?)")
else()
  message(STATUS "left out: dns run --live; cpp-httplib not found (Debian, Ubuntu: libcpp-httplib-dev)")
endif()
