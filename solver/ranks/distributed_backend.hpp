/// The backend of a rank: a local backend for its slab of the box, and what passes between slabs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/core/communicator.hpp"
#include "solver/core/field_layout.hpp"
#include "solver/core/row_range.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/ranks/seams.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// How many ghost planes an exchange fills at each end of a slab, at most as many as it has planes.
struct GhostPlanes {
  int low = 1, high = 1;
};

/// Slabs along z, one a rank. What differs from the local backend:
///
///   sweep<z>         along lines that go across all slabs: every rank finds how the ends of its
///                    pieces depend on the unknowns beyond them, one rank finds these unknowns for
///                    each line (rows of lines along x are shared out among the ranks), and all
///                    ranks then sweep between known values
///   reduce, reduce_profiles
///                    over all slabs, in the order of the ranks: the same bits on all of them, and
///                    in every run on as many ranks. A profile that keeps z is that of the whole
///                    box
///   reduce_later     over its slab alone: LateReductions adds up those of the ranks
///   add_profile      over its slab alone, whatever the others call
///   add_over_ranks, pass, exchange, gather_line, gather_rows, sum_of_ranks
///                    of its own, see below
///
/// Every rank calls all of these in the same order, with boxes that may be empty. A single rank's
/// calls are those of the local backend.
///
/// The local backend offers, beyond ExecutionBackend:
///   find_relations(box, rows, is_seam, LineValues)
///                    PieceRelations of the lines along z of a box: row_at, open at seams
///   transfer(communicator, sent, received)
///                    Communicator::transfer for memory of the device, in order with other work
///   connect(communicator), transport()
///                    gets ready for that, on all ranks; the way of messages between devices in
///                    words, empty where the communicator's own is it
///   bytes_of_two_passes()
///                    what a second pass finds in the cache; the largest number where passes in
///                    pieces cost more than they save
template <class Local>
class DistributedBackend : public Local {
 public:
  using Real = typename Local::Real;

  /// whole: the whole box. The communicator outlives the backend. Called by all ranks.
  DistributedBackend(Local local, Communicator& communicator, const Subdomain& whole)
      : Local(std::move(local)),
        communicator_(&communicator),
        part_(whole.slab(communicator.rank(), communicator.size())),
        repeats_(whole.is_periodic(2)),
        zero_(this->template allocate<Real>(communicator.size() > 1 ? values_of_zero : 0)),
        bytes_of_two_passes_(
            std::ranges::min(communicator.gathered(Local::bytes_of_two_passes()))) {
    this->connect(communicator);
  }

  [[nodiscard]] const Subdomain& part() const { return part_; }
  [[nodiscard]] Communicator& communicator() const { return *communicator_; }
  [[nodiscard]] bool is_divided() const { return communicator_->size() > 1; }

  void enter(Phase phase) {
    phase_ = phase;
    Local::enter(phase);
  }

  template <Axis axis, class Rows, class Sink, class... BoundaryToFill>
  auto sweep(Box box, const Rows& rows, const Sink& sink, const BoundaryToFill&... boundary) {
    if constexpr (axis == Axis::z && !Rows::is_cyclic) {
      if (is_divided()) return sweep_across_slabs(box, rows, sink, boundary...);
    }
    return Local::template sweep<axis>(box, rows, sink, boundary...);
  }

  /// Sweeps across slabs come one after another: their messages have to.
  template <Axis axis, class Enqueue>
  void side_by_side(int count, const Enqueue& enqueue) {
    const int at_once = axis == Axis::z && is_divided() ? 1 : count;
    for (int first = 0; first < count; first += at_once)
      Local::template side_by_side<axis>(at_once, [&](int n) { enqueue(first + n); });
  }

  /// Sweeps across slabs are among them.
  template <class Enqueue>
  void concurrently(int count, Extents points, const Enqueue& enqueue) {
    if (!is_divided()) return Local::concurrently(count, points, enqueue);
    for (int n = 0; n < count; ++n) enqueue(n);
  }

