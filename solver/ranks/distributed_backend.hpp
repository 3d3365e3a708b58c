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
#include "solver/core/index.hpp"
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
///                    each line (rows of lines along x are shared out among the ranks; of two, each
///                    finds all, which saves their messages), and all ranks then sweep between
///                    known values. A sink with reaches_beyond_seams is then called at the points
///                    beyond seams too
///   concurrently     what its parts send each other goes together: enqueue(n) is called twice for
///                    each, first to find what passes between slabs, then to do the work
///   reduce, reduce_profiles
///                    over all slabs, in the order of the ranks: the same bits on all of them, and
///                    in every run on as many ranks. A profile that keeps z is that of the whole
///                    box
///   reduce_later     over its slab alone: LateReductions adds up those of the ranks
///   add_profile      over its slab alone, whatever the others call
///   add_over_ranks, pass, exchange, work_around_messages, sweep_and_exchange, gather_line,
///   gather_rows, sum_of_ranks
///                    of its own, see below
///
/// Every rank calls all of these in the same order, with boxes that may be empty. A single rank's
/// calls are those of the local backend.
///
/// The local backend offers, beyond ExecutionBackend:
///   find_relations(box, rows, is_seam, RelationsOfLines)
///                    PieceRelations of the lines along z of a box: row_at, open at seams
///   transfer(communicator, sent, received)
///                    Communicator::transfer for memory of the device, in order with other work
///   connect(communicator), transport()
///                    gets ready for that, on all ranks; the way of messages between devices in
///                    words, empty where the communicator's own is it
///   hides_messages(points)
///                    whether messages pass beside other work, for grids of so many points
///   beside_messages(messages, rest)
///                    calls messages(), which calls transfer too, and rest(): for_each,
///                    for_each_on_boundary, sweep<x> and sweep<y>; neither needs what the other
///                    does
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
    if (looks_ahead_) return;
    phase_ = phase;
    Local::enter(phase);
  }

  template <class Kernel>
  void for_each(Box box, const Kernel& kernel) {
    if (!looks_ahead_) Local::for_each(box, kernel);
  }
  template <class Kernel>
  void for_each(const std::vector<WorkInBox<Kernel>>& works) {
    if (!looks_ahead_) Local::for_each(works);
  }

  template <Axis axis, class Rows, class Sink, class... BoundaryToFill>
  auto sweep(Box box, const Rows& rows, const Sink& sink, const BoundaryToFill&... boundary)
      -> decltype(std::declval<Local&>().template sweep<axis>(box, rows, sink, boundary...)) {
    using Left = decltype(Local::template sweep<axis>(box, rows, sink, boundary...));
    if constexpr (axis == Axis::z && !Rows::is_cyclic) {
      if (looks_ahead_) {
        if (rows_of_lines_at_once<typename Rows::System>() >= box.extents().ny)
          find_relations_ahead(box, rows);
        return Left();
      }
      if (is_divided()) return sweep_across_slabs(box, rows, sink, boundary...);
    }
    if (looks_ahead_) return Left();
    return Local::template sweep<axis>(box, rows, sink, boundary...);
  }

  /// Calls before(), work(planes) for the planes of a box beside seams and after(), and meanwhile
  /// work(planes) for the others, which needs none of the three. before() and after() pass
  /// messages; work calls sweep<x>, sweep<y>, for_each and for_each_on_boundary. Where messages do
  /// not pass beside other work: before(), work(box), after().
  template <class Before, class Work, class After>
  void work_around_messages(Box box, const Before& before, const Work& work, const After& after);

  /// sweep along any axis, and exchange(), which sends what the sink writes in the outermost planes
  /// of the slab, but nothing of the boundary. Along x and y the planes beside seams may be swept
  /// first, and the others while messages pass.
  template <Axis axis, class Rows, class Sink, class Exchange, class... BoundaryToFill>
  BoundaryPlanes sweep_and_exchange(Box box,
                                    const Rows& rows,
                                    const Sink& sink,
                                    const Exchange& exchange,
                                    const BoundaryToFill&... boundary);

  /// Sweeps across slabs come one after another, as their messages do, also where others have been
  /// looked at ahead.
  template <Axis axis, class Enqueue>
  void side_by_side(int count, const Enqueue& enqueue) {
    if (looks_ahead_) return;
    const bool had_looked_ahead = std::exchange(has_looked_ahead_, false);
    const int at_once = axis == Axis::z && is_divided() ? 1 : count;
    for (int first = 0; first < count; first += at_once)
      Local::template side_by_side<axis>(at_once, [&](int n) { enqueue(first + n); });
    has_looked_ahead_ = had_looked_ahead;
  }

  template <class Enqueue>
  void concurrently(int count, Extents points, const Enqueue& enqueue) {
    if (!is_divided()) return Local::concurrently(count, points, enqueue);
    looks_ahead_ = true;
    Local::template side_by_side<Axis::z>(count, enqueue);
    looks_ahead_ = false;
    find_unknowns_beyond(0);
    has_looked_ahead_ = true;
    for (int n = 0; n < count; ++n) enqueue(n);
    has_looked_ahead_ = false;
    ahead_.clear();
    next_ahead_ = 0;
  }

  /// together: the most sweeps of one call of concurrently.
  template <class System>
  void reserve_sweeps(Axis axis, Box box, bool is_cyclic, std::size_t together = 1) {
    Local::template reserve_sweeps<System>(axis, box, is_cyclic);
    if (axis != Axis::z || is_cyclic || !is_divided()) return;
    const int at_once = rows_of_lines_at_once<System>();
    if (at_once < box.extents().ny) together = 1;
    box.end.j = std::min(box.end.j, box.begin.j + at_once);
    for (std::size_t n = 0; n < together; ++n) static_cast<void>(lines_across<System>(box, n));
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
                                                          const PerAxis<bool>& summed,
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
    const std::size_t values = stride_z * part_.points().nz;
    this->enlarge(rows_to_send_, values * rows);
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
  /// May be called from the parts of `concurrently`.
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

  /// The lines of a sweep across slabs, and what ranks tell each other about them. Values of ranks
  /// lie one rank after the other.
  struct LinesAcross {
    Box box;
    RowRange solved;                            // rows of lines that this rank solves, of the box's
    std::array<LineValues<Real>, 2> own;        // relations of the own pieces: of first, last ones
    std::array<LineValues<Real>, 2> relations;  // of all pieces of the lines that are solved
    LineValues<Real> found;                     // the unknowns beyond the ends of these
    LineValues<Real> beyond;                    // those beyond the own pieces
    void (DistributedBackend::*solve)(const LinesAcross&) = nullptr;

    [[nodiscard]] int rows_solved() const { return solved.end - solved.begin; }
    /// Values for so many rows.
    [[nodiscard]] static std::ptrdiff_t values(const LineValues<Real>& of, int rows) {
      return of.row(of.first_j + rows);
    }
    /// Values of a rank, for the rows that are solved.
    [[nodiscard]] LineValues<Real> of_rank(LineValues<Real> of, int rank) const {
      of.values += values(of, rows_solved()) * rank;
      return of;
    }
  };

  /// Whether each rank solves all lines: of two, it needs one message for that, not two.
  [[nodiscard]] bool all_solve_all() const { return communicator_->size() == 2; }
  /// Rows of lines that a rank solves, of so many.
  [[nodiscard]] RowRange solved_by(int rank, int rows) const {
    const int ranks = communicator_->size();
    if (all_solve_all()) return {0, rows};
    return {first_of_share(rows, rank, ranks), first_of_share(rows, rank + 1, ranks)};
  }

  template <class System>
  [[nodiscard]] LinesAcross lines_across(const Box& box, std::size_t room);
  template <class System>
  void solve(const LinesAcross& lines);
  template <class Rows>
  void find_relations_ahead(Box box, const Rows& rows);
  void find_unknowns_beyond(std::size_t first);
  template <class Rows, class Sink, class... BoundaryToFill>
  auto sweep_across_slabs(Box box,
                          const Rows& rows,
                          const Sink& sink,
                          const BoundaryToFill&... boundary);
  template <class System, class Sink>
  void store_beyond(const LinesAcross& lines, const Sink& sink);

  Communicator* communicator_;
  Subdomain part_;
  bool repeats_;  // the whole box, along z
  Memory zero_;
  std::size_t bytes_of_two_passes_;  // the least of all ranks, whose processors may differ
  Phase phase_ = phase::other;
  Traffic traffic_;
  Memory rows_to_send_;
  std::vector<Memory> rooms_;       // of LinesAcross
  std::vector<LinesAcross> ahead_;  // whose sweeps come next
  std::size_t next_ahead_ = 0;      // of these
  bool looks_ahead_ = false;        // while `concurrently` finds what passes between slabs
  bool has_looked_ahead_ = false;   // while it does the work
  std::vector<SentMessage> sent_ahead_;
  std::vector<ReceivedMessage> received_ahead_;
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

template <class Local>
template <class Before, class Work, class After>
void DistributedBackend<Local>::work_around_messages(Box box,
                                                     const Before& before,
                                                     const Work& work,
                                                     const After& after) {
  if (!is_divided() || !Local::hides_messages(part_.points())) {
    before();
    work(box);
    return after();
  }
  const auto planes = [&](int begin, int end) {
    Box some = box;
    some.begin.k = begin;
    some.end.k = end;
    if (begin < end) work(some);
  };
  const int inside = std::clamp(is_seam(false) ? 1 : 0, box.begin.k, box.end.k);
  const int last = std::clamp(part_.points().nz - (is_seam(true) ? 1 : 0), inside, box.end.k);
  Local::beside_messages(
      [&] {
        before();
        planes(box.begin.k, inside);
        planes(last, box.end.k);
        after();
      },
      [&] { planes(inside, last); });
}

template <class Local>
template <Axis axis, class Rows, class Sink, class Exchange, class... BoundaryToFill>
BoundaryPlanes DistributedBackend<Local>::sweep_and_exchange(Box box,
                                                             const Rows& rows,
                                                             const Sink& sink,
                                                             const Exchange& exchange,
                                                             const BoundaryToFill&... boundary) {
  BoundaryPlanes left{};
  const auto sweep_planes = [&](const Box& planes) {
    if constexpr (sizeof...(boundary) > 0) {
      left = sweep<axis>(planes, rows, sink, boundary...);
    } else {
      sweep<axis>(planes, rows, sink);
    }
  };
  if constexpr (axis == Axis::z) {
    sweep_planes(box);
    exchange();
  } else {
    work_around_messages(
        box, [] {}, sweep_planes, exchange);
  }
  return left;
}

/// As many rows of lines at once as the cache keeps from the first pass over their fields to
/// the second: one process of two threads and two of one, splitting, 128^3, double: 0.220 s a step
/// and 0.237 (0.263 in one go).
template <class Local>
template <class Rows, class Sink, class... BoundaryToFill>
auto DistributedBackend<Local>::sweep_across_slabs(Box box,
                                                   const Rows& rows,
                                                   const Sink& sink,
                                                   const BoundaryToFill&... boundary) {
  const auto sweep_between = [&](const LinesAcross& lines) {
    Rows closed = rows;
    for (const bool is_high : {false, true}) {
      if (!is_seam(is_high)) continue;
      const int part = is_high ? Rows::System::unknowns : 0;
      closed.close_by_values(
          is_high,
          [&](int unknown) { return lines.beyond.face(part + unknown); },
          FaceView<const Real>{zero_.data(), 0, 0, 0});
    }
    if constexpr (requires { Sink::reaches_beyond_seams; }) {
      store_beyond<typename Rows::System>(lines, sink);
    }
    return Local::template sweep<Axis::z>(lines.box, closed, sink, boundary...);
  };
  const int all = box.extents().ny;
  const int at_once = rows_of_lines_at_once<typename Rows::System>();
  if (has_looked_ahead_ && at_once >= all) return sweep_between(ahead_[next_ahead_++]);
  const auto sweep_rows = [&](int first, int count) {
    const std::size_t place = ahead_.size();
    find_relations_ahead(
        Box{{box.begin.i, first, box.begin.k}, {box.end.i, first + count, box.end.k}}, rows);
    find_unknowns_beyond(place);
    const LinesAcross lines = ahead_.back();
    ahead_.pop_back();
    return sweep_between(lines);
  };
  int first = box.begin.j;
  for (; first + at_once < box.begin.j + all; first += at_once) sweep_rows(first, at_once);
  return sweep_rows(first, box.begin.j + all - first);
}
template <class Local>
template <class System, class Sink>
void DistributedBackend<Local>::store_beyond(const LinesAcross& lines, const Sink& sink) {
  constexpr int unknowns = System::unknowns;
  const int planes = part_.points().nz;
  for (const bool is_high : {false, true}) {
    Box beyond = lines.box;
    if (!is_seam(is_high) || (is_high ? beyond.end.k != planes : beyond.begin.k != 0)) continue;
    beyond.begin.k = is_high ? planes : -1;
    beyond.end.k = beyond.begin.k + 1;
    StoreBeyond<Sink, Real, unknowns> store{sink, {}};
    for (int unknown = 0; unknown < unknowns; ++unknown)
      store.beyond[unknown] = lines.beyond.face((is_high ? unknowns : 0) + unknown);
    this->for_each(beyond, store);
  }
}

/// Rooms are reserved, or empty before their first use: they do not grow while others are in use.
template <class Local>
template <class System>
auto DistributedBackend<Local>::lines_across(const Box& box, std::size_t room) -> LinesAcross {
  constexpr int of_relation = EndRelation<System, Real>::parts;
  constexpr int of_beyond = 2 * System::unknowns;
  const int pitch = LineValues<Real>::pitch_for(box.end.i);
  const int rows = box.extents().ny;
  LinesAcross lines;
  lines.box = box;
  lines.solved = solved_by(communicator_->rank(), rows);
  lines.solve = &DistributedBackend::template solve<System>;
  const int of_ranks = communicator_->size() * lines.rows_solved();
  const int of_own = all_solve_all() ? 0 : rows;
  if (rooms_.size() <= room) rooms_.resize(room + 1);
  this->enlarge(
      rooms_[room],
      static_cast<std::size_t>(of_ranks + of_own) * ((2 * of_relation + of_beyond) * pitch));
  Real* next = rooms_[room].data();
  const auto cut = [&](int first_row, int rows_there, int parts) {
    const LineValues<Real> values{next, box.begin.j + first_row, pitch, parts};
    next += static_cast<std::ptrdiff_t>(rows_there) * parts * pitch;
    return values;
  };
  const auto cut_own = [&](const LineValues<Real>& of_all) {
    return all_solve_all() ? lines.of_rank(of_all, communicator_->rank())
                           : cut(0, rows, of_all.parts);
  };
  for (LineValues<Real>& of_end : lines.relations)
    of_end = cut(lines.solved.begin, of_ranks, of_relation);
  lines.found = cut(lines.solved.begin, of_ranks, of_beyond);
  for (const std::size_t end : {0U, 1U}) lines.own[end] = cut_own(lines.relations[end]);
  lines.beyond = cut_own(lines.found);
  return lines;
}

template <class Local>
template <class System>
void DistributedBackend<Local>::solve(const LinesAcross& lines) {
  const auto& [first, last] = lines.relations;
  Box solved = lines.box;
  solved.begin = {lines.box.begin.i, lines.found.first_j, 0};
  solved.end = {lines.box.end.i, lines.box.begin.j + lines.solved.end, 1};
  this->for_each(solved,
                 SolveSeams<System, Real>{
                     .relations = {first, last},
                     .beyond = lines.found,
                     .relations_stride = LinesAcross::values(first, lines.rows_solved()),
                     .beyond_stride = LinesAcross::values(lines.found, lines.rows_solved()),
                     .pieces = communicator_->size(),
                     .is_cyclic = repeats_});
}

template <class Local>
template <class Rows>
void DistributedBackend<Local>::find_relations_ahead(Box box, const Rows& rows) {
  const LinesAcross lines = lines_across<typename Rows::System>(box, ahead_.size());
  const std::array<bool, 2> seams{is_seam(false), is_seam(true)};
  Local::find_relations(box, rows, seams, RelationsOfLines<Real>{lines.own[0], lines.own[1]});
  ahead_.push_back(lines);
}

/// Finds the unknowns beyond the ends of the own pieces of all lines ahead from number `first` on.
/// Of two ranks, one that is no neighbour at an end of the other's slab needs no relations of that
/// end.
template <class Local>
void DistributedBackend<Local>::find_unknowns_beyond(std::size_t first) {
  const std::span<const LinesAcross> all = std::span(ahead_).subspan(first);
  const auto bytes = [](const LineValues<Real>& of, RowRange rows) {
    return (LinesAcross::values(of, rows.end - rows.begin)) * sizeof(Real);
  };
  const auto send = [&](int to, const LineValues<Real>& of, RowRange rows) {
    sent_ahead_.push_back({to, of.values + LinesAcross::values(of, rows.begin), bytes(of, rows)});
  };
  const auto receive = [&](int from, const LineValues<Real>& of, RowRange rows) {
    received_ahead_.push_back(
        {from, of.values + LinesAcross::values(of, rows.begin), bytes(of, rows)});
  };
  const auto pass_those = [&] {
    pass(sent_ahead_, received_ahead_);
    sent_ahead_.clear();
    received_ahead_.clear();
  };
  const int own = communicator_->rank();
  for (const LinesAcross& lines : all) {
    for (int other = 0; other < communicator_->size(); ++other) {
      if (all_solve_all() && other == own) continue;
      for (const bool is_high : {false, true}) {
        const std::size_t end = is_high ? 1 : 0;
        if (!all_solve_all() || is_seam(is_high))
          send(other, lines.own[end], solved_by(other, lines.box.extents().ny));
        if (!all_solve_all() || is_seam(!is_high))
          receive(other, lines.of_rank(lines.relations[end], other), {0, lines.rows_solved()});
      }
    }
  }
  if (sent_ahead_.empty() && received_ahead_.empty()) return;
  pass_those();
  for (const LinesAcross& lines : all) (this->*lines.solve)(lines);
  if (all_solve_all() || all.empty()) return;
  for (const LinesAcross& lines : all) {
    for (int other = 0; other < communicator_->size(); ++other) {
      send(other, lines.of_rank(lines.found, other), {0, lines.rows_solved()});
      receive(other, lines.beyond, solved_by(other, lines.box.extents().ny));
    }
  }
  pass_those();
}

template <class Local>
template <int sums, class Kernel>
std::vector<Reduction<double, sums, 0>> DistributedBackend<Local>::reduce_profiles(
    Box box, const PerAxis<bool>& summed, const Kernel& kernel) {
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
  const std::size_t bytes = values_per_point * sizeof(Real);
  const auto bytes_of = [&](int planes) { return bytes * layout.stride_z(bytes) * planes; };
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
  const std::size_t ranks = communicator_->size();
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
    return static_cast<std::size_t>(lines.stride_z) * planes_of_row;
  };
  int all_rows = 0;
  for (const auto [begin, end] : rows) all_rows += end - begin;
  reserve_rows(all_rows, lines.stride_z);
  Real* packed = rows_to_send_.data();
  const int row = lines.stride_z * planes;
  std::vector<SentMessage> sent;
  std::vector<ReceivedMessage> received;
  for (int other = 0; other < communicator_->size(); ++other) {
    const auto [begin, end] = rows[other];
    this->for_each(
        Box{{}, {width, end - begin, planes}},
        CopyField<Real>{
            {slab.origin + std::ptrdiff_t{slab.stride_y} * begin, slab.stride_y, slab.stride_z},
            {packed, row, lines.stride_z}});
    for (int j = begin; j < end; ++j, packed += row)
      sent.push_back({other, packed, values_of(planes) * sizeof(Real)});
    const Box theirs = part_.slab(other, communicator_->size()).part;
    const auto [own_begin, own_end] = rows[communicator_->rank()];
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
  if (!is_divided() || has_looked_ahead_) return;
  const auto bytes_of_planes = [](int planes) { return planes * sizeof(double); };
  std::vector<SentMessage> sent;
  std::vector<ReceivedMessage> received;
  for (int other = 0; other < communicator_->size(); ++other) {
    if (other == communicator_->rank()) continue;
    const Box theirs = part_.slab(other, communicator_->size()).part;
    sent.push_back({other, of_box + part_.first(2), bytes_of_planes(part_.points().nz)});
    received.push_back({other, of_box + theirs.begin.k, bytes_of_planes(theirs.extents().nz)});
  }
  if (!looks_ahead_) return pass(sent, received);
  sent_ahead_.insert(sent_ahead_.end(), sent.begin(), sent.end());
  received_ahead_.insert(received_ahead_.end(), received.begin(), received.end());
}

}  // namespace dns
