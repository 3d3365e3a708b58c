#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
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
  ProfileReader(const std::string& path, const std::vector<std::string>& scalars)
      : path_(path), value_names_(value_names.begin(), value_names.end()) {
    std::ranges::copy_if(scalars, std::back_inserter(value_names_), [](const std::string& name) {
      return std::ranges::count(value_names, name) == 0;
    });
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
    if (axes_.size() == 1 && !has_time_) require_ascending();
    collect_points();
    std::vector<std::vector<double>> values = on_grid();
    return {axes_, points_, names_, std::move(values), times_};
  }

 private:
  struct Row {
    int line;
    std::vector<double> numbers;
    double t = 0;
  };

  [[noreturn]] void refuse(int line, const std::string& what) const {
    throw CaseError(fmt::format("{}:{}: {}", path_, line, what));
  }

  void read_names(const TextLine& line) {
    for (const std::string& word : line.words) {
      if (std::ranges::count(line.words, word) > 1)
        refuse(line.number, fmt::format("two columns have the name {}", word));
      const auto axis = value_named<int>(word, axis_names);
      if (axis || word == "t") {
        if (!names_.empty())
          refuse(line.number, fmt::format("column {}: coordinates come before values", word));
        if (axis) {
          axes_.push_back(*axis);
        } else {
          has_time_ = true;
          column_of_time_ = axes_.size();
        }
      } else if (std::ranges::count(value_names_, word) > 0) {
        names_.push_back(word);
      } else {
        refuse(line.number,
               fmt::format("no column may have the name '{}'; it may be one of t, x, y, z, {}",
                           word,
                           fmt::join(value_names_, ", ")));
      }
    }
    if ((axes_.empty() && !has_time_) || axes_.size() > 2)
      refuse(line.number, "its columns must begin with one or two of x, y, z, or with t");
    if (names_.empty()) refuse(line.number, "there is no column of values");
  }

  void read_row(const TextLine& line) {
    const std::size_t columns = axes_.size() + names_.size() + (has_time_ ? 1 : 0);
    if (line.words.size() != columns) {
      refuse(line.number,
             fmt::format("{} numbers, but there are {} columns", line.words.size(), columns));
    }
    Row row{line.number, {}, 0};
    for (const std::string& word : line.words) {
      const std::optional<double> number = number_from(word);
      if (!number) refuse(line.number, fmt::format("'{}' is no finite number", word));
      row.numbers.push_back(*number + 0.0);  // -0 is 0
    }
    if (has_time_) {
      const auto time = row.numbers.begin() + static_cast<std::ptrdiff_t>(column_of_time_);
      row.t = *time;
      row.numbers.erase(time);
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

  /// The different numbers that rows have, ascending.
  template <class NumberOf>
  void collect(std::vector<double>& numbers, const NumberOf& number_of, const std::string& name) {
    for (const Row& row : rows_) numbers.push_back(number_of(row));
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    if (numbers.size() < 2)
      refuse(lines_.back().number, fmt::format("there must be two values of {} at least", name));
  }

  void collect_points() {
    for (std::size_t n = 0; n < axes_.size(); ++n)
      collect(
          points_along(n), [n](const Row& row) { return row.numbers[n]; }, axis_name(axes_[n]));
    if (has_time_)
      collect(
          times_, [](const Row& row) { return row.t; }, "t");
  }

  [[nodiscard]] std::string place_of(const Row& row) const {
    std::string text = has_time_ ? "t = " + number_text(row.t) : "";
    for (std::size_t n = 0; n < axes_.size(); ++n) {
      text += fmt::format(
          "{}{} = {}", text.empty() ? "" : ", ", axis_name(axes_[n]), number_text(row.numbers[n]));
    }
    return text;
  }

  /// Time, second coordinate and first one; 0 where there is none.
  using Place = std::array<double, 3>;
  [[nodiscard]] Place place(const Row& row) const {
    return {row.t, axes_.size() == 2 ? row.numbers[1] : 0, axes_.empty() ? 0 : row.numbers[0]};
  }

  /// The values of each column, the first coordinate fastest, times slowest.
  std::vector<std::vector<double>> on_grid() {
    std::map<Place, const Row*> row_at;
    for (const Row& row : rows_) {
      const auto [other, is_new] = row_at.try_emplace(place(row), &row);
      if (!is_new) {
        refuse(row.line, fmt::format("{} is also in line {}", place_of(row), other->second->line));
      }
    }
    require_all_places(row_at);
    std::vector<std::vector<double>> values(names_.size());
    for (const auto& [at, row] : row_at) {
      for (std::size_t column = 0; column < names_.size(); ++column)
        values[column].push_back(row->numbers[axes_.size() + column]);
    }
    return values;
  }

  /// Every pair of coordinates that occur, at every time.
  void require_all_places(const std::map<Place, const Row*>& row_at) {
    const auto or_none = [](const std::vector<double>& numbers) {
      return numbers.empty() ? std::vector<double>{0} : numbers;
    };
    const std::vector<double> firsts = axes_.empty() ? or_none({}) : points_along(0);
    const std::vector<double> seconds = axes_.size() < 2 ? or_none({}) : points_along(1);
    for (const double t : or_none(times_)) {
      for (const double second : seconds) {
        for (const double first : firsts) {
          if (!row_at.contains({t, second, first})) refuse_gap(t, second, first);
        }
      }
    }
  }

  [[noreturn]] void refuse_gap(double t, double second, double first) const {
    const std::string of_first =
        fmt::format("{} = {}", axis_name(axes_.front()), number_text(first));
    const auto is_near = [&](const Row& row) {
      return row.t == t && (axes_.size() < 2 || row.numbers[1] == second);
    };
    const auto near = std::ranges::find_if(rows_, is_near);
    const std::string of_second =
        axes_.size() < 2 ? "" : fmt::format("{} = {}", axis_name(axes_[1]), number_text(second));
    const std::string of_time = has_time_ ? "t = " + number_text(t) : "";
    refuse(near == rows_.end() ? lines_.back().number : near->line,
           fmt::format("{}{}{} has no line of {}",
                       of_time,
                       of_time.empty() || of_second.empty() ? "" : ", ",
                       of_second,
                       of_first));
  }

  std::string path_;
  std::vector<std::string> value_names_;
  std::vector<TextLine> lines_;
  std::vector<int> axes_;
  std::vector<std::string> names_;
  std::vector<Row> rows_;
  PerAxis<std::vector<double>> points_;
  bool has_time_ = false;
  std::size_t column_of_time_ = 0;
  std::vector<double> times_;
};

}  // namespace

Profile read_profile(const std::string& path, const std::vector<std::string>& scalars) {
  return ProfileReader(path, scalars).read();
}

}  // namespace dns
