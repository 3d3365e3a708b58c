/// Budgets of normal stresses over planes between walls of order 4, see budgets_across_walls.hpp.
#include <string>
#include <vector>

#include "solver/statistics/budget_terms.hpp"

namespace dns {
namespace {

/// Averages over planes along y by the names of their sums, at n cells or n + 1 faces.
class Profiles {
 public:
  Profiles(const StatisticsSums& statistics, const OperatorsAcrossWalls& y)
      : statistics_(&statistics), y_(&y) {}

  [[nodiscard]] std::vector<double> at_cells(const std::string& name) const {
    return values(name, y_->cells());
  }
  [[nodiscard]] std::vector<double> at_faces(const std::string& name) const {
    return values(name, y_->cells() + 1);
  }
  /// f(i) at all cells or faces.
  template <class Formula>
  [[nodiscard]] static std::vector<double> of(std::size_t count, const Formula& f) {
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(f(i));
    return result;
  }
  /// I* f, the values at faces moved to cells: sum wc I* f = sum wf f.
  [[nodiscard]] std::vector<double> moved_to_cells(const std::vector<double>& f) const {
    const int n = y_->cells();
    std::vector<double> moved(n);
    for (int j = 0; j <= n; ++j) {
      const int first = MatricesAcrossWalls::first_cell(j, n);
      for (int i = first; i < first + MatricesAcrossWalls::row_width; ++i)
        moved[i] +=
            y_->mean(j, i) / y_->weight_of_face(j) * y_->face_volume(j) / y_->cell_volume(i) * f[j];
    }
    return moved;
  }
  /// D (V I q) at cells, of a flux through walls of 0, with V at faces and q at cells.
  [[nodiscard]] std::vector<double> carried(const std::vector<double>& velocity,
                                            const std::vector<double>& q) const {
    const int n = y_->cells();
    std::vector<double> flux(n + 1);
    for (int j = 1; j < n; ++j) {
      const int first = MatricesAcrossWalls::first_cell(j, n);
      for (int i = first; i < first + MatricesAcrossWalls::row_width; ++i)
        flux[j] += velocity[j] * y_->mean(j, i) / y_->weight_of_face(j) * q[i];
    }
    std::vector<double> change(n);
    for (int i = 0; i < n; ++i) {
      const int first = MatricesAcrossWalls::first_face(i, n);
      for (int j = first; j < first + MatricesAcrossWalls::row_width; ++j)
        change[i] += y_->difference(i, j) / y_->cell_volume(i) * flux[j];
    }
    return change;
  }

 private:
  [[nodiscard]] std::vector<double> values(const std::string& name, int count) const {
    const MeanOfSum mean(*statistics_, name);
    std::vector<double> result;
    for (int j = 0; j < count; ++j) result.push_back(mean({0, j, 0}));
    return result;
  }