  template <class System>
  void reserve_sweeps(Axis axis, Box box, bool is_cyclic) {
    Local::template reserve_sweeps<System>(axis, box, is_cyclic);
    if (axis != Axis::z || is_cyclic || !is_divided()) return;
    box.end.j = std::min(box.end.j, box.begin.j + rows_of_lines_at_once<System>());
    static_cast<void>(room_beyond<System>(box));
  }

  template <int sums, int maxima, class Kernel>
  Reduction<double, sums, maxima> reduce(Box box, const Kernel& kernel) {
    const auto own = Local::template reduce<sums, maxima>(box, kernel);
    if (!is_divided()) return own;
    Reduction<double, sums, maxima> total;
    for (const auto& of_rank : communicator_->gathered(own)) total.merge(of_rank);
    return total;
  }

  template <int sums, class Kernel>
  std::vector<Reduction<double, sums, 0>> reduce_profiles(Box box,
                                                          const std::array<bool, 3>& summed,
                                                          const Kernel& kernel);

  /// Replaces values that each rank has, as many on all of them, by their sums in the order of the
  /// ranks.
  void add_over_ranks(std::span<double> values);

  /// Whole lines along z, which slabs cut: rank n receives rows `rows[n]` of a field of which each
  /// rank has a slab, `width` values of each, from all planes of the box. The first row comes to
  /// lie in row 0 of `lines`, whose planes are next to each other, rows a multiple of 64 bytes
  /// apart, alike on all ranks. Each rank sends what it has of a row at once.
  void gather_rows(FieldView<const Real> slab,
                   int width,
                   std::span<const RowRange> rows,
                   FieldView<Real> lines);
  /// Room for what a rank then sends: so many rows, `stride_z` of the lines.
  void reserve_rows(int rows, int stride_z) {
    const auto values = static_cast<std::size_t>(stride_z * part_.points().nz);
    this->enlarge(rows_to_send_, static_cast<std::size_t>(rows) * values);
  }

  /// Messages between devices, see Communicator::transfer; their time counts for the phase
  /// `exchange`.
  void pass(std::span<const SentMessage> sent, std::span<const ReceivedMessage> received);

  /// Fills planes beyond the seams of fields that lie in memory as `layout` says, with
  /// `values_per_point` numbers side by side: all stored points of the neighbours' outermost
  /// planes.
  void exchange(const FieldLayout& layout,
                int values_per_point,
                std::span<Real* const> fields,
                GhostPlanes ghosts = {});

  /// Values of the whole box along z: those of the own slab are there, the others are filled in.
  void gather_line(double* of_box);

  /// The sums of values that each rank has.
  template <std::size_t count>
  [[nodiscard]] std::array<double, count> sum_of_ranks(const std::array<double, count>& own) {
    std::array<double, count> total{};
    for (const auto& of_rank : communicator_->gathered(own)) {
      for (std::size_t n = 0; n < count; ++n) total[n] += of_rank[n];
    }
    return total;
  }

  /// What this rank has sent to others so far.
  [[nodiscard]] const Traffic& traffic() const { return traffic_; }

 private:
  using Memory = decltype(std::declval<Local&>().template allocate<Real>(0));

  static constexpr std::size_t values_of_zero = 64;  // a point may be a pack

  [[nodiscard]] bool is_seam(bool is_high) const {
    return part_.ends[2][is_high ? 1 : 0] == End::neighbour;
  }
  [[nodiscard]] int neighbour(bool is_high) const {
    const int ranks = communicator_->size();
    return (communicator_->rank() + (is_high ? 1 : ranks - 1)) % ranks;
  }
  /// As many rows of lines as bytes_of_two_passes holds of what a sweep reads, two values for each
  /// unknown. The same on all ranks, whose slabs may differ by a plane.
  template <class System>
  [[nodiscard]] int rows_of_lines_at_once() const {
    constexpr std::size_t values_read = 2 * System::unknowns;
    const int planes = part_.whole.nz / communicator_->size();
    const std::size_t row_bytes =
        Extents{part_.whole.nx, 1, planes}.count() * values_read * sizeof(Real);
    return static_cast<int>(std::clamp<std::size_t>(
        bytes_of_two_passes_ / row_bytes, 1, static_cast<std::size_t>(part_.whole.ny)));
  }

