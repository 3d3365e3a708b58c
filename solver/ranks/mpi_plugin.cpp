// The plugin: a communicator by MPI's C functions.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "solver/ranks/mpi_plugin.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/ranks/rank_watch.hpp"
#include "version_text.hpp"

namespace dns {
namespace {

/// Time spent waiting, without that in which this process was stopped.
class Patience {
 public:
  Patience(double limit, double spinning)
      : limit_(limit), spinning_(spinning), longest_turn_(std::min(1.0, limit / 10)) {}

  /// Lets others work for a moment, the longer the wait has lasted; false: too long.
  bool wait() {
    constexpr double yielding = 2e-3;  // [s]
    constexpr double dozing = 0.1;     // [s]
    if (waited_ > yielding) {
      std::this_thread::sleep_for(std::chrono::microseconds(waited_ > dozing ? 2000 : 50));
    } else if (waited_ > spinning_) {
      sched_yield();
    }
    const Clock::time_point now = Clock::now();
    waited_ += std::min(std::chrono::duration<double>(now - last_).count(), longest_turn_);
    last_ = now;
    return waited_ < limit_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double limit_, spinning_, longest_turn_;  // [s]; what lasts longer was no turn but a stop
  double waited_ = 0;
  Clock::time_point last_ = Clock::now();
};

class MpiCommunicator final : public Communicator {
 public:
  explicit MpiCommunicator(const MpiLimits& limits) : limits_(limits) {
    int is_started = 0;
    MPI_Initialized(&is_started);
    has_started_mpi_ = is_started == 0;
    int provided = 0;
    if (has_started_mpi_) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_dup(limits.processes == nullptr ? MPI_COMM_WORLD
                                             : *static_cast<const MPI_Comm*>(limits.processes),
                 &world_);
    MPI_Comm_rank(world_, &rank_);
    MPI_Comm_size(world_, &size_);
    // Who yields a core gives it to whatever else runs: right only where another rank needs it.
    constexpr double where_all_have_cores = 5e-4;  // [s]
    constexpr double where_cores_lack = 2e-5;
    const std::vector<RankWatch::Peer> on_host = ranks_on_host();
    const bool has_cores = on_host.size() <= std::thread::hardware_concurrency();
    spinning_ = has_cores ? where_all_have_cores : where_cores_lack;
    watch_.emplace(rank_, on_host, limits_.wait);
  }
  ~MpiCommunicator() override {
    watch_.reset();
    device_connection.reset();
    int has_ended = 0;
    MPI_Finalized(&has_ended);  // by whoever started it
    if (has_ended != 0) return;
    MPI_Comm_free(&world_);
    if (has_started_mpi_) MPI_Finalize();
  }
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] std::string transport() const override { return "MPI through host memory"; }

  void transfer(std::span<const SentMessage> sent,
                std::span<const ReceivedMessage> received) override {
    std::size_t from_here = 0;  // number of the next message to this rank itself
    for (const ReceivedMessage& message : received) {
      if (message.from == rank_) {
        while (sent[from_here].to != rank_) ++from_here;
        const SentMessage& own = sent[from_here++];
        // An empty message may have no address.
        if (message.bytes > 0) std::memcpy(message.values, own.values, message.bytes);
        continue;
      }
      in_pieces(message.bytes, [&](std::size_t offset, int count) {
        MPI_Irecv(static_cast<std::byte*>(message.values) + offset,
                  count,
                  MPI_BYTE,
                  message.from,
                  tag,
                  world_,
                  new_request(message.from));
      });
    }
    for (const SentMessage& message : sent) {
      if (message.to == rank_) continue;
      in_pieces(message.bytes, [&](std::size_t offset, int count) {
        MPI_Isend(static_cast<const std::byte*>(message.values) + offset,
                  count,
                  MPI_BYTE,
                  message.to,
                  tag,
                  world_,
                  new_request(message.to));
      });
    }
    wait(limits_.wait);
  }

  void all_gather(const void* own, std::size_t bytes, void* of_all) override {
    if (bytes > limits_.largest_piece) {
      std::vector<SentMessage> sent;
      std::vector<ReceivedMessage> received;
      for (int rank = 0; rank < size_; ++rank) {
        auto* const values = static_cast<std::byte*>(of_all) + bytes * rank;
        sent.push_back({rank, own, bytes});
        received.push_back({rank, values, bytes});
      }
      return transfer(sent, received);
    }
    const int count = static_cast<int>(bytes);
    MPI_Iallgather(own, count, MPI_BYTE, of_all, count, MPI_BYTE, world_, new_request(any_rank));
    wait(limits_.wait);
  }

