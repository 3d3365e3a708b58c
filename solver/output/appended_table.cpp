#include "solver/output/appended_table.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "solver/config/text_file.hpp"
#include "solver/core/error.hpp"
#include "solver/output/run_files.hpp"

namespace dns {
namespace {

template <class Number>
std::string text_of(Number value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

/// The step of a complete line; none for a damaged one.
std::optional<std::int64_t> step_of_line(std::string_view line, std::string_view header) {
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), step);
  const bool is_number = error == std::errc{} && end != line.data() + line.size() && *end == ',';
  const bool is_complete =
      std::count(line.begin(), line.end(), ',') == std::count(header.begin(), header.end(), ',');
  return is_number && is_complete ? std::optional(step) : std::nullopt;
}

/// The lines of `text` for steps up to `last_step`; an unfinished line, left by a crash of the
/// machine, is dropped.
std::string kept_lines(std::string_view text, std::string_view header, std::int64_t last_step) {
  std::string kept(header);
  text.remove_prefix(header.size());
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    const std::string_view line = text.substr(0, end + 1);
    const auto step = step_of_line(line, header);
    if (step && *step <= last_step) kept += line;
    text.remove_prefix(end + 1);
  }
  return kept;
}

std::string whole_text(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw IoError(system_message(path, "reading", EISDIR));
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw IoError(system_message(path, "reading", errno));
  return without_byte_order_mark(std::move(text));
}

}  // namespace

AppendedTable::AppendedTable(std::string path,
                             std::string header,
                             std::int64_t last_step,
                             const std::string& what)
    : path_(std::move(path)), header_(std::move(header)) {
  const std::string before = std::filesystem::exists(path_) ? whole_text(path_) : "";
  std::string_view start = std::string_view(before).substr(0, header_.size());
  if (!header_.starts_with(start)) {
    throw IoError(fmt::format("{}: not {} of this program: it begins with '{}'",
                              path_,
                              what,
                              start.substr(0, start.find('\n'))));
  }
  const bool has_header = start.size() == header_.size();
  const std::string after = has_header ? kept_lines(before, header_, last_step) : header_;
  if (after != before) write_text_file(path_, after);
  file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file_ < 0) throw IoError(system_message(path_, "opening", errno));
}

AppendedTable::AppendedTable(AppendedTable&& other) noexcept
    : path_(std::move(other.path_)),
      header_(std::move(other.header_)),
      file_(std::exchange(other.file_, -1)) {}

AppendedTable::~AppendedTable() {
  if (file_ >= 0) ::close(file_);
}

void AppendedTable::append(const std::string& lines) {
  write_all(file_, lines, path_, "writing a line");
}

void cut_table(const std::string& path, std::int64_t last_step) {
  const std::string before = whole_text(path);
  const std::size_t end = before.find('\n');
  if (end == std::string::npos) return;  // half a header: it is begun anew
  const std::string after =
      kept_lines(before, std::string_view(before).substr(0, end + 1), last_step);
  if (after != before) write_text_file(path, after);
}

std::string shortest_text(std::int64_t value) {
  return text_of(value);
}
std::string shortest_text(double value) {
  return text_of(value);
}
std::string shortest_text(float value) {
  return text_of(value);
}

}  // namespace dns
