/// Ranks as threads of a test's process.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "solver/core/communicator.hpp"

namespace dns::testing {

/// What the threads share: each says what it has, all wait, each takes what it is to have.
class ThreadRanks {
 public:
  explicit ThreadRanks(int ranks) : said_(static_cast<std::size_t>(ranks)) {}

  /// Calls function(Communicator&) on all ranks at once. Throws the exception of the lowest rank
  /// that has one of its own; the others are then released.
  static void run(int ranks, const std::function<void(Communicator&)>& function) {
    ThreadRanks shared(ranks);
    std::vector<std::exception_ptr> errors(static_cast<std::size_t>(ranks));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&, rank] {
        Rank communicator(shared, rank);
        try {
          function(communicator);
        } catch (const Released&) {
        } catch (...) {
          errors[rank] = std::current_exception();
          shared.release();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& error : errors) {
      if (error) std::rethrow_exception(error);
    }
  }

 private:
  /// Another rank has failed.
  struct Released : std::runtime_error {
    Released() : std::runtime_error("another rank failed") {}
  };

  struct Said {
    std::span<const SentMessage> sent{};
    const void* values = nullptr;
  };

  class Rank final : public Communicator {
   public:
    Rank(ThreadRanks& shared, int rank) : shared_(shared), rank_(rank) {}

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return static_cast<int>(shared_.said_.size()); }

    void transfer(std::span<const SentMessage> sent,
                  std::span<const ReceivedMessage> received) override {
      say({.sent = sent});
      std::vector<std::size_t> next(shared_.said_.size());  // message of each rank to look at
      for (const ReceivedMessage& message : received) {
        const auto from = static_cast<std::size_t>(message.from);
        const auto& theirs = shared_.said_[from].sent;
        std::size_t& n = next[from];
        while (n < theirs.size() && theirs[n].to != rank_) ++n;
        if (n == theirs.size() || theirs[n].bytes != message.bytes)
          throw std::logic_error("a message that nobody sent, or of another size");
        // An empty message may have no address.
        if (message.bytes > 0) std::memcpy(message.values, theirs[n].values, message.bytes);
        ++n;
      }
      shared_.wait();
    }
    void all_gather(const void* own, std::size_t bytes, void* of_all) override {
      say({.values = own});
      for (std::size_t rank = 0; rank < shared_.said_.size(); ++rank)
        std::memcpy(
            static_cast<std::byte*>(of_all) + rank * bytes, shared_.said_[rank].values, bytes);
      shared_.wait();
    }
    void broadcast(void* values, std::size_t bytes, int from) override {
      say({.values = values});
      if (from != rank_) std::memcpy(values, shared_.said_[from].values, bytes);
      shared_.wait();
    }
    [[noreturn]] void abort(int /*exit_code*/) override { throw std::runtime_error("aborted"); }

   private:
    void say(const Said& said) {
      shared_.said_[rank_] = said;
      shared_.wait();
    }

    ThreadRanks& shared_;
    int rank_;
  };

  /// Returns when all ranks are here.
  void wait() {
    std::unique_lock lock(mutex_);
    const std::size_t turn = turn_;
    if (++waiting_ == said_.size()) {
      waiting_ = 0;
      ++turn_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return turn_ != turn || is_released_; });
    if (turn_ == turn) throw Released();
  }
  void release() {
    const std::lock_guard lock(mutex_);
    is_released_ = true;
    changed_.notify_all();
  }

  std::vector<Said> said_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t waiting_ = 0, turn_ = 0;
  bool is_released_ = false;
};

}  // namespace dns::testing
