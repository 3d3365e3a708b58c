/// An open file of the operating system.
#pragma once

#include <fcntl.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace dns {

/// A file descriptor. Call close() after writing, since it may be the first to report a failed
/// write; the destructor is for files that were only read, or for exceptions.
///
/// Calls that a signal interrupts are made again. Where the system refuses one, members throw
/// FileSystemError.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  void close(const std::string& path);

  /// An ordinary file; not a pipe, a device or a folder.
  [[nodiscard]] bool is_regular(const std::string& path) const;

  /// Returns when all that was written to the file, or to the folder's list of names, is on the
  /// disk.
  void flush_to_disk(const std::string& path) const;

  /// Writes all bytes from `place` of the file on. The error is "WHERE: writing: reason".
  void write_at(std::uint64_t place,
                const void* values,
                std::size_t bytes,
                std::string_view where) const;
  /// Lets the disk take them now: flush_to_disk, which tells of errors, then waits for less.
  void begin_flush(std::uint64_t place, std::size_t bytes) const;
  /// Reads as many. Throws IoError where the file ends before.
  void read_at(std::uint64_t place, void* values, std::size_t bytes, std::string_view where) const;

  /// Reads what comes next, at most `most_bytes`; empty at the end.
  [[nodiscard]] std::string read_some(std::size_t most_bytes, const std::string& path) const;

 private:
  int number_;
};

/// open(2) with O_CLOEXEC. Does not wait: neither for somebody at the other end of a pipe nor for a
/// device. Returns -1 with errno on failure.
int open_number(const std::string& path, int flags);

/// Opens an ordinary file. Throws FileSystemError, and IoError for a pipe, a device or a folder.
FileDescriptor open_regular(const std::string& path, int flags = O_RDONLY);

/// All bytes of an ordinary file. Throws as open_regular.
std::string text_of_file(const std::string& path);

}  // namespace dns
