/// Messages between GPUs by NCCL, a library that is opened when it is first needed.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <span>

#include "solver/core/communicator.hpp"

namespace dns {

class NcclMessages {
 public:
  /// Opens the library, or the one that the environment variable DNS_NCCL names. Returns null if
  /// there is none, or if the program was built without its header.
  [[nodiscard]] static std::unique_ptr<NcclMessages> open();

  NcclMessages() = default;
  NcclMessages(const NcclMessages&) = delete;
  NcclMessages& operator=(const NcclMessages&) = delete;
  virtual ~NcclMessages() = default;

  /// 10000 major + 100 minor + patch, as in 22809.
  [[nodiscard]] virtual int version() const = 0;

  /// Connects all ranks, which all call it; each has a GPU of its own, its current device. The
  /// members that follow require it. All throw DeviceError.
  virtual void connect(Communicator& communicator) = 0;

  /// Enqueues all messages but those to the rank itself. Messages between two ranks keep their
  /// order, so that the n-th that one sends is the n-th that the other receives.
  virtual void transfer(std::span<const SentMessage> sent,
                        std::span<const ReceivedMessage> received,
                        cudaStream_t stream) = 0;

  /// Throws if a message has failed since it was enqueued.
  virtual void check_progress() = 0;

  /// Ends the connection, as the destructor does, without waiting for other ranks. Messages under
  /// way are dropped: later work in the stream continues with values that were never received.
  virtual void abort() = 0;
};

}  // namespace dns
