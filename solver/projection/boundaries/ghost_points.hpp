/// The ghost points of a staggered flow, beyond the boundary planes and beyond seams to other
/// ranks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/numerics/stage_across_walls.hpp"
#include "solver/numerics/staggered_ghosts.hpp"
#include "solver/projection/boundaries/given_planes.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// Evaluates ghost points, and normal velocities on the boundary planes, from what is given there.
template <class Backend>
class GhostPoints {
 public:
  using Real = typename Backend::Real;

  /// Both outlive it.
  GhostPoints(const ProjectionFields<Backend>& fields, const GivenPlanes<Backend>& given)
      : backend_(fields.backend), fields_(&fields), given_(&given) {}

  /// Sets the normal velocity on the boundary planes to that at the end of the step, and on the
  /// high face of periodic axes to that of the low one.
  void set_normal_velocity(const VelocityView<Real>& velocity) {
    set_own_normal_velocity(velocity);
    exchange_normal_velocity(velocity);
  }
  /// Parts of set_normal_velocity: all but what passes between ranks along an axis of order 2, and
  /// what passes.
  void set_own_normal_velocity(const VelocityView<Real>& velocity);
  void exchange_normal_velocity(const VelocityView<Real>& velocity) {
    if (order_along(2) == 2) exchange({FieldView<Real>{}, {}, velocity[2], {}, {}}, 1, 1);
  }

  /// Evaluates the ghost points of u, v, w, p and scalars at the end of the step.
  void fill_ghosts(const VelocityView<Real>& velocity,
                   const FieldView<Real>& p,
                   const ScalarViews<Real>& scalars);

  /// Evaluates the ghost points of the pressure correction phi.
  void fill_ghosts(const FieldView<Real>& phi);

  /// Evaluates the ghost points of phi; then calls correct(cells), which finishes the other
  /// variables in some cells from phi there and in their neighbours; then evaluates their ghost
  /// points. Where all axes have order 2, cells inside may be corrected while messages pass.
  template <class Correct>
  void fill_ghosts_around(const Correct& correct,
                          const FieldView<Real>& phi,
                          const VelocityView<Real>& velocity,
                          const FieldView<Real>& p,
                          const ScalarViews<Real>& scalars);

  /// Whether a projection leaves out two passes at the ends of the box: DivergenceBetweenEnds sets
  /// normal velocities itself, and CorrectVelocity that goes around reads no ghost points of phi.
  [[nodiscard]] bool go_with_cells() const { return merges_passes() && has_second_order_only(); }
  [[nodiscard]] SetNormalVelocity<Real> ends_of(const VelocityView<Real>& velocity) const {
    return {velocity, closures(first_variables())};
  }

  /// Fills the ghost points beyond the first ones along axes of higher order, in a flow whose first
  /// ones are up to date.
  void fill_further_ghosts(const VelocityView<Real>& velocity,
                           const FieldView<Real>& p,
                           const ScalarViews<Real>& scalars);

