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
/// by one message from each rank, and sends them back by one to each. A share may be in parts, each
/// with messages of its own, so that those of one pass while the lines of another are solved. Parts
/// differ by one unit at most; with more of them than units in a row some are empty.
///
/// Planes are packed first, so that a message is contiguous. What a rank receives is in place: part
/// after part of its share, each of all planes of the box, rows next to each other, `pitch(part)`
/// numbers from a plane to the next.
template <class Backend>
class ModeTransposition {
 public:
  using Real = typename Backend::Real;

  /// `backend` must outlive it.
  ModeTransposition(Backend& backend, const SharedModes& modes, int parts = 1)
      : backend_(&backend), part_(backend.part()), modes_(modes), parts_(parts) {
    for (int share = 0; share <= shares(); ++share)
      first_.push_back(modes.unit * first_of_share(modes.numbers / modes.unit, share, shares()));
    for (int share = 0; share < shares(); ++share) widest_ = std::max(widest_, width_of(share));
    first_on_device_ = backend.template allocate<int>(first_.size());
    backend.upload_values(first_.data(), first_on_device_.data(), first_.size());
    packed_ = backend.template allocate<Real>(
        std::max(static_cast<std::size_t>(place_of(shares())), size_of_lines()));
  }

  /// How many parts pay: four where messages pass beside other work.
  [[nodiscard]] static int parts_that_pay(const Backend& backend) {
    Extents points = backend.part().whole;
    points.nz /= backend.communicator().size();  // alike on all ranks
    return backend.hides_messages(points) ? 4 : 1;
  }

  [[nodiscard]] int parts() const { return parts_; }
  /// Numbers of a part of this rank's share of a row, and the first of them.
  [[nodiscard]] int width(int part = 0) const { return width_of(own(part)); }
  [[nodiscard]] int first(int part = 0) const { return first_[own(part)]; }
  /// From a plane of lines to the next.
  [[nodiscard]] int pitch(int part = 0) const { return pitch_of(own(part)); }
  /// Where the lines of a part begin; of all parts: the numbers that lines take.
  [[nodiscard]] std::size_t begin_of_lines(int part) const {
    std::size_t begin = 0;
    for (int before = 0; before < part; ++before)
      begin += static_cast<std::size_t>(pitch(before)) * part_.whole.nz;
    return begin;
  }
  [[nodiscard]] std::size_t size_of_lines() const { return begin_of_lines(parts_); }
  /// Memory for as many numbers, which holds nothing between to_lines and to_planes.
  [[nodiscard]] Real* scratch() { return packed_.data(); }

  /// The planes may lie where the lines are to be. Requires one part.
  void to_lines(const Real* planes, Real* lines) {
    pack(planes);
    Messages messages;
    add_to_lines(0, lines, messages);
    pass(messages);
  }

  /// The lines may lie where the planes are to be. Requires one part.
  void to_planes(Real* lines, Real* planes) {
    Messages messages;
    add_to_planes(0, lines, messages);
    pass(messages);
    unpack(planes);
  }

  /// Makes lines of planes, calls solve(part), which replaces those of a part, and makes planes of
  /// them again, all in the memory of `modes`. Lines of a part come while those of the one before
  /// are solved, and those of the one before that go.
  template <class Solve>
  void with_lines(Real* modes, const Solve& solve) {
    pack(modes);
    for (int turn = 0; turn < parts_ + 2; ++turn) {
      Messages messages;
      if (turn < parts_) add_to_lines(turn, modes, messages);
      if (turn >= 2) add_to_planes(turn - 2, modes, messages);
      const int solved = turn - 1;
      if (solved < 0 || solved == parts_) {
        pass(messages);
      } else if (messages.sent.empty()) {
        solve(solved);
      } else {
        backend_->beside_messages([&] { pass(messages); }, [&] { solve(solved); });
      }
    }
    unpack(modes);
  }

 private:
  static constexpr int alignment = BufferLayout::line_bytes / static_cast<int>(sizeof(Real));
  template <class T>
  using Memory = decltype(std::declval<Backend&>().template allocate<T>(0));

  struct Messages {
    std::vector<SentMessage> sent;
    std::vector<ReceivedMessage> received;
  };

  [[nodiscard]] int ranks() const { return backend_->communicator().size(); }
  /// A part of a rank's share is one of all shares.
  [[nodiscard]] int shares() const { return ranks() * parts_; }
  [[nodiscard]] int share_of(int rank, int part) const { return rank * parts_ + part; }
  [[nodiscard]] int own(int part) const { return share_of(backend_->communicator().rank(), part); }
  [[nodiscard]] int width_of(int share) const { return first_[share + 1] - first_[share]; }
  [[nodiscard]] int pitch_of(int share) const {
    return PlaneShares::pitch(width_of(share), modes_.rows, alignment);
  }
  /// Planes of a rank, from the first of the box on.
  [[nodiscard]] Box planes_of(int rank) const { return part_.slab(rank, ranks()).part; }

  /// What this rank has of the share of another.
  [[nodiscard]] std::ptrdiff_t place_of(int share) const {
    return plane_shares().part(first_[share], share);
  }
  [[nodiscard]] std::size_t bytes_of(int share) const {
    return pitch_of(share) * sizeof(Real) * static_cast<std::size_t>(part_.points().nz);
  }
  /// What another has for a part of this rank's.
  [[nodiscard]] std::size_t lines_from(int rank, int part) const {
    return begin_of_lines(part) + static_cast<std::size_t>(pitch(part)) * planes_of(rank).begin.k;
  }
  [[nodiscard]] std::size_t bytes_of_lines(int rank, int part) const {
    return pitch(part) * sizeof(Real) * static_cast<std::size_t>(planes_of(rank).extents().nz);
  }

  void add_to_lines(int part, Real* lines, Messages& messages) {
    for (int rank = 0; rank < ranks(); ++rank) {
      const int share = share_of(rank, part);
      messages.sent.push_back({rank, packed_.data() + place_of(share), bytes_of(share)});
      messages.received.push_back(
          {rank, lines + lines_from(rank, part), bytes_of_lines(rank, part)});
    }
  }
  void add_to_planes(int part, Real* lines, Messages& messages) {
    for (int rank = 0; rank < ranks(); ++rank) {
      const int share = share_of(rank, part);
      messages.sent.push_back({rank, lines + lines_from(rank, part), bytes_of_lines(rank, part)});
      messages.received.push_back({rank, packed_.data() + place_of(share), bytes_of(share)});
    }
  }
  void pass(const Messages& messages) { backend_->pass(messages.sent, messages.received); }

  void pack(const Real* planes) {
    backend_->for_each(all_shares(), PackShares<Real>{plane_shares(), planes, packed_.data()});
  }
  void unpack(Real* planes) {
    backend_->for_each(all_shares(), UnpackShares<Real>{plane_shares(), packed_.data(), planes});
  }

  [[nodiscard]] PlaneShares plane_shares() const {
    return {.first = first_on_device_.data(),
            .alignment = alignment,
            .rows = modes_.rows,
            .planes = part_.points().nz,
            .row_stride = modes_.strides.y,
            .plane_stride = modes_.strides.z};
  }
  [[nodiscard]] Box all_shares() const {
    return {{}, {widest_, shares() * modes_.rows, part_.points().nz}};
  }

  Backend* backend_;
  Subdomain part_;
  SharedModes modes_;
  int parts_;  // of a rank's share
  int widest_ = 0;
  std::vector<int> first_;  // of each share; the numbers of a row
  Memory<int> first_on_device_;
  Memory<Real> packed_;
};

}  // namespace dns
