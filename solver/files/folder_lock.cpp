#include "solver/files/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <utility>

#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/files/run_files.hpp"

namespace dns {
namespace {

/// What the holder of the lock wrote into it.
std::string holder_in(int file) {
  std::array<char, 512> text{};
  const ssize_t bytes = ::pread(file, text.data(), text.size(), 0);
  std::string holder(text.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  holder.resize(std::min(holder.find('\n'), holder.size()));
  return holder.empty() ? "another process" : holder;
}

/// `path` still names the open file.
bool is_named(int file, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

FolderLock::FolderLock(const std::string& directory)
    : path_((std::filesystem::path(directory) / lock_name).string()) {
  // Its holder may remove the file between our opening it and our locking it: then try again.
  while (!take()) {
  }
  take_folder();
  write_holder();
}

/// The lock holds even when the disk has no room for this text.
void FolderLock::write_holder() const {
  const std::string words = fmt::format("process {} on {}\n", getpid(), host_name());
  if (::ftruncate(file_.number(), 0) == 0)
    static_cast<void>(::pwrite(file_.number(), words.data(), words.size(), 0) < 0);
}

/// Throws CaseError when another process holds the folder, whose file was taken away.
void FolderLock::take_folder() {
  const std::string directory = std::filesystem::path(path_).parent_path().string();
  folder_ = FileDescriptor(open_number(directory, O_RDONLY | O_DIRECTORY));
  if (!folder_.is_open() || ::flock(folder_.number(), LOCK_EX | LOCK_NB) == 0) return;
  const bool is_held = errno == EWOULDBLOCK;
  folder_ = FileDescriptor(-1);
  if (!is_held) return;  // network file systems lock no folders
  remove_file();
  throw CaseError(
      fmt::format("{} is in use: another process writes there, whose {} was taken away; wait for "
                  "it, stop it, or give another folder with --output",
                  directory,
                  lock_name));
}

void FolderLock::renew() {
  if (!keeps_others_out_ || is_named(file_.number(), path_)) return;
  try {
    while (!take()) {
    }
    write_holder();
  } catch (const std::exception& error) {
    if (folder_.is_open()) return;  // it keeps others out: then next time
    throw IoError(fmt::format("{} was taken away, and {}", path_, error.what()));
  }
}

/// Returns whether the lock is held.
bool FolderLock::take() {
  file_ = FileDescriptor(open_number(path_, O_RDWR | O_CREAT));
  if (!file_.is_open()) throw FileSystemError(system_message(path_, "creating the file", errno));
  int refused = 0;
  do {
    refused = ::flock(file_.number(), LOCK_EX | LOCK_NB);
  } while (refused != 0 && errno == EINTR);
  if (refused == 0) return is_named(file_.number(), path_);
  if (errno != EWOULDBLOCK) {
    keeps_others_out_ = false;
    return true;
  }
  const std::string holder = holder_in(file_.number());
  file_ = FileDescriptor(-1);
  throw CaseError(
      fmt::format("{} is in use: {} writes there; wait for it, stop it, or give "
                  "another folder with --output",
                  std::filesystem::path(path_).parent_path().string(),
                  holder));
}

FolderLock::~FolderLock() {
  folder_ = FileDescriptor(-1);  // first: whoever can have the file must find it free
  remove_file();
}

void FolderLock::remove_file() {
  if (keeps_others_out_ && is_named(file_.number(), path_)) ::unlink(path_.c_str());
}

}  // namespace dns
