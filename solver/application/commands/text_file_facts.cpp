#include "solver/application/commands/text_file_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/application/commands/case_facts.hpp"
#include "solver/config/json_text.hpp"
#include "solver/config/load_case.hpp"
#include "solver/config/text_file.hpp"
#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/files/run_files.hpp"

namespace dns {
namespace {

using Lines = std::vector<std::string>;

Lines complete_lines(const std::string& path) {
  std::istringstream file(text_of_file(path));
  Lines lines;
  for (std::string line; std::getline(file, line) && !file.eof();) lines.push_back(line);
  if (!lines.empty()) lines.front() = without_byte_order_mark(std::move(lines.front()));
  return lines;
}

Lines split_at_commas(const std::string& line) {
  Lines words;
  std::size_t start = 0;
  for (std::size_t end = line.find(','); end != std::string::npos; end = line.find(',', start)) {
    words.push_back(line.substr(start, end - start));
    start = end + 1;
  }
  words.push_back(line.substr(start));
  return words;
}

/// What stands between `before` and the next `after`, from `start` on; empty when there is none.
std::string text_between(const std::string& line,
                         std::string_view before,
                         std::string_view after,
                         std::size_t start = 0) {
  const std::size_t found = line.find(before, start);
  if (found == std::string::npos) return "";
  const std::size_t first = found + before.size();
  return line.substr(first, line.find(after, first) - first);
}

/// Text that should be a number, as JSON; null where it is none.
nlohmann::ordered_json number_from(const std::string& text) {
  return json_number(text.empty() ? std::numeric_limits<double>::quiet_NaN()
                                  : std::strtod(text.c_str(), nullptr));
}

Facts begin(const std::string& path, const std::string& what) {
  Facts facts;
  facts.text("file", path);
  facts.text("format", what);
  return facts;
}

/// Requires a head and a line of values.
SeriesLine newest_line(const Lines& lines) {
  const Lines names = split_at_commas(lines.front());
  const Lines values = split_at_commas(lines.back());
  SeriesLine newest;
  for (std::size_t column = 0; column < std::min(names.size(), values.size()); ++column)
    newest.emplace_back(names[column], values[column]);
  return newest;
}

/// The newest line, each value with the name of its column.
Facts facts_of_series(const std::string& path, const Lines& lines, const std::string& format) {
  Facts facts = begin(path, format);
  facts.integer("lines", static_cast<std::int64_t>(lines.size()) - 1);
  if (lines.size() < 2) return facts;
  const std::string first = split_at_commas(lines[1]).front();
  facts.value("first step", first, number_from(first));
  facts.line("the newest line:");
  for (const auto& [name, text] : newest_line(lines)) facts.named_line(name, text);
  return facts;
}

Facts facts_of_snapshot_list(const std::string& path, const Lines& lines) {
  Facts facts = begin(path, "list of snapshots (XDMF 3)");
  std::vector<std::string> times;
  std::vector<std::string> missing;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const std::string& line : lines) {
    const std::string time = text_between(line, "<Time Value=\"", "\"");
    if (!time.empty()) times.push_back(time);
    const std::string name = text_between(line, "Format=\"HDF\">", ":/");
    const bool is_new = missing.empty() || missing.back() != name;
    if (!name.empty() && is_new && !std::filesystem::exists(folder / name)) missing.push_back(name);
  }
  facts.integer("snapshots", static_cast<std::int64_t>(times.size()));
  if (!times.empty()) {
    facts.value("first time", times.front(), number_from(times.front()));
    facts.value("last time", times.back(), number_from(times.back()));
    nlohmann::ordered_json all;
    for (const std::string& time : times) all.push_back(number_from(time));
    facts.value("times", all);
  }
  if (missing.empty()) {
    facts.line(fmt::format("view       paraview {}", path));
  } else {
    facts.value("missing", fmt::format("{}", fmt::join(missing, ", ")), missing);
    facts.line("cure       ParaView ends when a file of the list is missing: put it back");
  }
  return facts;
}

Facts facts_of_log(const std::string& path, const Lines& lines) {
  Facts facts = begin(path, "dns log");
  facts.text("version", lines.front().substr(std::string_view("dns ").size()));
  facts.integer("lines", static_cast<std::int64_t>(lines.size()));
  Lines warnings;
  std::copy_if(
      lines.begin(), lines.end(), std::back_inserter(warnings), [](const std::string& line) {
        return line.starts_with("warning") || line.starts_with("error");
      });
  facts.integer("warnings", static_cast<std::int64_t>(warnings.size()));
  for (const std::string& warning : warnings) facts.line("  " + warning);
  facts.text("newest", lines.back());
  return facts;
}

/// `members`: of each measurement, its section, device and status.
Facts facts_of_bench(const std::string& path,
                     const std::vector<std::array<std::string, 3>>& members) {
  Facts facts = begin(path, "figures of dns bench");
  facts.integer("variants", static_cast<std::int64_t>(members.size()));
  std::map<std::string, int> counts;
  std::int64_t wrong = 0;
  for (const auto& [section, device, status] : members) {
    ++counts[fmt::format("{} on {}", section, device)];
    if (status != "ok") ++wrong;
  }
  facts.integer("wrong", wrong);
  for (const auto& [where, count] : counts) facts.line(fmt::format("  {:<20} {}", where, count));
  return facts;
}

Facts facts_of_bench_csv(const std::string& path, const Lines& lines) {
  std::vector<std::array<std::string, 3>> members;
  for (std::size_t line = 1; line < lines.size(); ++line) {
    const Lines words = split_at_commas(lines[line]);
    constexpr std::size_t device = 3;
    if (words.size() > device) members.push_back({words[0], words[device], words.back()});
  }
  return facts_of_bench(path, members);
}

/// None for other JSON.
std::optional<Facts> facts_of_bench_json(const std::string& path, const Lines& lines) {
  const auto json =
      nlohmann::json::parse(fmt::format("{}", fmt::join(lines, "\n")), nullptr, false);
  std::vector<std::array<std::string, 3>> members;
  for (const auto& measured : json) {
    const auto member = [&](const char* name) -> std::string {
      const auto found = measured.find(name);
      return found != measured.end() && found->is_string() ? found->get<std::string>() : "";
    };
    if (!measured.is_object() || member("section").empty()) return std::nullopt;
    members.push_back({member("section"), member("device"), member("status")});
  }
  if (members.empty()) return std::nullopt;
  return facts_of_bench(path, members);
}

Facts facts_of_case(const std::string& path) {
  Facts facts = begin(path, "dns case");
  add_case_facts(load_case(path, {}), facts);
  facts.line(fmt::format("more       dns check {}", path));
  return facts;
}

/// Width and height stand in the first 24 bytes of a PNG file, the most significant byte first.
Facts facts_of_picture(const std::string& path, const std::string& head) {
  const auto number_at = [&](std::size_t place) {
    std::int64_t number = 0;  // of a damaged file beyond what an int can be
    for (std::size_t n = 0; n < 4; ++n) {
      number = number * 256 + static_cast<unsigned char>(head.at(place + n));
    }
    return number;
  };
  Facts facts = begin(path, "picture (PNG)");
  facts.integer("width", number_at(16));
  facts.integer("height", number_at(20));
  return facts;
}

std::string first_bytes(const std::string& path) {
  constexpr std::size_t enough = 24;
  return without_byte_order_mark(open_regular(path).read_some(enough, path));
}

}  // namespace

