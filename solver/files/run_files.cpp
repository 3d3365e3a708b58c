#include "solver/files/run_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "solver/core/error.hpp"

namespace dns {
namespace {

constexpr std::size_t fewest_digits = 8;
constexpr std::string_view table_extension = ".csv";

[[noreturn]] void fail(const std::string& path, std::string_view doing) {
  throw FileSystemError(system_message(path, doing, errno));
}

/// Returns when all that was written to a file, or a folder's list of names, is on the disk.
void flush_to_disk(const std::string& path) {
  const FileDescriptor file(open_number(path, O_RDONLY));
  if (!file.is_open()) fail(path, "opening it to flush it to disk");
  file.flush_to_disk(path);
}

/// The parts of a name: "PREFIXSTEP.h5", of slices, planes, probes and particles
/// "PREFIXWORD_STEP.EXTENSION", or "PREFIXWORD.EXTENSION".
struct NameParts {
  std::string_view word;  // of letters, digits, '_' and '-'
  std::optional<std::int64_t> step;
  std::string_view extension;
};

std::optional<NameParts> parts_of(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  const std::string_view stem = name.substr(0, name.rfind('.'));
  NameParts parts{stem, std::nullopt, name.substr(stem.size())};
  const bool is_slice = prefix == slice_prefix;
  const bool has_word =
      is_slice || prefix == planes_prefix || prefix == probes_prefix || prefix == particles_prefix;
  const std::string_view digits = stem.substr(stem.rfind('_') + 1);
  const std::size_t before = stem.size() - digits.size();
  const bool has_place = parts.extension == (is_slice ? picture_extension : ".h5") &&
                         (has_word ? before > 1 : before == 0);
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
  const bool is_number = error == std::errc{} && end == digits.data() + digits.size();
  if (has_place && is_number && digits.size() >= fewest_digits && digits[0] != '-')
    parts = {stem.substr(0, has_word ? before - 1 : 0), step, parts.extension};
  const bool is_word = std::ranges::all_of(
      parts.word, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
  return is_word ? std::optional(parts) : std::nullopt;
}

/// The words that word_of(name) finds in the names of a folder's files, in alphabetical order.
template <class WordOf>
std::vector<std::string> words_in(const std::string& directory, const WordOf& word_of) {
  std::set<std::string> words;
  for (const std::string& name : names_in(directory)) words.insert(word_of(name));
  words.erase("");
  return {words.begin(), words.end()};
}

}  // namespace

std::string path_in(const std::string& directory, std::string_view name) {
  return (std::filesystem::path(directory) / name).string();
}

std::string numbered_name(std::string_view prefix, std::int64_t step, std::string_view extension) {
  return fmt::format("{}{:08}{}", prefix, step, extension);
}

std::string slice_name(std::string_view plane, std::int64_t step) {
  return numbered_name(fmt::format("{}{}_", slice_prefix, plane), step, picture_extension);
}

std::string plane_piece_name(std::string_view plane, std::int64_t step, std::string_view prefix) {
  return numbered_name(fmt::format("{}{}_", prefix, plane), step);
}

std::optional<std::int64_t> step_of_name(std::string_view prefix, std::string_view name) {
  const std::optional<NameParts> parts = parts_of(prefix, name);
  return parts ? parts->step : std::nullopt;
}

std::string plane_of_file(std::string_view name, std::string_view prefix) {
  const std::optional<NameParts> parts = parts_of(prefix, name);
  const bool fits = parts && (parts->extension == ".h5" || parts->extension == ".xdmf");
  return std::string(fits ? parts->word : "");
}

std::string probe_table_name(std::string_view probe) {
  return fmt::format("{}{}{}", probes_prefix, probe, table_extension);
}

std::string probe_of_table(std::string_view name) {
  const std::optional<NameParts> parts = parts_of(probes_prefix, name);
  return std::string(parts && parts->extension == table_extension ? parts->word : "");
}

void add_warnings(Warnings more, Warnings& warnings) {
  std::ranges::move(more, std::back_inserter(warnings));
}

std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  try {
    for (const auto& entry : std::filesystem::directory_iterator(directory))
      names.push_back(entry.path().filename().string());
  } catch (const std::filesystem::filesystem_error& error) {
    if (error.code().value() == EINTR) return names_in(directory);
    throw FileSystemError(system_message(directory, "reading the folder", error.code().value()));
  }
  return names;
}

std::vector<NumberedFile> numbered_files(const std::string& directory,
                                         std::string_view prefix,
                                         std::string_view word) {
  std::vector<NumberedFile> files;
  for (std::string& name : names_in(directory)) {
    const auto step = step_of_name(prefix, name);
    if (step && (word.empty() || parts_of(prefix, name)->word == word))
      files.push_back({.step = *step, .name = std::move(name)});
  }
  std::ranges::sort(files, {}, &NumberedFile::step);
  return files;
}

std::vector<std::string> planes_with_files(const std::string& directory, std::string_view prefix) {
  return words_in(directory,
                  [prefix](std::string_view name) { return plane_of_file(name, prefix); });
}

std::vector<std::string> probes_with_tables(const std::string& directory) {
  return words_in(directory, probe_of_table);
}

void remove_file(const std::string& path) {
  std::error_code error;
  do {
    std::filesystem::remove(path, error);
  } while (error == std::errc::interrupted);
  if (error) throw IoError(system_message(path, "removing the file", error.value()));
}

AsideFile::AsideFile(std::string path) : path_(std::move(path)), part_path_(path_ + ".part") {}

AsideFile::~AsideFile() {
  if (!is_committed_) ::unlink(part_path_.c_str());
}

void AsideFile::commit() {
  flush_to_disk(part_path_);
  if (std::rename(part_path_.c_str(), path_.c_str()) != 0) fail(path_, "renaming the new file");
  is_committed_ = true;
  const auto folder = std::filesystem::path(path_).parent_path();
  flush_to_disk(folder.empty() ? "." : folder.string());
}

void write_all(int file, std::string_view text, const std::string& path, std::string_view doing) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path, doing);
    text.remove_prefix(written);
  }
}

void write_text_file(const std::string& path, std::string_view text) {
  AsideFile aside(path);
  FileDescriptor file = open_regular(aside.part_path(), O_WRONLY | O_CREAT | O_TRUNC);
  write_all(file.number(), text, aside.part_path(), "writing");
  file.close(aside.part_path());
  aside.commit();
}

}  // namespace dns
