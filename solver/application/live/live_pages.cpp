#include "solver/application/live/live_pages.hpp"

#include <algorithm>
#include <cstddef>

namespace dns {

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

}  // namespace dns