  /// What find_beyond works in for the lines of a box: the relations of all, those of the lines
  /// that this rank solves from all ranks, the unknowns beyond their ends, and those of all.
  template <class System>
  [[nodiscard]] std::array<LineValues<Real>, 4> room_beyond(const Box& box) {
    constexpr int parts = PieceRelations<System, Real>::parts;
    constexpr int both = 2 * System::unknowns;
    const auto room = [&](Memory& memory, int rows, int of_line) {
      const int pitch = LineValues<Real>::pitch_for(box.end.i);
      this->enlarge(memory,
                    static_cast<std::size_t>(rows) * static_cast<std::size_t>(of_line * pitch));
      return LineValues<Real>{memory.data(), box.begin.j, pitch, of_line};
    };
    const int rows = box.extents().ny;
    const int ranks = communicator_->size();
    const int solved = ranks * ((rows + ranks - 1) / ranks);  // at most
    return {room(own_relations_, rows, parts),
            room(relations_, solved, parts),
            room(beyond_of_ranks_, solved, both),
            room(beyond_, rows, both)};
  }
  template <class Rows, class Sink, class... BoundaryToFill>
  auto sweep_across_slabs(Box box,
                          const Rows& rows,
                          const Sink& sink,
                          const BoundaryToFill&... boundary);
  template <class Rows>
  LineValues<const Real> find_beyond(Box box, const Rows& rows);

  Communicator* communicator_;
  Subdomain part_;
  bool repeats_;  // the whole box, along z
  Memory zero_;
  std::size_t bytes_of_two_passes_;  // the least of all ranks, whose processors may differ
  Phase phase_ = phase::other;
  Traffic traffic_;
  Memory own_relations_, relations_, beyond_of_ranks_, beyond_, rows_to_send_;
};

template <class Local>
void DistributedBackend<Local>::pass(std::span<const SentMessage> sent,
                                     std::span<const ReceivedMessage> received) {
  Local::enter(phase::exchange);
  this->transfer(*communicator_, sent, received);
  Local::enter(phase_);
  for (const SentMessage& message : sent) {
    if (message.to == communicator_->rank()) continue;
    ++traffic_.messages;
    traffic_.bytes += message.bytes;
  }
}

/// Row by row of lines, as many at once as the cache keeps from the first pass over their fields to
/// the second: one process of two threads and two of one, splitting, 128^3, double: 0.220 s a step
/// and 0.237 (0.263 in one go).
template <class Local>
template <class Rows, class Sink, class... BoundaryToFill>
auto DistributedBackend<Local>::sweep_across_slabs(Box box,
                                                   const Rows& rows,
                                                   const Sink& sink,
                                                   const BoundaryToFill&... boundary) {
  const auto sweep_rows = [&](int first, int count) {
    const Box lines{{box.begin.i, first, box.begin.k}, {box.end.i, first + count, box.end.k}};
    const LineValues<const Real> beyond = find_beyond(lines, rows);
    Rows closed = rows;
    for (const bool is_high : {false, true}) {
      if (!is_seam(is_high)) continue;
      const int part = is_high ? Rows::System::unknowns : 0;
      closed.close_by_values(
          is_high,
          [&](int unknown) { return beyond.face(part + unknown); },
          FaceView<const Real>{zero_.data(), 0, 0, 0});
    }
    return Local::template sweep<Axis::z>(lines, closed, sink, boundary...);
  };
  const int all = box.extents().ny;
  const int at_once = rows_of_lines_at_once<typename Rows::System>();
  int first = box.begin.j;
  for (; first + at_once < box.begin.j + all; first += at_once) sweep_rows(first, at_once);
  return sweep_rows(first, box.begin.j + all - first);
}

