/// What the control groups of this process allow it: memory and cores.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>

namespace dns {

/// Where Linux says which control groups a process is in, and where it shows them.
struct ControlGroupFiles {
  std::filesystem::path membership = "/proc/self/cgroup";
  std::filesystem::path tree = "/sys/fs/cgroup";
};

inline constexpr std::size_t unlimited_memory = std::numeric_limits<std::size_t>::max();
inline constexpr int unlimited_cores = std::numeric_limits<int>::max();

/// Bytes the process may still take: the least that the limit of a group leaves, where the inactive
/// file cache counts as free. unlimited_memory without a limit.
std::size_t memory_left_in_control_groups(const ControlGroupFiles& files = {});

/// The least quota of a group, rounded up to whole cores, at least 1. unlimited_cores without one.
int cores_of_control_groups(const ControlGroupFiles& files = {});

}  // namespace dns
