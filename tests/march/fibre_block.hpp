/// The threads of a block of a GPU as fibres on the host, which go on in random order after each
/// barrier: a missing barrier shows as a wrong result.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

namespace dns {

class FibreBlock {
 public:
  explicit FibreBlock(int threads)
      : contexts_(static_cast<std::size_t>(threads)),
        is_done_(contexts_.size()),
        stacks_(contexts_.size() * stack_bytes),
        copies_(contexts_.size()),
        order_(contexts_.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  /// Calls body() once as each thread.
  void run(const std::function<void()>& body) {
    body_ = &body;
    running_ = this;
    std::fill(is_done_.begin(), is_done_.end(), 0);
    for (std::size_t n = 0; n < contexts_.size(); ++n) {
      ucontext_t& context = contexts_[n];
      getcontext(&context);
      context.uc_stack.ss_sp = stacks_.data() + n * stack_bytes;
      context.uc_stack.ss_size = stack_bytes;
      context.uc_link = nullptr;
      makecontext(&context, &FibreBlock::enter, 0);
    }
    while (std::find(is_done_.begin(), is_done_.end(), 0) != is_done_.end()) {
      std::shuffle(order_.begin(), order_.end(), generator_);
      for (const std::size_t n : order_) {
        if (is_done_[n] != 0) continue;
        now_ = n;
        swapcontext(&home_, &contexts_[n]);
      }
    }
  }

  [[nodiscard]] int thread() const { return static_cast<int>(now_); }
  void barrier() const { swapcontext(&contexts_[now_], &home_); }
  /// Copies as late as a GPU may.
  template <class Real>
  void copy(Real* to, const Real* from) const {
    copies_[now_].push_back([to, from] { *to = *from; });
  }
  void wait_for_copies() const {
    for (const auto& copy : copies_[now_]) copy();
    copies_[now_].clear();
  }
  static void prefetch(const void* /*from*/) {}

 private:
  static constexpr std::size_t stack_bytes = 64 << 10;

  static void enter() {
    FibreBlock& block = *running_;
    (*block.body_)();
    block.is_done_[block.now_] = 1;
    block.barrier();
  }

  static inline FibreBlock* running_ = nullptr;
  mutable std::vector<ucontext_t> contexts_;
  mutable ucontext_t home_{};
  std::vector<char> is_done_, stacks_;
  mutable std::vector<std::vector<std::function<void()>>> copies_;
  std::vector<std::size_t> order_;
  std::mt19937 generator_{1};
  const std::function<void()>* body_ = nullptr;
  std::size_t now_ = 0;
};

}  // namespace dns
