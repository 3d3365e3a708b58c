/// A box with a linear flow and with waves, whose values are known everywhere.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <string>

#include "solver/config/case.hpp"

namespace dns::testing {

using Place = PerAxis<double>;
using Flow = std::array<std::function<double(const Place&)>, 4>;  // u, v, w, T

inline constexpr Place origin{-1, 0, 2};
inline constexpr Place length{1.5, 1, 0.75};
inline constexpr std::array schemes{Scheme::splitting, Scheme::projection};

/// A box of some points; `stretching` for scheme projection alone.
inline std::string yaml_of(Scheme scheme,
                           const PerAxis<int>& points,
                           const std::string& stretching,
                           const std::string& rest) {
  const bool is_splitting = scheme == Scheme::splitting;
  return fmt::format(
      "scheme: {}\n"
      "grid: {{points: [{}], length: [1.5, 1, 0.75], origin: [-1, 0, 2]{}}}\n"
      "fluid: {{reynolds: 50, prandtl: 0.7{}}}\n"
      "time: {{step: 0.001, steps: 100}}\n{}",
      name_of(scheme),
      fmt::join(points, ", "),
      is_splitting ? "" : stretching,
      is_splitting ? ", heat_capacity_ratio: 1.4" : "",
      rest);
}

/// The same values given on all faces, which are inflows, and at the start.
inline std::string given_everywhere(const std::string& values) {
  std::string yaml = "boundaries:\n";
  for (const std::string& face : face_names)
    yaml += fmt::format("  {}: {{type: inflow, {}}}\n", face, values);
  return yaml + fmt::format("initial: {{{}}}\n", values);
}

inline const std::string all_stretched =
    ", stretching: {x: {factor: 1.2}, y: {factor: 0.9}, z: {factor: 1.5}}";
inline const std::string linear_values =
    R"(velocity: ["1+y-2*z", "x+0.5*z", "0.3-x+y"], temperature: "1+x-2*y+0.5*z")";
inline const Flow linear{[](const Place& p) { return 1 + p[1] - 2 * p[2]; },
                         [](const Place& p) { return p[0] + 0.5 * p[2]; },
                         [](const Place& p) { return 0.3 - p[0] + p[1]; },
                         [](const Place& p) { return 1 + p[0] - 2 * p[1] + 0.5 * p[2]; }};

inline const std::string wave_values =
    R"yaml(velocity: ["1+sin(2*pi*y)", "cos(2*pi*(z-2)/0.75)", "sin(2*pi*(x+1)/1.5)+0.2*cos(2*pi*y)"],
  temperature: "1+sin(2*pi*(x+1)/1.5)*cos(2*pi*y)+sin(2*pi*(z-2)/0.75)")yaml";
inline const std::string all_periodic =
    "boundaries: {x: periodic, y: periodic, z: periodic}\ninitial: {" + wave_values + "}\n";
inline double wave(double x, int axis) {
  return 2 * std::numbers::pi * (x - origin[axis]) / length[axis];
}
inline const Flow waves{
    [](const Place& p) { return 1 + std::sin(wave(p[1], 1)); },
    [](const Place& p) { return std::cos(wave(p[2], 2)); },
    [](const Place& p) { return std::sin(wave(p[0], 0)) + 0.2 * std::cos(wave(p[1], 1)); },
    [](const Place& p) {
      return 1 + std::sin(wave(p[0], 0)) * std::cos(wave(p[1], 1)) + std::sin(wave(p[2], 2));
    }};

}  // namespace dns::testing