/// The unknowns beyond the ends of all pieces of this rank.
template <class Local>
template <class Rows>
auto DistributedBackend<Local>::find_beyond(Box box, const Rows& rows) -> LineValues<const Real> {
  using System = typename Rows::System;
  const int ranks = communicator_->size();
  const auto [own, of_ranks, found, beyond] = room_beyond<System>(box);
  const auto first_of = [&](int rank) { return first_of_share(box.extents().ny, rank, ranks); };
  const auto values_of = [](const LineValues<Real>& lines, int count) {
    return static_cast<std::size_t>(lines.row(lines.first_j + count));
  };
  const int solved_from = first_of(communicator_->rank());
  const int solved = first_of(communicator_->rank() + 1) - solved_from;
  const std::size_t relations_stride = values_of(of_ranks, solved);
  const std::size_t beyond_stride = values_of(found, solved);

  const std::array<bool, 2> seams{is_seam(false), is_seam(true)};
  Local::find_relations(box, rows, seams, own);

  std::vector<SentMessage> sent;
  std::vector<ReceivedMessage> received;
  for (int other = 0; other < ranks; ++other) {
    const int from = first_of(other);
    sent.push_back({other,
                    own.values + values_of(own, from),
                    values_of(own, first_of(other + 1) - from) * sizeof(Real)});
    received.push_back({other,
                        of_ranks.values + relations_stride * static_cast<std::size_t>(other),
                        relations_stride * sizeof(Real)});
  }
  pass(sent, received);

  const int first_j = box.begin.j + solved_from;
  this->for_each(Box{{box.begin.i, first_j, 0}, {box.end.i, first_j + solved, 1}},
                 SolveSeams<System, Real>{{of_ranks.values, first_j, own.pitch, own.parts},
                                          {found.values, first_j, own.pitch, beyond.parts},
                                          static_cast<std::ptrdiff_t>(relations_stride),
                                          static_cast<std::ptrdiff_t>(beyond_stride),
                                          ranks,
                                          repeats_});

  for (int other = 0; other < ranks; ++other) {
    const auto n = static_cast<std::size_t>(other);
    const int from = first_of(other);
    sent[n] = {other, found.values + beyond_stride * n, beyond_stride * sizeof(Real)};
    received[n] = {other,
                   beyond.values + values_of(beyond, from),
                   values_of(beyond, first_of(other + 1) - from) * sizeof(Real)};
  }
  pass(sent, received);
  return {beyond.values, beyond.first_j, beyond.pitch, beyond.parts};
}

template <class Local>
template <int sums, class Kernel>
std::vector<Reduction<double, sums, 0>> DistributedBackend<Local>::reduce_profiles(
    Box box, const std::array<bool, 3>& summed, const Kernel& kernel) {
  using Result = Reduction<double, sums, 0>;
  std::vector<Result> own = Local::template reduce_profiles<sums>(box, summed, kernel);
  if (!is_divided()) return own;
  // Slabs may differ by a plane: all send as much as the longest.
  const std::vector<std::size_t> sizes = communicator_->gathered(own.size());
  const std::size_t longest = *std::ranges::max_element(sizes);
  own.resize(longest);
  std::vector<Result> of_all(longest * sizes.size());
  communicator_->all_gather(own.data(), longest * sizeof(Result), of_all.data());
  std::vector<Result> whole;
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
    const auto first = of_all.begin() + static_cast<std::ptrdiff_t>(longest * rank);
    const auto last = first + static_cast<std::ptrdiff_t>(sizes[rank]);
    if (rank == 0 || !summed[2]) {
      whole.insert(whole.end(), first, last);
    } else {
      for (std::size_t n = 0; n < whole.size(); ++n) {
        whole[n].merge(first[static_cast<std::ptrdiff_t>(n)]);
      }
    }
  }
  return whole;
}

