#include "solver/files/appended_table.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

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

/// The cells of a line of a table.
std::set<std::string> cells_of(std::string_view line) {
  std::set<std::string> cells;
  std::istringstream text{std::string(line)};
  for (std::string cell; std::getline(text, cell, ',');) cells.insert(cell);
  return cells;
}

/// The cells of one line that another one has not.
std::vector<std::string> cells_missing_in(std::string_view other, std::string_view line) {
  std::vector<std::string> missing;
  std::ranges::set_difference(cells_of(line), cells_of(other), std::back_inserter(missing));
  return missing;
}

/// Throws CaseError for a table of this program with other columns, IoError for another file.
void refuse_columns(const std::string& path,
                    const std::string& what,
                    std::string_view found,
                    std::string_view wanted) {
  if (!found.starts_with("step,time,")) {
    throw IoError(
        fmt::format("{}: not {} of this program: it begins with '{}'", path, what, found));
  }
  const std::vector<std::string> lost = cells_missing_in(wanted, found);
  const std::vector<std::string> added = cells_missing_in(found, wanted);
  throw CaseError(fmt::format(
      "{}: this case gives it other columns: without [{}], with [{}]{}; go on in another folder, "
      "dns resume DIR -o NEW",
      path,
      fmt::join(lost, ", "),
      fmt::join(added, ", "),
      lost.empty() && added.empty() ? ", in another order" : ""));
}

}  // namespace

AppendedTable::AppendedTable(std::string path,
                             std::string header,
                             std::int64_t last_step,
                             const std::string& what)
    : path_(std::move(path)), header_(std::move(header)), file_(-1) {
  const std::string before =
      std::filesystem::exists(path_) ? without_byte_order_mark(text_of_file(path_)) : "";
  const std::string_view start = std::string_view(before).substr(0, header_.size());
  if (!header_.starts_with(start)) {
    const std::string_view text = before;
    const std::string_view wanted = header_;
    refuse_columns(
        path_, what, text.substr(0, text.find('\n')), wanted.substr(0, wanted.find('\n')));
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
