#include <fmt/format.h>

#include <array>
#include <map>
#include <regex>
#include <sstream>
#include <string_view>

#include "solver/application/commands/commands.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"

namespace dns {
namespace {

struct Quantity {
  /// FACE, AXIS (x, y, z), NAME (a scalar or a body), SCALAR (SAME: the same again), A (u, v, w, p
  /// or T) and AB (two of them, or k) stand for words.
  std::string_view name;
  std::string_view where;
  std::string_view unit;
  std::string_view meaning;
};

constexpr std::string_view in_series = "timeseries.csv";
constexpr std::string_view in_fields = "fields_STEP.h5";
constexpr std::string_view in_averages = "statistics.h5";

// A table.
// clang-format off
constexpr std::array quantity_table{
    Quantity{"step", in_series, "1", "number of the step, from 0"},
    Quantity{"time", in_series, "L/U", "time after the step"},
    Quantity{"dt", in_series, "L/U", "length of the step"},
    Quantity{"cfl", in_series, "1", "dt times the largest |u|/hx + |v|/hy + |w|/hz"},
    Quantity{"divergence_mean", in_series, "U/L",
             "net volume flux out of a cell over its volume: mean magnitude"},
    Quantity{"divergence_max", in_series, "U/L", "the same: maximum"},
    Quantity{"kinetic_energy", in_series, "U^2", "mean of (u^2 + v^2 + w^2)/2 over the box"},
    Quantity{"dissipation", in_series, "U^3/L", "mean dissipation of kinetic energy over the box"},
    Quantity{"bulk_velocity_AXIS", in_series, "U", "mean velocity of the box along the axis"},
    Quantity{"driving_AXIS", in_series, "U^2/L",
             "uniform acceleration that drives the flow along the axis"},
    Quantity{"wall_shear_FACE_AXIS", in_series, "U^2",
             "mean shear stress of the fluid on the wall, nu du/dn"},
    Quantity{"friction_velocity", in_series, "U",
             "square root of the mean magnitude of the shear stress over all walls"},
    Quantity{"nusselt_FACE", in_series, "1",
             "mean heat flux at the wall over that of conduction alone"},
    Quantity{"nusselt_volume", in_series, "1",
             "mean heat flux in the volume over that of conduction alone"},
    Quantity{"heat_flux_FACE", in_series, "U T0",
             "mean conductive heat flux along +axis at the wall"},
    Quantity{"NAME_mean", in_series, "T0, or that of the scalar",
             "mean of temperature or of a scalar over the box"},
    Quantity{"NAME_flux_FACE", in_series, "U, times that of the scalar",
             "mean diffusive flux of a scalar along +axis at the wall"},
    Quantity{"force_NAME_AXIS", in_series, "U^2 L^2", "force of the fluid on the body"},
    Quantity{"torque_NAME_AXIS", in_series, "U^2 L^3",
             "torque of the fluid on the body about its center"},
    Quantity{"heat_NAME", in_series, "U T0 L^2", "heat that the body gives to the fluid per time"},
    Quantity{"NAME_flux_NAME", in_series, "U L^2, times that of the scalar",
             "what of a scalar the body gives to the fluid per time"},
    Quantity{"body_slip", in_series, "U", "how fast the flow crosses the surfaces of bodies"},
    Quantity{"global_iterations", in_series, "1", "passes over all directions in the step"},
    Quantity{"iteration_change", in_series, "U, T0", "change of the flow in the last pass"},
    Quantity{"wall_seconds", in_series, "s", "time that the run has taken; from 0 after a resume"},
    Quantity{"velocity", in_fields, "U",
             "u, v, w (z, y, x, component), at centres of cells or at nodes"},
    Quantity{"velocity_AXIS", in_fields, "U",
             "a component of the velocity at the faces across its axis"},
    Quantity{"temperature", in_fields, "T0", "temperature (z, y, x)"},
    Quantity{"pressure", in_fields, "U^2",
             "pressure over density (z, y, x), of the middle of the step"},
    Quantity{"solid", in_fields, "1", "1 in bodies, else 0"},
    Quantity{"vorticity", in_fields, "U/L", "curl of the velocity (z, y, x, component)"},
    Quantity{"component", in_fields, "1", "of a vector: 0, 1, 2 for x, y, z"},
    Quantity{"q_criterion", in_fields, "U^2/L^2",
             "second invariant of the velocity gradient; positive in vortices"},
    Quantity{"AXIS", in_fields, "L",
             "coordinates of the points along the axis; also in statistics.h5"},
    Quantity{"AXIS_faces", in_fields, "L",
             "coordinates of the faces of cells; also in statistics.h5"},
    Quantity{"A", in_averages, "U, U^2 (p), T0",
             "mean of u, v, w, p or T over time and averaged axes; of a scalar by its name"},
    Quantity{"AB", in_averages, "product of both", "covariance <a'b'>"},
    Quantity{"A_NAME", in_averages, "product of both", "covariance with a scalar"},
    Quantity{"SCALAR_SAME", in_averages, "its square", "variance of a scalar"},
    Quantity{"skewness_NAME", in_averages, "1", "<a'^3>/<a'^2>^1.5"},
    Quantity{"flatness_NAME", in_averages, "1", "<a'^4>/<a'^2>^2"},
    Quantity{"dissipation", in_averages, "U^3/L", "mean dissipation of kinetic energy"},
    Quantity{"fluid", in_averages, "1", "share of the fluid, where there are bodies"},
    Quantity{"AXIS_plus", in_averages, "1", "distance from the nearest wall in wall units"},
    Quantity{"friction_velocity", in_averages, "U",
             "friction velocity of the averages, an attribute"},
    Quantity{"friction_reynolds", in_averages, "1",
             "friction_velocity, half the distance of the walls and Re, an attribute"},
    Quantity{"samples", in_averages, "1", "number of samples, an attribute"},
    Quantity{"first_time", in_averages, "L/U", "time of the first sample, an attribute"},
    Quantity{"last_time", in_averages, "L/U", "time of the last sample, an attribute"},
    Quantity{"spectrum_AXIS_AB", in_averages, "product of both, times L",
             "spectrum over wavenumber_AXIS"},
    Quantity{"correlation_AXIS_AB", in_averages, "product of both",
             "two-point correlation over separation_AXIS"},
    Quantity{"spectrum_k", in_averages, "U^2 L", "energy spectrum E(k) over wavenumber"},
    Quantity{"wavenumber", in_averages, "1/L", "magnitude k of spectrum_k"},
    Quantity{"wavenumber_AXIS", in_averages, "1/L", "wave numbers of spectra along the axis"},
    Quantity{"separation_AXIS", in_averages, "L", "distances of correlations along the axis"},
    Quantity{"budget_AB_advection", in_averages, "U^3/L", "- U_k d<a'b'>/dx_k; of k: budget_k_..."},
    Quantity{"budget_AB_production", in_averages, "U^3/L", "- <a'u_k'> dB/dx_k - <b'u_k'> dA/dx_k"},
    Quantity{"budget_AB_turbulent_transport", in_averages, "U^3/L", "- d<a'b'u_k'>/dx_k"},
    Quantity{"budget_AB_pressure_transport", in_averages, "U^3/L",
             "transport by pressure fluctuations"},
    Quantity{"budget_AB_pressure_strain", in_averages, "U^3/L",
             "pressure fluctuations times strain: between components"},
    Quantity{"budget_AB_viscous_diffusion", in_averages, "U^3/L", "diffusion of <a'b'>"},
    Quantity{"budget_AB_dissipation", in_averages, "U^3/L", "dissipation of <a'b'>, negative"},
    Quantity{"budget_AB_buoyancy", in_averages, "U^3/L", "work of buoyancy"},
};
// clang-format on

/// The pattern of a name with placeholders.
std::regex pattern_of(std::string_view name) {
  static const std::map<std::string, std::string> of_placeholders{{"FACE", "[xyz]_(?:min|max)"},
                                                                  {"AXIS", "[xyz]"},
                                                                  {"NAME", "[A-Za-z0-9_]+"},
                                                                  {"A", "[uvwpT]"},
                                                                  {"AB", "(?:k|[uvwpT]{2})"},
                                                                  {"SCALAR", "([A-Za-z0-9_]+)"},
                                                                  {"SAME", "\\1"}};
  std::string pattern;
  std::istringstream words{std::string(name)};
  for (std::string word; std::getline(words, word, '_');) {
    const auto found = of_placeholders.find(word);
    pattern +=
        (pattern.empty() ? "" : "_") + (found == of_placeholders.end() ? word : found->second);
  }
  return std::regex(pattern);
}

std::string quantities_named(const std::string& word) {
  std::string text;
  for (const Quantity& quantity : quantity_table) {
    if (!std::regex_match(word, pattern_of(quantity.name))) continue;
    text += fmt::format(
        "{}: in {} [{}]\n    {}\n", quantity.name, quantity.where, quantity.unit, quantity.meaning);
  }
  return text;
}

}  // namespace

std::string explain(const std::string& word) {
  const std::string quantities = quantities_named(word);
  try {
    return describe_keys(word) + (quantities.empty() ? "" : "\n" + quantities);
  } catch (const CaseError&) {
    if (quantities.empty()) throw;
    return quantities;
  }
}

}  // namespace dns
