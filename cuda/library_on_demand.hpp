/// Libraries of the CUDA Toolkit that are opened when they are first needed: opening them takes
/// longer than many commands of the program.
#pragma once

#include <string>

namespace dns {

class LibraryOnDemand {
 public:
  /// path: where the library was when the program was built; if it is gone, the system looks for
  /// one of that name. Throws DeviceError.
  explicit LibraryOnDemand(const std::string& path);

  /// A function by its name; `Declared` is its type in the library's header. Throws DeviceError.
  template <class Declared>
  [[nodiscard]] Declared* function(const char* name) const {
    return reinterpret_cast<Declared*>(address(name));
  }

 private:
  [[nodiscard]] void* address(const char* name) const;

  std::string name_;
  void* handle_;  // stays open
};

}  // namespace dns
