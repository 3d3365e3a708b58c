/// Scheme projection on a GPU. Each precision is a file of its own, so that they compile side by
/// side.
#pragma once

#include <memory>

#include "solver/time/simulation.hpp"

namespace dns {

/// Throws DeviceError.
template <class Real>
std::unique_ptr<Simulation> make_cuda_projection(const Case& resolved);

extern template std::unique_ptr<Simulation> make_cuda_projection<float>(const Case& resolved);
extern template std::unique_ptr<Simulation> make_cuda_projection<double>(const Case& resolved);

}  // namespace dns
