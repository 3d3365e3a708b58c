#include "cuda/device_transfer.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

#include "cuda/cuda_error.hpp"
#include "cuda/device_memory.hpp"
#include "solver/core/error.hpp"

namespace dns {
namespace {

/// How the user wants messages to pass.
enum class Way : int { any, host, nccl };

/// What a rank tells the others about its GPU.
struct GpuOfRank {
  std::array<char, 16> identifier{};  // of the GPU, or of a part of it
  std::array<char, 256> host{};
  std::array<int, 3> slot{};  // on the PCI bus of the host
  Way chosen = Way::any;

  [[nodiscard]] bool is_same(const GpuOfRank& other) const {
    return identifier == other.identifier || (host == other.host && slot == other.slot);
  }
};

Way chosen_way() {
  const char* const value = std::getenv("DNS_TRANSPORT");
  if (value == nullptr || *value == '\0') return Way::any;
  if (std::string_view(value) == "host") return Way::host;
  if (std::string_view(value) == "nccl") return Way::nccl;
  throw CaseError(std::string("DNS_TRANSPORT is '") + value +
                  "', but must be host (messages between GPUs pass through host memory) or nccl "
                  "(by NCCL, or not at all), or not be set");
}

GpuOfRank own_gpu() {
  GpuOfRank gpu;
  int device = 0;
  cudaDeviceProp properties{};
  check(cudaGetDevice(&device), "asking for its number");
  check(cudaGetDeviceProperties(&properties, device), "asking for its name");
  std::copy_n(std::begin(properties.uuid.bytes), gpu.identifier.size(), gpu.identifier.begin());
  gpu.slot = {properties.pciDomainID, properties.pciBusID, properties.pciDeviceID};
  static_cast<void>(gethostname(gpu.host.data(), gpu.host.size() - 1));
  gpu.chosen = chosen_way();
  return gpu;
}

bool are_shared(const std::vector<GpuOfRank>& gpus) {
  for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
    for (std::size_t other = 0; other < rank; ++other) {
      if (gpus[rank].is_same(gpus[other])) return true;
    }
  }
  return false;
}

/// Where messages start in a staging buffer, each at a line of the cache of its own; then the bytes
/// of all.
template <class Message>
std::vector<std::size_t> places_of(const std::vector<Message>& messages) {
  constexpr std::size_t line = 64;
  std::vector<std::size_t> places{0};
  for (const Message& message : messages) {
    places.push_back(places.back() + (message.bytes + line - 1) / line * line);
  }
  return places;
}

std::vector<SentMessage> sent_to_others(std::span<const SentMessage> messages, int own) {
  std::vector<SentMessage> chosen;
  std::ranges::copy_if(messages, std::back_inserter(chosen), [&](const SentMessage& message) {
    return message.to != own;
  });
  return chosen;
}
std::vector<ReceivedMessage> received_from_others(std::span<const ReceivedMessage> messages,
                                                  int own) {
  std::vector<ReceivedMessage> chosen;
  std::ranges::copy_if(messages, std::back_inserter(chosen), [&](const ReceivedMessage& message) {
    return message.from != own;
  });
  return chosen;
}

/// The n-th message that the rank sends itself is the n-th that it receives from itself.
void copy_own(int own,
              std::span<const SentMessage> sent,
              std::span<const ReceivedMessage> received,
              cudaStream_t stream) {
  auto next = sent.begin();
  for (const ReceivedMessage& message : received) {
    if (message.from != own) continue;
    next = std::find_if(next, sent.end(), [&](const SentMessage& it) { return it.to == own; });
    if (next == sent.end() || next->bytes != message.bytes)
      throw DeviceError("a rank receives from itself what it does not send");
    if (message.bytes > 0 && message.values != next->values) {
      check(cudaMemcpyAsync(
                message.values, next->values, message.bytes, cudaMemcpyDeviceToDevice, stream),
            "copying a message");
    }
    ++next;
  }
}

}  // namespace

std::byte* DeviceTransfer::Staging::room(std::size_t needed) {
  if (needed > bytes) {
    memory.reset();
    memory = allocate_page_locked(needed);
    bytes = needed;
  }
  return memory.get();
}

void DeviceTransfer::connect(Communicator& communicator) {
  if (communicator.size() == 1 || connection_ != nullptr) return;
  communicator_ = &communicator;
  if (!communicator.device_connection)
    communicator.device_connection = std::make_shared<Connection>(connected(communicator));
  connection_ = static_cast<const Connection*>(communicator.device_connection.get());
}

