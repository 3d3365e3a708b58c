/// Spectra taken while a staggered flow runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/core/row_range.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/numerics/spectra.hpp"
#include "solver/projection/line_modes.hpp"
#include "solver/projection/rounded_lengths.hpp"
#include "solver/statistics/average_names.hpp"
#include "solver/statistics/spectra_plan.hpp"

namespace dns {

/// The fields of a flow that spectra are taken of.
template <class Real>
struct SpectraFields {
  VelocityView<const Real> velocity;
  FieldView<const Real> pressure;
  FieldView<const Real> temperature;  // null: none
  GridMetrics<Real> metrics;
  std::vector<FieldView<const Real>> further;  // scalars

  /// By its number in averages.
  [[nodiscard]] const FieldView<const Real>& of(int variable) const {
    if (variable >= first_named_scalar) return further[variable - first_named_scalar];
    return variable == pressure_in_spectra ? pressure
           : !is_velocity(variable)        ? temperature
                                           : velocity[variable];
  }
};

/// Sums up the spectra of output.statistics.spectra.
///
///   spectrum_AXIS_qq  over the waves m = 0 .. n/2 along the axis and the axes that are kept: what
///                     they contribute to the mean of q^2 over the axes averaged over, both signs
///                     together. Their sum over m is the mean square of whole values, not about a
///                     reference
///   spectrum_k        over shells of |k|: what they contribute to (u^2 + v^2 + w^2)/2
///
/// Velocities are those at their faces. Modes are found in the precision of the run and summed in
/// double. Lines along z that slabs cut are gathered, each rank its share of the rows; the sums are
/// those of all ranks in their order.
template <class Backend>
class SpectraSampler {
 public:
  using Real = typename Backend::Real;

  /// `backend` must outlive the sampler.
  SpectraSampler(Backend& backend,
                 const Case& resolved,
                 const StaggeredGrid& grid,
                 const Subdomain& part);

  /// Takes a sample: calls add(SpectrumSum, values) for each of spectra_sums(Case), with the
  /// numbers to be added to it; the same on all ranks.
  template <class Add>
  void sample(const SpectraFields<Real>& flow, const Add& add);

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  /// Modes of some lines: those of `box`, whose point (0, 0, 0) is the cell `first` of the slab.
  struct Piece {
    FieldView<const Real> modes;
    Box box;
    Index3 first;
  };
  /// Rows of lines along z that a rank takes in a round: `rows` of all it receives.
  struct RoundOfRows {
    RowRange received;  // with one behind the last where SpectraPlan::last_faces says so
    RowRange rows;
  };

  [[nodiscard]] RoundOfRows rows_of(int rank, int round) const;
  template <class Visit>
  void for_each_piece_across_z(const Visit& visit) const;
  template <class Visit>
  void for_each_piece_along_z(FieldView<const Real> field, const Visit& visit);
  template <class Visit>
  void for_each_piece(int axis, FieldView<const Real> field, const Visit& visit);

  void take_lines(const SpectrumSum& sum, const SpectraFields<Real>& flow, double* result);
  void hand_over(const SpectrumSum& sum, const Box& box, Index3 first, double* result);
  void take_shells(const SpectraFields<Real>& flow, double* result);
  void transform_planes(FieldView<const Real> field);

  /// The points of a box along the axes that are kept, with one along those averaged over, and all
  /// along that of lines.
  [[nodiscard]] Extents kept_of(Extents points, int axis_of_lines) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (average_[axis] && axis != axis_of_lines) points[axis] = 1;
    }
    return points;
  }

  [[nodiscard]] LineModes<Backend>& along(int axis) { return *lines_[axis]; }
  [[nodiscard]] FieldView<Real> view(const Memory& memory, const BufferLayout& layout) const {
    return {memory.data(), layout.strides.y, layout.strides.z};
  }
  template <class Number>
  [[nodiscard]] static FieldView<Number> moved(FieldView<Number> field, Index3 first) {
    return {field.address(first), field.stride_y, field.stride_z};
  }

  Backend& backend_;
  Subdomain part_;
  SpectraPlan plan_;
  PerAxis<bool> average_{};
  AveragingWeight<Real> weight_{};  // without metrics
  std::vector<SpectrumSum> sums_;
  WaveShells shells_;
  PerAxis<std::optional<LineModes<Backend>>> lines_;
  BufferLayout across_z_, along_z_, all_;
  Memory piece_;     // modes of a piece
  Memory gathered_;  // lines along z from all ranks
  Memory planes_;    // modes along x and y of the whole slab
  decltype(std::declval<Backend&>().template allocate<double>(0)) sums_of_modes_;
  std::size_t values_ = 0;                // of all sums
  std::shared_ptr<std::byte[]> results_;  // those of a sample, on the host
};