std::optional<SeriesLine> newest_line_of_series(const std::string& path) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const Lines lines = complete_lines(path);
  return lines.size() < 2 ? std::nullopt : std::optional(newest_line(lines));
}

std::vector<double> steps_of_table(const std::string& path) {
  const Lines lines = complete_lines(path);
  std::vector<double> steps;
  for (std::size_t line = 1; line < lines.size(); ++line)
    steps.push_back(std::strtod(split_at_commas(lines[line]).front().c_str(), nullptr));
  return steps;
}

std::optional<Facts> facts_of_text_file(const std::string& path) {
  const std::string head = first_bytes(path);
  if (head.starts_with("\x89PNG\r\n") && head.size() == 24) return facts_of_picture(path, head);
  if (path.ends_with(".yaml") || path.ends_with(".yml")) return facts_of_case(path);
  if (head.find('\0') != std::string::npos) return std::nullopt;
  const Lines lines = complete_lines(path);
  if (lines.empty()) return std::nullopt;
  const std::string& first = lines.front();
  if (first.starts_with("step,time,dt,cfl,"))
    return facts_of_series(path, lines, "dns time series");
  if (first.starts_with("step,time,velocity_x,"))
    return facts_of_series(path, lines, "dns records of a probe");
  if (first.starts_with("section,variant,")) return facts_of_bench_csv(path, lines);
  if (first == "[") return facts_of_bench_json(path, lines);
  if (first.starts_with("<?xml") && lines.size() > 1 && lines[1].starts_with("<Xdmf ")) {
    return facts_of_snapshot_list(path, lines);
  }
  if (first.starts_with("dns ") && first.find("(commit ") != std::string::npos) {
    return facts_of_log(path, lines);
  }
  return std::nullopt;
}

}  // namespace dns
