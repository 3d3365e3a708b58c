/// Modes of the planes across z of all ranks, transposed into whole lines along z.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/core/communicator.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/core/transforms.hpp"
#include "solver/numerics/plane_shares.hpp"

namespace dns {

/// Each rank has all modes of its planes; it receives a share of the modes in all planes of the
/// box, by one message from each rank, and sends them back by one to each. Shares are whole cache
/// lines and differ by one at most; with more ranks than cache lines in a plane some are empty.
///
/// Planes are packed first, so that a message is contiguous. What a rank receives is in place: its
/// share of the planes of the box, `pitch()` numbers from a plane to the next.
template <class Backend>
class ModeTransposition {
 public:
  using Real = typename Backend::Real;

  /// numbers: of a plane, next to each other, a multiple of 64 bytes; stride: from a plane to the
  /// next. `backend` must outlive it.
  ModeTransposition(Backend& backend, int numbers, int stride)
      : backend_(&backend), part_(backend.part()), stride_(stride) {
    const int ranks = backend.communicator().size();
    for (int rank = 0; rank <= ranks; ++rank)
      first_.push_back(alignment * first_of_share(numbers / alignment, rank, ranks));
    for (int rank = 0; rank < ranks; ++rank) widest_ = std::max(widest_, width_of(rank));
    first_on_device_ = backend.template allocate<int>(first_.size());
    backend.upload_values(first_.data(), first_on_device_.data(), first_.size());
    parts_ = backend.template allocate<Real>(static_cast<std::size_t>(part_of(ranks)));
  }

  /// Numbers of this rank's share of a plane, and the first of them.
  [[nodiscard]] int width() const { return width_of(own()); }
  [[nodiscard]] int first() const { return first_of(own()); }
  /// From a plane of lines to the next.
  [[nodiscard]] int pitch() const { return pitch_of(own()); }
  /// Numbers that lines take.
  [[nodiscard]] std::size_t size_of_lines() const {
    return static_cast<std::size_t>(pitch()) * static_cast<std::size_t>(part_.whole.nz);
  }

  /// The planes may lie where the lines are to be.
  void to_lines(const Real* planes, Real* lines) {
    backend_->for_each(all_shares(), PackShares<Real>{shares(), planes, parts_.data()});
    std::vector<SentMessage> sent;
    std::vector<ReceivedMessage> received;
    for (int rank = 0; rank < ranks(); ++rank) {
      sent.push_back({rank, parts_.data() + part_of(rank), bytes_of_part(rank)});
      received.push_back({rank, lines + lines_from(rank), bytes_of_lines(rank)});
    }
    backend_->pass(sent, received);
  }

  /// The lines may lie where the planes are to be.
  void to_planes(const Real* lines, Real* planes) {
    std::vector<SentMessage> sent;
    std::vector<ReceivedMessage> received;
    for (int rank = 0; rank < ranks(); ++rank) {
      sent.push_back({rank, lines + lines_from(rank), bytes_of_lines(rank)});
      received.push_back({rank, parts_.data() + part_of(rank), bytes_of_part(rank)});
    }
    backend_->pass(sent, received);
    backend_->for_each(all_shares(), UnpackShares<Real>{shares(), parts_.data(), planes});
  }

 private:
  static constexpr int alignment = BufferLayout::line_bytes / static_cast<int>(sizeof(Real));
  template <class T>
  using Memory = decltype(std::declval<Backend&>().template allocate<T>(0));

  [[nodiscard]] int own() const { return backend_->communicator().rank(); }
  [[nodiscard]] int ranks() const { return backend_->communicator().size(); }
  [[nodiscard]] int first_of(int rank) const { return first_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] int width_of(int rank) const { return first_of(rank + 1) - first_of(rank); }
  [[nodiscard]] int pitch_of(int rank) const {
    return PlaneShares::pitch(width_of(rank), alignment);
  }
  /// Planes of a rank, from the first of the box on.
  [[nodiscard]] Box planes_of(int rank) const { return part_.slab(rank, ranks()).part; }

  /// What this rank has for another.
  [[nodiscard]] std::ptrdiff_t part_of(int rank) const {
    return PlaneShares::part(first_of(rank), rank, alignment, part_.points().nz);
  }
  [[nodiscard]] std::size_t bytes_of_part(int rank) const {
    return static_cast<std::size_t>(pitch_of(rank)) * sizeof(Real) *
           static_cast<std::size_t>(part_.points().nz);
  }
  /// What another has for this rank.
  [[nodiscard]] std::ptrdiff_t lines_from(int rank) const {
    return std::ptrdiff_t{pitch()} * planes_of(rank).begin.k;
  }
  [[nodiscard]] std::size_t bytes_of_lines(int rank) const {
    return static_cast<std::size_t>(pitch()) * sizeof(Real) *
           static_cast<std::size_t>(planes_of(rank).extents().nz);
  }

  [[nodiscard]] PlaneShares shares() const {
    return {first_on_device_.data(), alignment, part_.points().nz, stride_};
  }
  [[nodiscard]] Box all_shares() const { return {{}, {widest_, ranks(), part_.points().nz}}; }

  Backend* backend_;
  Subdomain part_;
  int stride_;
  int widest_ = 0;
  std::vector<int> first_;  // of the share of each rank; the numbers of a plane
  Memory<int> first_on_device_;
  Memory<Real> parts_;
};

}  // namespace dns
