/// Ends a rank that would wait for ever for another one.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace dns {

/// A thread that watches the rank's own process and the other ranks of its host. Whatever the rank
/// waits in, a library or a call that waits for its GPU, the process ends with exit code 5 when
///
///   another rank has ended, a while after: the launcher has killed this one by then, if it works
///   another rank has been stopped for longer than the limit, but this one has not
///   device messages have been on their way for longer than the limit (Communicator::begin_waiting)
///   this rank failed, and has not ended by itself (Communicator::expect_end)
///
/// Ranks speak in turn, so that one message is printed before the launcher ends the others.
class RankWatch {
 public:
  struct Peer {
    int rank = 0;
    pid_t process = 0;
    ino_t name_space = 0;  // in which the number of the process counts
  };
  [[nodiscard]] static Peer this_process(int rank);

  /// peers: the ranks of this host, this one among them; limit: of waiting for them [s].
  RankWatch(int rank, std::vector<Peer> peers, double limit);
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;

  void begin_waiting();
  void end_waiting();
  /// The time of begin_waiting starts anew, if it counts.
  void restart_waiting() { ++beats_; }
  [[nodiscard]] bool has_lost_a_rank() const { return lost_ >= 0; }
  void expect_end(const std::string& message);

 private:
  void watch();
  void look_for_peers(double passed);
  [[nodiscard]] std::string reason_to_leave(double passed);
  void leave(const std::string& reason);

  int rank_;
  std::vector<Peer> peers_;
  double limit_;                     // [s]
  std::atomic<unsigned> beats_ = 0;  // calls of begin_waiting
  std::atomic<bool> is_waiting_ = false;
  std::atomic<int> lost_ = -1;  // a rank that has ended
  unsigned beats_seen_ = 0;
  int stopped_ = -1;                                                           // a rank that is
  double waited_ = 0, since_lost_ = 0, since_failed_ = 0, since_stopped_ = 0;  // [s]
  std::mutex mutex_;                                                           // guards all below
  std::condition_variable changed_;
  bool is_over_ = false;
  std::string failure_;
  std::thread thread_;
};

}  // namespace dns
