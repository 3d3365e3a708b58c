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
#include <optional>

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

/// What a path names; none where the system does not say, with errno.
std::optional<FileIdentity> named_by(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity(status.st_dev, status.st_ino);
}

/// `path` still names the open file.
bool is_named(int file, const std::string& path) {
  struct stat opened {};
  return ::fstat(file, &opened) == 0 &&
         named_by(path) == FileIdentity(opened.st_dev, opened.st_ino);
}

}  // namespace

FolderLock::FolderLock(const std::string& directory) : path_(path_in(directory, lock_name)) {
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

void PathWatch::add(const std::string& path) {
  const std::optional<FileIdentity> named = named_by(path);
  if (!named) throw IoError(system_message(path, "looking at", errno));
  watched_.emplace_back(path, *named);
}

std::string PathWatch::missing() const {
  for (const auto& [path, identity] : watched_) {
    const std::optional<FileIdentity> named = named_by(path);
    // Any other error than "not there" is the file system's, and the next write will report it.
    if (!named && errno != ENOENT && errno != ENOTDIR) continue;
    if (named != identity) return path;
  }
  return {};
}

}  // namespace dns
