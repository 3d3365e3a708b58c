#include "solver/application/commands/data_file_facts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/core/json_text.hpp"
#include "solver/core/text_file.hpp"
#include "solver/output/picture.hpp"
#include "solver/run/words.hpp"

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

/// What stands between `before` and the next `after`; empty when there is none.
std::string text_between(const std::string& line, std::string_view before, std::string_view after) {
  const std::size_t found = line.find(before);
  if (found == std::string::npos) return "";
  const std::size_t first = found + before.size();
  return line.substr(first, line.find(after, first) - first);
}

Facts begin(const std::string& path, const std::string& what) {
  Facts facts;
  facts.text("file", path);
  facts.text("format", what);
  return facts;
}

void add_exact(const std::string& name, double number, Facts& facts) {
  facts.value(name, fmt::format("{}", number), json_number(number));
}

/// A value of each name; NaN where it is missing or no number.
std::vector<double> numbers_in(const std::string& line, std::size_t count) {
  std::vector<double> numbers;
  for (const std::string& word : split(line, ',')) {
    char* end = nullptr;
    const double number = std::strtod(word.c_str(), &end);
    numbers.push_back(end == word.c_str() ? std::nan("") : number);
  }
  numbers.resize(count, std::nan(""));
  return numbers;
}

Table table_of(const Lines& lines) {
  Table table;
  if (lines.empty()) return table;
  table.names = split(lines.front(), ',');
  for (std::size_t line = 1; line < lines.size(); ++line)
    table.steps.push_back(std::strtod(lines[line].c_str(), nullptr));
  if (lines.size() > 1) table.newest = numbers_in(lines.back(), table.names.size());
  return table;
}

/// The newest line, each value with the name of its column.
Facts facts_of_table(const std::string& path, const Table& table, const std::string& format) {
  Facts facts = begin(path, format);
  facts.integer("lines", static_cast<std::int64_t>(table.steps.size()));
  if (table.steps.empty()) return facts;
  add_exact("first step", table.steps.front(), facts);
  facts.line("the newest line:");
  for (std::size_t n = 0; n < table.names.size(); ++n)
    facts.named_line(table.names[n], table.newest[n]);
  return facts;
}

Facts facts_of_snapshot_list(const std::string& path, const Lines& lines) {
  Facts facts = begin(path, "list of snapshots (XDMF 3)");
  std::vector<double> times;
  std::vector<std::string> missing;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const std::string& line : lines) {
    const std::string time = text_between(line, "<Time Value=\"", "\"");
    if (!time.empty()) times.push_back(numbers_in(time, 1).front());
    const std::string name = text_between(line, "Format=\"HDF\">", ":/");
    const bool is_new = missing.empty() || missing.back() != name;
    if (!name.empty() && is_new && !std::filesystem::exists(folder / name)) missing.push_back(name);
  }
  facts.integer("snapshots", static_cast<std::int64_t>(times.size()));
  if (!times.empty()) {
    add_exact("first time", times.front(), facts);
    add_exact("last time", times.back(), facts);
    nlohmann::ordered_json all;
    for (const double time : times) all.push_back(json_number(time));
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

Facts facts_of_case(const std::string& path) {
  Facts facts = begin(path, "dns case");
  add_case_facts(load_case(path, {}), facts);
  facts.line(fmt::format("more       dns check {}", path));
  return facts;
}

/// What a picture of a run says of its plane; nothing more of other pictures.
Facts facts_of_picture(const std::string& path, const PictureFacts& picture) {
  Facts facts = begin(path, "picture (PNG)");
  facts.integer("width", picture.width);
  facts.integer("height", picture.height);
  const auto told = nlohmann::ordered_json::parse(picture.text, nullptr, false);
  if (!told.is_object()) return facts;
  for (const char* const name :
       {"name", "variable", "unit", "axis", "at", "low", "high", "step", "time"}) {
    const auto found = told.find(name);
    if (found == told.end() || !found->is_primitive()) continue;
    facts.value(name, found->is_string() ? found->get<std::string>() : found->dump(), *found);
  }
  return facts;
}

std::string first_bytes(const std::string& path) {
  constexpr std::size_t enough = 24;
  return without_byte_order_mark(open_regular(path).read_some(enough, path));
}

}  // namespace

Table read_table(const std::string& path) {
  return table_of(complete_lines(path));
}

std::optional<Facts> facts_of_data_file(const std::string& path) {
  if (const auto picture = read_picture_facts(path)) return facts_of_picture(path, *picture);
  if (path.ends_with(".yaml") || path.ends_with(".yml")) return facts_of_case(path);
  if (first_bytes(path).find('\0') != std::string::npos) return std::nullopt;
  const Lines lines = complete_lines(path);
  if (lines.empty()) return std::nullopt;
  const std::string& first = lines.front();
  if (first.starts_with("step,time,dt,cfl,"))
    return facts_of_table(path, table_of(lines), "dns time series");
  if (first.starts_with("step,time,velocity_x,"))
    return facts_of_table(path, table_of(lines), "dns records of a probe");
  if (first.starts_with("<?xml") && lines.size() > 1 && lines[1].starts_with("<Xdmf "))
    return facts_of_snapshot_list(path, lines);
  return std::nullopt;
}

}  // namespace dns
