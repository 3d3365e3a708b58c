#include "solver/output/checksum.hpp"

#include <zlib.h>

namespace dns {

void Checksum::add(const void* bytes, std::size_t count) {
  value_ = static_cast<std::uint32_t>(crc32_z(value_, static_cast<const Bytef*>(bytes), count));
}

}  // namespace dns