template <class Backend>
SpectraSampler<Backend>::SpectraSampler(Backend& backend,
                                        const Case& resolved,
                                        const StaggeredGrid& grid,
                                        const Subdomain& part)
    : backend_(backend),
      part_(part),
      plan_(SpectraPlan::of(resolved, part, backend.communicator().size())) {
  if (plan_.is_empty()) return;
  sums_ = spectra_sums(resolved);
  for (const SpectrumSum& sum : sums_) values_ += sum.extents.count();
  results_ = Backend::allocate_results(values_ * sizeof(double));
  std::size_t most_sums = 0;
  average_ = resolved.output.statistics->average;
  weight_ = averaging_weight<Real>(grid, average_);
  for (int axis = 0; axis < 3; ++axis) {
    if (!plan_.axes[axis]) continue;
    const auto which = static_cast<Axis>(axis);
    const Extents piece = which == Axis::z ? plan_.piece_along_z(part) : plan_.piece_across_z(part);
    const std::size_t kept = kept_of(piece, axis).count();
    backend.reserve_profiles(kept, 1);
    most_sums = std::max(most_sums, kept);
    lines_[axis].emplace(backend, grid[axis], which, resized(piece, which, grid[axis].cells()));
  }
  across_z_ = BufferLayout::of(plan_.piece_across_z(part), Axis::y, sizeof(Real));
  along_z_ = BufferLayout::of(plan_.piece_along_z(part), Axis::z, sizeof(Real));
  piece_ = backend.template allocate<Real>(std::max(across_z_.values, along_z_.values));
  if (plan_.axes[2] && backend.is_divided()) {
    gathered_ = backend.template allocate<Real>(along_z_.values);
    const int ranks = backend.communicator().size();
    backend.reserve_rows(ranks * (plan_.rows_at_once + plan_.last_faces[1]), along_z_.strides.z);
  }
  if (plan_.has_shells) {
    shells_ = WaveShells::of(part.whole, resolved.grid.length);
    all_ = BufferLayout::of(part.points(), Axis::y, sizeof(Real));
    planes_ = backend.template allocate<Real>(all_.values);
    most_sums = std::max<std::size_t>(most_sums, shells_.count);
  }
  sums_of_modes_ = backend.template allocate<double>(most_sums);
}

/// All is enqueued before the host waits for it once.
template <class Backend>
template <class Add>
void SpectraSampler<Backend>::sample(const SpectraFields<Real>& flow, const Add& add) {
  const std::span<double> results(reinterpret_cast<double*>(results_.get()), values_);
  std::ranges::fill(results, 0);
  const auto for_each_sum = [&](const auto& visit) {
    std::size_t first = 0;
    for (const SpectrumSum& sum : sums_) {
      visit(sum, results.subspan(first, sum.extents.count()));
      first += sum.extents.count();
    }
  };
  for_each_sum([&](const SpectrumSum& sum, std::span<double> values) {
    if (sum.axis) {
      take_lines(sum, flow, values.data());
    } else {
      take_shells(flow, values.data());
    }
  });
  backend_.synchronize();
  for_each_sum([&](const SpectrumSum& sum, std::span<double> values) {
    backend_.add_over_ranks(values);
    add(sum, std::span<const double>(values));
  });
}

/// Pieces have as many lines each: the last one begins before the end of the one before it.
template <class Backend>
template <class Visit>
void SpectraSampler<Backend>::for_each_piece_across_z(const Visit& visit) const {
  const int planes = part_.points().nz;
  for (int begin = 0; begin < planes; begin += plan_.planes_at_once) {
    const int end = std::min(begin + plan_.planes_at_once, planes);
    const int first = end - plan_.planes_at_once;
    visit(Index3{0, 0, first}, RowRange{begin - first, end - first});
  }
}

template <class Backend>
auto SpectraSampler<Backend>::rows_of(int rank, int round) const -> RoundOfRows {
  const int ranks = backend_.communicator().size();
  const int first = first_of_share(part_.whole.ny, rank, ranks);
  const int behind = first_of_share(part_.whole.ny, rank + 1, ranks);
  const int begin = first + round * plan_.rows_at_once;
  if (begin >= behind) return {};
  const int end = std::min(begin + plan_.rows_at_once, behind);
  return {{std::max(first, end - plan_.rows_at_once), end + plan_.last_faces[1]}, {begin, end}};
}

/// visit(Piece) for all lines along z that this rank takes; on all ranks as often.
template <class Backend>
template <class Visit>
void SpectraSampler<Backend>::for_each_piece_along_z(FieldView<const Real> field,
                                                     const Visit& visit) {
  const Communicator& ranks = backend_.communicator();
  const int share = (part_.whole.ny + ranks.size() - 1) / ranks.size();
  for (int round = 0; round * plan_.rows_at_once < share; ++round) {
    const auto [received, rows] = rows_of(ranks.rank(), round);
    FieldView<const Real> lines = moved(field, {0, received.begin, 0});
    if (backend_.is_divided()) {
      std::vector<RowRange> wanted;
      for (int rank = 0; rank < ranks.size(); ++rank)
        wanted.push_back(rows_of(rank, round).received);
      const FieldView<Real> gathered = view(gathered_, along_z_);
      backend_.gather_rows(field, part_.whole.nx + plan_.last_faces[0], wanted, gathered);
      lines = gathered.as_const();
    }
    const FieldView<Real> modes = view(piece_, along_z_);
    along(2).forward(lines, modes);
    visit(Piece{modes.as_const(),
                {{0, rows.begin - received.begin, 0},
                 {part_.whole.nx, rows.end - received.begin, part_.whole.nz}},
                {0, received.begin, 0}});
  }
}

