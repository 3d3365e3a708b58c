#include "solver/application/live/live_connections.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <charconv>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace dns {
namespace {

using AddressOf = int (*)(int, sockaddr*, socklen_t*);

/// The port at one end of a connection; 0: the descriptor is none, such as a file.
int port_by(AddressOf address_of, int descriptor) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  const bool is_known = address_of(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  return is_known && address.sin_family == AF_INET ? ntohs(address.sin_port) : 0;
}

}  // namespace

void LiveConnections::end_older_than(Clock::duration longest, Clock::time_point now) {
  std::map<int, Seen> there;
  std::error_code none;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", none), end; entry != end;
       entry.increment(none)) {
    const std::string name = entry->path().filename().string();
    int descriptor = -1;
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
    const int client_port = port_by(::getpeername, descriptor);
    if (client_port == 0 || port_by(::getsockname, descriptor) != port_) continue;
    const auto before = seen_.find(descriptor);
    const bool is_new = before == seen_.end() || before->second.client_port != client_port;
    const Clock::time_point since = is_new ? now : before->second.since;
    there[descriptor] = {.client_port = client_port, .since = since};
    // Whoever reads or writes there finds it closed, and closes the descriptor.
    if (now - since >= longest) ::shutdown(descriptor, SHUT_RDWR);
  }
  seen_ = std::move(there);
}

}  // namespace dns
