#include "solver/application/live/live_port.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "solver/config/number_text.hpp"
#include "solver/core/error.hpp"

namespace dns {

void join_port(std::vector<std::string>& arguments) {
  const auto live = std::ranges::find(arguments, "--live");
  if (live == arguments.end()) return;
  const auto port = std::next(live);
  const bool has_port = port != arguments.end() && whole_number_from(*port);
  *live += "=" + (has_port ? *port : "0");
  if (has_port) arguments.erase(port);
}

std::optional<int> port_of(const std::string& typed) {
  constexpr std::int64_t largest_port = 65535;
  if (typed.empty()) return std::nullopt;
  const auto port = whole_number_from(typed);
  if (!port || *port < 0 || *port > largest_port) {
    throw CaseError(fmt::format(
        "--live={}: must be a port from 0 to {}, 0 for any that is free", typed, largest_port));
  }
  return static_cast<int>(*port);
}

std::string tunnel_in_words(int port, const char* ssh_connection, const std::string& host) {
  if (ssh_connection == nullptr || *ssh_connection == '\0') return {};
  return fmt::format(
      "on your own machine type ssh -L {0}:localhost:{0} {1} and open http://localhost:{0}",
      port,
      host);
}

std::string name_of_this_machine() {
  std::array<char, 256> name{};
  const bool is_known = gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0';
  return is_known ? name.data() : "HOST";
}

}  // namespace dns
