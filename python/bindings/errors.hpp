/// Errors of C++ as exceptions of Python.
#pragma once

namespace dns {

/// Errors of error.hpp become the classes of dnsflow.errors that have their names.
void translate_errors();

}  // namespace dns
