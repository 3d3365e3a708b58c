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

/// Files of a folder whose names contain a step, ordered by step.
template <class StepOf>
std::vector<NumberedFile> files_by_step(const std::string& directory, const StepOf& step_of) {
  std::vector<NumberedFile> files;
  try {
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      std::string name = entry.path().filename().string();
      if (const std::optional<std::int64_t> step = step_of(name))
        files.push_back({.step = *step, .name = std::move(name)});
    }
  } catch (const std::filesystem::filesystem_error& error) {
    if (error.code().value() == EINTR) return files_by_step(directory, step_of);
    throw FileSystemError(system_message(directory, "reading the folder", error.code().value()));
  }
  std::sort(files.begin(), files.end(), [](const NumberedFile& a, const NumberedFile& b) {
    return a.step < b.step;
  });
  return files;
}

/// The words that word_of(name) finds in the names of a folder's files, in alphabetical order.
template <class WordOf>
std::vector<std::string> words_in(const std::string& directory, const WordOf& word_of) {
  std::set<std::string> words;
  // Of no steps: what is looked for is the name.
  files_by_step(directory, [&](std::string_view name) -> std::optional<std::int64_t> {
    if (std::string word = word_of(name); !word.empty()) words.insert(std::move(word));
    return std::nullopt;
  });
  return {words.begin(), words.end()};
}

/// What a name has between these, if that is a word of letters, digits, '_' and '-'; else empty.
std::string word_between(std::string_view name, std::string_view begin, std::string_view end) {
  if (!name.starts_with(begin) || !name.ends_with(end) || name.size() <= begin.size() + end.size())
    return {};
  name.remove_prefix(begin.size());
  name.remove_suffix(end.size());
  const bool is_word = std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
  return is_word ? std::string(name) : std::string();
}

}  // namespace

std::string numbered_name(std::string_view prefix, std::int64_t step, std::string_view extension) {
  return fmt::format("{}{:08}{}", prefix, step, extension);
}

std::optional<std::int64_t> step_of_name(std::string_view prefix,
                                         std::string_view name,
                                         std::string_view extension) {
  if (!name.starts_with(prefix) || !name.ends_with(extension)) return std::nullopt;
  if (name.size() < prefix.size() + fewest_digits + extension.size()) return std::nullopt;
  const char* first = name.data() + prefix.size();
  const char* last = name.data() + name.size() - extension.size();
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(first, last, step);
  if (error != std::errc{} || end != last || *first == '-') return std::nullopt;
  return step;
}

std::string slice_name(std::string_view plane, std::int64_t step) {
  return numbered_name(fmt::format("{}{}_", slice_prefix, plane), step, picture_extension);
}

std::optional<std::int64_t> step_of_slice(std::string_view name) {
  const std::size_t before_step = name.rfind('_');
  if (!name.starts_with(slice_prefix) || before_step <= slice_prefix.size()) return std::nullopt;
  return step_of_name(name.substr(0, before_step + 1), name, picture_extension);
}

std::string plane_piece_name(std::string_view plane, std::int64_t step, std::string_view prefix) {
  return numbered_name(fmt::format("{}{}_", prefix, plane), step);
}

std::optional<std::int64_t> step_of_plane_piece(std::string_view name, std::string_view prefix) {
  const std::size_t before_step = name.rfind('_');
  if (!name.starts_with(prefix) || before_step == std::string_view::npos ||
      before_step <= prefix.size())
    return std::nullopt;
  return step_of_name(name.substr(0, before_step + 1), name);
}

std::string plane_of_file(std::string_view name, std::string_view prefix) {
  std::string_view end = name.substr(std::min(name.rfind('.'), name.size()));
  if (end != ".h5" && end != ".xdmf") return {};
  if (step_of_plane_piece(name, prefix)) end = name.substr(name.rfind('_'));
  return word_between(name, prefix, end);
}

std::string probe_table_name(std::string_view probe) {
  return fmt::format("{}{}{}", probes_prefix, probe, table_extension);
}

std::string probe_of_table(std::string_view name) {
  return word_between(name, probes_prefix, table_extension);
}

void add_warnings(Warnings more, Warnings& warnings) {
  std::ranges::move(more, std::back_inserter(warnings));
}

std::vector<NumberedFile> numbered_files(const std::string& directory, std::string_view prefix) {
  return files_by_step(directory,
                       [&](std::string_view name) { return step_of_name(prefix, name); });
}

std::vector<NumberedFile> slice_files(const std::string& directory) {
  return files_by_step(directory, step_of_slice);
}

std::vector<NumberedFile> plane_pieces(const std::string& directory,
                                       std::string_view plane,
                                       std::string_view prefix) {
  return files_by_step(directory, [plane, prefix](std::string_view name) {
    const bool is_meant = plane.empty() || plane_of_file(name, prefix) == plane;
    return is_meant ? step_of_plane_piece(name, prefix) : std::nullopt;
  });
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
  std::filesystem::remove(path, error);
  if (error) throw IoError(system_message(path, "removing the file", error.value()));
}

void flush_to_disk(const std::string& path) {
  const FileDescriptor file(open_number(path, O_RDONLY));
  if (!file.is_open()) fail(path, "opening it to flush it to disk");
  file.flush_to_disk(path);
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
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

AsideText::AsideText(std::string path)
    : aside_(std::move(path)),
      file_(open_regular(aside_.part_path(), O_WRONLY | O_CREAT | O_TRUNC)) {}

void AsideText::add(std::string_view text) {
  constexpr std::size_t most_waiting = 65536;
  if (waiting_.size() + text.size() > most_waiting) write_what_waits();
  if (text.size() > most_waiting) {
    write_all(file_.number(), text, aside_.part_path(), "writing");
  } else {
    waiting_ += text;
  }
}

void AsideText::commit() {
  write_what_waits();
  file_.close(aside_.part_path());
  aside_.commit();
}

void AsideText::write_what_waits() {
  write_all(file_.number(), waiting_, aside_.part_path(), "writing");
  waiting_.clear();
}

void write_text_file(const std::string& path, std::string_view text) {
  AsideText file(path);
  file.add(text);
  file.commit();
}

}  // namespace dns
