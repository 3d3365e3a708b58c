#include "solver/files/path_watch.hpp"

#include <sys/stat.h>

#include <cerrno>

#include "solver/core/error.hpp"
#include "solver/files/run_files.hpp"

namespace dns {

void PathWatch::add(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw IoError(system_message(path, "looking at", errno));
  watched_.push_back({.path = path, .device = status.st_dev, .inode = status.st_ino});
}

std::string PathWatch::missing() const {
  for (const Watched& watched : watched_) {
    struct stat status {};
    const bool is_there = ::stat(watched.path.c_str(), &status) == 0;
    // Any other error than "not there" is the file system's, and the next write will report it.
    if (!is_there && errno != ENOENT && errno != ENOTDIR) continue;
    if (!is_there || status.st_dev != watched.device || status.st_ino != watched.inode)
      return watched.path;
  }
  return {};
}

}  // namespace dns