 private:
  /// Numbers of the variables of a batch; pressure: any number beyond those that are transported.
  using Variables = std::array<int, staggered_variables>;
  [[nodiscard]] StaggeredClosures<Real> closures(const Variables& variables) const;
  [[nodiscard]] Variables first_variables() const {
    return {0, 1, 2, first_scalar, std::max(given_->variables(), pressure_variable)};
  }
  template <class Use>
  void for_each_batch(const VelocityView<Real>& velocity,
                      const FieldView<Real>& p,
                      const ScalarViews<Real>& scalars,
                      const Use& use) const;
  template <class Kernel>
  void for_outermost_points(Box box, const Kernel& kernel, const Box& cells);
  using Fields = std::array<FieldView<Real>, staggered_variables>;
  void exchange(const Fields& fields, int low, int high);
  void fill(const Fields& fields, const Variables& variables);
  void fill_own(const Fields& fields, const Variables& variables, const Box& cells);
  template <class GhostsOf>
  void fill_further(const Fields& fields, const GhostsOf& ghosts_of);
  template <Axis axis>
  void fill_along(const Fields& fields, Box across, int low, int high);
  [[nodiscard]] int order_along(auto axis) const { return fields_->grid[axis].order; }
  /// Whether differences of higher order along all axes leave no ghost points to FillGhosts.
  [[nodiscard]] bool has_second_order() const {
    return order_along(0) == 2 || order_along(1) == 2 || order_along(2) == 2;
  }
  [[nodiscard]] bool has_second_order_only() const {
    return order_along(0) == 2 && order_along(1) == 2 && order_along(2) == 2 && !fields_->rows;
  }
  void fill_across_walls(const Fields& fields, const Variables& variables);
  /// The numbers of cells along axes of higher order, if these are several, all periodic, and one
  /// pass may fill the ghost points of all; else 0.
  [[nodiscard]] PerAxis<int> repeated_at_once() const {
    PerAxis<int> repeated{};
    int axes = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (order_along(axis) == 2) continue;
      if (!fields_->grid[axis].is_periodic) return {};
      repeated[axis] = fields_->layout.points[axis];
      ++axes;
    }
    const bool pays = axes > 1 && merges_passes();
    return pays ? repeated : PerAxis<int>{};
  }
  [[nodiscard]] bool merges_passes() const {
    if constexpr (Backend::merges_passes_below > 0) {
      return fields_->layout.points.count() < Backend::merges_passes_below &&
             !backend_->is_divided();
    }
    return false;
  }

  Backend* backend_;
  const ProjectionFields<Backend>* fields_;
  const GivenPlanes<Backend>* given_;
};

template <class Backend>
StaggeredClosures<typename Backend::Real> GhostPoints<Backend>::closures(
    const Variables& variables) const {
  StaggeredClosures<Real> all;
  all.cells = fields_->layout.points;
  for (int face = 0; face < given_->faces; ++face) {
    const int axis = face / 2;
    all.is_periodic[axis] = fields_->part.is_periodic(axis);
    all.is_seam[axis][face % 2] = fields_->part.ends[face / 2][face % 2] == End::neighbour;
    for (std::size_t slot = 0; slot < variables.size(); ++slot) {
      auto& plane = all.planes[slot][axis][face % 2];
      if (variables[slot] < given_->variables()) {
        plane = given_->line_end(static_cast<Axis>(axis), variables[slot], face % 2 != 0).next;
      } else {
        plane = {Real(1), Real(0)};
      }
    }
  }
  return all;
}

/// Calls the kernel for the outermost points of a box that are not beyond a seam, on the planes of
/// some cells and, next to these, beyond ends of the box along z.
template <class Backend>
template <class Kernel>
void GhostPoints<Backend>::for_outermost_points(Box box, const Kernel& kernel, const Box& cells) {
  BoundaryPlanes planes = BoundaryPlanes::all();
  for (int face = 0; face < given_->faces; ++face) {
    if (fields_->part.ends[face / 2][face % 2] == End::neighbour)
      planes.is_included[face / 2][face % 2] = false;
  }
  if (cells.begin.k > 0) planes.is_included[2][0] = false;
  if (cells.end.k < fields_->layout.points.nz) planes.is_included[2][1] = false;
  if (!planes.is_included[2][0]) box.begin.k = cells.begin.k;
  if (!planes.is_included[2][1]) box.end.k = cells.end.k;
  backend_->for_each_on_boundary(box, planes, kernel);
}

/// Fills planes beyond the seams to other ranks from theirs, also their ghost points.
template <class Backend>
void GhostPoints<Backend>::exchange(const Fields& fields, int low, int high) {
  if (!backend_->is_divided()) return;
  std::vector<Real*> words;
  for (const FieldView<Real>& field : fields) {
    if (field.origin != nullptr)
      words.push_back(field.origin - fields_->layout.origin(sizeof(Real)));
  }
  backend_->exchange(fields_->layout, 1, words, {low, high});
}

