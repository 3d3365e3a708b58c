#include <fmt/format.h>

#include <algorithm>

#include "solver/statistics/budget_terms.hpp"

namespace dns {
namespace {

std::string letter(int component) {
  return std::string(1, "uvw"[component]);
}

Index3 moved(Index3 c, int axis, int steps) {
  c[axis] += steps;
  return c;
}

}  // namespace

NormalStressBudget::AtEnds::AtEnds(const StatisticsSums& statistics, const std::string& prefix)
    : flux(statistics, prefix + "flux"),
      flux_here(statistics, prefix + "flux_here"),
      flux_below(statistics, prefix + "flux_below"),
      here_below(statistics, prefix + "here_below"),
      flux_here_below(statistics, prefix + "flux_here_below"),
      below(statistics, prefix + "below"),
      difference_squared(statistics, prefix + "difference_squared"),
      half_square_change(statistics, prefix + "half_square_change") {}

NormalStressBudget::NormalStressBudget(const StatisticsSums& statistics,
                                       const MeanFlow& flow,
                                       const BudgetGrid& grid,
                                       int component)
    : flow_(&flow),
      grid_(&grid),
      own_(component),
      viscosity_(grid.resolved->viscosity()),
      mean_(statistics, "budget_" + letter(component) + "_mean"),
      averaged_dissipation_(statistics, "budget_" + letter(component) + "_averaged_dissipation"),
      pressure_flux_(statistics, "budget_" + letter(component) + "_pressure_flux"),
      pressure_(statistics, "p"),
      strain_(statistics, "budget_strain_" + letter(component) + letter(component)) {
  for (int axis = 0; axis < 3; ++axis) {
    if (grid.is_kept(axis)) {
      ends_[axis].emplace(statistics, "budget_" + letter(component) + "_" + "xyz"[axis] + "_");
    }
  }
  if (grid.buoyancy_along(component) == 0) return;
  heat_flux_.emplace(statistics, letter(component) + "T");
}

NormalStressBudget::Moments NormalStressBudget::at_low_end(int axis, Index3 c) const {
  const StaggeredAxis& along = grid_->along(axis);
  // The low end of the first control volume is the high end of the last one.
  if (along.is_periodic && c[axis] == 0) c[axis] = along.cells();
  const AtEnds& ends = *ends_[axis];
  Moments m{};
  m.flux = ends.flux(c);
  m.here = mean_(c);
  m.below = ends.below(c);
  m.flux_here = ends.flux_here(c) - m.flux * m.here;
  m.flux_below = ends.flux_below(c) - m.flux * m.below;
  m.here_below = ends.here_below(c) - m.here * m.below;
  m.flux_here_below = ends.flux_here_below(c) - m.flux * ends.here_below(c) -
                      m.here * ends.flux_below(c) - m.below * ends.flux_here(c) +
                      2 * m.flux * m.here * m.below;
  m.step = axis == own_ ? along.width(c[axis] - 1) : along.mirrored_distance(c[axis]);
  const double change = m.here - m.below;
  m.gradient_squared = (ends.difference_squared(c) - change * change) / (m.step * m.step);
  m.mean_gradient = (ends.half_square_change(c) - 0.5 * change * (m.here + m.below)) / m.step;
  return m;
}

/// What the ends of a control volume along one axis add.
void NormalStressBudget::add_ends(int axis, Index3 c, BudgetTerms& terms) const {
  const StaggeredAxis& along = grid_->along(axis);
  const Moments low = at_low_end(axis, c);
  const Moments high = at_low_end(axis, moved(c, axis, 1));
  const double width = axis == own_ ? along.mirrored_distance(c[axis]) : along.width(c[axis]);
  const double carrying = flow_->reference(axis);
  terms[advection_term] -=
      ((carrying + high.flux) * high.here_below - (carrying + low.flux) * low.here_below) / width;
  terms[turbulent_transport_term] -= (high.flux_here_below - low.flux_here_below) / width;
  terms[production_term] -=
      ((high.here - high.below) * high.flux_below + (low.here - low.below) * low.flux_here) / width;
  terms[viscous_diffusion_term] +=
      2 * viscosity_ * (high.mean_gradient - low.mean_gradient) / width;
  terms[dissipation_term] -=
      viscosity_ * (high.step * high.gradient_squared + low.step * low.gradient_squared) / width;
}

/// Diffusion into the half of a cell beside a boundary plane, and what it dissipates there: where
/// the unknown on the plane does not fluctuate they are equal.
BudgetTerms NormalStressBudget::at_plane(Index3 c) const {
  BudgetTerms terms{};
  const bool is_high = c[own_] > 0;
  if (grid_->conditions[face_index(own_, is_high)].is_outflow()) return terms;
  const Moments inside = at_low_end(own_, is_high ? c : moved(c, own_, 1));
  const double half_width = inside.step / 2;
  const double inwards = is_high ? -1 : 1;
  terms[viscous_diffusion_term] = inwards * 2 * viscosity_ * inside.mean_gradient / half_width;
  terms[dissipation_term] = -viscosity_ * inside.step * inside.gradient_squared / half_width;
  return terms;
}

BudgetTerms NormalStressBudget::at_unknown(Index3 c) const {
  const StaggeredAxis& own = grid_->along(own_);
  BudgetTerms terms{};
  if (grid_->is_kept(own_)) {
    if (own.is_wall(c[own_])) return at_plane(c);
    if (own.is_periodic && c[own_] == own.cells()) c[own_] = 0;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (grid_->is_kept(axis)) add_ends(axis, c, terms);
  }
  terms[dissipation_term] -= 2 * viscosity_ * averaged_dissipation_(c);
  return terms;
}

BudgetTerms NormalStressBudget::at_cell(Index3 c) const {
  BudgetTerms terms = at_unknown(c);
  if (grid_->is_kept(own_)) {
    const BudgetTerms behind = at_unknown(moved(c, own_, 1));
    for (std::size_t term = 0; term < terms.size(); ++term)
      terms[term] = (terms[term] + behind[term]) / 2;
  }
  add_pressure(c, terms);
  terms[buoyancy_term] = buoyancy(c);
  return terms;
}

/// The mean at a face of what lives at cells, with the weight `below` of the cell below; beyond the
/// boundaries it is that inside.
double NormalStressBudget::mean_at_face(const MeanOfSum& of_cells,
                                        Index3 face,
                                        double below) const {
  const StaggeredAxis& own = grid_->along(own_);
  const int n = own.cells();
  const auto cell = [&](int i) {
    Index3 c = face;
    c[own_] = own.is_periodic ? (i + n) % n : std::clamp(i, 0, n - 1);
    return of_cells(c);
  };
  return below * cell(face[own_] - 1) + (1 - below) * cell(face[own_]);
}

/// <u'p'> at a face of the component.
double NormalStressBudget::flux_of_pressure(Index3 face) const {
  const StaggeredAxis& own = grid_->along(own_);
  const double above = own.mirrored_width(face[own_]);
  const double below = own.mirrored_width(face[own_] - 1);
  return pressure_flux_(face) -
         mean_(face) * mean_at_face(pressure_, face, above / (above + below));
}

void NormalStressBudget::add_pressure(Index3 c, BudgetTerms& terms) const {
  double strain = strain_(c);
  if (grid_->is_kept(own_)) {
    const Index3 behind = moved(c, own_, 1);
    const double width = grid_->along(own_).width(c[own_]);
    strain -= pressure_(c) * (mean_(behind) - mean_(c)) / width;
    terms[pressure_transport_term] = -2 * (flux_of_pressure(behind) - flux_of_pressure(c)) / width;
  }
  terms[pressure_strain_term] = 2 * strain;
}

double NormalStressBudget::buoyancy(Index3 c) const {
  if (!heat_flux_) return 0;
  return 2 * grid_->buoyancy_along(own_) *
         ((*heat_flux_)(c)-flow_->flux_of_means(own_, first_scalar, c));
}

}  // namespace dns
