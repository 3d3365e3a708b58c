/// Notices when what a run writes to is taken away.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dns {

/// Paths and the files or folders that they named when the watch began.
class PathWatch {
 public:
  /// Throws IoError when there is nothing at `path`.
  void add(const std::string& path);

  /// The first path that no longer names anything, or names something else; empty: all are in
  /// place.
  [[nodiscard]] std::string missing() const;

 private:
  struct Watched {
    std::string path;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
  };
  std::vector<Watched> watched_;
};

}  // namespace dns
