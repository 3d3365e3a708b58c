/// Sums and maxima that the device finds while the host goes on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <vector>

#include "solver/core/reduction.hpp"
#include "solver/core/several_boxes.hpp"

namespace dns {

/// Where LateReductions keeps one of them.
template <int sums, int maxima>
struct LatePlace {
  std::size_t first = 0;  // of its numbers
};

/// Reductions in places, begun one by one, closed together, and read later: one message then takes
/// all of them from rank to rank. Those that are begun after close() do not touch what it closed.
/// All ranks call the same members in the same order.
template <class Backend>
class LateReductions {
 public:
  /// `backend` must outlive it.
  explicit LateReductions(Backend& backend) : backend_(&backend) {}

  /// One more. All are asked for before the first is begun.
  template <int sums, int maxima>
  [[nodiscard]] LatePlace<sums, maxima> place() {
    const LatePlace<sums, maxima> place{is_maximum_.size()};
    is_maximum_.insert(is_maximum_.end(), std::max(sums, 1), false);
    is_maximum_.insert(is_maximum_.end(), std::max(maxima, 1), true);
    return place;
  }

  /// Begins a reduction (ExecutionBackend), of a box that has points always or never. It replaces
  /// one that was begun since the last close().
  template <int sums, int maxima, class Kernel>
  void begin(LatePlace<sums, maxima> place, Box box, const Kernel& kernel) {
    backend_->template reduce_later<sums, maxima>(box, kernel, open(place));
  }
  /// Begins one in each of several places.
  template <int sums, int maxima, class Kernel>
  void begin(const std::vector<LatePlace<sums, maxima>>& places,
             std::vector<ReductionOfBox<Kernel>> reductions) {
    for (std::size_t n = 0; n < places.size(); ++n) reductions[n].numbers = open(places[n]);
    backend_->template reduce_later<sums, maxima>(reductions);
  }

  /// Closes the reductions that were begun: finish() reads these.
  void close() {
    backend_->set(mark_);
    open_half_ = 1 - open_half_;
  }

  /// Waits until the device has found what was closed last, but for nothing that it does after it;
  /// replaces what each rank has by the reductions over all ranks, in their order.
  void finish() {
    backend_->wait_for(mark_);
    const double* const closed = half(1 - open_half_);
    numbers_.assign(closed, closed + is_maximum_.size());
    if (backend_->is_divided()) merge_over_ranks();
  }

  /// One that was closed, after finish(); zero if it was never begun.
  template <int sums, int maxima>
  [[nodiscard]] Reduction<double, sums, maxima> operator[](LatePlace<sums, maxima> place) const {
    Reduction<double, sums, maxima> reduction;
    const double* const numbers = numbers_.data() + place.first;
    std::copy_n(numbers, std::size(reduction.sum), reduction.sum);
    std::copy_n(
        numbers + std::size(reduction.sum), std::size(reduction.maximum), reduction.maximum);
    return reduction;
  }

 private:
  [[nodiscard]] double* half(int which) const {
    return reinterpret_cast<double*>(memory_.get()) + is_maximum_.size() * which;
  }
  template <int sums, int maxima>
  [[nodiscard]] double* open(LatePlace<sums, maxima> place) {
    if (!memory_) {
      memory_ = Backend::allocate_results(2 * is_maximum_.size() * sizeof(double));
      std::fill_n(half(0), 2 * is_maximum_.size(), 0.0);
    }
    return half(open_half_) + place.first;
  }

  void merge_over_ranks() {
    const std::size_t ranks = backend_->communicator().size();
    std::vector<double> of_ranks(ranks * numbers_.size());
    backend_->communicator().all_gather(
        numbers_.data(), numbers_.size() * sizeof(double), of_ranks.data());
    for (std::size_t n = 0; n < numbers_.size(); ++n) {
      double total = 0;
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        const double own = of_ranks[rank * numbers_.size() + n];
        total = is_maximum_[n] ? larger_or_nan(total, own) : total + own;
      }
      numbers_[n] = total;
    }
  }

  Backend* backend_;
  std::vector<bool> is_maximum_;         // of all numbers
  std::shared_ptr<std::byte[]> memory_;  // of two such lists, used in turn
  int open_half_ = 0;
  typename Backend::Mark mark_;  // behind what was closed
  std::vector<double> numbers_;  // after finish()
};

}  // namespace dns
