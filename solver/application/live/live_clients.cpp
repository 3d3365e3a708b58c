#include "solver/application/live/live_clients.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <charconv>
#include <cstddef>
#include <filesystem>
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

void LivePages::note(const std::string& name, bool has_shown_end, Clock::time_point now) {
  constexpr std::size_t most_pages = 32;
  constexpr std::size_t longest_name = 40;
  if (name.empty() || name.size() > longest_name) return;
  const std::lock_guard lock(mutex_);
  if (pages_.size() >= most_pages && !pages_.contains(name)) return;
  pages_[name] = {.looked = now, .has_shown_end = has_shown_end};
  changed_.notify_all();
}

void LivePages::wait_for_end(Clock::duration longest) {
  constexpr std::chrono::milliseconds looks_last{2500};  // pages look every second
  const Clock::time_point now = Clock::now();
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, longest, [&] {
    return std::ranges::all_of(pages_, [&](const auto& named) {
      const Page& page = named.second;
      return page.has_shown_end || now - page.looked > looks_last;
    });
  });
}

void LiveConnections::end_older_than(Clock::duration longest, Clock::time_point now, int port) {
  std::map<int, Seen> there;
  std::error_code none;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", none), end; entry != end;
       entry.increment(none)) {
    const std::string name = entry->path().filename().string();
    int descriptor = -1;
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
    const int client_port = port_by(::getpeername, descriptor);
    if (client_port == 0 || port_by(::getsockname, descriptor) != port) continue;
    const auto before = seen_.find(descriptor);
    const bool is_known = before != seen_.end() && before->second.client_port == client_port;
    const Clock::time_point since = is_known ? before->second.since : now;
    there[descriptor] = {.client_port = client_port, .since = since};
    // Whoever reads or writes there finds it closed, and closes the descriptor.
    if (now - since >= longest) ::shutdown(descriptor, SHUT_RDWR);
  }
  seen_ = std::move(there);
}

}  // namespace dns
