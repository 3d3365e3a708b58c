/// Direct solution of the Poisson equation on a staggered grid.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/core/field_view.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/numerics/poisson_rows.hpp"
#include "solver/numerics/store_solution.hpp"
#include "solver/projection/poisson_axis_across_walls.hpp"
#include "solver/projection/poisson_plan.hpp"
#include "solver/projection/poisson_third_axis.hpp"
#include "solver/projection/poisson_transforms.hpp"

namespace dns {

/// Solves div grad phi = rhs (solver/numerics/poisson_rows.hpp) with d phi/dn = 0 at boundaries:
///
///   modes of rhs   two axes diagonalised: Fourier or cosine transform, or a matrix of eigenvectors
///   sweep          one tridiagonal system for each mode along the third axis
///   phi            the inverse transforms
///
/// Where no axis has differences of order 2, or y has those of order 4 across walls, the modes
/// along all three axes are divided by their eigenvalues in place of the sweep. The mean of rhs,
/// weighted by cell volume, is removed; that of phi is zero. Where the box is divided between
/// ranks, the sweep goes along z, across all slabs, if the order along z is 2; else modes are
/// transposed between the ranks (mode_transposition.hpp) and transformed along z. `backend` must
/// outlive the solver. Work is enqueued.
template <class Backend>
class PoissonSolver {
 public:
  using Real = typename Backend::Real;

  /// part: the one whose cells the fields have; field: how these lie in memory.
  PoissonSolver(Backend& backend, const StaggeredGrid& grid, const Subdomain& part, Strides field);

  /// Replaces rhs by phi in `field` at the cells 0 .. n-1 along each axis, rows aligned to 64
  /// bytes; ghosts are neither read nor written, but ghost rows along y, and points beyond
  /// the high end along x, may be overwritten where modes along x are complex.
  void solve(FieldView<Real> field);

  /// "FFT along x and z, sweep along y"
  [[nodiscard]] std::string description() const { return plan_.description(); }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  using DoubleMemory = decltype(std::declval<Backend&>().template allocate<double>(0));

  void make_eigenvalues(const StaggeredGrid& grid);
  [[nodiscard]] Box all_modes() const {
    const auto [nx, ny, nz] = transforms_.modes();
    return {{}, {nx, ny, nz}};
  }
  /// Whether the lines of the sweep are in pieces, one of each rank.
  [[nodiscard]] bool is_swept_across_slabs() const {
    return plan_.sweep == Axis::z && backend_.is_divided();
  }
  /// Whether the lines of the sweep are cyclic; slabs cut them.
  [[nodiscard]] bool is_swept_around() const { return plan_.is_cyclic && !is_swept_across_slabs(); }
  [[nodiscard]] FieldView<const Real> eigenvalues() const {
    return {eigenvalues_.data(), eigenvalue_strides_.y, eigenvalue_strides_.z};
  }
  template <Axis axis>
  void solve_lines(FieldView<Real> modes);
  template <Axis axis, bool cyclic, class... Beside>
  void sweep(FieldView<Real> modes, const Beside&... beside);

