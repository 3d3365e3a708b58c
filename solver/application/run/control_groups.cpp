#include "solver/application/run/control_groups.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>

namespace dns {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view version_2;  // it has one tree for all controllers

/// A tree of control groups, or the part of one that can be seen.
struct Mount {
  fs::path root;   // the group whose folder is `point`
  fs::path point;  // where it is mounted
};

bool has_word(const std::string& list, std::string_view word) {
  std::istringstream words(list);
  for (std::string each; std::getline(words, each, ',');) {
    if (each == word) return true;
  }
  return false;
}

/// The mount of `controller`. A line of the table (proc(5)) is
///   31 23 0:28 ROOT POINT OPTIONS [TAGS ...] - TYPE SOURCE OPTIONS-OF-THE-FILE-SYSTEM
std::optional<Mount> mount_of(std::string_view controller, const fs::path& table) {
  std::ifstream file(table);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    const std::vector<std::string> fields{std::istream_iterator<std::string>(words), {}};
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    constexpr std::ptrdiff_t before = 6;
    constexpr std::ptrdiff_t after = 4;
    if (dash - fields.begin() < before || fields.end() - dash < after) continue;
    const bool is_it = controller == version_2
                           ? dash[1] == "cgroup2"
                           : dash[1] == "cgroup" && has_word(dash[3], controller);
    if (is_it) return Mount{.root = fields[3], .point = fields[4]};
  }
  return std::nullopt;
}

/// The group this process is in, "/user/job": a line of the table is NUMBER:CONTROLLERS:GROUP.
std::optional<fs::path> group_of(std::string_view controller, const fs::path& table) {
  std::ifstream file(table);
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_it =
        controller == version_2 ? controllers.empty() : has_word(controllers, controller);
    if (is_it) return line.substr(second + 1);
  }
  return std::nullopt;
}

std::vector<fs::path> groups_of_one_tree(std::string_view controller,
                                         const ControlGroupFiles& files) {
  const std::optional<Mount> mount = mount_of(controller, files.mounts);
  const std::optional<fs::path> group = group_of(controller, files.membership);
  if (!mount || !group) return {};
  fs::path within = group->lexically_relative(mount->root);
  // A container may show its own group as the root of the tree and yet name it from outside.
  if (within.empty() || within == "." || *within.begin() == "..") within.clear();
  std::vector<fs::path> folders;
  for (; !within.empty(); within = within.parent_path()) folders.push_back(mount->point / within);
  folders.push_back(mount->point);
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

std::vector<fs::path> control_groups(std::string_view controller, const ControlGroupFiles& files) {
  std::vector<fs::path> folders = groups_of_one_tree(controller, files);
  const std::vector<fs::path> newer = groups_of_one_tree(version_2, files);
  folders.insert(folders.end(), newer.begin(), newer.end());
  return folders;
}

std::size_t memory_left_in_control_groups(const ControlGroupFiles& files) {
  std::size_t least = unlimited_memory;
  for (const fs::path& group : control_groups("memory", files))
    least = std::min(least, memory_left_in(group));
  return least;
}

int cores_of_control_groups(const ControlGroupFiles& files) {
  int least = unlimited_cores;
  for (const fs::path& group : control_groups("cpu", files))
    least = std::min(least, cores_in(group));
  return least;
}

}  // namespace dns
