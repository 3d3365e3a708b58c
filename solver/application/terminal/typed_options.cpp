#include "solver/application/terminal/typed_options.hpp"

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
