/// `--live`: a web page that shows a run while it goes on.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solver/application/live/live_state.hpp"
#include "solver/output/slice_painter.hpp"

namespace dns {

/// The library that serves the page, "cpp-httplib 0.11.4"; empty: not in this build.
std::string live_page_library();

/// What to do about a build without it.
inline constexpr std::string_view live_page_cure =
    "install cpp-httplib (Debian, Ubuntu: apt-get install libcpp-httplib-dev), remove the build "
    "folder and build again; scripts/build says why it is left out where it is";

/// A server on 127.0.0.1 with one page: progress, the newest pictures and the time series. It
/// answers from memory and from timeseries.csv alone, on threads of its own, and ends with this
/// object.
class LivePage final : public PictureViewer {
 public:
  /// Opens the port; 0: any that is free. Throws IoError when that is impossible, CaseError when
  /// the program was built without the page.
  explicit LivePage(int port);
  ~LivePage() override;

  /// Begins to answer.
  void show(const LiveHeader& header);

  [[nodiscard]] std::string address() const;  // "http://127.0.0.1:41235"
  [[nodiscard]] int port() const;

  [[nodiscard]] bool is_watched() const override;
  [[nodiscard]] bool wants_pictures() const override;
  void spend(double seconds) override;
  void put(std::vector<SlicePicture> pictures) override;

  /// Whether somebody looks at the page and was not told of progress of late. Cheap enough to be
  /// called every step.
  [[nodiscard]] bool wants_progress() const;
  void put(const Progress& progress);

  /// Tells how the run ended, and waits until pages that are open show it, two seconds at most.
  void end(LiveOutcome outcome, const std::string& message);

 private:
  struct Server;
  std::unique_ptr<Server> server_;
};

}  // namespace dns
