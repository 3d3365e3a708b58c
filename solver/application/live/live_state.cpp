#include "solver/application/live/live_state.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "solver/config/case.hpp"
#include "solver/config/json_text.hpp"
#include "solver/output/slice_labels.hpp"

namespace dns {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> outcome_names{
    "running", "finished", "stopped", "diverged", "failed"};

/// "flow       Reynolds 100" as ["flow", "Reynolds 100"].
Json named_facts(const std::vector<std::string>& lines) {
  constexpr std::size_t name_width = 11;
  Json facts = Json::array();
  for (const std::string& line : lines) {
    const bool has_name = line.size() > name_width && line[name_width - 1] == ' ';
    if (!has_name) continue;
    facts.push_back({line.substr(0, line.find(' ')), line.substr(name_width)});
  }
  return facts;
}

Json to_json(const Progress& progress) {
  const bool ends_at_time = progress.steps == unlimited_steps;
  return {{"step", progress.step},
          {"steps", ends_at_time ? Json(nullptr) : Json(progress.steps)},
          {"time", json_number(progress.time)},
          {"end", progress.end > 0 ? json_number(progress.end) : Json(nullptr)},
          {"done", json_number(progress.done)},
          {"cfl", json_number(progress.cfl)},
          {"step_seconds", json_number(progress.step_seconds)},
          {"points_per_second", json_number(progress.points_per_second)},
          {"seconds_left", json_number(progress.seconds_left)}};
}

Json to_json(const PictureAxis& axis) {
  return {{"name", axis_name(axis.axis)},
          {"origin", json_number(axis.origin)},
          {"length", json_number(axis.length)}};
}

Json to_json(const SlicePicture& slice) {
  std::string colours;  // six digits each
  for (const Colour& colour : slice.colours)
    colours += fmt::format("{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
  return {{"name", slice.plane.name},
          {"variable", slice.plane.variable},
          {"unit", unit_of_slice(slice.plane.variable)},
          {"axis", axis_name(slice.plane.axis)},
          {"at", json_number(slice.plane.at)},
          {"step", slice.step},
          {"time", json_number(slice.time)},
          {"low", json_number(slice.range.low)},
          {"high", json_number(slice.range.high)},
          {"right", to_json(slice.axes[0])},
          {"up", to_json(slice.axes[1])},
          {"width", slice.picture.width()},
          {"height", slice.picture.height()},
          {"colours", colours}};
}

}  // namespace

std::string live_json(const LiveHeader& header,
                      std::string_view start,
                      const LiveNews& news,
                      const std::vector<SlicePicture>& pictures) {
  Json list = Json::array();
  for (const SlicePicture& picture : pictures) list.push_back(to_json(picture));
  return json_line({{"case", header.case_name},
                    {"start", start},
                    {"state", outcome_names.at(static_cast<std::size_t>(news.outcome))},
                    {"message", news.message},
                    {"precision", header.precision},
                    {"facts", named_facts(header.lines)},
                    {"progress", to_json(news.progress)},
                    {"pictures", list}});
}

}  // namespace dns
