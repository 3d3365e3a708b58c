/// Messages of every length around that of a piece, between ranks that mpirun has started: each
/// value says who sent it to whom, in which message and where in it. Ends with 1 where one is
/// wrong.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/ranks/mpi.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t largest_piece = 7;  // [bytes]
constexpr std::size_t lengths[] = {0, 1, 6, 7, 8, 13, 14, 15, 100};

Bytes text_of(int from, int to, int number, std::size_t length) {
  Bytes bytes(length);
  for (std::size_t n = 0; n < length; ++n)
    bytes[n] =
        static_cast<std::uint8_t>(89 * from + 41 * to + 17 * number + 3 * static_cast<int>(n));
  return bytes;
}

/// Counts what is wrong and says so.
class Check {
 public:
  explicit Check(int rank) : rank_(rank) {}

  void equal(const Bytes& found, const Bytes& wanted, const char* what) {
    ++compared_;
    if (found == wanted) return;
    ++wrong_;
    std::fputs(
        fmt::format("rank {}: {} of {} bytes is wrong\n", rank_, what, wanted.size()).c_str(),
        stderr);
  }
  [[nodiscard]] bool holds() const { return compared_ > 0 && wrong_ == 0; }

 private:
  int rank_, compared_ = 0, wrong_ = 0;
};

/// All lengths at once from each rank to each, itself among them.
void transfer_keeps_every_message(dns::Communicator& communicator, Check& check) {
  const int here = communicator.rank();
  std::vector<Bytes> texts, rooms, wanted;
  std::vector<dns::SentMessage> sent;
  std::vector<dns::ReceivedMessage> received;
  for (int other = 0; other < communicator.size(); ++other) {
    int number = 0;
    for (const std::size_t length : lengths) {
      texts.push_back(text_of(here, other, number, length));
      sent.push_back({other, texts.back().data(), length});
      wanted.push_back(text_of(other, here, number, length));
      rooms.emplace_back(length);
      received.push_back({other, rooms.back().data(), length});
      ++number;
    }
  }
  communicator.transfer(sent, received);
  for (std::size_t n = 0; n < rooms.size(); ++n) check.equal(rooms[n], wanted[n], "a message");
}

void all_gather_keeps_every_part(dns::Communicator& communicator, Check& check) {
  for (const std::size_t length : lengths) {
    if (length == 0) continue;
    const Bytes own = text_of(communicator.rank(), 0, 1, length);
    Bytes wanted, found(length * static_cast<std::size_t>(communicator.size()));
    for (int rank = 0; rank < communicator.size(); ++rank) {
      const Bytes theirs = text_of(rank, 0, 1, length);
      wanted.insert(wanted.end(), theirs.begin(), theirs.end());
    }
    communicator.all_gather(own.data(), length, found.data());
    check.equal(found, wanted, "what was gathered");
  }
}

void broadcast_reaches_all(dns::Communicator& communicator, Check& check) {
  for (const std::size_t length : lengths) {
    for (int from = 0; from < communicator.size(); ++from) {
      const Bytes wanted = text_of(from, 0, 2, length);
      Bytes found = communicator.rank() == from ? wanted : Bytes(length);
      communicator.broadcast(found.data(), length, from);
      check.equal(found, wanted, "a broadcast");
      found = communicator.rank() == from ? wanted : Bytes(length);
      communicator.broadcast_at_leisure(found.data(), length, from);
      check.equal(found, wanted, "a broadcast at leisure");
    }
  }
}

}  // namespace

int main() {
  try {
    const auto communicator = dns::join_mpi(largest_piece);
    Check check(communicator->rank());
    transfer_keeps_every_message(*communicator, check);
    all_gather_keeps_every_part(*communicator, check);
    broadcast_reaches_all(*communicator, check);
    const bool is_alone = communicator->size() == 1;
    if (is_alone) std::fputs("mpirun has started one rank: nothing was sent\n", stderr);
    return check.holds() && !is_alone ? 0 : 1;
  } catch (const dns::DeviceError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