template <class Backend>
template <class Visit>
void SpectraSampler<Backend>::for_each_piece(int axis,
                                             FieldView<const Real> field,
                                             const Visit& visit) {
  if (axis == 2) return for_each_piece_along_z(field, visit);
  for_each_piece_across_z([&](Index3 first, RowRange planes) {
    const FieldView<Real> modes = view(piece_, across_z_);
    along(axis).forward(moved(field, first), modes);
    visit(Piece{modes.as_const(),
                {{0, 0, planes.begin}, {part_.whole.nx, part_.whole.ny, planes.end}},
                first});
  });
}

/// Pieces cut the axis `across`: if it is averaged over, their sums are added up.
template <class Backend>
void SpectraSampler<Backend>::take_lines(const SpectrumSum& sum,
                                         const SpectraFields<Real>& flow,
                                         double* result) {
  const int axis = *sum.axis;
  const bool has_last_faces =
      sum.variable < 3 && sum.variable != axis && plan_.last_faces[sum.variable] > 0;
  const bool is_averaged_across = average_[axis == 2 ? 1 : 2];
  PerAxis<bool> summed = average_;
  summed[axis] = false;
  AveragingWeight<Real> weight = weight_;
  weight.metrics = flow.metrics;
  weight.inverse_length[axis] = 0;
  for_each_piece(axis, flow.of(sum.variable), [&](const Piece& piece) {
    const Strides strides{piece.modes.stride_y, piece.modes.stride_z};
    const int to_other_face = has_last_faces ? strides.along(static_cast<Axis>(sum.variable)) : 0;
    backend_.add_profile(piece.box,
                         summed,
                         SquaredMode<Real>{piece.modes, to_other_face, weight, piece.first},
                         sums_of_modes_.data());
    if (!is_averaged_across) hand_over(sum, piece.box, piece.first, result);
  });
  if (is_averaged_across) {
    const auto along = static_cast<Axis>(axis);
    const Extents points = resized(part_.points(), along, part_.whole[along]);
    hand_over(sum, {{}, {points.nx, points.ny, points.nz}}, {}, result);
  }
}

/// What the lines of a box, whose point (0, 0, 0) is the cell `first` of the slab, contribute.
template <class Backend>
void SpectraSampler<Backend>::hand_over(const SpectrumSum& sum,
                                        const Box& box,
                                        Index3 first,
                                        double* result) {
  const auto along = static_cast<Axis>(*sum.axis);
  Index3 to{first.i + box.begin.i, first.j + box.begin.j, first.k + box.begin.k + part_.first(2)};
  for (int axis = 0; axis < 3; ++axis) {
    if (average_[axis]) to[axis] = 0;
  }
  const auto line = static_cast<std::size_t>(to.k) * sum.extents.ny + to.j;
  const Extents kept = kept_of(box.extents(), *sum.axis);
  const auto [nx, ny, nz] = resized(kept, along, sum.extents[along]);
  backend_.for_each({{}, {nx, ny, nz}},
                    WavesOfModes{.modes = sums_of_modes_.data(),
                                 .kept = kept,
                                 .waves = result + line * sum.extents.nx + to.i,
                                 .extents = sum.extents,
                                 .along = along,
                                 .shares = this->along(*sum.axis).shares()});
}

template <class Backend>
void SpectraSampler<Backend>::transform_planes(FieldView<const Real> field) {
  for_each_piece_across_z([&](Index3 first, RowRange /*planes*/) {
    const FieldView<Real> modes = view(piece_, across_z_);
    along(0).forward(moved(field, first), modes);
    along(1).forward(modes.as_const(), moved(view(planes_, all_), first));
  });
}

template <class Backend>
void SpectraSampler<Backend>::take_shells(const SpectraFields<Real>& flow, double* result) {
  for (int component = 0; component < 3; ++component) {
    transform_planes(flow.velocity[component]);
    for_each_piece_along_z(view(planes_, all_).as_const(), [&](const Piece& piece) {
      const ShellEnergy<Real> energy{piece.modes,
                                     {along(0).shares(), along(1).shares(), along(2).shares()},
                                     {shells_.step[0], shells_.step[1], shells_.step[2]},
                                     piece.first.j};
      Box shells_of_rows = piece.box;
      shells_of_rows.end.i = shells_.count;
      backend_.add_profile(shells_of_rows, {false, true, true}, energy, sums_of_modes_.data());
    });
  }
  const Extents shells{shells_.count, 1, 1};
  backend_.for_each({{}, {shells.nx, 1, 1}},
                    WavesOfModes{sums_of_modes_.data(), shells, result, shells});
}

}  // namespace dns
