#include "solver/application/live/live_state.hpp"

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "solver/config/case.hpp"
#include "solver/config/json_text.hpp"

namespace dns {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> outcome_names{
    "running", "finished", "stopped", "diverged", "failed"};

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

}  // namespace

std::string live_json(const LiveHeader& header, std::string_view start, const LiveNews& news) {
  Json facts = Json::array();
  for (const auto& [name, words] : header.facts) facts.push_back({name, words});
  Json pictures = Json::array();
  for (const SlicePicture& picture : *news.pictures) pictures.push_back(Json::parse(picture.facts));
  return json_line({{"case", header.case_name},
                    {"start", start},
                    {"state", outcome_names.at(static_cast<std::size_t>(news.outcome))},
                    {"message", news.message},
                    {"precision", header.precision},
                    {"facts", facts},
                    {"progress", to_json(news.progress)},
                    {"pictures", pictures}});
}

}  // namespace dns
