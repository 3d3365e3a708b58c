/// `--live`: the web page of a run.
#pragma once

#include <sys/types.h>

#include <string>

#include "solver/core/file_descriptor.hpp"

namespace dns {

/// The program that serves the page, from the files in the run's folder, beside this one. It ends
/// with this process, however that ends, and with this object, which waits for it: two seconds,
/// within which pages that are open show how the run ended.
class LivePage {
 public:
  /// At a port of this machine; 0: any that is free. Throws IoError where it cannot be served,
  /// without words where the page has told them itself.
  LivePage(const std::string& directory, int port);
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  /// Lines that say where it is.
  [[nodiscard]] const std::string& address() const { return address_; }

 private:
  FileDescriptor told_{-1};  // stdout of the page, which ends when this is closed
  pid_t process_ = -1;
  std::string address_;
};

}  // namespace dns
