#include "solver/start/source_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "solver/config/load_case.hpp"
#include "solver/config/references.hpp"
#include "solver/core/error.hpp"
#include "solver/start/plain_flow.hpp"

namespace dns {
namespace {

const std::string velocity_dataset = "velocity";

std::string in_words(const Extents& extents) {
  return fmt::format("{} x {} x {}", extents.nx, extents.ny, extents.nz);
}

}  // namespace

SourceFlow::SourceFlow(const Case& target) : file_(*target.initial.file) {
  const bool is_plain = file_.kind() == FlowFile::Kind::plain;
  const bool is_checkpoint = file_.kind() == FlowFile::Kind::checkpoint;
  const bool has_components = file_.has(std::string(velocity_names[0]));
  if (is_plain) {
    case_ = target;
    points_ = plain_points(file_, target);
  } else {
    case_ = parse_case(file_.case_text(), file_.path(), {}, NamedFiles::left_alone);
    for (int axis = 0; axis < 3; ++axis) points_[axis] = axis_points(case_, axis);
  }
  is_on_same_grid_ =
      case_.scheme == target.scheme && are_of_grid(points_, target, has_components || !is_plain);
  for (int n = 0; n < case_.scalar_count(); ++n) {
    const std::string name = case_.name_of_scalar(first_scalar + n);
    references_.push_back(is_checkpoint ? file_.number(reference_number_of(name)) : 0);
  }
  if (is_checkpoint) case_ = about_references(case_, references_);
  const bool has_nodes = case_.scheme == Scheme::splitting && (!is_plain || is_on_same_grid_);
  const auto storage = [&](Storage of_cells) {
    if (has_nodes) return Storage::nodes;
    return is_checkpoint ? Storage::ghosts : of_cells;
  };
  if (has_components) {  // as computed, whatever else there is for viewing
    if (is_plain) require_faces();
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

void SourceFlow::require_faces() const {
  for (int axis = 0; axis < 3; ++axis) {
    const AxisPoints& along = points_[axis];
    if (!along.faces.empty()) continue;
    throw CaseError(
        fmt::format("{0} has no dataset {1}_faces, but must have it beside velocity_{1}: the {2} "
                    "coordinates of the faces across {1}; or give velocity at centres",
                    file_.path(),
                    axis_name(axis),
                    along.centres.size() + 1));
  }
}

SourceLines SourceFlow::lines(const SourceDataset& dataset, int variable) const {
  SourceLines lines = source_lines(case_, points_, variable, dataset.storage);
  for (int axis = 0; axis < 3; ++axis) lines[axis].stored = dataset.values.extents[axis];
  return lines;
}

Extents SourceFlow::points() const {
  const auto count = [this](int axis) { return static_cast<int>(points_[axis].centres.size()); };
  return {count(0), count(1), count(2)};
}

bool SourceFlow::has(const std::string& scalar) const {
  return std::ranges::any_of(datasets_, [&](const SourceDataset& dataset) {
    const int variable = dataset.variables.front();
    return !is_velocity(variable) && case_.name_of_scalar(variable) == scalar;
  });
}

void SourceFlow::add(const std::string& name, const std::vector<int>& variables, Storage storage) {
  const bool is_plain = file_.kind() == FlowFile::Kind::plain;
  if (!file_.has(name)) {
    throw CaseError(fmt::format(
        "{} has no dataset {}{}",
        file_.path(),
        name,
        is_plain ? ", but must have velocity, (nz, ny, nx, 3) at centres, or velocity_x, "
                   "velocity_y and velocity_z, (nz, ny, nx + 1) and so on, at faces"
                 : ""));
  }
  FlowFile::Dataset found = file_.dataset(name);
  const SourceLines lines = source_lines(case_, points_, variables.front(), storage);
  const Extents expected = stored_extents(lines);
  if (is_plain) {
    require_plain_shape(file_, found, lines, static_cast<int>(variables.size()));
  } else if (!(found.extents == expected) || found.components != std::ssize(variables)) {
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
