/// How ranks send each other values that lie in the memory of their GPUs.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "cuda/nccl_messages.hpp"
#include "solver/core/communicator.hpp"

namespace dns {

/// Messages of a rank, in order with the work of a stream: by NCCL where every rank has a GPU of
/// its own and the library is there, else through the memory of the host. A message to the rank
/// itself is a copy. A single rank connects to nobody.
///
/// NCCL is connected once for a Communicator, whatever simulations come and go on its ranks, and
/// its connection ends with it: where all ranks have agreed to end, so that none frees memory that
/// another one still reads.
class DeviceTransfer {
 public:
  /// Chooses the way of all messages, alike on all ranks, which all call it; once. The user may
  /// choose the host's memory by the environment variable DNS_TRANSPORT=host, or insist on NCCL by
  /// DNS_TRANSPORT=nccl. Throws CaseError for other values of it, DeviceError if NCCL fails.
  void connect(Communicator& communicator);

  /// Communicator::transfer for memory of the GPU; connects first. May return before the messages
  /// are there: work that the stream gets later finds them. Throws DeviceError.
  void transfer(Communicator& communicator,
                std::span<const SentMessage> sent,
                std::span<const ReceivedMessage> received,
                cudaStream_t stream);

  /// Returns when the stream has done all its work. Throws DeviceError, also if a message fails on
  /// its way.
  void wait(cudaStream_t stream) const;
  /// Returns when the stream has done all its work before an event; messages may be on their way
  /// after it. Throws DeviceError, also if a message fails on its way.
  void wait(cudaStream_t stream, cudaEvent_t event) const;

  /// Whether NCCL sends the messages: the host then does not wait for them.
  [[nodiscard]] bool is_by_nccl() const { return nccl() != nullptr; }
  /// The way of the messages, in words: "NCCL 2.28.9", "host memory (ranks share a GPU)". Empty
  /// before connect, and for a single rank.
  [[nodiscard]] std::string words() const {
    return connection_ == nullptr ? std::string() : connection_->words;
  }

 private:
  struct Connection {
    std::string words;
    std::unique_ptr<NcclMessages> nccl;  // null: through host memory
  };

  /// Page-locked memory that grows to what messages need.
  struct Staging {
    std::shared_ptr<std::byte[]> memory;
    std::size_t bytes = 0;

    [[nodiscard]] std::byte* room(std::size_t needed);
  };

  void transfer_through_host(Communicator& communicator,
                             std::span<const SentMessage> sent,
                             std::span<const ReceivedMessage> received,
                             cudaStream_t stream);

  template <class Query>
  void wait_while_not_ready(const Query& query) const;
  template <class Function>
  void guarded(const Function& function) const;
  [[nodiscard]] static Connection connected(Communicator& communicator);
  [[nodiscard]] NcclMessages* nccl() const {
    return connection_ == nullptr ? nullptr : connection_->nccl.get();
  }

  Communicator* communicator_ = nullptr;
  const Connection* connection_ = nullptr;  // owned by the communicator; null for a single rank
  Staging sent_, received_;
};

}  // namespace dns
