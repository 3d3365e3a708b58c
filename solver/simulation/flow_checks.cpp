#include "solver/simulation/flow_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>

#include "solver/core/error.hpp"
#include "solver/grid/case_grid.hpp"

namespace dns {
namespace {

template <class From, class To>
void convert(const HostField& from, HostField& to) {
  std::ranges::transform(from.values<From>(), to.values<To>().begin(), [](From value) {
    return static_cast<To>(value);
  });
}

HostField converted(const HostField& field, Precision precision) {
  HostField result(field.name(), field.extents(), precision);
  if (precision == Precision::single_precision) {
    convert<double, float>(field, result);
  } else {
    convert<float, double>(field, result);
  }
  return result;
}

struct Suspect {
  std::size_t node = 0;
  double value = 0;
  bool is_finite = true;
};

/// The first value that is not finite, or else the one of largest magnitude.
template <class Real>
Suspect worst_value(const HostField& field) {
  Suspect worst;
  const auto values = field.values<Real>();
  for (std::size_t n = 0; n < values.size(); ++n) {
    const auto value = static_cast<double>(values[n]);
    if (std::isnan(value)) return {n, std::abs(value), false};  // its sign means nothing
    if (!std::isfinite(value)) return {n, value, false};
    if (std::abs(value) > std::abs(worst.value)) worst = {n, value, true};
  }
  return worst;
}

bool is_finite(const FlowDiagnostics& diagnostics) {
  for (const NamedList& bodies : diagnostics.bodies) {
    if (!std::ranges::all_of(bodies.values, [](double value) { return std::isfinite(value); }))
      return false;
  }
  const auto not_finite =
      std::ranges::count_if(diagnostics.others, [](double value) { return !std::isfinite(value); });
  return std::isfinite(diagnostics.divergence_mean) && std::isfinite(diagnostics.divergence_max) &&
         std::isfinite(diagnostics.cfl) && std::isfinite(diagnostics.kinetic_energy) &&
         std::isfinite(diagnostics.dissipation) &&
         static_cast<std::size_t>(not_finite) == diagnostics.undefined;
}

/// What describe_divergence finds.
struct Described {
  std::string suspect;
  double magnitude = 0;  // infinite also for NaN
};

/// Describes the first value that is not finite, or else the largest velocity component.
Described describe_divergence(const Case& resolved, const Subdomain& part, const FlowState& state) {
  Suspect worst;
  std::string_view variable;
  for (const HostField& field : state.fields) {
    const bool is_velocity =
        std::ranges::find(velocity_names, field.name()) != velocity_names.end();
    if (field.name() == pressure_name || field.name() == solid_name) continue;
    const Suspect here = field.precision() == Precision::single_precision
                             ? worst_value<float>(field)
                             : worst_value<double>(field);
    if (here.is_finite && !is_velocity) continue;
    if (variable.empty() || !here.is_finite || std::abs(here.value) > std::abs(worst.value)) {
      worst = here;
      variable = field.name();
    }
    if (!here.is_finite) break;
  }
  const std::size_t nx = part.points().nx;
  const std::size_t ny = part.points().ny;
  const std::size_t i = worst.node % nx + part.first(0);
  const std::size_t j = worst.node / nx % ny + part.first(1);
  const std::size_t k = worst.node / nx / ny + part.first(2);
  return {fmt::format("{} is {:.6g} at {} ({}, {}, {}), x = {:.6g}, y = {:.6g}, z = {:.6g}",
                      variable,
                      worst.value,
                      resolved.scheme == Scheme::projection ? "cell" : "node",
                      i,
                      j,
                      k,
                      point_coordinates(resolved, 0)[i],
                      point_coordinates(resolved, 1)[j],
                      point_coordinates(resolved, 2)[k]),
          worst.is_finite ? std::abs(worst.value) : std::numeric_limits<double>::infinity()};
}

}  // namespace

void refuse_long_step(TimeScheme scheme, double dt, double limit, double t) {
  throw CaseError(
      fmt::format("time.step is {:g}, but the flow at t = {:g} allows {:.3g} at most {}: give a "
                  "shorter step, or time.cfl instead",
                  dt,
                  t,
                  limit,
                  scheme == TimeScheme::runge_kutta ? "in explicit stages (time.scheme runge_kutta)"
                                                    : "in implicit steps with waves of buoyancy"));
}

void refuse_extents(const HostField& field, Extents points, int ghosts) {
  const Extents extents = field.extents();
  const int both = 2 * ghosts;
  throw CaseError(
      fmt::format("the flow to start from has {} x {} x {} values of {}, but this case needs {} x "
                  "{} x {}: grid.points must be the same",
                  extents.nx - both,
                  extents.ny - both,
                  extents.nz - both,
                  field.name(),
                  points.nx,
                  points.ny,
                  points.nz));
}

HostField field_in(const FlowState& state,
                   std::string_view name,
                   Extents points,
                   Precision precision,
                   int ghosts) {
  const auto found = std::ranges::find(state.fields, name, &HostField::name);
  if (found == state.fields.end()) {
    throw CaseError(fmt::format("the flow to start from has no field {}", name));
  }
  const int both = 2 * ghosts;
  if (!(found->extents() == Extents{points.nx + both, points.ny + both, points.nz + both}))
    refuse_extents(*found, points, ghosts);
  return found->precision() == precision ? *found : converted(*found, precision);
}

std::optional<double> find_number(const FlowState& state, std::string_view name) {
  const auto found = std::ranges::find(state.numbers, name, &NamedNumber::name);
  return found == state.numbers.end() ? std::nullopt : std::optional(found->value);
}

double number_in(const FlowState& state, std::string_view name) {
  const std::optional<double> number = find_number(state, name);
  if (!number) throw CaseError(fmt::format("the flow to start from has no number {}", name));
  return *number;
}

void require_sound_flow(const FlowDiagnostics& diagnostics,
                        const Case& resolved,
                        const Subdomain& part,
                        const std::function<FlowState()>& flow) {
  constexpr double runaway_cfl = 1000;  // beyond it an implicit step resolves nothing
  const bool has_numbers = is_finite(diagnostics);
  if (has_numbers && diagnostics.cfl <= runaway_cfl) return;
  const auto [suspect, magnitude] = describe_divergence(resolved, part, flow());
  throw DivergenceError(
      has_numbers ? fmt::format("the CFL number ran away to {:.3g}: {}", diagnostics.cfl, suspect)
                  : suspect,
      magnitude);
}

}  // namespace dns
