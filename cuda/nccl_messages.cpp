#include "cuda/nccl_messages.hpp"

#include <nccl.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "cuda/library_on_demand.hpp"
#include "solver/core/error.hpp"

namespace dns {
namespace {

/// Where it was when the program was built, unless the user chooses another one.
std::string path_of_nccl() {
  const char* const chosen = std::getenv("DNS_NCCL");
  return chosen == nullptr || *chosen == '\0' ? DNS_NCCL : chosen;
}

/// The functions of NCCL that are used.
struct NcclFunctions {
  LibraryOnDemand library{path_of_nccl()};
  decltype(ncclGetVersion)* get_version =
      library.function<decltype(ncclGetVersion)>("ncclGetVersion");
  decltype(ncclGetUniqueId)* get_unique_id =
      library.function<decltype(ncclGetUniqueId)>("ncclGetUniqueId");
  decltype(ncclCommInitRank)* init_rank =
      library.function<decltype(ncclCommInitRank)>("ncclCommInitRank");
  decltype(ncclCommAbort)* abort = library.function<decltype(ncclCommAbort)>("ncclCommAbort");
  decltype(ncclCommGetAsyncError)* get_async_error =
      library.function<decltype(ncclCommGetAsyncError)>("ncclCommGetAsyncError");
  decltype(ncclGetErrorString)* get_error_string =
      library.function<decltype(ncclGetErrorString)>("ncclGetErrorString");
  decltype(ncclGetLastError)* get_last_error =
      library.function<decltype(ncclGetLastError)>("ncclGetLastError");
  decltype(ncclGroupStart)* group_start =
      library.function<decltype(ncclGroupStart)>("ncclGroupStart");
  decltype(ncclGroupEnd)* group_end = library.function<decltype(ncclGroupEnd)>("ncclGroupEnd");
  decltype(ncclSend)* send = library.function<decltype(ncclSend)>("ncclSend");
  decltype(ncclRecv)* receive = library.function<decltype(ncclRecv)>("ncclRecv");
};

class OpenedNccl final : public NcclMessages {
 public:
  OpenedNccl() { check(call_.get_version(&version_), "ncclGetVersion"); }
  ~OpenedNccl() override { abort(); }
  OpenedNccl(const OpenedNccl&) = delete;
  OpenedNccl& operator=(const OpenedNccl&) = delete;

  [[nodiscard]] int version() const override { return version_; }

  void connect(Communicator& communicator) override {
    rank_ = communicator.rank();
    ncclUniqueId id{};
    if (rank_ == 0) check(call_.get_unique_id(&id), "ncclGetUniqueId");
    communicator.broadcast(&id, sizeof(id), 0);
    check(call_.init_rank(&connection_, communicator.size(), id, rank_), "ncclCommInitRank");
  }

  void transfer(std::span<const SentMessage> sent,
                std::span<const ReceivedMessage> received,
                cudaStream_t stream) override {
    check_progress();
    Group group(*this);
    for (const SentMessage& message : sent) {
      if (message.to == rank_ || message.bytes == 0) continue;
      check(call_.send(message.values, message.bytes, ncclInt8, message.to, connection_, stream),
            "ncclSend");
    }
    for (const ReceivedMessage& message : received) {
      if (message.from == rank_ || message.bytes == 0) continue;
      check(
          call_.receive(message.values, message.bytes, ncclInt8, message.from, connection_, stream),
          "ncclRecv");
    }
    group.end();
  }

  /// Not ncclCommDestroy, which waits for the other ranks.
  void abort() override {
    if (connection_ != nullptr) static_cast<void>(call_.abort(std::exchange(connection_, nullptr)));
  }

  void check_progress() override {
    ncclResult_t result = ncclSuccess;
    check(call_.get_async_error(connection_, &result), "ncclCommGetAsyncError");
    if (result != ncclInProgress) check(result, "a message was on its way");
  }

 private:
  /// Calls that NCCL starts together; ended in any case, as later calls would otherwise join them.
  class Group {
   public:
    explicit Group(OpenedNccl& nccl) : nccl_(nccl) {
      nccl.check(nccl.call_.group_start(), "ncclGroupStart");
    }
    ~Group() {
      if (!is_ended_) static_cast<void>(nccl_.call_.group_end());
    }
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;
    void end() {
      is_ended_ = true;
      nccl_.check(nccl_.call_.group_end(), "ncclGroupEnd");
    }

   private:
    OpenedNccl& nccl_;
    bool is_ended_ = false;
  };

  void check(ncclResult_t result, const char* doing) {
    if (result == ncclSuccess) return;
    const char* const details = call_.get_last_error(connection_);
    throw DeviceError(std::string("NCCL failed (") + doing +
                      "): " + call_.get_error_string(result) +
                      (details == nullptr || *details == '\0' ? "" : std::string(": ") + details));
  }

  NcclFunctions call_;
  ncclComm_t connection_ = nullptr;
  int version_ = 0;
  int rank_ = 0;
};

}  // namespace

std::unique_ptr<NcclMessages> NcclMessages::open() {
  // Multicast over NVLink is for reductions, and fails on machines where it is not set up.
  static_cast<void>(setenv("NCCL_NVLS_ENABLE", "0", 0));
  try {
    return std::make_unique<OpenedNccl>();
  } catch (const DeviceError&) {
    return nullptr;
  }
}

}  // namespace dns
