#include "solver/run/defined_formulas.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "solver/core/level_view.hpp"
#include "solver/face_values/face_values.hpp"
#include "solver/flow/variables.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/start/initial_state.hpp"

namespace dns {
namespace {

constexpr double most_points_at_once = 1e6;
constexpr double most_points_of_plane = 1e8;
constexpr int most_planes = 16;

/// The case without what files and turbulence give.
Case formulas_alone(Case resolved) {
  resolved.initial.turbulent_channel.reset();
  for (FaceCase& face : resolved.faces) {
    face.velocity_file.reset();
    face.turbulence.reset();
    for (ScalarAtFace& scalar : face.scalars) scalar.file.reset();
  }
  return resolved;
}

/// The first, the last and those between, `count` at most of a list.
template <class T>
std::vector<T> some_of(const std::vector<T>& all, std::size_t count) {
  if (all.size() <= count) return all;
  std::vector<T> some;
  for (std::size_t n = 0; n < count; ++n) some.push_back(all[n * (all.size() - 1) / (count - 1)]);
  return some;
}

void require_faces(const Case& resolved) {
  constexpr std::size_t most_along_axis = 256;
  FaceValues given(resolved);
  for (int face = 0; face < resolved.faces.size(); ++face) {
    const auto [first, second] = axes_in_plane(face / 2);
    for (int variable = 0; variable < transported_variables(resolved); ++variable) {
      const auto points = [&](Axis axis) {
        return some_of(point_coordinates(resolved, static_cast<int>(axis), variable),
                       most_along_axis);
      };
      static_cast<void>(
          given.at(face, variable, points(first), points(second), resolved.time.begun_at.time));
    }
  }
}

}  // namespace

void require_defined_formulas(const Case& resolved) {
  const Case formulas = formulas_alone(resolved);
  const Subdomain box = whole_box(formulas);
  const int planes = box.whole.nz;
  const double of_plane = static_cast<double>(box.whole.count()) / planes;
  require_faces(formulas);
  if (of_plane > most_points_of_plane) return;  // a run would need more memory than there is
  const int samples = std::clamp(
      static_cast<int>(most_points_at_once / of_plane), 2, std::min(most_planes, planes));
  for (int sample = 0; sample < samples; ++sample) {
    const Subdomain plane = box.slab(sample * (planes - 1) / (samples - 1), planes);
    if (!formulas.initial.file && formulas.time.begun_at.step == 0) initial_state(formulas, plane);
    for (int variable = 0; variable < transported_variables(formulas); ++variable) {
      static_cast<void>(rate_values(formulas, plane, variable));
      static_cast<void>(source_values(formulas, plane, variable, formulas.time.begun_at.time));
    }
  }
}

}  // namespace dns
