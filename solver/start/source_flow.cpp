#include "solver/start/source_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/simulation/flow_checks.hpp"

namespace dns {
namespace {

const std::string velocity_dataset = "velocity";

std::string in_words(const Extents& extents) {
  return fmt::format("{} x {} x {}", extents.nx, extents.ny, extents.nz);
}

}  // namespace

SourceFlow::SourceFlow(const std::string& path)
    : file_(path), case_(parse_case(file_.case_text(), path, {}, NamedFiles::left_alone)) {
  const bool is_checkpoint = file_.kind() == FlowFile::Kind::checkpoint;
  const bool has_nodes = case_.scheme == Scheme::splitting;
  const auto storage = [&](Storage of_cells) {
    if (has_nodes) return Storage::nodes;
    return is_checkpoint ? Storage::ghosts : of_cells;
  };
  const bool has_components = file_.has(std::string(velocity_names[0]));
  if (has_components) {  // as computed, whatever else there is for viewing
    int axis = 0;
    for (const std::string_view name : velocity_names)
      add(std::string(name), {axis++}, storage(Storage::faces));
  } else {
    add(velocity_dataset, {0, 1, 2}, storage(Storage::centres));
  }
  for (int n = 0; n < case_.scalar_count(); ++n) {
    const std::string name = case_.name_of_scalar(first_scalar + n);
    if (file_.has(name)) add(name, {first_scalar + n}, storage(Storage::centres));
  }
}

bool SourceFlow::has(const std::string& scalar) const {
  return std::ranges::any_of(datasets_, [&](const SourceDataset& dataset) {
    const int variable = dataset.variables.front();
    return !is_velocity(variable) && case_.name_of_scalar(variable) == scalar;
  });
}

void SourceFlow::add(const std::string& name, const std::vector<int>& variables, Storage storage) {
  if (!file_.has(name)) throw CaseError(fmt::format("{} has no dataset {}", file_.path(), name));
  FlowFile::Dataset found = file_.dataset(name);
  const Extents expected = stored_extents(source_lines(case_, variables.front(), storage));
  if (!(found.extents == expected) || found.components != static_cast<int>(variables.size())) {
    throw IoError(fmt::format(
        "{}: dataset {}: it holds {} values of {} components, but by its case must hold {} of {}",
        file_.path(),
        name,
        in_words(found.extents),
        found.components,
        in_words(expected),
        variables.size()));
  }
  datasets_.push_back({std::move(found), variables, storage});
}

}  // namespace dns
