/// The program built without the library that serves the live page.
#include <fmt/format.h>

#include "solver/application/live/live_page.hpp"
#include "solver/core/error.hpp"

namespace dns {

std::string live_page_library() {
  return {};
}

struct LivePage::Server {};

LivePage::LivePage(int /*port*/) {
  throw CaseError(
      fmt::format("--live: this program was built without the live page; {}", live_page_cure));
}
LivePage::~LivePage() = default;

void LivePage::show(const LiveHeader& /*header*/) {}
// NOLINTBEGIN(readability-convert-member-functions-to-static): members of the page there is
// elsewhere
std::string LivePage::address() const {
  return {};
}
int LivePage::port() const {
  return 0;
}
bool LivePage::is_watched() const {
  return false;
}
bool LivePage::wants_progress() const {
  return false;
}
bool LivePage::wants_pictures() const {
  return false;
}
// NOLINTEND(readability-convert-member-functions-to-static)
void LivePage::put(const Progress& /*progress*/) {}
void LivePage::end(LiveOutcome /*outcome*/, const std::string& /*message*/) {}
void LivePage::put(std::vector<SlicePicture> /*pictures*/) {}
void LivePage::spend(double /*seconds*/) {}

}  // namespace dns
