#include "solver/core/host_cache.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>

namespace dns {
namespace {

namespace fs = std::filesystem;

/// A cache of one processor.
struct Cache {
  int level = 0;
  std::size_t bytes = 0;
  std::string processors;  // that share it: "0-7"
};

Cache cache_in(const fs::path& folder) {
  Cache cache;
  std::size_t size = 0;
  char unit = 0;
  std::ifstream(folder / "level") >> cache.level;
  std::ifstream(folder / "size") >> size >> unit;
  std::ifstream(folder / "shared_cpu_list") >> cache.processors;
  cache.bytes = size << (unit == 'K' ? 10U : unit == 'M' ? 20U : 0U);
  return cache;
}

Cache last_level_cache(const fs::path& processor) {
  Cache last;
  for (int index = 0;; ++index) {
    const Cache cache = cache_in(processor / "cache" / ("index" + std::to_string(index)));
    if (cache.level == 0) return last;
    if (cache.level > last.level) last = cache;
  }
}

std::vector<int> usable_processors() {
  std::vector<int> processors;
#ifdef __linux__
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return processors;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(static_cast<std::size_t>(processor), &usable)) processors.push_back(processor);
  }
#endif
  return processors;
}

}  // namespace

std::size_t last_level_caches(const fs::path& folder, const std::vector<int>& processors) {
  std::map<std::string, std::size_t> caches;
  for (const int processor : processors) {
    const Cache cache = last_level_cache(folder / ("cpu" + std::to_string(processor)));
    caches[cache.processors] = cache.bytes;
  }
  std::size_t bytes = 0;
  for (const auto& [shared_by, size] : caches) bytes += size;
  return bytes;
}

std::size_t host_cache_bytes() {
  constexpr std::size_t usual = std::size_t{32} << 20U;
  // sysconf reports the caches of the whole package, of which a virtual machine may have a part.
  const std::size_t described = last_level_caches("/sys/devices/system/cpu", usable_processors());
  if (described > 0) return described;
  long largest = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
  largest = std::max({largest, sysconf(_SC_LEVEL2_CACHE_SIZE), sysconf(_SC_LEVEL3_CACHE_SIZE)});
#endif
  return largest > 0 ? static_cast<std::size_t>(largest) : usual;
}

}  // namespace dns
