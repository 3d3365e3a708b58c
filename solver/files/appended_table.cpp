#include "solver/files/appended_table.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/text_file.hpp"
#include "solver/files/run_files.hpp"

namespace dns {
namespace {

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

}  // namespace

AppendedTable::AppendedTable(std::string path,
                             std::string header,
                             std::int64_t last_step,
                             const std::string& what)
    : path_(std::move(path)), header_(std::move(header)), file_(-1) {
  const std::string before =
      std::filesystem::exists(path_) ? without_byte_order_mark(text_of_file(path_)) : "";
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
  file_ = open_regular(path_, O_WRONLY | O_APPEND);
}

void AppendedTable::append(const std::string& lines) {
  write_all(file_.number(), lines, path_, "writing a line");
}

void AppendedTable::flush_to_disk() const {
  file_.flush_to_disk(path_);
}

void cut_table(const std::string& path, std::int64_t last_step) {
  const std::string before = without_byte_order_mark(text_of_file(path));
  const std::size_t end = before.find('\n');
  if (end == std::string::npos) return;  // half a header: it is begun anew
  const std::string after =
      kept_lines(before, std::string_view(before).substr(0, end + 1), last_step);
  if (after != before) write_text_file(path, after);
}

}  // namespace dns