  /// MPI reads `own` until all have it.
  void start_gather(const void* own, std::size_t bytes) override {
    const auto* const first = static_cast<const std::byte*>(own);
    being_sent_.assign(first, first + bytes);
    of_all_.resize(bytes * size_);
    const int count = static_cast<int>(bytes);
    MPI_Iallgather(
        being_sent_.data(), count, MPI_BYTE, of_all_.data(), count, MPI_BYTE, world_, &gather_);
  }
  std::span<const std::byte> finish_gather() override {
    *new_request(any_rank) = std::exchange(gather_, MPI_REQUEST_NULL);
    wait(limits_.wait);
    return of_all_;
  }

  void broadcast(void* values, std::size_t bytes, int from) override {
    broadcast_within(limits_.wait, values, bytes, from);
  }
  void broadcast_at_leisure(void* values, std::size_t bytes, int from) override {
    broadcast_within(from == rank_ ? limits_.wait : limits_.wait_at_leisure, values, bytes, from);
  }

  [[noreturn]] void abort(int exit_code) override {
    std::fflush(nullptr);
    MPI_Abort(world_, exit_code);
    std::_Exit(exit_code);
  }

  void begin_waiting() override { watch_->begin_waiting(); }
  void end_waiting() override { watch_->end_waiting(); }
  [[nodiscard]] bool has_lost_a_rank() const override { return watch_->has_lost_a_rank(); }
  void expect_end(const std::string& message) override { watch_->expect_end(message); }

 private:
  static constexpr int tag = 0;  // messages between two ranks keep their order
  static constexpr int any_rank = -1;

  [[nodiscard]] std::vector<RankWatch::Peer> ranks_on_host() const {
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    int ranks = 1;
    MPI_Comm_size(host, &ranks);
    const RankWatch::Peer own = RankWatch::this_process(rank_);
    std::vector<RankWatch::Peer> all(ranks);
    MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, host);
    MPI_Comm_free(&host);
    return all;
  }
  /// Calls piece(offset, count) for the pieces of a message.
  template <class Piece>
  void in_pieces(std::size_t bytes, const Piece& piece) const {
    for (std::size_t offset = 0; offset < bytes; offset += limits_.largest_piece)
      piece(offset, static_cast<int>(std::min(limits_.largest_piece, bytes - offset)));
  }

  MPI_Request* new_request(int partner) {
    partners_.push_back(partner);
    return &requests_.emplace_back(MPI_REQUEST_NULL);
  }

  void forget_requests() {
    requests_.clear();
    partners_.clear();
  }

  void broadcast_within(double limit, void* values, std::size_t bytes, int from) {
    in_pieces(bytes, [&](std::size_t offset, int count) {
      MPI_Ibcast(static_cast<std::byte*>(values) + offset,
                 count,
                 MPI_BYTE,
                 from,
                 world_,
                 new_request(from == rank_ ? any_rank : from));
    });
    wait(limit);
  }

  void wait(double limit) {
    Patience patience(limit, spinning_);
    for (;;) {
      int is_done = 0;
      MPI_Testall(
          static_cast<int>(requests_.size()), requests_.data(), &is_done, MPI_STATUSES_IGNORE);
      if (is_done != 0) return forget_requests();
      watch_->restart_waiting();  // this wait has its own limit
      if (!patience.wait()) return give_up(limit);
    }
  }

  /// Throws unless all has come at the last moment.
  void give_up(double limit) {
    std::string ranks;
    for (std::size_t n = 0; n < requests_.size(); ++n) {
      int is_done = 0;
      MPI_Test(&requests_[n], &is_done, MPI_STATUS_IGNORE);
      const std::string name =
          partners_[n] == any_rank ? "others" : "rank " + std::to_string(partners_[n]);
      if (is_done != 0 || (ranks + ",").find(name + ",") != std::string::npos) continue;
      ranks += (ranks.empty() ? "" : ", ") + name;
    }
    forget_requests();
    if (ranks.empty()) return;
    const std::string message = "waited " + std::to_string(static_cast<long>(limit)) + " s for " +
                                ranks +
                                ", which may hang or be cut off: the run ends here "
                                "(DNS_RANK_TIMEOUT sets another limit)";
    expect_end(message);
    throw DeviceError(message);
  }

  MpiLimits limits_;
  MPI_Comm world_ = MPI_COMM_NULL;  // of its own: messages of others do not mix with these
  bool has_started_mpi_ = false;
  double spinning_ = 0;  // before others get the core [s]
  int rank_ = 0, size_ = 1;
  std::vector<MPI_Request> requests_;
  std::vector<int> partners_;  // of the requests
  MPI_Request gather_ = MPI_REQUEST_NULL;
  std::vector<std::byte> being_sent_, of_all_;  // by start_gather
  std::optional<RankWatch> watch_;
};

const char* library_in_words() {
  static std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  text.resize(length);
  text.resize(std::min(text.find_first_of(",\n"), text.size()));
  return text.c_str();
}

Communicator* join(const MpiLimits& limits) {
  return new MpiCommunicator(limits);
}

}  // namespace

const MpiPlugin dns_mpi{DNS_VERSION, library_in_words, join};

}  // namespace dns
