/// Counts the messages of a rank.
#pragma once

#include <span>
#include <stdexcept>

#include "solver/core/communicator.hpp"

namespace dns::testing {

/// Passes everything on. Only abort is not to be called.
class CountedMessages final : public Communicator {
 public:
  explicit CountedMessages(Communicator& communicator) : communicator_(communicator) {}
  [[nodiscard]] int rank() const override { return communicator_.rank(); }
  [[nodiscard]] int size() const override { return communicator_.size(); }
  void transfer(std::span<const SentMessage> sent,
                std::span<const ReceivedMessage> received) override {
    ++transfers;
    communicator_.transfer(sent, received);
  }
  void all_gather(const void* own, std::size_t bytes, void* of_all) override {
    ++gathers;
    communicator_.all_gather(own, bytes, of_all);
  }
  void broadcast(void* values, std::size_t bytes, int from) override {
    ++broadcasts;
    communicator_.broadcast(values, bytes, from);
  }
  [[noreturn]] void abort(int /*exit_code*/) override { throw std::runtime_error("aborted"); }

  int gathers = 0, transfers = 0, broadcasts = 0;

 private:
  Communicator& communicator_;
};

}  // namespace dns::testing
