#include "solver/application/terminal/typed_options.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "solver/config/number_text.hpp"
#include "solver/core/error.hpp"

namespace dns {
namespace {

/// `text` as a YAML string that stands for exactly these characters.
std::string yaml_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + '"';
}

}  // namespace

Override override_of_folder(const std::string& folder, const std::string& source) {
  return {"output.directory", yaml_quoted(folder), source};
}

int ranks_of(const Typed& typed) {
  constexpr std::int64_t most = 65536;
  if (typed.ranks.empty()) return 0;
  const std::optional<std::int64_t> ranks = whole_number_from(typed.ranks);
  if (ranks && *ranks >= 1 && *ranks <= most) return static_cast<int>(*ranks);
  throw CaseError(
      fmt::format("--ranks is '{}', but must be a whole number from 1 to {}", typed.ranks, most));
}

std::vector<Override> overrides_of(const Typed& typed) {
  std::vector<Override> overrides;
  for (const std::string& set : typed.sets) overrides.push_back(parse_override(set, "--set"));
  const auto add = [&](const char* path, const std::string& value, const char* flag) {
    if (!value.empty()) overrides.push_back({path, value, flag});
  };
  add("device", typed.device, "--device");
  add("precision", typed.precision, "--precision");
  add("run.threads", typed.threads, "--threads");
  add("time.steps", typed.steps, "--steps");
  if (!typed.output.empty()) overrides.push_back(override_of_folder(typed.output, "--output"));
  return overrides;
}

}  // namespace dns
