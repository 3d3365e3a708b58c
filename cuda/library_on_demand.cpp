#include "cuda/library_on_demand.hpp"

#include <dlfcn.h>

#include "solver/core/error.hpp"

namespace dns {

LibraryOnDemand::LibraryOnDemand(const std::string& path)
    : name_(path.substr(path.rfind('/') + 1)), handle_(dlopen(path.c_str(), RTLD_LAZY)) {
  if (handle_ == nullptr) handle_ = dlopen(name_.c_str(), RTLD_LAZY);
  if (handle_ != nullptr) return;
  const char* const reason = dlerror();
  throw DeviceError("a library of the CUDA Toolkit cannot be opened (" +
                    std::string(reason == nullptr ? path : reason) +
                    "); install the toolkit, or add its folder to LD_LIBRARY_PATH");
}

void* LibraryOnDemand::address(const char* name) const {
  void* const found = dlsym(handle_, name);
  if (found == nullptr) throw DeviceError(name_ + " has no function " + name);
  return found;
}

}  // namespace dns
