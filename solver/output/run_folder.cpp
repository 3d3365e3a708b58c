#include "solver/output/run_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "solver/core/error.hpp"

namespace dns {
namespace {

namespace fs = std::filesystem;

/// A file that a run writes.
bool is_run_file(std::string_view name, const Outputs& outputs) {
  return name == "case.yaml" || name == "log.txt" ||
         outputs.kind_of(name) != Output::FileKind::foreign;
}

/// The beginning of a run file.
bool is_unfinished(std::string_view name, const Outputs& outputs) {
  constexpr std::string_view part = ".part";
  return name.ends_with(part) && is_run_file(name.substr(0, name.size() - part.size()), outputs);
}

constexpr std::string_view stop_name = "STOP";

}  // namespace

std::string stop_file(const std::string& directory) {
  return path_in(directory, stop_name);
}

std::string remove_stop_file(const std::string& directory) {
  std::error_code error;
  fs::remove(stop_file(directory), error);
  return error ? system_message(stop_file(directory), "removing it", error.value()) : "";
}

void remove_unfinished_files(const std::string& directory, const Outputs& outputs) {
  std::error_code ignored;
  for (const std::string& name : names_in(directory))
    if (is_unfinished(name, outputs)) fs::remove(path_in(directory, name), ignored);
}

void make_run_folder(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error && !fs::is_directory(directory))
    throw IoError(system_message(directory, "creating the folder", error.value()));
  if (::access(directory.c_str(), W_OK | X_OK) != 0)
    throw IoError(system_message(directory, "writing to the folder", errno));
}

void prepare_run_folder(const std::string& directory,
                        ExistingFolder policy,
                        const Outputs& outputs) {
  make_run_folder(directory);
  std::vector<std::string> removable;
  for (std::string& name : names_in(directory)) {
    const bool is_of_run = is_run_file(name, outputs);
    if (is_of_run && policy == ExistingFolder::refuse) {
      throw CaseError(
          fmt::format("{0} already holds a run ({1}); use --force to replace it or "
                      "`dns resume {0}` to go on",
                      directory,
                      name));
    }
    if (is_of_run || is_unfinished(name, outputs)) removable.push_back(std::move(name));
  }
  // Lists first, so that none ever names a file that is gone.
  std::ranges::partition(removable, [&](const std::string& name) {
    return outputs.kind_of(name) == Output::FileKind::list;
  });
  for (const std::string& name : removable) {
    const std::string path = path_in(directory, name);
    if (!fs::is_directory(path)) remove_file(path);
  }
  remove_stop_file(directory);
}

}  // namespace dns
