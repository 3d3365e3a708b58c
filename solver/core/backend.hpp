/// What a backend offers: the loops of the program, without any physics.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

#include "solver/core/field_view.hpp"
#include "solver/core/level_view.hpp"
#include "solver/core/reduction.hpp"
#include "solver/core/several_boxes.hpp"

namespace dns {

/// A GPU solves lines of up to this many points at once, longer ones in pieces.
[[nodiscard]] constexpr int longest_line_on_chip(Axis axis) {
  return axis == Axis::x ? 1056 : 512;
}

/// A part of a step whose time a backend adds up. Those who compute a step name its phases
/// (solver/simulation/step_phases.hpp).
struct Phase {
  static constexpr int most = 16;

  int number = 0;               // below `most`
  bool waits_for_host = false;  // timing it costs nothing more

  friend constexpr bool operator==(const Phase&, const Phase&) = default;
};

/// Stands for a kernel, a scheme, rows, a sink or an enqueue where only a declaration is looked at.
struct AnyWork {};

/// A backend runs formulas (`solver/numerics/`) on one device in one precision, `Real`. Work is
/// enqueued in order; `reduce`, `reduce_profiles`, `download_values`, `select` and `synchronize`
/// wait for it, `wait_for` for what is before a mark, the others need not: synchronize before the
/// host memory of upload or download is used again. That of upload_values is free at once.
///
///   interleave_width        variables of a level whose values lie side by side (LevelView)
///   allocate<T>(count)      memory of the device, all zero; freed with the object returned.
///                           Throws DeviceError with what was asked for and what is left.
///   enlarge(array, count)   makes an array hold `count` values at least; what it held is lost
///   reserve_sweeps<System>(axis, box, is_cyclic), reserve_profiles(points, sums),
///   reserve_copies(points), reserve_products(), reserve_several_boxes()
///                           allocate what the backend keeps for itself for such work, as WorkSpace
///                           says: who constructs what will do it asks for it
///   only_counts             constructors need only allocate: see CountingBackend
///   for_each(box, kernel)   kernel(c) once per point c of the box, any order; a kernel that is a
///                           template in c may be given several neighbouring points at once. A
///                           backend may do whole lines along x by kernel.along_lines(begin, end),
///                           if there is that: an object for one thread, called with the first
///                           point of each line. A kernel with is_for_a_later_pass does not read
///                           what it writes: a backend may write it past the caches
///   for_each(works)         the same for several boxes, each with a kernel of its own, in any
///                           order (WorkInBox of solver/core/several_boxes.hpp)
///   for_each_on_boundary(box, planes, kernel)
///                           the same for the points of some of the box's outermost planes; the box
///                           has at least two points along each axis. Points handled at once lie
///                           between the ends of a line along x
///   by_team(kernel)         kernel(team), for each of some threads that share the points of a line
///                           and add up what they have: see OneThread of solver/core/team.hpp
///   sweep_all_but_first_line<axis>(box, rows, sink, line)
///                           sweeps all lines of the box but the one through its first point,
///                           which line.solve(team) solves. Or: line(team) changes the right-hand
///                           side of that line, and the sweep of all lines finds the same solution
///   merges_passes_below     a number of points. On smaller grids a pass takes some microseconds
///                           however little it does, and two passes are made one where possible
///   march_planes(points, scheme)
///                           finishes a scheme (StageMarch of solver/numerics/stage_march.hpp) once
///                           at all points of its fields, with each interpolation that several
///                           results need made about once. The one exception to "no physics": it
///                           lays out which component advects which, for speed (22 ns a point
///                           against 81 on a CPU). No other formula may join it
///   sweep<axis>(box, rows, sink)
///                           solves all lines of the box along `axis`. rows(c) evaluates the data
///                           of the row at point c from the fields (RowData of
///                           solver/core/tridiagonal.hpp), rows.coupling(matrix, coefficient) its
///                           matrix; close_low, fold_low and close_high, fold_high apply the
///                           boundary conditions to the first and last row unless Rows::is_cyclic.
///                           Rows may also offer rows.load_stencil(c), what they need at their own
///                           point; a backend that goes along the line then makes the row by
///                           rows.row_between(below.nonlinear, here, above.nonlinear).
///                           rows.line_from(first) is the same by steps from a first point, as
///                           is sink.line_from<axis>(first) for sinks that have it.
///                           sink(c, x, sink.read(c)) receives the solution x. It may be called
///                           more than once for a point. It may write what rows(c) reads at c
///                           alone, but nothing else that rows or sink.read read. With a
///                           BoundaryForSweep as a further argument the backend may also evaluate
///                           that boundary of the level that the sink writes, the value at c being
///                           sink.written(x, sink.read(c)), on all or some of boundary.planes; it
///                           returns the planes that are left to do. Lines then have at least two
///                           points
///   side_by_side<axis>(count, enqueue)
///                           calls enqueue(0) ... enqueue(count - 1), which call sweep<axis> and
///                           nothing else, for lines of their own; these may be swept at the same
///                           time
///   plane_by_plane(enqueue)
///                           calls enqueue(), which may call sweep, enter and concurrently.
///                           Sweeps along z are done at once. Those along x and y may wait for the
///                           end of enqueue(), and are then done plane after plane. A sweep along z
///                           must not read what they write; one of them may read what another
///                           writes, but only in its own plane across z
///   concurrently(count, points, enqueue)
///                           calls enqueue(0) ... enqueue(count - 1), which call sweep and for_each
///                           and enter phases, for work on grids of so many points of which no part
///                           needs another; it may be done at the same time. A sweep along z is the
///                           first work of its part, and enqueue(n) may be called twice. Where the
///                           box is not divided one part may reduce_later, and the last part
///                           transform
///   reduce<Result>(box, kernel)
///                           kernel(c, reduction) adds the point c; sums in double, fixed order:
///                           bitwise repeatable, whatever the number of threads
///   reduce_later<sums, maxima>(box, kernel, numbers)
///                           the same, but its sums and then its maxima (at least one of each) are
///                           put at `numbers`, in memory of allocate_results(bytes), and then,
///                           where the kernel has it, conclude() called. To be read after
///                           wait_for(mark)
///   reduce_later<sums, maxima>(reductions)
///                           several of them (ReductionOfBox)
///   plan_planes(transform, field, modes)
///                           a PlaneTransform (solver/core/transforms.hpp) between a field and its
///                           modes of these strides: an object of type PlaneTransforms with
///                           forward(field, modes), inverse(modes, field), both given the first
///                           point, and left_out(transform). inverse may overwrite the modes
///   plan_lines(transform, from, to)
///                           a LineTransform between two fields: an object of type LineTransforms
///                           with forward(from, to) and inverse(to, from), which may overwrite
///                           their first argument; used only where LineTransforms::pays(transform).
///                           LineTransforms::prefers_waves(transform): whether kind waves is faster
///                           than this one, of kind fourier along x
///   multiply(axis, points, matrix, from, to)
///                           product of all lines along the axis with a square matrix, row-major.
///                           Transforms and products are bitwise repeatable, whatever the number
///                           of threads
///   reduce_profiles<sums>(box, summed, kernel)
///                           reduce for every point of the axes that are not summed over, x
///                           fastest; kernel(c, reduction) may be for Index3 alone
///   add_profile(box, summed, kernel, numbers)
///                           adds reduce_profiles<1> to numbers in memory of the device
///   sort_by_key(keys, order, count)
///                           order[n] becomes the place of the n-th of `count` keys, 32 bits
///                           without sign, in ascending order; equal keys keep theirs. The keys are
///                           lost
///   select(flags, chosen, count)
///                           puts the places where flags are not 0 into `chosen`, in order. Returns
///                           how many there are: waits
///   reserve_particles(count)
///                           allocates what these two need for so many
///   copy(from, to, count)   device to device
///   upload_values / download_values(from, to, count)
///                           numbers of any kind between the host and the device
///   upload / download       one field (StridedField) between the device and the host, host values
///                           x fastest, without gaps
///   begin_step(points)      what follows belongs to the next step, on a grid of so many points; a
///                           backend may time the phases of some steps as a sample of all, and
///                           launch a step's work in one piece
///   end_step()              the step is complete: its work is to begin now, if it has not
///   enter(phase)            what follows counts for this phase
///   phase_seconds()         the time of the phases, by their numbers: Phase::most of them
/// Every verb that work is enqueued by is checked with AnyWork.
template <class B>
concept ExecutionBackend = requires(B backend,
                                    const B constant_backend,
                                    const typename B::Real* from,
                                    typename B::Real* to,
                                    StridedField<typename B::Real> field,
                                    StridedField<const typename B::Real> constant_field,
                                    Extents extents,
                                    Box box,
                                    BoundaryPlanes planes,
                                    PerAxis<bool> summed,
                                    double* numbers,
                                    unsigned* keys,
                                    int* places,
                                    AnyWork work,
                                    Phase phase) {
  typename B::Real;
  requires variables_per_level % B::interleave_width == 0;
  { B::only_counts } -> std::convertible_to<bool>;
  typename B::WorkSpace;
  {backend.template allocate<typename B::Real>(std::size_t{}).data()};
  {backend.copy(from, to, std::size_t{})};
  {backend.upload(from, field, extents)};
  {backend.download(constant_field, extents, to)};
  {backend.upload_values(from, to, std::size_t{})};
  {backend.download_values(from, to, std::size_t{})};
  {backend.sort_by_key(keys, places, int{})};
  { backend.select(keys, places, int{}) } -> std::same_as<int>;
  {backend.for_each(box, work)};
  {backend.for_each(std::vector<WorkInBox<AnyWork>>())};
  {backend.for_each_on_boundary(box, planes, work)};
  {backend.by_team(work)};
  {backend.template sweep_all_but_first_line<Axis::y>(box, work, work, work)};
  { B::merges_passes_below } -> std::convertible_to<std::size_t>;
  {backend.march_planes(extents, work)};
  {backend.template sweep<Axis::x>(box, work, work)};
  { backend.template sweep<Axis::x>(box, work, work, work) } -> std::same_as<BoundaryPlanes>;
  {backend.template side_by_side<Axis::x>(int{}, work)};
  {backend.plane_by_plane(work)};
  {backend.concurrently(int{}, extents, work)};
  { backend.template reduce<2, 1>(box, work) } -> std::same_as<Reduction<double, 2, 1>>;
  {backend.template reduce_later<2, 1>(box, work, numbers)};
  {backend.template reduce_later<2, 1>(std::vector<ReductionOfBox<AnyWork>>())};
  {backend.template reduce_profiles<2>(box, summed, work).front().sum};
  {backend.add_profile(box, summed, work, numbers)};
  {backend.multiply(
      Axis{}, extents, from, FieldView<const typename B::Real>{}, FieldView<typename B::Real>{})};
  {backend.synchronize()};
  {backend.wait_for_device()};
  {backend.begin_step(extents)};
  {backend.end_step()};
  typename B::Mark;
  {backend.enter(phase)};
  { constant_backend.phase_seconds() } -> std::convertible_to<std::vector<double>>;
  { constant_backend.device_name() } -> std::convertible_to<std::string>;
  { constant_backend.device_number() } -> std::convertible_to<int>;
  { constant_backend.allocated_bytes() } -> std::convertible_to<std::size_t>;
  { B::last_level_cache() } -> std::convertible_to<std::size_t>;
};

}  // namespace dns
