#include "solver/ranks/plane_transfer.hpp"

#include <cstddef>
#include <cstring>
#include <string>

#include "solver/core/packed_bytes.hpp"
#include "solver/ranks/orders.hpp"

namespace dns {
namespace {

std::string packed(const std::vector<PlaneValues>& planes) {
  BytePacker packer;
  for (const PlaneValues& plane : planes) {
    for (const std::vector<double>& values : plane) {
      packer.add(values.size());
      packer.add_bytes(values.data(), values.size() * sizeof(double));
    }
  }
  return packer.take();
}

/// Puts the packed planes of a rank behind those of the ranks before it.
void append(const std::string& of_rank, std::vector<PlaneValues>& planes) {
  ByteUnpacker unpacker(of_rank);
  for (PlaneValues& plane : planes) {
    for (std::vector<double>& values : plane) {
      const auto count = unpacker.next<std::size_t>();
      const std::size_t before = values.size();
      values.resize(before + count);
      const char* const from = unpacker.next_bytes(count * sizeof(double));
      if (count > 0) std::memcpy(values.data() + before, from, count * sizeof(double));
    }
  }
}

}  // namespace

std::vector<PlaneValues> planes_of_all(Communicator& communicator, std::vector<PlaneValues> own) {
  const std::vector<std::string> texts = texts_of_others(communicator);
  for (std::size_t rank = 1; rank < texts.size(); ++rank) append(texts[rank], own);
  return own;
}

void send_planes(Communicator& communicator, const std::vector<PlaneValues>& own) {
  send_text(communicator, packed(own));
}

}  // namespace dns
