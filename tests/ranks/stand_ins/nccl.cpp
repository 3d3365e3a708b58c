// A stand-in for NCCL on ranks of one host, through its memory, for tests without a GPU for each
// rank: ranks that share one, or none at all (cuda_runtime.cpp). It keeps NCCL's rules:
//
//   messages between two ranks match by order, not by tag; sizes must agree
//   calls of a group make progress together, in order with the work of their stream
//   a message from or to a rank that is gone never ends, nor does the stream behind it
//   initialising and destroying wait for all ranks; aborting waits for none, and frees streams
//
// NCCL_STAND_IN_FAILS_AT=N: the N-th group of each rank fails on its way, and never ends.
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <nccl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace {

constexpr int most_ranks = 8;
constexpr std::size_t pipe_bytes = std::size_t{1} << 18;

/// From one rank to another: a ring of bytes.
struct Pipe {
  std::atomic<std::uint64_t> written, read;
  std::array<std::byte, pipe_bytes> bytes;

  /// As many of these bytes as there is room for.
  std::size_t write(const std::byte* from, std::size_t count) {
    const std::uint64_t at = written;
    count = std::min<std::size_t>(count, pipe_bytes - (at - read));
    for (std::size_t n = 0; n < count; ++n) bytes[(at + n) % pipe_bytes] = from[n];
    written = at + count;
    return count;
  }
  /// As many as there are.
  std::size_t read_into(std::byte* to, std::size_t count) {
    const std::uint64_t at = read;
    count = std::min<std::size_t>(count, written - at);
    for (std::size_t n = 0; n < count; ++n) to[n] = bytes[(at + n) % pipe_bytes];
    read = at + count;
    return count;
  }
};

/// What the ranks share; new memory of the system is zero.
struct Shared {
  std::atomic<int> joined, destroyed;
  std::array<std::array<Pipe, most_ranks>, most_ranks> pipes;  // [from][to]
};

/// One message: its size, then its bytes, which pass through page-locked memory.
struct Message {
  int partner;
  bool is_sent;
  const void* from;  // of the device; of what is sent
  void* to;          // of what is received
  std::uint64_t bytes;
  std::vector<std::byte> staged;  // the size ahead of the values
  std::size_t done = 0;

  [[nodiscard]] std::byte* values() { return staged.data() + sizeof(bytes); }
};

}  // namespace

struct ncclComm {
  Shared* shared = nullptr;
  int rank = 0, ranks = 1;
  std::atomic<bool> is_aborted = false;
  std::atomic<ncclResult_t> error = ncclSuccess;
  int groups = 0, fails_at = 0;
};

