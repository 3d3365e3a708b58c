#include "solver/output/colour_map.hpp"

#include <algorithm>
#include <cmath>

namespace dns {
namespace {

using Polynomial = std::array<double, 7>;  // coefficients of the powers 0 .. 6
using Channels = std::array<Polynomial, 3>;

constexpr Channels viridis = {
    Polynomial{0.2745, 0.1077, -0.3272, -4.5999, 6.2037, 4.7518, -5.4321},
    Polynomial{0.0058, 1.3965, 0.2148, -5.7582, 14.1540, -13.7494, 4.6416},
    Polynomial{0.3327, 1.3868, 0.0920, -19.2918, 56.6563, -65.3210, 26.2721}};

constexpr Channels cool_to_warm = {
    Polynomial{0.2285, 1.2044, 0.0937, 2.2407, -5.1304, 1.4143, 0.6575},
    Polynomial{0.2890, 2.2998, -7.2787, 32.2228, -74.6690, 72.7997, -25.6334},
    Polynomial{0.7545, 1.5589, -1.8751, -1.5855, -3.7416, 9.5724, -4.5374}};

double value_of(const Polynomial& polynomial, double x) {
  double value = 0;
  double power = 1;
  for (const double coefficient : polynomial) {
    value += coefficient * power;
    power *= x;
  }
  return value;
}

}  // namespace

Colour colour_of(ColourMap map, double fraction) {
  const Channels& channels = map == ColourMap::sequential ? viridis : cool_to_warm;
  const double x = std::clamp(fraction, 0.0, 1.0);
  Colour colour{};
  for (std::size_t channel = 0; channel < colour.size(); ++channel) {
    const double part = std::clamp(value_of(channels[channel], x), 0.0, 1.0);
    colour[channel] = static_cast<std::uint8_t>(std::lround(255 * part));
  }
  return colour;
}

}  // namespace dns
