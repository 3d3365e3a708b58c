/// The checksum that files store of their values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dns {

/// CRC-32 (that of zlib and PNG) of bytes that come in parts. It detects every change within 32
/// consecutive bits, and all but one in 4 billion of others. Python: zlib.crc32(values).
class Checksum {
 public:
  Checksum() = default;
  explicit Checksum(std::uint32_t value) : value_(value) {}

  void add(const void* bytes, std::size_t count);
  /// Adds `count` bytes that are known by their own checksum alone.
  void add_known(std::uint32_t checksum, std::uint64_t count);
  [[nodiscard]] std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_ = 0;
};

}  // namespace dns
