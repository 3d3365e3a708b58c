/// What ranks say to each other: processes, or threads of one process, that compute a flow
/// together.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace dns {

/// Bytes for another rank, or for this one.
struct SentMessage {
  int to = 0;
  const void* values = nullptr;
  std::size_t bytes = 0;
};

/// Where bytes from a rank go.
struct ReceivedMessage {
  int from = 0;
  void* values = nullptr;
  std::size_t bytes = 0;
};

/// What a rank has sent to others.
struct Traffic {
  std::size_t messages = 0, bytes = 0;
};

/// The connection of one rank to the others, for values in host memory. Every member but rank,
/// size, transport and abort is called by all ranks, in the same order. A rank that fails ends all
/// of them; what waits too long for another throws DeviceError, after which only abort may be
/// called.
class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  [[nodiscard]] virtual int rank() const = 0;  // 0 .. size() - 1
  [[nodiscard]] virtual int size() const = 0;

  /// Sends and receives all messages; returns when those received are there and those sent may be
  /// changed. Messages from one rank to another keep their order: the n-th that A sends to B is the
  /// n-th that B receives from A, of the same size.
  virtual void transfer(std::span<const SentMessage> sent,
                        std::span<const ReceivedMessage> received) = 0;

  /// The values of all ranks, one rank after the other; `bytes` of each.
  virtual void all_gather(const void* own, std::size_t bytes, void* of_all) = 0;

  /// Values of all ranks, gathered in two parts, between which this rank does something else; one
  /// at a time is on its way. What finish_gather() returns is valid until the next start_gather().
  virtual void start_gather(const void* own, std::size_t bytes) {
    gathered_.resize(bytes * size());
    all_gather(own, bytes, gathered_.data());
  }
  virtual std::span<const std::byte> finish_gather() { return gathered_; }

  /// Copies the values of rank `from` to all others.
  virtual void broadcast(void* values, std::size_t bytes, int from) = 0;

  /// Copies values, as broadcast(), that may be long in coming, while rank `from` reads or writes
  /// files: others wait for them where they would take a rank that does not answer for one that
  /// hangs; for hours, not for ever.
  virtual void broadcast_at_leisure(void* values, std::size_t bytes, int from) {
    broadcast(values, bytes, from);
  }

  /// How messages pass, in words: "MPI through host memory".
  [[nodiscard]] virtual std::string transport() const { return "none"; }

  /// Ends all ranks with this exit code, without waiting for them.
  [[noreturn]] virtual void abort(int exit_code) = 0;

  /// Messages between devices pass beside this connection. From here on some of them are on their
  /// way; each call starts the time anew after which others count as hung: the process then ends
  /// with the exit code of DeviceError, wherever it waits.
  virtual void begin_waiting() {}
  /// All of them have arrived.
  virtual void end_waiting() {}
  /// Whether another rank of this host has ended, for which this one must not wait any more. The
  /// process ends soon, unless the launcher ends it before.
  [[nodiscard]] virtual bool has_lost_a_rank() const { return false; }
  /// Announces that this rank has failed. Destructors may wait for a device, and that for messages
  /// that never come: if the process has not ended after some seconds, it ends with the exit code
  /// of DeviceError and this message.
  virtual void expect_end(const std::string& /*message*/) {}

  /// What devices connect is connected once, and stays until all ranks end together.
  std::shared_ptr<void> device_connection;

  /// The values of all ranks, in their order. T: trivially copyable.
  template <class T>
  [[nodiscard]] std::vector<T> gathered(const T& own) {
    std::vector<T> of_all(size());
    all_gather(&own, sizeof(T), of_all.data());
    return of_all;
  }

 private:
  std::vector<std::byte> gathered_;  // by start_gather
};

/// The communicator of a run of one process. It never aborts: there is nobody else to end.
Communicator& alone();

/// The communicator of a rank without the others, to construct what it would: they have its values.
std::unique_ptr<Communicator> imagined_rank(int rank, int size);

}  // namespace dns
