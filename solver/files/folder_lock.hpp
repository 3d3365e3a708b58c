/// One program at a time in the folder of a run, which notices when its files are taken away.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/file_descriptor.hpp"

namespace dns {

/// Device and inode of a file or folder.
using FileIdentity = std::pair<std::uint64_t, std::uint64_t>;

inline constexpr const char* lock_name = "run.lock";

/// Keeps other runs out of a folder as long as it lives: a lock of the system (flock) on
/// DIRECTORY/run.lock, which says who holds it, and where the file system can, on the folder
/// itself, which holds when the file is taken away. The lock of a process that is gone, however it
/// ended, blocks nobody; on a file system without locks nobody is kept out.
class FolderLock {
 public:
  /// Throws CaseError when another process holds it, named with its host; IoError when the file
  /// cannot be made.
  explicit FolderLock(const std::string& directory);
  /// Removes the file.
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Makes the file anew where it was taken away. Throws IoError when another process holds its own
  /// by now.
  void renew();

  /// false: the file system knows no locks.
  [[nodiscard]] bool keeps_others_out() const { return keeps_others_out_; }

 private:
  bool take();
  void take_folder();
  void write_holder() const;
  void remove_file();

  std::string path_;
  FileDescriptor file_{-1};
  FileDescriptor folder_{-1};  // locked; not open where the file system locks no folders
  bool keeps_others_out_ = true;
};

/// Paths and the files or folders that they named when the watch began.
class PathWatch {
 public:
  /// Throws IoError when there is nothing at `path`.
  void add(const std::string& path);

  /// The first path that no longer names anything, or names something else; empty: all are in
  /// place.
  [[nodiscard]] std::string missing() const;

 private:
  std::vector<std::pair<std::string, FileIdentity>> watched_;
};

}  // namespace dns
