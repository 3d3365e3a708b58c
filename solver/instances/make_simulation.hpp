/// From a case to a simulation: scheme, device and precision are chosen here, once.
#pragma once

#include <memory>

#include "solver/core/device_facts.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// What this machine and this build offer to compute on.
DeviceFacts device_facts();

/// The device a case will run on: `automatic` resolved. Throws CaseError when the program has no
/// CUDA and cuda is asked for, DeviceError when no GPU answers or the program was built for another
/// processor.
DeviceChoice resolve_device(DeviceChoice asked);

/// Chooses scheme, device and precision; allocates. Throws CaseError, DeviceError (too little
/// memory says how much was needed and how much there is).
std::unique_ptr<Simulation> make_simulation(const Case& resolved);

}  // namespace dns
