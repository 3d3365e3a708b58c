// The energy a GPU has taken, from the library that comes with its driver (NVML).
#include <cuda_runtime.h>

#include <array>

#include "bench/studies/cuda_studies.hpp"
#include "cuda/cuda_error.hpp"
#include "cuda/library_on_demand.hpp"

namespace dns::bench {
namespace {

/// The functions of NVML that are used; the header is not part of every toolkit. All return 0 when
/// they did what they should.
struct Nvml {
  using Handle = struct NvmlDevice*;
  using Initialize = int();
  using FindDevice = int(const char* pci_bus, Handle* device);
  using Energy = int(Handle device, unsigned long long* millijoules);

  LibraryOnDemand library{"libnvidia-ml.so.1"};
  Energy* energy = library.function<Energy>("nvmlDeviceGetTotalEnergyConsumption");
  Handle device = nullptr;

  Nvml() {
    std::array<char, 32> pci_bus{};
    int number = 0;
    check(cudaGetDevice(&number), "asking for its number");
    check(cudaDeviceGetPCIBusId(pci_bus.data(), static_cast<int>(pci_bus.size()), number),
          "asking where it is");
    if (library.function<Initialize>("nvmlInit_v2")() != 0 ||
        library.function<FindDevice>("nvmlDeviceGetHandleByPciBusId_v2")(pci_bus.data(), &device) !=
            0) {
      throw DeviceError("NVML does not know the GPU in use");
    }
  }
};

}  // namespace

std::optional<double> cuda_joules() {
  try {
    static const Nvml nvml;
    unsigned long long millijoules = 0;
    if (nvml.energy(nvml.device, &millijoules) != 0) return std::nullopt;
    return 1e-3 * static_cast<double>(millijoules);
  } catch (const DeviceError&) {
    return std::nullopt;
  }
}

}  // namespace dns::bench