/// Two ranks of a periodic box are each other's neighbours at both ends: what one sends low arrives
/// high, so that the receives from the high end come first.
template <class Local>
void DistributedBackend<Local>::exchange(const FieldLayout& layout,
                                         int values_per_point,
                                         std::span<Real* const> fields,
                                         GhostPlanes ghosts) {
  if (!is_divided()) return;
  const std::size_t bytes = static_cast<std::size_t>(values_per_point) * sizeof(Real);
  const auto bytes_of = [&](int planes) {
    return static_cast<std::size_t>(layout.stride_z(bytes) * planes) * bytes;
  };
  const auto plane = [&](Real* field, int k) {
    return field + layout.plane(k, bytes) * values_per_point;
  };
  const int planes = layout.points.nz;
  std::vector<SentMessage> sent;
  std::vector<ReceivedMessage> received;
  for (const bool is_high : {false, true}) {
    for (Real* const field : fields) {
      const int count = is_high ? ghosts.low : ghosts.high;  // of the planes that go this way
      if (is_seam(is_high))
        sent.push_back(
            {neighbour(is_high), plane(field, is_high ? planes - count : 0), bytes_of(count)});
      if (is_seam(!is_high))
        received.push_back(
            {neighbour(!is_high), plane(field, is_high ? -count : planes), bytes_of(count)});
    }
  }
  pass(sent, received);
}

template <class Local>
void DistributedBackend<Local>::add_over_ranks(std::span<double> values) {
  if (!is_divided()) return;
  constexpr std::size_t most_at_once = std::size_t{1} << 16;
  const auto ranks = static_cast<std::size_t>(communicator_->size());
  std::vector<double> of_all;
  while (!values.empty()) {
    const std::size_t count = std::min(values.size(), most_at_once);
    of_all.resize(count * ranks);
    communicator_->all_gather(values.data(), count * sizeof(double), of_all.data());
    for (std::size_t n = 0; n < count; ++n) {
      values[n] = of_all[n];
      for (std::size_t rank = 1; rank < ranks; ++rank) values[n] += of_all[rank * count + n];
    }
    values = values.subspan(count);
  }
}

template <class Local>
void DistributedBackend<Local>::gather_rows(FieldView<const Real> slab,
                                            int width,
                                            std::span<const RowRange> rows,
                                            FieldView<Real> lines) {
  const int planes = part_.points().nz;
  const auto values_of = [&](int planes_of_row) {
    return static_cast<std::size_t>(lines.stride_z) * static_cast<std::size_t>(planes_of_row);
  };
  int all_rows = 0;
  for (const auto [begin, end] : rows) all_rows += end - begin;
  reserve_rows(all_rows, lines.stride_z);
  Real* packed = rows_to_send_.data();
  const int row = lines.stride_z * planes;
  std::vector<SentMessage> sent;
  std::vector<ReceivedMessage> received;
  for (int other = 0; other < communicator_->size(); ++other) {
    const auto [begin, end] = rows[static_cast<std::size_t>(other)];
    this->for_each(
        Box{{}, {width, end - begin, planes}},
        CopyField<Real>{
            {slab.origin + std::ptrdiff_t{slab.stride_y} * begin, slab.stride_y, slab.stride_z},
            {packed, row, lines.stride_z}});
    for (int j = begin; j < end; ++j, packed += row)
      sent.push_back({other, packed, values_of(planes) * sizeof(Real)});
    const Box theirs = part_.slab(other, communicator_->size()).part;
    const auto [own_begin, own_end] = rows[static_cast<std::size_t>(communicator_->rank())];
    for (int j = 0; j < own_end - own_begin; ++j) {
      received.push_back({other,
                          lines.address({0, j, theirs.begin.k}),
                          values_of(theirs.extents().nz) * sizeof(Real)});
    }
  }
  pass(sent, received);
}

template <class Local>
void DistributedBackend<Local>::gather_line(double* of_box) {
  if (!is_divided()) return;
  const auto bytes_of_planes = [](int planes) {
    return static_cast<std::size_t>(planes) * sizeof(double);
  };
  std::vector<SentMessage> sent;
  std::vector<ReceivedMessage> received;
  for (int other = 0; other < communicator_->size(); ++other) {
    if (other == communicator_->rank()) continue;
    const Box theirs = part_.slab(other, communicator_->size()).part;
    sent.push_back({other, of_box + part_.first(2), bytes_of_planes(part_.points().nz)});
    received.push_back({other, of_box + theirs.begin.k, bytes_of_planes(theirs.extents().nz)});
  }
  pass(sent, received);
}

}  // namespace dns
