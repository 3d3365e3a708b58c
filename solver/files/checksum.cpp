#include "solver/files/checksum.hpp"

#include <zlib.h>

namespace dns {

void Checksum::add(const void* bytes, std::size_t count) {
  value_ = static_cast<std::uint32_t>(crc32_z(value_, static_cast<const Bytef*>(bytes), count));
}

void Checksum::add_known(std::uint32_t checksum, std::uint64_t count) {
  value_ = static_cast<std::uint32_t>(crc32_combine(value_, checksum, static_cast<z_off_t>(count)));
}

}  // namespace dns
