"""The energy of the GPU, from the counter of its driver (NVML)."""
import ctypes


def gpu_joules(library="libnvidia-ml.so.1"):
    """What the GPU of this machine has taken since its driver was loaded [J]; None where there is
    no GPU, more than one, or no counter.
    """
    try:
        nvml = ctypes.CDLL(library)
        if nvml.nvmlInit_v2() != 0:
            return None
        count, device, millijoules = ctypes.c_uint(), ctypes.c_void_p(), ctypes.c_ulonglong()
        is_known = (nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)) == 0 and count.value == 1
                    and nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(device)) == 0
                    and nvml.nvmlDeviceGetTotalEnergyConsumption(
                        device, ctypes.byref(millijoules)) == 0)
        nvml.nvmlShutdown()
    except (OSError, AttributeError):  # no such library, or one without these functions
        return None
    return 1e-3 * millijoules.value if is_known else None
