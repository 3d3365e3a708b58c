#include "solver/core/file_descriptor.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "solver/core/error.hpp"
#include "solver/core/system_errors.hpp"

namespace dns {
namespace {

constexpr mode_t mode_of_new_files = 0666;

[[noreturn]] void fail(std::string_view where, std::string_view doing) {
  throw FileSystemError(system_message(where, doing, errno));
}

/// Makes the call again while a signal interrupts it.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) ::close(number_);
}

/// An interrupted close has closed the file: Linux frees the number first.
void FileDescriptor::close(const std::string& path) {
  if (::close(std::exchange(number_, -1)) != 0 && errno != EINTR) fail(path, "closing the file");
}

bool FileDescriptor::is_regular(const std::string& path) const {
  struct stat status {};
  if (::fstat(number_, &status) != 0) fail(path, "looking at the file");
  return S_ISREG(status.st_mode);
}

void FileDescriptor::flush_to_disk(const std::string& path) const {
  // Some file systems cannot flush a folder and say EINVAL.
  if (uninterrupted([&] { return ::fsync(number_); }) != 0 && errno != EINVAL)
    fail(path, "flushing it to disk");
}

void FileDescriptor::write_at(std::uint64_t place,
                              const void* values,
                              std::size_t bytes,
                              std::string_view where) const {
  const auto* next = static_cast<const std::byte*>(values);
  while (bytes > 0) {
    const ssize_t written =
        uninterrupted([&] { return ::pwrite(number_, next, bytes, static_cast<off_t>(place)); });
    if (written < 0) fail(where, "writing");
    next += written;
    place += static_cast<std::uint64_t>(written);
    bytes -= written;
  }
}

void FileDescriptor::begin_flush(std::uint64_t place, std::size_t bytes) const {
  ::sync_file_range(
      number_, static_cast<off64_t>(place), static_cast<off64_t>(bytes), SYNC_FILE_RANGE_WRITE);
}

void FileDescriptor::read_at(std::uint64_t place,
                             void* values,
                             std::size_t bytes,
                             std::string_view where) const {
  auto* next = static_cast<std::byte*>(values);
  while (bytes > 0) {
    const ssize_t got =
        uninterrupted([&] { return ::pread(number_, next, bytes, static_cast<off_t>(place)); });
    if (got < 0) fail(where, "reading");
    if (got == 0) throw IoError(std::string(where) + ": reading: the file ends before");
    next += got;
    place += static_cast<std::uint64_t>(got);
    bytes -= got;
  }
}

std::string FileDescriptor::read_some(std::size_t most_bytes, const std::string& path) const {
  std::string text(most_bytes, '\0');
  const ssize_t got = uninterrupted([&] { return ::read(number_, text.data(), text.size()); });
  if (got < 0) fail(path, "reading");
  text.resize(got);
  return text;
}

int open_number(const std::string& path, int flags) {
  return uninterrupted(
      [&] { return ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, mode_of_new_files); });
}

FileDescriptor open_regular(const std::string& path, int flags) {
  FileDescriptor file(open_number(path, flags));
  if (!file.is_open()) fail(path, "opening the file");
  if (!file.is_regular(path)) throw IoError(path + ": opening the file: it is no ordinary file");
  return file;
}

std::string text_of_file(const std::string& path) {
  constexpr std::size_t piece_bytes = 1 << 16;
  const FileDescriptor file = open_regular(path);
  std::string text;
  for (std::string piece = file.read_some(piece_bytes, path); !piece.empty();
       piece = file.read_some(piece_bytes, path))
    text += piece;
  return text;
}

}  // namespace dns
