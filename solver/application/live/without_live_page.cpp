/// The program built without the library that serves the live page.
#include <fmt/format.h>

#include "solver/application/live/live_page.hpp"
#include "solver/core/error.hpp"

namespace dns {

std::string live_page_library() {
  return {};
}

std::unique_ptr<LivePage> make_live_page(int /*port*/) {
  throw CaseError(
      fmt::format("--live: this program was built without the live page; {}", live_page_cure));
}

}  // namespace dns
