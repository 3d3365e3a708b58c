/// From a case to a simulation: scheme, device and precision are chosen here, once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solver/core/communicator.hpp"
#include "solver/core/device_facts.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

/// The devices and libraries of this machine and this build.
DeviceFacts device_facts();

/// The device that a case will run on: `automatic` resolved. Throws CaseError when cuda is asked
/// for in a build without CUDA, DeviceError when no GPU can be used or the program was built for
/// another processor.
DeviceChoice resolve_device(DeviceChoice asked);

/// Names of the GPUs that this process sees, the same in all processes of a host; empty where there
/// are none or this build has no CUDA.
std::vector<std::string> gpu_identities();

/// The GPU that this thread computes on from here on, by its place in gpu_identities(); without a
/// call the first. Throws DeviceError.
void choose_gpu(int number);

/// Chooses scheme, device and precision; allocates. Of several ranks, each makes the simulation of
/// its part of the box. `communicator` outlives the simulation. Throws CaseError, DeviceError (for
/// too little memory with what is needed and what is free).
std::unique_ptr<Simulation> make_simulation(const Case& resolved,
                                            Communicator& communicator = alone());

}  // namespace dns
