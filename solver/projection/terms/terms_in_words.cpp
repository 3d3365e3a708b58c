#include "solver/projection/terms/terms_in_words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace dns {
namespace {

/// ", NAME dt 0.1", of a rate [U/L] in constant steps.
std::string of_step(const Case& resolved, const char* name, double rate) {
  if (!std::isfinite(resolved.time.step)) return {};
  return fmt::format(", {} dt {:.3g}", name, rate * resolved.time.step);
}

}  // namespace

std::string rotation_in_words(const Case& resolved) {
  if (!resolved.rotates()) return {};
  const double turn = resolved.coriolis_frequency();
  return fmt::format("rotation: 2 Omega {:.3g}{}", turn, of_step(resolved, "2 Omega", turn));
}

std::string lorentz_in_words(const Case& resolved) {
  if (!resolved.magnetic) return {};
  const double rate = resolved.lorentz_rate();
  return fmt::format(
      "Lorentz force: Hartmann number {:g}, rate N {:.3g}{}; a second Poisson equation",
      resolved.magnetic->hartmann,
      rate,
      of_step(resolved, "N", rate));
}

}  // namespace dns
