/// A limit on the time of each client, which the library that serves the live page lacks.
#pragma once

#include <chrono>
#include <map>

namespace dns {

/// The connections of this process to a port of its own. The library gives up on a client that is
/// silent for a second, but a client that sends a byte now and then keeps a thread for hours.
class LiveConnections {
 public:
  using Clock = std::chrono::steady_clock;

  LiveConnections() = default;
  explicit LiveConnections(int port) : port_(port) {}

  /// Ends those that have been there for `longest` since they were first seen here.
  void end_older_than(Clock::duration longest, Clock::time_point now);

 private:
  struct Seen {
    int client_port = 0;
    Clock::time_point since;
  };

  int port_ = 0;
  std::map<int, Seen> seen_;  // by descriptor
};

}  // namespace dns