template <class Backend>
void GhostPoints<Backend>::set_own_normal_velocity(const VelocityView<Real>& velocity) {
  if (has_second_order()) {
    for_outermost_points(
        fields_->layout.all_faces(), ends_of(velocity), fields_->layout.all_points());
  }
  if constexpr (Backend::merges_passes_below > 0) {
    if (const PerAxis<int> repeated = repeated_at_once(); repeated != PerAxis<int>{}) {
      Box box = fields_->layout.all_points();
      for (int axis = 0; axis < 3; ++axis) {
        if (repeated[axis] == 0) continue;
        box.begin[axis] -= order_along(axis) / 2 - 1;
        box.end[axis] += order_along(axis) / 2;
      }
      return backend_->for_each(box, RepeatNormalVelocity<Real>{velocity, {repeated}});
    }
  }
  for_each_axis([&]<Axis axis>() {
    const int pairs = order_along(axis) / 2;
    if (pairs == 1) return;
    Fields normal{};
    normal[velocity_along(axis)] = velocity[axis];
    fill_along<axis>(normal, fields_->layout.all_points(), pairs - 1, pairs);
  });
}

/// Ghost points of fields along an axis of higher order, for the points of `across` along the
/// others; beyond seams for all stored points. Also the normal velocity on planes of symmetry.
template <class Backend>
template <Axis axis>
void GhostPoints<Backend>::fill_along(const Fields& fields, Box across, int low, int high) {
  if (axis == Axis::z && backend_->is_divided()) return exchange(fields, low, high);
  across.begin[axis] = 0;
  across.end[axis] = low + high;
  const auto fill_by = [&](auto kernel) {
    std::copy(fields.begin(), fields.end(), kernel.fields);
    backend_->for_each(across, kernel);
  };
  if (fields_->grid[axis].is_periodic) {
    fill_by(RepeatPeriodic<axis, Real>{{}, low, fields_->layout.points[axis]});
  } else {
    fill_by(ReflectAtPlanes<axis, Real>{{}, low, fields_->layout.points[axis]});
  }
}

template <class Backend>
void GhostPoints<Backend>::fill_further_ghosts(const VelocityView<Real>& velocity,
                                               const FieldView<Real>& p,
                                               const ScalarViews<Real>& scalars) {
  for_each_batch(velocity, p, scalars, [this](const Fields& fields, const Variables&) {
    fill_further(fields, [](int order) { return order - 1; });
  });
}

/// Calls use(fields, their variables) for what one launch fills: u, v, w, the first scalar and p;
/// then further scalars.
template <class Backend>
template <class Use>
void GhostPoints<Backend>::for_each_batch(const VelocityView<Real>& velocity,
                                          const FieldView<Real>& p,
                                          const ScalarViews<Real>& scalars,
                                          const Use& use) const {
  use({velocity[0], velocity[1], velocity[2], scalars.first, p}, first_variables());
  for (int next = 1; next < scalars.count;) {
    Fields fields{};
    Variables variables{};
    for (std::size_t slot = 0; slot < fields.size() && next < scalars.count; ++slot, ++next) {
      fields[slot] = scalars[next];
      variables[slot] = first_scalar + next;
    }
    use(fields, variables);
  }
}

/// Along x, then y, then z, each with the ghost points of those before it. ghosts_of(order): how
/// many at each end.
template <class Backend>
template <class GhostsOf>
void GhostPoints<Backend>::fill_further(const Fields& fields, const GhostsOf& ghosts_of) {
  Box across = has_second_order() ? fields_->layout.with_one_ghost() : fields_->layout.all_points();
  if constexpr (Backend::merges_passes_below > 0) {
    if (const PerAxis<int> repeated = repeated_at_once(); repeated != PerAxis<int>{}) {
      RepeatAround<Real> kernel{{}, {repeated}};
      std::copy(fields.begin(), fields.end(), kernel.fields);
      for (int axis = 0; axis < 3; ++axis) {
        if (repeated[axis] == 0) continue;
        across.begin[axis] = -ghosts_of(order_along(axis));
        across.end[axis] = repeated[axis] + ghosts_of(order_along(axis));
      }
      return backend_->for_each(across, kernel);
    }
  }
  for_each_axis([&]<Axis axis>() {
    if (order_along(axis) == 2) return;
    const int ghosts = ghosts_of(order_along(axis));
    fill_along<axis>(fields, across, ghosts, ghosts);
    across.begin[axis] = -ghosts;
    across.end[axis] = fields_->layout.points[axis] + ghosts;
  });
}

