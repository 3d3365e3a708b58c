/// One program at a time in the folder of a run.
#pragma once

#include <string>

#include "solver/core/file_descriptor.hpp"

namespace dns {

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

}  // namespace dns
