#include "solver/ranks/mpi.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "solver/core/error.hpp"
#include "solver/core/version.hpp"
#include "solver/ranks/mpi_plugin.hpp"

namespace dns {
namespace {

namespace fs = std::filesystem;

/// The library that this function is in, or the program.
fs::path own_path() {
  Dl_info found{};
  const bool is_found = dladdr(reinterpret_cast<const void*>(&own_path), &found) != 0;
  return is_found && found.dli_fname != nullptr ? fs::path(found.dli_fname) : fs::path();
}

/// The plugin lies beside the program where it was built, and in lib/dns where it is installed;
/// beside a module of another program.
std::string plugin_path() {
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const fs::path& path : {folder / mpi_plugin_file,
                               folder.parent_path() / "lib/dns" / mpi_plugin_file,
                               own_path().parent_path() / mpi_plugin_file}) {
    if (fs::exists(path, none)) return path.string();
  }
  throw DeviceError(
      fmt::format("this program was built without MPI, which several ranks need; {}", mpi_cure));
}

class Plugin {
 public:
  /// Opens the plugin, which stays open; MPI's symbols are those of the whole program, as its own
  /// plugins expect. Throws DeviceError.
  Plugin() : path_(plugin_path()), handle_(dlopen(path_.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
    if (handle_ == nullptr) {
      const char* const reason = dlerror();
      throw DeviceError(fmt::format("MPI cannot be opened ({}); {}",
                                    reason == nullptr ? path_ : std::string(reason),
                                    mpi_cure));
    }
    found_ = static_cast<const MpiPlugin*>(dlsym(handle_, "dns_mpi"));
    const std::string_view its_version = found_ == nullptr ? "another version" : found_->version;
    if (its_version == version()) return;
    throw DeviceError(
        fmt::format("{} belongs to dns {}, but this is dns {}; install or build "
                    "both anew",
                    path_,
                    its_version,
                    version()));
  }

  const MpiPlugin* operator->() const { return found_; }

 private:
  std::string path_;
  void* handle_;
  const MpiPlugin* found_ = nullptr;
};

/// For rank 0 the others wait longer while it may read or write files: two hours, in which a slow
/// disk takes some hundreds of GB.
MpiLimits limits_with(std::size_t largest_piece, const void* processes) {
  constexpr double times_at_leisure = 24;
  const double wait = longest_wait_for_ranks();
  return {.wait = wait,
          .wait_at_leisure = times_at_leisure * wait,
          .largest_piece = largest_piece,
          .processes = processes};
}

}  // namespace

double longest_wait_for_ranks() {
  constexpr double usual = 300;  // [s]
  const char* const text = std::getenv("DNS_RANK_TIMEOUT");
  const double asked = text == nullptr ? 0 : std::strtod(text, nullptr);
  return asked > 0 ? asked : usual;
}

std::unique_ptr<Communicator> join_mpi(std::size_t largest_piece, const void* processes) {
  return std::unique_ptr<Communicator>(Plugin()->join(limits_with(largest_piece, processes)));
}

LibraryFacts mpi_facts() {
  LibraryFacts facts{"MPI", {}, {}};
  try {
    facts.version = Plugin()->library();
  } catch (const DeviceError& error) {
    facts.obstacle = error.what();
  }
  return facts;
}

}  // namespace dns
