#include "solver/application/commands/shared_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "solver/core/error.hpp"
#include "solver/run/words.hpp"

namespace dns {

std::string shared_file(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  const fs::path installed = program.parent_path().parent_path() / "share/dns" / name;
  const fs::path in_sources = fs::path(DNS_SOURCE_FOLDER) / name;
  for (const fs::path& path : {installed, in_sources}) {
    if (fs::exists(path, none)) return path.string();
  }
  throw IoError(fmt::format("{}: not there, but the program needs it; install the program anew",
                            installed.string()));
}

}  // namespace dns
