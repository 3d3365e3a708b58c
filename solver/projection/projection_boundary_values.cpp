#include "solver/projection/projection_boundary_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "solver/face_values/face_points.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/values_of_formula.hpp"
#include "solver/numerics/robin_ghost.hpp"

namespace dns {
namespace {

/// Coordinate of point `index` of a variable along an axis [L]; that of the last point for ghosts.
double position(const StaggeredAxis& axis, int index, bool is_at_faces) {
  if (is_at_faces) return axis.face(std::clamp(index, 0, axis.cells()));
  return axis.centre(std::clamp(index, 0, axis.cells() - 1));
}

/// Calls visit(index of a value, area) for the cell faces of a boundary plane [L^2].
template <class Visit>
void for_each_face(const StaggeredGrid& grid, const Subdomain& part, int face, const Visit& visit) {
  const int normal = (face / 2);
  const PlaneShape shape = PlaneShape::of(part.points(), normal);
  const StaggeredAxis& first = grid[shape.first_axis];
  const StaggeredAxis& second = grid[shape.second_axis];
  for (int b = 0; b < shape.second_points - 2; ++b) {
    for (int a = 0; a < shape.first_points - 2; ++a) {
      visit(shape.at(a, b),
            first.width(part.first(shape.first_axis) + a) *
                second.width(part.first(shape.second_axis) + b));
    }
  }
}

double outward(int face) {
  return face % 2 == 0 ? -1 : 1;
}

}  // namespace

PlaneShape PlaneShape::of(Extents cells, int normal) {
  PlaneShape shape{};
  const auto [first, second] = axes_in_plane(normal);
  shape.first_axis = static_cast<int>(first);
  shape.second_axis = static_cast<int>(second);
  shape.first_points = cells[first] + 2;
  shape.second_points = cells[second] + 2;
  return shape;
}

double width_beside(const StaggeredGrid& grid, int face) {
  const StaggeredAxis& axis = grid[face / 2];
  return axis.width(face % 2 == 0 ? 0 : axis.cells() - 1);
}

std::array<std::vector<double>, 2> places_on_plane(const StaggeredGrid& grid,
                                                   const Subdomain& part,
                                                   int face,
                                                   int variable) {
  const PlaneShape shape = PlaneShape::of(part.points(), (face / 2));
  const auto positions = [&](int axis, int points) {
    std::vector<double> along;
    for (int index = -1; index < points - 1; ++index) {
      along.push_back(position(grid[axis], part.first(axis) + index, variable == axis));
    }
    return along;
  };
  return {positions(shape.first_axis, shape.first_points),
          positions(shape.second_axis, shape.second_points)};
}

BoundaryClosure<double> staggered_closure(const Conditions& conditions,
                                          const StaggeredGrid& grid,
                                          int face,
                                          int variable) {
  if (variable == (face / 2)) return closure_on_plane<double>();
  const Condition& condition = conditions[face][variable];
  BoundaryClosure<double> closure =
      ghost_closure<double>(condition.weights, width_beside(grid, face));
  closure.weight *= condition.given_weight;
  return closure;
}

std::vector<double> given_on_plane(FaceValues& values,
                                   const StaggeredGrid& grid,
                                   const Subdomain& part,
                                   int face,
                                   int variable,
                                   double t) {
  const auto [first, second] = places_on_plane(grid, part, face, variable);
  return values.at(face, variable, first, second, t);
}

std::vector<double> slip_lengths_on_plane(const Condition& condition,
                                          const Case& resolved,
                                          const StaggeredGrid& grid,
                                          const Subdomain& part,
                                          int face,
                                          int variable,
                                          double t) {
  if (!condition.varies()) return {};
  const Expression& formula = condition.slip_length;
  const auto [first, second] = places_on_plane(grid, part, face, variable);
  const FacePoints points = face_points(resolved, face);
  std::vector<double> lengths = values_of_formula(formula, points, first, second, t);
  const auto is_bad = [](double length) { return !(length >= 0 && std::isfinite(length)); };
  const auto bad = std::ranges::find_if(lengths, is_bad);
  if (bad == lengths.end()) return lengths;
  const std::size_t point = bad - lengths.begin();
  PerAxis<double> place{};
  place[points.normal()] = points.position;
  place[points.axes[0].axis] = first[point % first.size()];
  place[points.axes[1].axis] = second[point / first.size()];
  refuse_value("boundaries." + face_names[face] + ".slip_length",
               formula,
               *bad,
               place,
               t,
               "finite and not negative");
}

double given_rate(const Conditions& conditions,
                  const Case& resolved,
                  const StaggeredGrid& grid,
                  int face,
                  int variable) {
  const Condition& condition = conditions[face][variable];
  if (!condition.is_given || condition.kind != Condition::Kind::value) return 0;
  const double width = width_beside(grid, face);
  return resolved.diffusivity(variable) / (width * (width + 2 * condition.distance_of_given()));
}

double largest_rate_of_bodies(const Case& resolved, const StaggeredGrid& grid) {
  double least = std::numeric_limits<double>::infinity();
  for (const StaggeredAxis& axis : grid) {
    for (int cell = 0; cell < axis.cells(); ++cell) least = std::min(least, axis.width(cell));
  }
  double largest = 0;
  for (const SolidCase& body : resolved.solids) {
    largest = std::max(largest, resolved.viscosity());
    for (int n = 0; n < resolved.scalar_count(); ++n) {
      const int variable = first_scalar + n;
      if (!body.scalar(variable).is_closed())
        largest = std::max(largest, resolved.diffusivity(variable));
    }
  }
  return largest / (least * least);
}

double largest_given_rate(const Case& resolved, const StaggeredGrid& grid) {
  const Conditions conditions = conditions_of(resolved);
  double largest = largest_rate_of_bodies(resolved, grid);
  for (int face = 0; face < conditions.size(); ++face) {
    for (int variable = 0; variable < transported_variables(resolved); ++variable)
      largest = std::max(largest, given_rate(conditions, resolved, grid, face, variable));
  }
  return largest;
}

bool may_jump(const Condition& condition) {
  return condition.moves && condition.kind == Condition::Kind::value && condition.has_formula();
}

bool ends_with_jump(const std::vector<std::vector<double>>& latest_first) {
  constexpr double most_of_range = 0.6;
  constexpr double round_off = 1e-9;
  double jump = 0;
  double range = 0;
  double largest = 0;
  for (std::size_t at = 0; at < latest_first.front().size(); ++at) {
    double low = latest_first.front()[at];
    double high = low;
    for (const std::vector<double>& values : latest_first) {
      low = std::min(low, values[at]);
      high = std::max(high, values[at]);
    }
    range = std::max(range, high - low);
    largest = std::max({largest, std::abs(low), std::abs(high)});
    const double change = latest_first[0][at] - latest_first[1][at];
    const double change_before = latest_first[1][at] - latest_first[2][at];
    jump = std::max(jump, std::min(std::abs(change), std::abs(change - change_before)));
  }
  return range > round_off * largest && jump > most_of_range * range;
}

double given_values_mark(const Case& resolved) {
  const Conditions conditions = conditions_of(resolved);
  std::string all;
  for (int n = 0; n < conditions.size(); ++n) {
    const FaceCase& face = resolved.faces[n];
    all += fmt::format("{} ", static_cast<int>(face.kind));
    if (face.scalars.empty()) all += "0 ";  // as copies without temperature have it
    for (const ScalarAtFace& scalar : face.scalars) {
      using At = ScalarAtFace::Condition;
      const At kind = scalar.condition == At::by_default ? At::value : scalar.condition;
      all += fmt::format("{} ", static_cast<int>(kind));
      if (kind == At::transfer) all += fmt::format("{} ", scalar.transfer);
    }
    const Expression& slip = face.slip_length;
    if (!slip.is_zero()) {
      all += slip.is_constant() ? fmt::format("slip {} ", slip(0, 0, 0, 0))
                                : fmt::format("slip {} ", slip.text());
    }
    if (face.has_shear()) all += "shear ";
    for (int variable = 0; variable < transported_variables(resolved); ++variable) {
      const Condition& condition = conditions[n][variable];
      all += (condition.file ? condition.file->file.content : condition.given.text()) + ";";
    }
  }
  for (const SolidCase& body : resolved.solids) {
    all += fmt::format(
        "{} {} {}", body.name, fmt::join(body.velocity, ","), fmt::join(body.rotation, ","));
    if (body.scalars.empty()) all += " false 0";
    for (const ScalarAtBody& scalar : body.scalars) {
      all += fmt::format(" {} {}", scalar.is_insulated(), scalar.value);
      if (scalar.is_closed() && !scalar.is_insulated())
        all += fmt::format(" flux {} {}", scalar.flux, scalar.transfer);
      if (scalar.conducts())
        all += fmt::format(" conducts {} {}", scalar.conductivity, scalar.heat_capacity);
    }
    all += ";";
  }
  // FNV-1a; 52 bits of it are a whole number in double.
  std::uint64_t hash = 14695981039346656037U;
  for (const char letter : all) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U;
  return static_cast<double>(hash >> 12);
}

PlaneFluxes fluxes_through(const StaggeredGrid& grid,
                           const Subdomain& part,
                           const NormalVelocities& velocities) {
  PlaneFluxes fluxes;
  for (int face = 0; face < velocities.size(); ++face) {
    if (velocities[face].empty()) continue;
    for_each_face(grid, part, face, [&](std::size_t at, double area) {
      const double flux = outward(face) * velocities[face][at] * area;
      fluxes.net += flux;
      fluxes.gross += std::abs(flux);
    });
  }
  return fluxes;
}

void balance(const PlaneFluxes& fluxes, NormalVelocities& velocities) {
  if (fluxes.gross == 0) return;
  const double excess = fluxes.net / fluxes.gross;
  for (int face = 0; face < velocities.size(); ++face) {
    for (double& value : velocities[face]) {
      value *= 1 - (outward(face) * value > 0 ? excess : -excess);
    }
  }
}

std::string balance_in_words(double imbalance) {
  constexpr double round_off = 1e-6;  // of single precision too
  if (std::abs(imbalance) < round_off) return {};
  return fmt::format(
      "inflow: without an outflow face as much has to flow in as out; the given velocities let "
      "{:.3g} % more {}, so that inflow is multiplied by {:.6g} and what flows out by {:.6g}",
      100 * std::abs(2 * imbalance / (1 - std::abs(imbalance))),
      imbalance > 0 ? "in" : "out",
      1 - imbalance,
      1 + imbalance);
}

double area_of(const StaggeredGrid& grid, int face) {
  double area = 1;
  for (int axis = 0; axis < grid.size(); ++axis) {
    if (axis != face / 2) area *= grid[axis].length();
  }
  return area;
}

}  // namespace dns
