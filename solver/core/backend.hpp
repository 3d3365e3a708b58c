/// What a backend offers: the loops of the program, without any physics.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/level_view.hpp"
#include "solver/core/reduction.hpp"

namespace dns {

/// The phases of a step that are timed separately.
enum class Phase : int {
  sweep_z,
  sweep_y,
  sweep_x,
  boundaries,
  diagnostics,
  copy,
  other,
  advecting_velocity,  // of scheme projection
  poisson,             // the Poisson equation
  correction,          // divergence before it, correction of velocity and pressure after it
  exchange,            // of planes and of line ends between ranks
  stage,               // of time scheme runge_kutta: forces and right-hand sides
};
inline constexpr int phase_count = 12;
inline constexpr std::array<std::string_view, phase_count> phase_names{"sweep z",
                                                                       "sweep y",
                                                                       "sweep x",
                                                                       "boundaries",
                                                                       "diagnostics",
                                                                       "copy",
                                                                       "other",
                                                                       "advecting velocity",
                                                                       "poisson",
                                                                       "correction",
                                                                       "exchange",
                                                                       "stage"};

[[nodiscard]] constexpr Phase phase_of_sweep(Axis axis) {
  return axis == Axis::z ? Phase::sweep_z : axis == Axis::y ? Phase::sweep_y : Phase::sweep_x;
}

/// A backend runs formulas (`solver/numerics/`) on one device in one precision, `Real`. Work is
/// enqueued in order; `reduce`, `reduce_profiles`, `upload_values` and `synchronize` wait for it,
/// the others need not: synchronize before the host memory of upload or download is used again.
///
///   interleave_width        variables of a level whose values lie side by side (LevelView)
///   allocate<T>(count)      memory of the device, all zero; freed with the object returned.
///                           Throws DeviceError with what was asked for and what is left.
///   for_each(box, kernel)   kernel(c) once per point c of the box, any order; a kernel that is a
///                           template in c may be given several neighbouring points at once
///   for_each_on_boundary(box, planes, kernel)
///                           the same for the points of some of the box's outermost planes; the box
///                           has at least two points along each axis. Points handled at once lie
///                           between the ends of a line along x
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
///   reduce<Result>(box, kernel)
///                           kernel(c, reduction) adds the point c; sums in double, fixed order:
///                           bitwise repeatable, whatever the number of threads
///   plan_planes(transform, field, modes)
///                           a PlaneTransform (solver/core/transforms.hpp) between a field and its
///                           modes of these strides: an object of type PlaneTransforms with
///                           forward(field, modes), inverse(modes, field), both given the first
///                           point, and left_out(transform). inverse may overwrite the modes
///   plan_lines(transform, from, to)
///                           a LineTransform between two fields: an object of type LineTransforms
///                           with forward(from, to) and inverse(to, from), which may overwrite
///                           their first argument; used only where LineTransforms::pays(transform)
///   multiply(axis, points, matrix, from, to)
///                           product of all lines along the axis with a square matrix, row-major.
///                           Transforms and products are bitwise repeatable, whatever the number
///                           of threads
///   reduce_profiles<sums>(box, summed, kernel)
///                           reduce for every point of the axes that are not summed over, x
///                           fastest; kernel(c, reduction) for Index3 alone
///   copy(from, to, count)   device to device
///   upload / download       one field (StridedField) between the device and the host, host values
///                           x fastest, without gaps
///   begin_step()            what follows belongs to the next step; a backend may time the
///                           phases of some steps as a sample of all
///   enter(phase)            what follows counts for this phase
template <class B>
concept ExecutionBackend = requires(B backend,
                                    const B constant_backend,
                                    const typename B::Real* from,
                                    typename B::Real* to,
                                    StridedField<typename B::Real> field,
                                    StridedField<const typename B::Real> constant_field,
                                    Extents extents,
                                    Phase phase) {
  typename B::Real;
  requires variables_per_level % B::interleave_width == 0;
  {backend.template allocate<typename B::Real>(std::size_t{}).data()};
  {backend.copy(from, to, std::size_t{})};
  {backend.upload(from, field, extents)};
  {backend.download(constant_field, extents, to)};
  {backend.upload_values(from, to, std::size_t{})};
  {backend.synchronize()};
  {backend.begin_step()};
  {backend.enter(phase)};
  { constant_backend.phase_seconds() } -> std::convertible_to<std::vector<double>>;
  { constant_backend.device_name() } -> std::convertible_to<std::string>;
  { constant_backend.allocated_bytes() } -> std::convertible_to<std::size_t>;
  { B::last_level_cache() } -> std::convertible_to<std::size_t>;
};

}  // namespace dns
