/// The caches of the processors that the program runs on.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace dns {

/// Bytes of the last-level caches of `processors`, a shared one counted once, as Linux describes
/// them in `folder` (/sys/devices/system/cpu). 0 where it does not.
[[nodiscard]] std::size_t last_level_caches(const std::filesystem::path& folder,
                                            const std::vector<int>& processors);

/// Bytes of the last-level caches of the processors that this process may use; 32 MiB where the
/// system does not say.
[[nodiscard]] std::size_t host_cache_bytes();

}  // namespace dns
