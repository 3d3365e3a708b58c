#include "solver/config/load_case.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <utility>

#include "solver/config/case_formulas.hpp"
#include "solver/config/case_keys.hpp"
#include "solver/config/case_override.hpp"
#include "solver/config/case_problems.hpp"
#include "solver/config/case_reader.hpp"
#include "solver/config/case_tree.hpp"
#include "solver/config/key_table.hpp"
#include "solver/config/shorthands.hpp"
#include "solver/config/value_reader.hpp"
#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/core/system_errors.hpp"
#include "solver/core/text_file.hpp"

namespace dns {
namespace {

/// Far above any case file; below what an endless device would fill the memory with.
constexpr std::size_t most_bytes = std::size_t{16} << 20U;

/// The text of an ordinary file, or of a pipe that somebody writes to. Does not wait for what may
/// never come: a pipe without a writer is empty.
std::string file_text(const std::string& path) {
  const FileDescriptor file(open_number(path, O_RDONLY));
  const auto refuse = [&](const char* what) {
    throw CaseError(fmt::format("{}:1:1: not a case file: {}", path, what));
  };
  struct stat status {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0)
    throw FileSystemError(system_message(path, "cannot be read", errno));
  if (S_ISDIR(status.st_mode)) throw CaseError(path + ": is a folder, not a case file");
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) refuse("it is a device");
  // What is written to a pipe is waited for.
  ::fcntl(file.number(), F_SETFL, O_RDONLY);
  std::string text;
  constexpr std::size_t piece_bytes = 1 << 16;
  for (std::string piece = file.read_some(piece_bytes, path); !piece.empty();
       piece = file.read_some(piece_bytes, path)) {
    text += piece;
    if (text.size() > most_bytes) refuse("it holds more than 16 MiB");
  }
  return without_byte_order_mark(std::move(text));
}

/// The tree of the file, a map, with the present names of its keys. Throws CaseError when it is
/// none.
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
    problems.add(error.position, error.what());
  }
  problems.throw_if_any();
  rename_keys(root, "", problems);
  return root;
}

/// Messages that begin with a key, with its place before them.
std::vector<std::string> located(std::vector<std::string> messages,
                                 const std::string& path,
                                 const std::vector<Override>& overrides) {
  const auto key_of = [](const std::string& message) {
    return message.substr(0, message.find(": "));
  };
  const auto begins_with_key = [&key_of](const std::string& message) {
    return find_key(key_of(message)) != nullptr;
  };
  if (std::ranges::none_of(messages, begins_with_key))
    return messages;  // of a file that may not even be a case
  CaseProblems problems(path, overrides);
  CaseNode root = parse_tree(file_text(path), 0);
  rename_keys(root, "", problems);
  write_out_shorthands(root);
  apply_overrides(root, overrides, problems);
  write_out_shorthands(root);
  for (std::string& message : messages) {
    if (begins_with_key(message))
      message = problems.placed(position_of(root, key_of(message)), message);
  }
  return messages;
}

}  // namespace

CaseError located(const CaseError& error,
                  const std::string& path,
                  const std::vector<Override>& overrides) {
  return CaseError(located(error.messages(), path, overrides));
}

IoError located(const IoError& error,
                const std::string& path,
                const std::vector<Override>& overrides) {
  return IoError(located(std::vector<std::string>{error.what()}, path, overrides).front());
}

Case load_case(const std::string& path,
               const std::vector<Override>& overrides,
               std::vector<std::string>* warnings) {
  return parse_case(file_text(path), path, overrides, NamedFiles::looked_at, warnings);
}

Case parse_case(const std::string& yaml,
                const std::string& name,
                const std::vector<Override>& overrides,
                NamedFiles files,
                std::vector<std::string>* warnings) {
  if (yaml.find('\0') != std::string::npos)
    throw CaseError(name + ":1:1: not a case file: it is no text");
  CaseProblems problems(name, overrides);
  CaseNode root = parse_file(yaml, problems);
  write_out_shorthands(root);
  apply_overrides(root, overrides, problems);
  write_out_shorthands(root);  // of the overrides
  const CaseFormulas formulas(root, yaml, problems);
  const std::vector<std::string> suggested = check_keys(root, problems);
  const std::filesystem::path file(name);
  ValueReader reader(root, problems, suggested, files, file.parent_path().string());
  Case read = read_case(reader, file.stem().string());
  problems.throw_if_any();
  read.parameters = formulas.parameters();
  read.formulas = formulas.formulas();
  if (warnings != nullptr) *warnings = problems.warnings();
  return read;
}

}  // namespace dns
