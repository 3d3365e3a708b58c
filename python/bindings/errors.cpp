#include "python/bindings/errors.hpp"

#include <nanobind/nanobind.h>

#include <exception>

#include "solver/core/error.hpp"

namespace nb = nanobind;

namespace dns {
namespace {

void raise(const char* name, const std::exception& error) {
  const nb::object type = nb::module_::import_("dnsflow.errors").attr(name);
  PyErr_SetString(type.ptr(), error.what());
}

}  // namespace

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& pointer, void* /*unused*/) {
    try {
      std::rethrow_exception(pointer);
    } catch (const CaseError& error) {
      raise("CaseError", error);
    } catch (const IoError& error) {
      raise("IoError", error);
    } catch (const DivergenceError& error) {
      raise("DivergenceError", error);
    } catch (const DeviceError& error) {
      raise("DeviceError", error);
    }
  });
}

}  // namespace dns
