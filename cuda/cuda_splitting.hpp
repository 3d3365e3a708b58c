/// Scheme splitting on a GPU. Each precision is a file of its own, so that they compile side by
/// side.
#pragma once

#include <memory>

#include "solver/time/simulation.hpp"

namespace dns {

/// Throws DeviceError.
template <class Real>
std::unique_ptr<Simulation> make_cuda_splitting(const Case& resolved);

extern template std::unique_ptr<Simulation> make_cuda_splitting<float>(const Case& resolved);
extern template std::unique_ptr<Simulation> make_cuda_splitting<double>(const Case& resolved);

}  // namespace dns
