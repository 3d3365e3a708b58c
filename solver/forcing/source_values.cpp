#include "solver/forcing/source_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
#include "solver/core/level_view.hpp"
#include "solver/core/names.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/grid/values_of_formula.hpp"

namespace dns {
namespace {

std::vector<double> sound_values(const Expression& formula,
                                 const std::string& key,
                                 const Case& resolved,
                                 const Subdomain& part,
                                 int variable,
                                 double t) {
  const auto places = point_coordinates(resolved, part, variable);
  std::vector<double> values(part.points().count());
  evaluate(formula, resolved, part, variable, t, values);
  require_finite(key, formula, {places[0], places[1], places[2]}, t, values);
  return values;
}

std::string key_of_sponge(const SpongeCase& sponge, const std::string& word) {
  return "forcing.sponges." + sponge.name + "." + word;
}

/// Throws CaseError where a rate is not finite or negative.
std::vector<double> rate_of(const Expression& formula,
                            const std::string& key,
                            const Case& resolved,
                            const Subdomain& part,
                            int variable) {
  std::vector<double> rate = sound_values(formula, key, resolved, part, variable, 0);
  const auto negative = std::ranges::find_if(rate, [](double value) { return value < 0; });
  if (negative == rate.end()) return rate;
  const auto [x, y, z] = point_coordinates(resolved, part, variable);
  const std::size_t point = negative - rate.begin();
  refuse_value(
      key,
      formula,
      *negative,
      {x[point % x.size()], y[point / x.size() % y.size()], z[point / x.size() / y.size()]},
      0,
      "finite and not negative");
}

}  // namespace

bool has_source_field(const Case& resolved, int variable) {
  return !resolved.source_formula(variable).is_constant() || has_rate_field(resolved, variable);
}

bool has_rate_field(const Case& resolved, int variable) {
  if (is_velocity(variable) && !resolved.forcing.drag.empty()) return true;
  return std::ranges::any_of(resolved.forcing.sponges, [&](const SpongeCase& sponge) {
    return resolved.target_of(sponge, variable) != nullptr;
  });
}

double uniform_source(const Case& resolved, int variable) {
  return has_source_field(resolved, variable) ? 0 : resolved.source_formula(variable)(0, 0, 0, 0);
}

double uniform_rate(const Case& resolved, int variable) {
  if (has_rate_field(resolved, variable) || !is_velocity(variable)) return 0;
  return -resolved.forcing.linear;
}

bool has_source(const Case& resolved, int variable) {
  return has_source_field(resolved, variable) || uniform_source(resolved, variable) != 0 ||
         uniform_rate(resolved, variable) != 0;
}

bool source_changes_with_time(const Case& resolved, int variable) {
  return resolved.source_formula(variable).depends_on_time() ||
         std::ranges::any_of(resolved.forcing.sponges, [&](const SpongeCase& sponge) {
           const Expression* const target = resolved.target_of(sponge, variable);
           return target != nullptr && target->depends_on_time();
         });
}

Expression whole_source(const Case& resolved, int variable) {
  std::string text = fmt::format("({})", resolved.source_formula(variable).text());
  for (const SpongeCase& sponge : resolved.forcing.sponges) {
    if (const Expression* const target = resolved.target_of(sponge, variable))
      text += fmt::format("+({})*({})", sponge.rate.text(), target->text());
  }
  return Expression(text);
}

std::vector<double> source_values(const Case& resolved,
                                  const Subdomain& part,
                                  int variable,
                                  double t) {
  const bool is_scalar = !is_velocity(variable);
  const std::string key = !is_scalar ? "forcing.acceleration"
                          : resolved.is_temperature(variable)
                              ? "forcing.heat"
                              : "scalars." + resolved.scalar(variable).name + ".source";
  std::vector<double> values =
      sound_values(resolved.source_formula(variable), key, resolved, part, variable, t);
  for (const SpongeCase& sponge : resolved.forcing.sponges) {
    const Expression* const target = resolved.target_of(sponge, variable);
    if (target == nullptr) continue;
    const std::vector<double> rate =
        rate_of(sponge.rate, key_of_sponge(sponge, "rate"), resolved, part, variable);
    const std::vector<double> drawn_to =
        sound_values(*target,
                     key_of_sponge(sponge,
                                   !is_scalar ? "velocity"
                                   : resolved.is_temperature(variable)
                                       ? "temperature"
                                       : "scalars." + resolved.scalar(variable).name),
                     resolved,
                     part,
                     variable,
                     t);
    for (std::size_t point = 0; point < values.size(); ++point)
      values[point] += rate[point] * drawn_to[point];
  }
  return values;
}

std::vector<double> rate_values(const Case& resolved, const Subdomain& part, int variable) {
  const double own = is_velocity(variable) ? -resolved.forcing.linear : 0;
  std::vector<double> values(part.points().count(), own);
  const auto add = [&](const Expression& formula, const std::string& key) {
    const std::vector<double> rate = rate_of(formula, key, resolved, part, variable);
    for (std::size_t point = 0; point < values.size(); ++point) values[point] += rate[point];
  };
  for (const SpongeCase& sponge : resolved.forcing.sponges) {
    if (resolved.target_of(sponge, variable) != nullptr)
      add(sponge.rate, key_of_sponge(sponge, "rate"));
  }
  for (const DragCase& drag : resolved.forcing.drag) {
    if (is_velocity(variable)) add(drag.rate, "forcing.drag." + drag.name + ".rate");
  }
  return values;
}

std::vector<std::string> sponges_at_inflows(const Case& resolved) {
  constexpr int samples = 17;  // along each axis of a face, its ends included
  std::vector<std::string> lines;
  const auto differs =
      [](const SpongeCase& sponge, const FaceCase& face, const PerAxis<double>& x) {
        constexpr double rounding = 1e-9;
        if (!(sponge.rate(x[0], x[1], x[2], 0) > 0)) return false;
        if (face.velocity_file || face.turbulence) return true;
        for (int component = 0; component < 3; ++component) {
          const double target = (*sponge.velocity)[component](x[0], x[1], x[2], 0);
          if (std::abs(target - face.velocity[component](x[0], x[1], x[2], 0)) > rounding)
            return true;
        }
        return false;
      };
  const auto first_place = [&](const SpongeCase& sponge,
                               int face) -> std::optional<PerAxis<double>> {
    const auto normal = static_cast<Axis>(face / 2);
    const auto [first, second] = axes_in_plane(normal);
    PerAxis<double> x = resolved.grid.origin;
    if (face % 2 == 1) x[face / 2] += resolved.grid.length[face / 2];
    for (int n = 0; n < samples * samples; ++n) {
      const auto along = [&](Axis axis, int sample) {
        x[axis] = resolved.grid.origin[axis] + resolved.grid.length[axis] * sample / (samples - 1);
      };
      along(first, n % samples);
      along(second, n / samples);
      if (differs(sponge, resolved.faces[face], x)) return x;
    }
    return std::nullopt;
  };
  for (const SpongeCase& sponge : resolved.forcing.sponges) {
    for (int face = 0; sponge.velocity && face < resolved.faces.size(); ++face) {
      if (!FaceConditions(resolved, face).is_inflow()) continue;
      const auto x = first_place(sponge, face);
      if (!x) continue;
      lines.push_back(
          fmt::format("sponge {} reaches the inflow {} at x = {:g}, y = {:g}, z = {:g}, and draws "
                      "the flow to another velocity there than the face gives",
                      sponge.name,
                      face_names[face],
                      (*x)[0],
                      (*x)[1],
                      (*x)[2]));
    }
  }
  return lines;
}

}  // namespace dns
