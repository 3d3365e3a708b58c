#include "solver/output/file_descriptor.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "solver/core/error.hpp"
#include "solver/output/run_files.hpp"

namespace dns {

void FileDescriptor::close(const std::string& path) {
  if (::close(std::exchange(number_, -1)) != 0)
    throw IoError(system_message(path, "closing the file", errno));
}

void FileDescriptor::write_at(std::uint64_t place,
                              const void* values,
                              std::size_t bytes,
                              std::string_view where) const {
  const auto* next = static_cast<const std::byte*>(values);
  while (bytes > 0) {
    const ssize_t written = ::pwrite(number_, next, bytes, static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw IoError(system_message(std::string(where), "writing", errno));
    next += written;
    place += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
}

void FileDescriptor::read_at(std::uint64_t place,
                             void* values,
                             std::size_t bytes,
                             std::string_view where) const {
  auto* next = static_cast<std::byte*>(values);
  while (bytes > 0) {
    const ssize_t got = ::pread(number_, next, bytes, static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError(system_message(std::string(where), "reading", errno));
    if (got == 0) throw IoError(fmt::format("{}: reading: the file ends before", where));
    next += got;
    place += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
}

}  // namespace dns
