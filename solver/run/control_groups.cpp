#include "solver/run/control_groups.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/run/words.hpp"

namespace dns {
namespace {

namespace fs = std::filesystem;

/// The folders of the groups this process is in, from its own to the root: those of `controller` in
/// version 1, and those of version 2. A line of the table is NUMBER:CONTROLLERS:GROUP,
/// "4:cpu,cpuacct:/user/job" or in version 2, which has one tree for all, "0::/user/job"; beside
/// trees of version 1 its folder is "unified". Groups that a container does not show, but names
/// from outside, are no folders there.
std::vector<fs::path> groups_of(std::string_view controller, const ControlGroupFiles& files) {
  std::vector<fs::path> folders;
  std::ifstream table(files.membership);
  for (std::string line; std::getline(table, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const auto controllers = split(line.substr(first + 1, second - first - 1), ',');
    std::vector<fs::path> trees;
    if (controllers.empty()) trees = {files.tree, files.tree / "unified"};
    if (std::ranges::find(controllers, controller) != controllers.end())
      trees = {files.tree / controller};
    for (const fs::path& tree : trees) {
      fs::path group = fs::path(line.substr(second + 1)).relative_path();
      for (; !group.empty(); group = group.parent_path()) folders.push_back(tree / group);
      folders.push_back(tree);
    }
  }
  return folders;
}

/// A file that holds one number, such as memory.max; none where it holds a word, or is not there.
template <class Number>
std::optional<Number> number_in(const fs::path& path) {
  std::ifstream file(path);
  Number number{};
  if (file >> number) return number;
  return std::nullopt;
}

/// The number behind `name` in memory.stat; 0 when there is none.
std::size_t statistic(const fs::path& group, std::string_view name) {
  std::ifstream file(group / "memory.stat");
  std::size_t number = 0;
  for (std::string each; file >> each >> number;) {
    if (each == name) return number;
  }
  return 0;
}

std::size_t memory_left(std::size_t limit, std::size_t used, std::size_t reclaimable) {
  used -= std::min(used, reclaimable);
  return limit - std::min(limit, used);
}

std::size_t memory_left_in(const fs::path& group) {
  if (const auto limit = number_in<std::size_t>(group / "memory.max")) {
    return memory_left(*limit,
                       number_in<std::size_t>(group / "memory.current").value_or(0),
                       statistic(group, "inactive_file"));
  }
  if (const auto limit = number_in<std::size_t>(group / "memory.limit_in_bytes")) {
    return memory_left(*limit,
                       number_in<std::size_t>(group / "memory.usage_in_bytes").value_or(0),
                       statistic(group, "total_inactive_file"));
  }
  return unlimited_memory;
}

int cores_of(std::optional<double> quota, std::optional<double> period) {
  if (!quota || !period || !(*quota > 0) || !(*period > 0)) return unlimited_cores;
  const double cores = std::ceil(*quota / *period);
  return cores < unlimited_cores ? std::max(1, static_cast<int>(cores)) : unlimited_cores;
}

int cores_in(const fs::path& group) {
  std::ifstream file(group / "cpu.max");  // "QUOTA PERIOD" or "max PERIOD"
  double quota = 0;
  double period = 0;
  if (file >> quota >> period) return cores_of(quota, period);
  return cores_of(number_in<double>(group / "cpu.cfs_quota_us"),
                  number_in<double>(group / "cpu.cfs_period_us"));
}

}  // namespace

std::size_t memory_left_in_control_groups(const ControlGroupFiles& files) {
  std::size_t least = unlimited_memory;
  for (const fs::path& group : groups_of("memory", files))
    least = std::min(least, memory_left_in(group));
  return least;
}

int cores_of_control_groups(const ControlGroupFiles& files) {
  int least = unlimited_cores;
  for (const fs::path& group : groups_of("cpu", files)) least = std::min(least, cores_in(group));
  return least;
}

}  // namespace dns
