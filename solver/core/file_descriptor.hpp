/// An open file of the operating system.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace dns {

/// A file descriptor. Call close() after writing, since it may be the first to report a failed
/// write; the destructor is for files that were only read, or for exceptions.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  /// Throws IoError.
  void close(const std::string& path);

  /// Writes all bytes from `place` of the file on. Throws IoError "WHERE: writing: reason".
  void write_at(std::uint64_t place,
                const void* values,
                std::size_t bytes,
                std::string_view where) const;
  /// Reads as many. Throws IoError, also where the file ends before.
  void read_at(std::uint64_t place, void* values, std::size_t bytes, std::string_view where) const;

 private:
  int number_;
};

}  // namespace dns
