#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
#include "solver/core/names.hpp"
#include "solver/core/number_text.hpp"
#include "solver/core/text_file.hpp"
#include "solver/face_values/profile.hpp"

namespace dns {
namespace {

constexpr std::array<std::string_view, 10> value_names{
    "u", "v", "w", "T", "uu", "vv", "ww", "uv", "uw", "vw"};

class ProfileReader {
 public:
  explicit ProfileReader(const std::string& path) : path_(path) {
    try {
      lines_ = lines_of_text(path);
    } catch (const UnreadableText& error) {
      throw IoError(path + " " + error.what());
    }
    if (lines_.empty()) throw CaseError(path + ": no line names its columns");
  }

  Profile read() {
    read_names(lines_.front());
    for (std::size_t line = 1; line < lines_.size(); ++line) read_row(lines_[line]);
    if (axes_.size() == 1) require_ascending();
    collect_points();
    return {axes_, points_, names_, on_grid()};
  }

 private:
  struct Row {
    int line;
    std::vector<double> numbers;
  };

  [[noreturn]] void refuse(int line, const std::string& what) const {
    throw CaseError(fmt::format("{}:{}: {}", path_, line, what));
  }

  void read_names(const TextLine& line) {
    for (const std::string& word : line.words) {
      if (std::ranges::count(line.words, word) > 1)
        refuse(line.number, fmt::format("two columns have the name {}", word));
      if (const auto axis = value_named<int>(word, axis_names)) {
        if (!names_.empty())
          refuse(line.number, fmt::format("column {}: coordinates come before values", word));
        axes_.push_back(*axis);
      } else if (std::ranges::find(value_names, word) != value_names.end()) {
        names_.push_back(word);
      } else {
        refuse(line.number,
               fmt::format("no column may have the name '{}'; it may be one of x, y, z, {}",
                           word,
                           fmt::join(value_names, ", ")));
      }
    }
    if (axes_.empty() || axes_.size() > 2)
      refuse(line.number, "its columns must begin with one or two of x, y, z");
    if (names_.empty()) refuse(line.number, "there is no column of values");
  }

  void read_row(const TextLine& line) {
    const std::size_t columns = axes_.size() + names_.size();
    if (line.words.size() != columns) {
      refuse(line.number,
             fmt::format("{} numbers, but there are {} columns", line.words.size(), columns));
    }
    Row row{line.number, {}};
    for (const std::string& word : line.words) {
      const std::optional<double> number = number_from(word);
      if (!number) refuse(line.number, fmt::format("'{}' is no finite number", word));
      row.numbers.push_back(*number + 0.0);  // -0 is 0
    }
    rows_.push_back(std::move(row));
  }

  void require_ascending() const {
    for (std::size_t row = 1; row < rows_.size(); ++row) {
      const double before = rows_[row - 1].numbers[0];
      const double now = rows_[row].numbers[0];
      if (now > before) continue;
      refuse(rows_[row].line,
             fmt::format("{} is {}, but must be > {}, that of line {}",
                         axis_name(axes_[0]),
                         number_text(now),
                         number_text(before),
                         rows_[row - 1].line));
    }
  }

  std::vector<double>& points_along(std::size_t n) { return points_[axes_[n]]; }

  void collect_points() {
    for (std::size_t n = 0; n < axes_.size(); ++n) {
      std::vector<double>& points = points_along(n);
      for (const Row& row : rows_) points.push_back(row.numbers[n]);
      std::ranges::sort(points);
      points.erase(std::unique(points.begin(), points.end()), points.end());
      if (points.size() < 2) {
        refuse(lines_.back().number,
               fmt::format("there must be two values of {} at least", axis_name(axes_[n])));
      }
    }
  }

  [[nodiscard]] std::string place_of(const Row& row) const {
    std::string text;
    for (std::size_t n = 0; n < axes_.size(); ++n) {
      text += fmt::format(
          "{}{} = {}", text.empty() ? "" : ", ", axis_name(axes_[n]), number_text(row.numbers[n]));
    }
    return text;
  }

  /// The values of each column, the first coordinate fastest.
  std::vector<std::vector<double>> on_grid() {
    std::map<std::pair<double, double>, const Row*> row_at;  // second coordinate, first
    for (const Row& row : rows_) {
      const auto [other, is_new] =
          row_at.try_emplace({axes_.size() == 2 ? second_number(row) : 0, row.numbers[0]}, &row);
      if (!is_new) {
        refuse(row.line, fmt::format("{} is also in line {}", place_of(row), other->second->line));
      }
    }
    if (axes_.size() == 2) require_all_pairs(row_at);
    std::vector<std::vector<double>> values(names_.size());
    for (const auto& [place, row] : row_at) {
      for (std::size_t column = 0; column < names_.size(); ++column)
        values[column].push_back(row->numbers[axes_.size() + column]);
    }
    return values;
  }

  void require_all_pairs(const std::map<std::pair<double, double>, const Row*>& row_at) {
    for (const double second : points_along(1)) {
      for (const double first : points_along(0)) {
        if (row_at.contains({second, first})) continue;
        const auto with_second = std::ranges::find(rows_, second, &second_number);
        refuse(with_second->line,
               fmt::format("{} = {} has no line of {} = {}",
                           axis_name(axes_[1]),
                           number_text(second),
                           axis_name(axes_[0]),
                           number_text(first)));
      }
    }
  }
  static double second_number(const Row& row) { return row.numbers[1]; }

  std::string path_;
  std::vector<TextLine> lines_;
  std::vector<int> axes_;
  std::vector<std::string> names_;
  std::vector<Row> rows_;
  PerAxis<std::vector<double>> points_;
};

}  // namespace

Profile read_profile(const std::string& path) {
  return ProfileReader(path).read();
}

}  // namespace dns