  Backend& backend_;
  PoissonPlan plan_;
  PoissonTransforms<Backend> transforms_;
  int first_;   // cell of this part along a line
  int points_;  // of this part
  Strides eigenvalue_strides_;
  Memory eigenvalues_, inverse_distance_, width_, source_;
  DoubleMemory exact_width_, distance_, centre_, parabola_;  // of the constant mode's line
  ConstantModeLine constant_mode_{};
  Real in_place_of_zero_ = 0;  // eigenvalue of that line in the sweep [1/L^2]
  DoubleMemory constant_rhs_;  // of that line, where slabs cut it
  std::optional<PoissonThirdAxis<Backend>> third_axis_;  // after planes, in place of the sweep
  std::optional<PoissonAxisAcrossWalls<Backend>> across_walls_;  // likewise
  Memory of_third_axis_;  // eigenvalues, where single axes leave no sweep
};

template <class Backend>
PoissonSolver<Backend>::PoissonSolver(Backend& backend,
                                      const StaggeredGrid& grid,
                                      const Subdomain& part,
                                      Strides field)
    : backend_(backend),
      plan_(backend.is_divided() ? plan_poisson_on_ranks(grid) : plan_poisson(grid)),
      transforms_(backend, grid, plan_, part.points(), field),
      first_(part.first(plan_.sweep)),
      points_(part.points()[plan_.sweep]) {
  make_eigenvalues(grid);
  if (plan_.has_products) {
    across_walls_.emplace(
        backend, grid[1], transforms_.modes(), transforms_.strides(), transforms_.gain());
    return;
  }
  if (!plan_.has_sweep && plan_.has_planes) {
    third_axis_.emplace(
        backend, grid[2], transforms_.modes(), transforms_.strides(), transforms_.gain());
    transforms_.reserve(third_axis_->size_of_lines());
    return;
  }
  if (!plan_.has_sweep) {
    of_third_axis_ = upload_as<Real>(backend, uniform_eigenvalues(grid[2]));
    return;
  }
  const StaggeredAxis& axis = grid[plan_.sweep];
  const std::size_t n = axis.cells();
  PoissonLineConstants line;
  if constexpr (!Backend::only_counts) line = line_constants(axis, transforms_.gain());
  inverse_distance_ = upload_as<Real>(backend, line.inverse_distance, n + 1);
  width_ = upload_as<Real>(backend, line.width, n);
  source_ = upload_as<Real>(backend, line.source, n);
  exact_width_ = upload_as<double>(backend, line.width, n);
  distance_ = upload_as<double>(backend, line.distance, n);
  centre_ = upload_as<double>(backend, line.centre, n);
  parabola_ = upload_as<double>(backend, line.parabola, n);
  constant_mode_.of = {.width = exact_width_.data(),
                       .distance = distance_.data(),
                       .centre = centre_.data(),
                       .parabola = parabola_.data(),
                       .inverse_length = 1 / line.length,
                       .inverse_period = plan_.is_cyclic ? 1 / line.length : 0,
                       .points = axis.cells()};
  if (is_swept_across_slabs()) constant_rhs_ = backend.template allocate<double>(n);
  backend.template reserve_sweeps<OneUnknown>(plan_.sweep, all_modes(), is_swept_around());
}

/// One eigenvalue for each line of modes, in the order of the modes.
template <class Backend>
void PoissonSolver<Backend>::make_eigenvalues(const StaggeredGrid& grid) {
  const Extents lines = resized(transforms_.modes(), plan_.sweep, 1);
  in_place_of_zero_ = static_cast<Real>(eigenvalue_in_place_of_zero(grid[plan_.sweep]));
  std::vector<double> values;
  const auto add = [&](Index3 line) {
    const double eigenvalue = transforms_.eigenvalue(line);
    values.push_back(eigenvalue > 0 || !plan_.has_sweep ? eigenvalue : double{in_place_of_zero_});
  };
  if constexpr (!Backend::only_counts) for_each_point({{}, {lines.nx, lines.ny, lines.nz}}, add);
  eigenvalues_ = upload_as<Real>(backend_, values, lines.count());
  eigenvalue_strides_ = {plan_.sweep == Axis::y ? 0 : lines.nx,
                         plan_.sweep == Axis::z ? 0 : lines.nx * lines.ny};
}

template <class Backend>
void PoissonSolver<Backend>::solve(FieldView<Real> field) {
  const FieldView<Real> modes = transforms_.forward(field);
  if (across_walls_) {
    across_walls_->solve(modes, eigenvalues());
  } else if (third_axis_) {
    third_axis_->solve(modes, eigenvalues());
  } else if (!plan_.has_sweep) {
    backend_.for_each(
        all_modes(),
        DivideByEigenvalues<Axis::z, Real>{modes,
                                           eigenvalues(),
                                           of_third_axis_.data(),
                                           static_cast<Real>(-1 / transforms_.gain())});
  } else {
    with_axis(plan_.sweep, [&]<Axis axis>() { solve_lines<axis>(modes); });
  }
  transforms_.inverse(field);
}

/// The line of the constant mode is solved separately, beside the sweep. Where slabs cut it, its
/// right-hand side passes with the sweep's messages, and it comes after.
template <class Backend>
template <Axis axis>
void PoissonSolver<Backend>::solve_lines(FieldView<Real> modes) {
  if (transforms_.modes().count() == 0) return;  // all are other ranks'
  const auto sweep_all = [&](const auto&... beside) {
    is_swept_around() ? sweep<axis, true>(modes, beside...) : sweep<axis, false>(modes, beside...);
  };
  if (!is_swept_across_slabs()) {
    if (!transforms_.has_constant_mode()) return sweep_all();
    return sweep_all(ConstantModeBeside<axis, Real>{
        modes, constant_mode_, double{in_place_of_zero_}, 1 / transforms_.gain()});
  }
  const Box line{{}, placed<axis>(Index3{1, 1, 1}, points_)};
  backend_.for_each(
      line, GatherConstantMode<axis, Real>{modes.as_const(), constant_rhs_.data() + first_});
  backend_.concurrently(2, all_modes().extents(), [&](int part) {
    part == 0 ? backend_.gather_line(constant_rhs_.data()) : sweep_all();
  });
  backend_.by_team(StoreConstantMode<axis, Real>{constant_rhs_.data(),
                                                 constant_mode_,
                                                 1 / transforms_.gain(),
                                                 {first_, first_ + points_},
                                                 modes});
}

template <class Backend>
template <Axis axis, bool cyclic, class... Beside>
void PoissonSolver<Backend>::sweep(FieldView<Real> modes, const Beside&... beside) {
  const PoissonLine<Real> line{
      inverse_distance_.data() + first_, width_.data() + first_, source_.data() + first_};
  const PoissonRows<axis, Real, cyclic> rows{modes, eigenvalues(), line};
  const StoreSolution<Real> sink{modes};
  if constexpr (sizeof...(beside) > 0) {
    backend_.template sweep_all_but_first_line<axis>(all_modes(), rows, sink, beside...);
  } else {
    backend_.template sweep<axis>(all_modes(), rows, sink);
  }
}

}  // namespace dns
