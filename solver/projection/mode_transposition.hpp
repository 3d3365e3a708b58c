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

/// The modes that ranks share: rows of numbers next to each other, in planes.
struct SharedModes {
  int numbers;      // of a row
  int unit;         // shares are multiples of it; both multiples of 64 bytes
  int rows;         // of a plane; a plane that is contiguous may be one row
  Strides strides;  // from a row and from a plane to the next

  /// As fields lie in a buffer: shares along x, of whole cache lines.
  static SharedModes along_x(Extents points, Strides buffer, std::size_t word) {
    return {buffer.y, BufferLayout::line_bytes / static_cast<int>(word), points.ny, buffer};
  }
  /// Shares along y, of whole rows.
  static SharedModes along_y(Extents points, Strides buffer) {
    return {buffer.y * points.ny, buffer.y, 1, buffer};
  }
};

/// Each rank has all modes of its planes; it receives a share of each row in all planes of the box,
/// by one message from each rank, and sends them back by one to each. Shares differ by one unit at
/// most; with more ranks than units in a row some are empty.
///
/// Planes are packed first, so that a message is contiguous. What a rank receives is in place: its
/// share of the planes of the box, rows next to each other, `pitch()` numbers from a plane to the
/// next.
template <class Backend>
class ModeTransposition {
 public:
  using Real = typename Backend::Real;

  /// `backend` must outlive it.
  ModeTransposition(Backend& backend, const SharedModes& modes)
      : backend_(&backend), part_(backend.part()), modes_(modes) {
    const int ranks = backend.communicator().size();
    for (int rank = 0; rank <= ranks; ++rank)
      first_.push_back(modes.unit * first_of_share(modes.numbers / modes.unit, rank, ranks));
    for (int rank = 0; rank < ranks; ++rank) widest_ = std::max(widest_, width_of(rank));
    first_on_device_ = backend.template allocate<int>(first_.size());
    backend.upload_values(first_.data(), first_on_device_.data(), first_.size());
    parts_ =
        backend.template allocate<Real>(std::max<std::size_t>(part_of(ranks), size_of_lines()));
  }

  /// Numbers of this rank's share of a row, and the first of them.
  [[nodiscard]] int width() const { return width_of(own()); }
  [[nodiscard]] int first() const { return first_of(own()); }
  /// From a plane of lines to the next.
  [[nodiscard]] int pitch() const { return pitch_of(own()); }
  /// Numbers that lines take.
  [[nodiscard]] std::size_t size_of_lines() const {
    return static_cast<std::size_t>(pitch()) * part_.whole.nz;
  }
  /// Memory for as many numbers, which holds nothing between to_lines and to_planes.
  [[nodiscard]] Real* scratch() { return parts_.data(); }

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
  static constexpr int alignment = BufferLayout::line_bytes / bytes_per<Real>;
  template <class T>
  using Memory = decltype(std::declval<Backend&>().template allocate<T>(0));

  [[nodiscard]] int own() const { return backend_->communicator().rank(); }
  [[nodiscard]] int ranks() const { return backend_->communicator().size(); }
  [[nodiscard]] int first_of(int rank) const { return first_[rank]; }
  [[nodiscard]] int width_of(int rank) const { return first_of(rank + 1) - first_of(rank); }
  [[nodiscard]] int pitch_of(int rank) const {
    return PlaneShares::pitch(width_of(rank), modes_.rows, alignment);
  }
  /// Planes of a rank, from the first of the box on.
  [[nodiscard]] Box planes_of(int rank) const { return part_.slab(rank, ranks()).part; }

  /// What this rank has for another.
  [[nodiscard]] std::ptrdiff_t part_of(int rank) const {
    return shares().part(first_of(rank), rank);
  }
  [[nodiscard]] std::size_t bytes_of_part(int rank) const {
    return pitch_of(rank) * sizeof(Real) * part_.points().nz;
  }
  /// What another has for this rank.
  [[nodiscard]] std::ptrdiff_t lines_from(int rank) const {
    return std::ptrdiff_t{pitch()} * planes_of(rank).begin.k;
  }
  [[nodiscard]] std::size_t bytes_of_lines(int rank) const {
    return pitch() * sizeof(Real) * planes_of(rank).extents().nz;
  }

  [[nodiscard]] PlaneShares shares() const {
    return {.first = first_on_device_.data(),
            .alignment = alignment,
            .rows = modes_.rows,
            .planes = part_.points().nz,
            .row_stride = modes_.strides.y,
            .plane_stride = modes_.strides.z};
  }
  [[nodiscard]] Box all_shares() const {
    return {{}, {widest_, ranks() * modes_.rows, part_.points().nz}};
  }

  Backend* backend_;
  Subdomain part_;
  SharedModes modes_;
  int widest_ = 0;
  std::vector<int> first_;  // of the share of each rank; the numbers of a row
  Memory<int> first_on_device_;
  Memory<Real> parts_;
};

}  // namespace dns