DeviceTransfer::Connection DeviceTransfer::connected(Communicator& communicator) {
  const std::vector<GpuOfRank> gpus = communicator.gathered(own_gpu());
  const auto is_chosen_by_any = [&](Way way) {
    return std::ranges::any_of(gpus, [&](const GpuOfRank& gpu) { return gpu.chosen == way; });
  };
  if (is_chosen_by_any(Way::host)) return {"host memory (DNS_TRANSPORT=host)", nullptr};
  const bool must_be_nccl = is_chosen_by_any(Way::nccl);
  if (are_shared(gpus) && !must_be_nccl) return {"host memory (ranks share a GPU)", nullptr};
  std::unique_ptr<NcclMessages> nccl = NcclMessages::open();
  const int version = nccl ? nccl->version() : 0;
  const std::vector<int> versions = communicator.gathered(version);
  const auto [oldest, newest] = std::ranges::minmax(versions);
  const char* const obstacle = oldest == 0        ? "NCCL not found"
                               : oldest != newest ? "ranks have different versions of NCCL"
                                                  : nullptr;
  if (obstacle != nullptr && must_be_nccl)
    throw DeviceError(std::string("DNS_TRANSPORT is nccl, but: ") + obstacle);
  if (obstacle != nullptr) return {std::string("host memory (") + obstacle + ")", nullptr};
  communicator.begin_waiting();
  nccl->connect(communicator);
  communicator.end_waiting();
  return {"NCCL " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) +
              "." + std::to_string(version % 100),
          std::move(nccl)};
}

void DeviceTransfer::transfer(Communicator& communicator,
                              std::span<const SentMessage> sent,
                              std::span<const ReceivedMessage> received,
                              cudaStream_t stream) {
  connect(communicator);
  if (nccl() != nullptr) {  // first: other ranks wait for it
    communicator.begin_waiting();
    guarded([&] { nccl()->transfer(sent, received, stream); });
    communicator.begin_waiting();
  }
  copy_own(communicator.rank(), sent, received, stream);
  if (communicator.size() > 1 && nccl() == nullptr) {
    transfer_through_host(communicator, sent, received, stream);
  }
}

/// The copies from host memory to the GPU are under way when it returns; the next call waits for
/// them, with its copies to the host, before it lets messages in again.
void DeviceTransfer::transfer_through_host(Communicator& communicator,
                                           std::span<const SentMessage> sent,
                                           std::span<const ReceivedMessage> received,
                                           cudaStream_t stream) {
  std::vector<SentMessage> from_host = sent_to_others(sent, communicator.rank());
  const std::vector<std::size_t> sent_places = places_of(from_host);
  std::byte* const sent_memory = sent_.room(sent_places.back());
  for (std::size_t n = 0; n < from_host.size(); ++n) {
    std::byte* const place = sent_memory + sent_places[n];
    check(cudaMemcpyAsync(
              place, from_host[n].values, from_host[n].bytes, cudaMemcpyDeviceToHost, stream),
          "copying a message to the host");
    from_host[n].values = place;
  }
  check(cudaStreamSynchronize(stream), "copying messages to the host");

  const std::vector<ReceivedMessage> to_device =
      received_from_others(received, communicator.rank());
  const std::vector<std::size_t> received_places = places_of(to_device);
  std::byte* const received_memory = received_.room(received_places.back());
  std::vector<ReceivedMessage> to_host = to_device;
  for (std::size_t n = 0; n < to_host.size(); ++n)
    to_host[n].values = received_memory + received_places[n];
  communicator.transfer(from_host, to_host);
  for (std::size_t n = 0; n < to_host.size(); ++n) {
    check(cudaMemcpyAsync(to_device[n].values,
                          to_host[n].values,
                          to_host[n].bytes,
                          cudaMemcpyHostToDevice,
                          stream),
          "copying a message from the host");
  }
}

void DeviceTransfer::wait(cudaStream_t stream) const {
  if (nccl() == nullptr) {
    check(cudaStreamSynchronize(stream), "computing");
    return;
  }
  wait_while_not_ready([&] { return cudaStreamQuery(stream); });
  communicator_->end_waiting();
}

void DeviceTransfer::wait(cudaStream_t stream, cudaEvent_t event) const {
  if (nccl() == nullptr) {
    check(cudaEventSynchronize(event), "computing");
    return;
  }
  wait_while_not_ready([&] { return cudaEventQuery(event); });
  if (cudaStreamQuery(stream) == cudaSuccess) communicator_->end_waiting();
}

/// Once a rank is gone the process ends wherever it is; without messages under way, its GPU is left
/// at rest.
template <class Query>
void DeviceTransfer::wait_while_not_ready(const Query& query) const {
  for (;;) {
    const cudaError_t status = query();
    if (status != cudaErrorNotReady) return check(status, "computing");
    guarded([&] { nccl()->check_progress(); });  // a message that failed would never arrive
    if (communicator_->has_lost_a_rank()) {
      nccl()->abort();
      for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
    }
    std::this_thread::yield();
  }
}

/// Work behind a message that failed would never end, and destructors wait for it.
template <class Function>
void DeviceTransfer::guarded(const Function& function) const {
  try {
    function();
  } catch (const DeviceError& error) {
    communicator_->expect_end(error.what());
    nccl()->abort();
    throw;
  }
}

}  // namespace dns
