/// `--live`: a web page that shows a run while it goes on.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solver/application/terminal/terminal.hpp"
#include "solver/application/terminal/words.hpp"
#include "solver/output/slice_painter.hpp"

namespace dns {

/// The library that serves the page, "cpp-httplib 0.11.4"; empty: not in this build.
std::string live_page_library();

/// What to do about a build without it.
inline constexpr std::string_view live_page_cure =
    "install cpp-httplib (Debian, Ubuntu: apt-get install libcpp-httplib-dev), remove the build "
    "folder and build again; scripts/build says why it is left out where it is";

/// What stays the same while a run goes on.
struct LiveHeader {
  std::string case_name;
  std::string precision;          // float, double: what round-off is
  std::vector<NamedWords> facts;  // on case and machine
  std::string timeseries_path;
};

/// One page: progress, the newest pictures and the time series.
class LivePage : public PictureViewer {
 public:
  /// Begins to answer.
  virtual void show(const LiveHeader& header) = 0;
  [[nodiscard]] virtual int port() const = 0;

  /// Whether somebody looks at the page and was not told of progress of late. Cheap enough to be
  /// called every step.
  [[nodiscard]] virtual bool wants_progress() const = 0;
  using PictureViewer::put;
  virtual void put(const Progress& progress) = 0;

  /// Tells how the run ended (finished, stopped, diverged, failed: the page has a word, a colour
  /// and a shape for each), why, and what to do next; then waits until pages that are open show it,
  /// two seconds at most.
  virtual void end(const std::string& outcome, const std::string& message) = 0;
};

/// The page at a port of 127.0.0.1; 0: any that is free. Its server answers from memory and from
/// timeseries.csv alone, on threads of its own, and ends with the page. Throws IoError when the
/// port cannot be had, CaseError when the program was built without the page.
std::unique_ptr<LivePage> make_live_page(int port);

}  // namespace dns