namespace {

/// The calls of a group.
struct Group {
  ncclComm* connection = nullptr;
  cudaStream_t stream = nullptr;
  bool fails = false;
  std::vector<Message> messages;
};

thread_local std::unique_ptr<Group> open_group;

/// A part of a message, if it can be moved; the size that arrives must be the one that is expected.
void move_some(ncclComm& connection, Message& message) {
  auto& pipes = connection.shared->pipes;
  const auto own = static_cast<std::size_t>(connection.rank);
  const auto other = static_cast<std::size_t>(message.partner);
  std::byte* const at = message.staged.data() + message.done;
  const std::size_t left = message.staged.size() - message.done;
  if (message.is_sent) {
    message.done += pipes[own][other].write(at, left);
    return;
  }
  const bool had_size = message.done >= sizeof(message.bytes);
  const std::size_t wanted = had_size ? left : sizeof(message.bytes) - message.done;
  message.done += pipes[other][own].read_into(at, wanted);
  if (had_size || message.done < sizeof(message.bytes)) return;
  std::uint64_t size = 0;
  std::memcpy(&size, message.staged.data(), sizeof size);
  if (size != message.bytes) connection.error = ncclInvalidUsage;
}

/// In the stream: each partner's messages one after another in each direction, all partners at
/// once.
void CUDART_CB exchange(void* data) {
  Group& group = *static_cast<Group*>(data);
  ncclComm& connection = *group.connection;
  if (group.fails) connection.error = ncclRemoteError;
  for (bool is_done = false; !is_done;) {
    if (connection.is_aborted) return;
    is_done = connection.error == ncclSuccess;
    std::array<std::array<bool, most_ranks>, 2> is_busy{};
    for (Message& message : group.messages) {
      bool& busy = is_busy[message.is_sent ? 1 : 0][message.partner];
      if (busy || connection.error != ncclSuccess) continue;
      if (message.done < message.staged.size()) move_some(connection, message);
      busy = message.done < message.staged.size();
      is_done = is_done && !busy;
    }
    if (!is_done) std::this_thread::yield();
  }
}

void CUDART_CB release(void* data) {
  delete static_cast<Group*>(data);
}

ncclResult_t result_of(cudaError_t error) {
  return error == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

/// Memory that the group owns until it is released; ordinary memory: copies to the device may wait
/// for it, as launches of NCCL may.
ncclResult_t enqueue(std::unique_ptr<Group> group) {
  Group& queued = *group.release();
  for (Message& message : queued.messages) {
    message.staged.resize(sizeof(message.bytes) + message.bytes);
    if (!message.is_sent) continue;
    std::memcpy(message.staged.data(), &message.bytes, sizeof(message.bytes));
    const cudaError_t error = cudaMemcpyAsync(
        message.values(), message.from, message.bytes, cudaMemcpyDeviceToHost, queued.stream);
    if (error != cudaSuccess) return result_of(error);
  }
  const cudaError_t error = cudaLaunchHostFunc(queued.stream, exchange, &queued);
  if (error != cudaSuccess) return result_of(error);
  for (Message& message : queued.messages) {
    if (message.is_sent) continue;
    const cudaError_t copied = cudaMemcpyAsync(
        message.to, message.values(), message.bytes, cudaMemcpyHostToDevice, queued.stream);
    if (copied != cudaSuccess) return result_of(copied);
  }
  return result_of(cudaLaunchHostFunc(queued.stream, release, &queued));
}

ncclResult_t add(Message message, ncclDataType_t type, ncclComm* connection, cudaStream_t stream) {
  if (!open_group || type != ncclInt8) return ncclInvalidUsage;  // all that dns uses
  if (message.partner < 0 || message.partner >= connection->ranks) return ncclInvalidArgument;
  open_group->connection = connection;
  open_group->stream = stream;
  open_group->messages.push_back(std::move(message));
  return ncclSuccess;
}

template <class Condition>
void wait_until(Condition condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  *version = 20000;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  std::snprintf(id->internal,
                sizeof id->internal,
                "/dns_nccl_stand_in_%d_%ld%09ld",
                static_cast<int>(getpid()),
                static_cast<long>(now.tv_sec),
                now.tv_nsec);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* connection, int ranks, ncclUniqueId id, int rank) {
  if (ranks > most_ranks) return ncclInvalidArgument;
  const int file = shm_open(id.internal, O_CREAT | O_RDWR, 0600);
  if (file < 0 || ftruncate(file, sizeof(Shared)) != 0) return ncclSystemError;
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return ncclSystemError;
  auto* const made = new ncclComm;
  made->shared = static_cast<Shared*>(memory);
  made->rank = rank;
  made->ranks = ranks;
  const char* const fails_at = std::getenv("NCCL_STAND_IN_FAILS_AT");
  if (fails_at != nullptr) made->fails_at = std::atoi(fails_at);
  ++made->shared->joined;
  wait_until([&] { return made->shared->joined == ranks; });
  if (rank == 0) shm_unlink(id.internal);
  *connection = made;
  return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t connection) {
  ++connection->shared->destroyed;
  wait_until([&] { return connection->shared->destroyed == connection->ranks; });
  return ncclSuccess;
}

/// The connection is not freed: what it frees in a stream may still read it.
ncclResult_t ncclCommAbort(ncclComm_t connection) {
  connection->is_aborted = true;
  return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t connection, ncclResult_t* error) {
  *error = connection->error;
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
  return result == ncclRemoteError ? "remote process exited or there was a network error"
                                   : "an error of the stand-in for NCCL";
}

const char* ncclGetLastError(ncclComm_t /*connection*/) {
  return "";
}

ncclResult_t ncclGroupStart() {
  open_group = std::make_unique<Group>();
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  std::unique_ptr<Group> group = std::move(open_group);
  if (!group || group->messages.empty()) return ncclSuccess;
  group->fails = ++group->connection->groups == group->connection->fails_at;
  return enqueue(std::move(group));
}

ncclResult_t ncclSend(const void* values,
                      std::size_t count,
                      ncclDataType_t type,
                      int to,
                      ncclComm_t connection,
                      cudaStream_t stream) {
  return add({to, true, values, nullptr, count, {}}, type, connection, stream);
}

ncclResult_t ncclRecv(void* values,
                      std::size_t count,
                      ncclDataType_t type,
                      int from,
                      ncclComm_t connection,
                      cudaStream_t stream) {
  return add({from, false, nullptr, values, count, {}}, type, connection, stream);
}
}
