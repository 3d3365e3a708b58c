#include "solver/config/named_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "solver/config/text_file.hpp"

namespace dns {

std::optional<FileCase> read_file(ValueReader& reader,
                                  const std::string& path,
                                  const std::string& content,
                                  const std::string& folder) {
  const std::optional<std::string> given = reader.text(path);
  if (!given) return std::nullopt;
  FileCase file;
  std::error_code error;
  file.path = std::filesystem::absolute(std::filesystem::path(folder) / *given, error)
                  .lexically_normal()
                  .string();
  if (!reader.looks_at_files()) {
    if (reader.is_given(content)) file.content = reader.text(content).value_or("");
    return file;
  }
  if (!std::filesystem::is_regular_file(file.path, error)) {
    reader.add_problem(path, fmt::format("{} is no file that can be read", file.path));
    return std::nullopt;
  }
  file.content = checksum_of_file(file.path);
  if (file.content.empty()) {
    reader.add_problem(path, fmt::format("{} cannot be read", file.path));
    return std::nullopt;
  }
  if (!reader.is_given(content)) return file;
  const std::string wanted = reader.text(content).value_or("");
  if (wanted == file.content) return file;
  reader.add_problem(
      path,
      fmt::format(
          "{} has changed: its checksum is {}, and was {}", file.path, file.content, wanted));
  return std::nullopt;
}

}  // namespace dns
