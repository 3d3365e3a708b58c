#include "solver/config/load_case.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "solver/config/case_keys.hpp"
#include "solver/config/case_override.hpp"
#include "solver/config/case_problems.hpp"
#include "solver/config/case_reader.hpp"
#include "solver/config/case_tree.hpp"
#include "solver/config/value_reader.hpp"
#include "solver/core/error.hpp"

namespace dns {
namespace {

/// Far above any case file; below what an endless device would fill the memory with.
constexpr std::size_t most_bytes = std::size_t{16} << 20U;

std::string file_text(const std::string& path) {
  std::error_code none;  // opening the file says what is wrong
  if (std::filesystem::is_directory(path, none)) {
    throw CaseError(fmt::format("{}: is a folder, not a case file", path));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 4096> piece{};
  while (file) {
    file.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes)
      throw CaseError(fmt::format("{}:1:1: not a case file: it holds more than 16 MiB", path));
  }
  if (!file.eof()) {
    const std::error_code error(errno != 0 ? errno : EIO, std::generic_category());
    throw IoError(fmt::format("{}: cannot be read: {}", path, error.message()));
  }
  return text;
}

void refuse_binary(const std::string& text, const std::string& name) {
  if (text.find('\0') != std::string::npos) {
    throw CaseError(fmt::format("{}:1:1: not a case file: it is no text", name));
  }
}

/// The tree of the file, a map. Throws CaseError when it is none.
CaseNode parse_file(const std::string& yaml, CaseProblems& problems) {
  CaseNode root;
  try {
    root = parse_tree(yaml, 0);
    if (root.is_empty()) {
      problems.add({}, "the case file is empty; `dns new NAME` writes one to start from");
    } else if (!root.is_map()) {
      problems.add(root.position,
                   fmt::format("the case file is {}, but must be a map of keys, such as scheme: "
                               "splitting",
                               shown(root)));
    }
  } catch (const SyntaxError& error) {
    problems.add(error.position(), error.what());
  }
  problems.throw_if_any();
  return root;
}

}  // namespace

Case load_case(const std::string& path, const std::vector<Override>& overrides) {
  return parse_case(file_text(path), path, overrides);
}

Case parse_case(const std::string& yaml,
                const std::string& name,
                const std::vector<Override>& overrides) {
  refuse_binary(yaml, name);
  CaseProblems problems(name, overrides);
  CaseNode root = parse_file(yaml, problems);
  int source = 0;
  for (const Override& given : overrides) apply_override(root, given, ++source, problems);

  const std::vector<std::string> suggested = check_keys(root, problems);
  ValueReader reader(root, problems, suggested);
  const std::filesystem::path file(name);
  Case read = read_case(reader, file.stem().string(), file.parent_path().string());
  problems.throw_if_any();
  return read;
}

}  // namespace dns
