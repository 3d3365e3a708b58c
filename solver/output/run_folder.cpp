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

}  // namespace

void remove_unfinished_files(const std::string& directory, const Outputs& outputs) {
  std::vector<fs::path> unfinished;
  std::error_code ignored;
  for (fs::directory_iterator entry(directory, ignored), end; entry != end;
       entry.increment(ignored)) {
    if (is_unfinished(entry->path().filename().string(), outputs))
      unfinished.push_back(entry->path());
  }
  for (const fs::path& path : unfinished) fs::remove(path, ignored);
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
  try {
    std::vector<fs::path> removable;
    for (const auto& entry : fs::directory_iterator(directory)) {
      const std::string name = entry.path().filename().string();
      const bool is_of_run = is_run_file(name, outputs);
      if (is_of_run && policy == ExistingFolder::refuse) {
        throw CaseError(
            fmt::format("{0} already holds a run ({1}); use --force to replace it or "
                        "`dns resume {0}` to go on",
                        directory,
                        name));
      }
      if (!entry.is_directory() && (is_of_run || name == "STOP" || is_unfinished(name, outputs)))
        removable.push_back(entry.path());
    }
    // Lists first, so that none ever names a file that is gone.
    std::ranges::partition(removable, [&](const fs::path& path) {
      return outputs.kind_of(path.filename().string()) == Output::FileKind::list;
    });
    for (const fs::path& path : removable) fs::remove(path);
  } catch (const fs::filesystem_error& failure) {
    if (failure.code().value() == EINTR) return prepare_run_folder(directory, policy, outputs);
    throw IoError(system_message(directory, "clearing the folder", failure.code().value()));
  }
}

}  // namespace dns