/// The first ghost points, where FillGhosts has any to fill; beyond seams where these are all.
template <class Backend>
void GhostPoints<Backend>::fill(const Fields& fields, const Variables& variables) {
  if (!has_second_order()) return;
  fill_own(fields, variables, fields_->layout.all_points());
  if (fields_->rows) fill_across_walls(fields, variables);
  if (order_along(2) == 2) exchange(fields, 1, 1);
}

/// Where y has rows across walls: the ghost points beyond these that do not follow from the first
/// value inside alone.
template <class Backend>
void GhostPoints<Backend>::fill_across_walls(const Fields& fields, const Variables& variables) {
  const OperatorsAcrossWalls& along_y = *fields_->grid[1].across_walls;
  const int n = along_y.cells();
  Box plane = fields_->layout.with_one_ghost();
  plane.begin.j = 0;
  plane.end.j = 1;
  for (std::size_t slot = 0; slot < variables.size(); ++slot) {
    const int variable = variables[slot];
    if (fields[slot].origin == nullptr || variable == velocity_along(Axis::y) ||
        variable >= given_->variables())
      continue;
    FillAcrossWalls<Real> kernel{.q = fields[slot], .low = {}, .high = {}, .cells = n};
    bool needs_more = false;
    for (const bool is_high : {false, true}) {
      const int face = face_index(1, is_high);
      const EndAcrossWalls end = end_across_walls(given_->conditions()[face][variable]);
      const double volume = along_y.face_volume(is_high ? n : 0);
      needs_more |= end.of_inside(volume) != 0;
      (is_high ? kernel.high : kernel.low) =
          WallValue<Real>{static_cast<Real>(end.of_inside(volume)),
                          static_cast<Real>(end.of_given(volume)),
                          given_->next(face, variable).as_const()};
    }
    if (needs_more) backend_->for_each(plane, kernel);
  }
}

/// Without those beyond seams, on the planes of some cells.
template <class Backend>
void GhostPoints<Backend>::fill_own(const Fields& fields,
                                    const Variables& variables,
                                    const Box& cells) {
  FillGhosts<Real> kernel{{}, closures(variables)};
  std::copy(fields.begin(), fields.end(), kernel.fields);
  for_outermost_points(fields_->layout.with_one_ghost(), kernel, cells);
}

template <class Backend>
void GhostPoints<Backend>::fill_ghosts(const VelocityView<Real>& velocity,
                                       const FieldView<Real>& p,
                                       const ScalarViews<Real>& scalars) {
  for_each_batch(velocity, p, scalars, [this](const Fields& fields, const Variables& variables) {
    fill(fields, variables);
    fill_further(fields, [](int order) { return order - 1; });
  });
}

template <class Backend>
void GhostPoints<Backend>::fill_ghosts(const FieldView<Real>& phi) {
  Fields fields{};
  fields[pressure_variable] = phi;
  fill(fields, first_variables());
  fill_further(fields, [](int order) { return order / 2; });
}

template <class Backend>
template <class Correct>
void GhostPoints<Backend>::fill_ghosts_around(const Correct& correct,
                                              const FieldView<Real>& phi,
                                              const VelocityView<Real>& velocity,
                                              const FieldView<Real>& p,
                                              const ScalarViews<Real>& scalars) {
  backend_->enter(phase::boundaries);
  if (!has_second_order_only()) {
    fill_ghosts(phi);
    correct(fields_->layout.all_points());
    backend_->enter(phase::boundaries);
    return fill_ghosts(velocity, p, scalars);
  }
  Fields correction{};
  correction[pressure_variable] = phi;
  fill_own(correction, first_variables(), fields_->layout.all_points());
  backend_->work_around_messages(
      fields_->layout.all_points(),
      [&] { exchange(correction, 1, 1); },
      [&](const Box& cells) {
        correct(cells);
        backend_->enter(phase::boundaries);
        for_each_batch(velocity, p, scalars, [&](const Fields& fields, const Variables& variables) {
          fill_own(fields, variables, cells);
        });
      },
      [&] {
        for_each_batch(velocity, p, scalars, [&](const Fields& fields, const Variables&) {
          exchange(fields, 1, 1);
        });
      });
}

}  // namespace dns