  const StatisticsSums* statistics_;
  const OperatorsAcrossWalls* y_;
};

/// Budgets of u and w, which live at cells.
std::vector<BudgetTerms> along_walls(const Profiles& y,
                                     const std::string& q,
                                     double viscosity,
                                     double reference_of_v) {
  const auto budget = [&](const char* name) { return "budget_" + q + name; };
  const std::vector<double> mean = y.at_cells(q), square = y.at_cells(q + q);
  const std::vector<double> advection = y.at_cells(budget("_advection"));
  const std::vector<double> mean_advection = y.at_cells("advection_" + q);
  const std::vector<double> diffusion = y.at_cells(budget("_diffusion"));
  const std::vector<double> mean_diffusion = y.at_cells("diffusion_" + q);
  const std::vector<double> sides = y.at_cells(budget("_sides"));
  const std::vector<double> strain = y.at_cells(budget("_strain"));
  const std::vector<double> flux = y.at_faces(budget("_flux"));
  const std::vector<double> at_face = y.at_faces(budget("_mean"));
  const std::vector<double> slope = y.at_faces(budget("_slope"));
  const std::vector<double> squared_slope = y.at_faces(budget("_squared_slope"));
  const std::vector<double> v = y.at_faces("budget_v_value");
  const auto carrying =
      Profiles::of(v.size(), [&](std::size_t j) { return reference_of_v + v[j]; });
  const std::vector<double> production =
      y.moved_to_cells(Profiles::of(flux.size(), [&](std::size_t j) {
        return -2 * (flux[j] - carrying[j] * at_face[j]) * slope[j];
      }));
  const std::vector<double> loss = y.moved_to_cells(Profiles::of(
      slope.size(), [&](std::size_t j) { return squared_slope[j] - slope[j] * slope[j]; }));
  const std::vector<double> carried = y.carried(
      carrying,
      Profiles::of(mean.size(), [&](std::size_t i) { return square[i] - mean[i] * mean[i]; }));
  std::vector<BudgetTerms> terms(mean.size());
  for (std::size_t i = 0; i < mean.size(); ++i) {
    BudgetTerms& at = terms[i];
    at[advection_term] = -carried[i];
    at[production_term] = production[i];
    at[turbulent_transport_term] =
        -2 * (advection[i] - mean[i] * mean_advection[i]) - production[i] - at[advection_term];
    at[pressure_strain_term] = 2 * strain[i];
    at[viscous_diffusion_term] =
        2 * viscosity * (diffusion[i] - mean[i] * mean_diffusion[i] + loss[i]);
    at[dissipation_term] = -2 * viscosity * (loss[i] + sides[i]);
  }
  return terms;
}

/// The budget of v, which lives at faces; its mean does not change along y.
std::vector<BudgetTerms> across_walls(const Profiles& y, double viscosity, double buoyancy) {
  const std::vector<double> mean = y.at_faces("budget_v_value");
  const std::vector<double> pressure = y.at_cells("p");
  const std::vector<double> strain = y.at_cells("budget_v_strain");
  const std::vector<double> slope = y.at_cells("budget_v_slope");
  const std::vector<double> squared_slope = y.at_cells("budget_v_squared_slope");
  const auto moved_covariance = [&](const char* product, const char* other) {
    const std::vector<double> both = y.at_faces(product);
    const std::vector<double> second = y.at_faces(other);
    return y.moved_to_cells(
        Profiles::of(both.size(), [&](std::size_t j) { return both[j] - mean[j] * second[j]; }));
  };
  const auto advection = moved_covariance("budget_v_advection", "budget_v_mean_advection");
  const auto pressure_work = moved_covariance("budget_v_pressure", "budget_pressure_slope");
  const auto diffusion = y.moved_to_cells(y.at_faces("budget_v_diffusion"));
  const auto sides = y.moved_to_cells(y.at_faces("budget_v_sides"));
  std::vector<BudgetTerms> terms(pressure.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    BudgetTerms& at = terms[i];
    const double loss = squared_slope[i] - slope[i] * slope[i];
    at[turbulent_transport_term] = -2 * advection[i];
    at[pressure_strain_term] = 2 * (strain[i] - pressure[i] * slope[i]);
    at[pressure_transport_term] = -2 * pressure_work[i] - at[pressure_strain_term];
    at[viscous_diffusion_term] = 2 * viscosity * (diffusion[i] + loss);
    at[dissipation_term] = -2 * viscosity * (loss + sides[i]);
  }
  if (buoyancy == 0) return terms;
  const auto heat = moved_covariance("budget_v_heat", "budget_heat");
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i][buoyancy_term] = 2 * buoyancy * heat[i];
  return terms;
}

}  // namespace

std::vector<BudgetTerms> budget_across_walls(const StatisticsSums& statistics,
                                             const MeanFlow& flow,
                                             const BudgetGrid& grid,
                                             int component) {
  const Profiles y(statistics, *grid.along(1).across_walls);
  const double viscosity = grid.resolved->viscosity();
  const double buoyancy = grid.buoyancy_along(component);
  if (component == 1) return across_walls(y, viscosity, buoyancy);
  const std::string q(1, "uvw"[component]);
  auto terms = along_walls(y, q, viscosity, flow.reference(1));
  if (buoyancy == 0) return terms;
  const std::vector<double> heat = y.at_cells(q + "T");
  for (int i = 0; i < std::ssize(terms); ++i) {
    const Index3 c{0, i, 0};
    terms[i][buoyancy_term] =
        2 * buoyancy * (heat[i] - flow.flux_of_means(component, first_scalar, c));
  }
  return terms;
}

}  // namespace dns
