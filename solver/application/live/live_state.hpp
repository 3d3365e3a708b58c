/// What the live page is told about a run.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solver/application/terminal/terminal.hpp"
#include "solver/application/terminal/words.hpp"
#include "solver/output/slice_painter.hpp"

namespace dns {

/// How a run goes, or how it ended; the page has a word, a colour and a shape for each.
enum class LiveOutcome { running, finished, stopped, diverged, failed };

/// What stays the same while a run goes on.
struct LiveHeader {
  std::string case_name;
  std::string precision;          // float, double: what round-off is
  std::vector<NamedWords> facts;  // on case and machine
  std::string timeseries_path;
};

/// How a run goes now.
struct LiveNews {
  Progress progress;
  LiveOutcome outcome = LiveOutcome::running;
  std::string message;  // of the end: why, and what to do next
  std::shared_ptr<const std::vector<SlicePicture>> pictures =
      std::make_shared<std::vector<SlicePicture>>();  // the newest, of one flow
};

/// All of it as one line of JSON; `start` tells this process from others behind the same address.
std::string live_json(const LiveHeader& header, std::string_view start, const LiveNews& news);

}  // namespace dns
