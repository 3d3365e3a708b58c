/// The lines of terms for `dns check` and the head of a run.
#pragma once

#include <string>

#include "solver/config/case.hpp"

namespace dns {

/// "rotation: 2 Omega 2.4, 2 Omega dt 0.024"; empty where the frame rests.
[[nodiscard]] std::string rotation_in_words(const Case& resolved);
/// "Lorentz force: Hartmann number 20, rate 2.22"; empty without a magnetic field.
[[nodiscard]] std::string lorentz_in_words(const Case& resolved);

}  // namespace dns
