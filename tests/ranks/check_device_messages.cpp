/// Messages between the devices of ranks, started by mpirun, with stand-ins for NCCL and the CUDA
/// runtime: that they arrive, and how ranks end. The argument says what happens;
/// test_device_messages.cpp expects exit codes.
#include <cuda_runtime.h>
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cuda/cuda_error.hpp"
#include "cuda/device_transfer.hpp"
#include "solver/core/error.hpp"
#include "solver/ranks/mpi.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t lengths[] = {0, 1, 1000, 700001};  // the last one is longer than a pipe
constexpr int exchanges = 20;

cudaStream_t new_stream() {
  cudaStream_t stream = nullptr;
  dns::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  return stream;
}

cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  dns::check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
  return event;
}

/// A rank with its device, as a simulation has it: what it owns waits for the device.
class Rank {
 public:
  explicit Rank(dns::Communicator& communicator) : communicator_(communicator) {
    transfer_.connect(communicator);
  }
  ~Rank() { static_cast<void>(cudaStreamSynchronize(stream_)); }
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  /// All lengths from each rank to each, itself among them; true: every byte is right. Waits for
  /// all work of the stream, or in odd exchanges for that up to an event.
  [[nodiscard]] bool exchange(int number) {
    enqueue(number);
    if (number % 2 == 0) {
      transfer_.wait(stream_);
    } else {
      dns::check(cudaEventRecord(event_, stream_), "recording an event");
      transfer_.wait(stream_, event_);
    }
    return rooms_ == wanted_;
  }

  void enqueue(int number) {
    texts_.clear();
    wanted_.clear();
    rooms_.clear();
    const int here = communicator_.rank();
    for (int other = 0; other < communicator_.size(); ++other) {
      for (const std::size_t length : lengths) {
        texts_.push_back(text_of(here, other, number, length));
        wanted_.push_back(text_of(other, here, number, length));
        rooms_.emplace_back(length);
      }
    }
    std::vector<dns::SentMessage> sent;
    std::vector<dns::ReceivedMessage> received;
    for (std::size_t n = 0; n < texts_.size(); ++n) {
      const int other = static_cast<int>(n / std::size(lengths));
      sent.push_back({other, texts_[n].data(), texts_[n].size()});
      received.push_back({other, rooms_[n].data(), rooms_[n].size()});
    }
    transfer_.transfer(communicator_, sent, received, stream_);
  }

  [[nodiscard]] std::string way() const { return transfer_.words(); }

 private:
  static Bytes text_of(int from, int to, int number, std::size_t length) {
    Bytes bytes(length);
    for (std::size_t n = 0; n < length; ++n)
      bytes[n] = static_cast<std::uint8_t>(89 * from + 41 * to + 17 * number +
                                           3 * static_cast<int>(n) + static_cast<int>(length));
    return bytes;
  }

  dns::Communicator& communicator_;
  cudaStream_t stream_ = new_stream();
  cudaEvent_t event_ = new_event();
  dns::DeviceTransfer transfer_;
  std::vector<Bytes> texts_, wanted_, rooms_;
};

void exchange_some(Rank& rank) {
  for (int n = 0; n < exchanges; ++n) {
    if (!rank.exchange(n)) throw std::runtime_error("a message is wrong");
  }
}

/// The last of its messages never arrive: of the ranks, one is missing.
void exchange_without(dns::Communicator& communicator, const std::function<void()>& of_one) {
  Rank rank(communicator);
  exchange_some(rank);
  if (communicator.rank() == 1) of_one();
  exchange_some(rank);
}

using Scene = std::function<void(dns::Communicator&)>;
const std::map<std::string, Scene> scenes{
    {"messages arrive",
     [](dns::Communicator& communicator) {
       Rank rank(communicator);
       if (rank.way().rfind("NCCL 2.0.0", 0) != 0) throw std::runtime_error("by " + rank.way());
       exchange_some(rank);
     }},
    // As at the end of a run: rank 0 is done with its simulation before it says so.
    {"one ends before the others",
     [](dns::Communicator& communicator) {
       auto rank = std::make_unique<Rank>(communicator);
       exchange_some(*rank);
       if (communicator.rank() == 0) rank.reset();
       int word = 0;
       communicator.broadcast_at_leisure(&word, sizeof word, 0);
     }},
    {"simulations come and go",
     [](dns::Communicator& communicator) {
       for (int n = 0; n < 3; ++n) {
         Rank rank(communicator);
         exchange_some(rank);
       }
     }},
    {"one is killed",
     [](dns::Communicator& communicator) {
       exchange_without(communicator, [] { std::raise(SIGKILL); });
     }},
    {"one is killed, and the others wait in a call of the device",
     [](dns::Communicator& communicator) {
       Rank rank(communicator);
       exchange_some(rank);
       if (communicator.rank() == 1) std::raise(SIGKILL);
       rank.enqueue(0);  // the destructor waits
     }},
    {"one hangs",
     [](dns::Communicator& communicator) {
       exchange_without(communicator, [] { std::raise(SIGSTOP); });
     }},
    {"one sleeps",
     [](dns::Communicator& communicator) {
       exchange_without(communicator,
                        [] { std::this_thread::sleep_for(std::chrono::seconds(60)); });
     }},
    {"one fails",
     [](dns::Communicator& communicator) {
       exchange_without(communicator, [] { throw dns::IoError("a disk is full"); });
     }},
    {"a message fails",  // with NCCL_STAND_IN_FAILS_AT
     [](dns::Communicator& communicator) {
       Rank rank(communicator);
       for (;;) exchange_some(rank);
     }},
};

}  // namespace

int main(int count, char** values) {
  const auto scene = scenes.find(count > 1 ? values[1] : "");
  if (scene == scenes.end()) return 2;
  auto communicator = dns::join_mpi();
  const auto fail = [&](int code, const std::exception& error) {
    std::fputs(fmt::format("error: rank {}: {}\n", communicator->rank(), error.what()).c_str(),
               stderr);
    communicator->abort(code);
  };
  try {
    scene->second(*communicator);
    static_cast<void>(communicator->gathered(0));  // as Team::end
    communicator.reset();
    return 0;
  } catch (const dns::DeviceError& error) {
    fail(5, error);
  } catch (const dns::IoError& error) {
    fail(3, error);
  } catch (const std::exception& error) {
    fail(1, error);
  }
}
