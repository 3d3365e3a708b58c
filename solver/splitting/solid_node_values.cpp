#include "solver/splitting/solid_node_values.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "solver/solids/point_places.hpp"

namespace dns {

SolidNodeValues solid_node_values(const Case& resolved,
                                  const Subdomain& part,
                                  const SolidPoints& points) {
  SolidNodeValues values;
  values.box = points.box;
  const std::size_t count = points.body.size();
  for (auto& pull : values.pull) pull.assign(count, 0);
  if (has_closed_body(resolved, first_scalar)) values.insulated.assign(count, 0);

  std::vector<std::int16_t> owner = points.body;  // that a node is in, or next to
  for (const Cut& cut : points.cuts) {
    const std::size_t here = points.place(cut.point);
    values.pull[cut.axis][here] += pull_of_cut_end(cut.theta);
    owner[here] = static_cast<std::int16_t>(cut.body);
  }
  const auto body_of = [&](std::size_t node) -> const SolidCase& {
    return resolved.solids[owner[node]];
  };
  for_each_point(points.box, [&](Index3 c) {
    const std::size_t n = points.place(c);
    if (points.body[n] == no_body) return;
    const Box here{c, {c.i + 1, c.j + 1, c.k + 1}};
    values.touched = joint_box(values.touched, widened(here));  // with the nodes that it cuts
    for (auto& pull : values.pull) pull[n] = pull_in_body;
    if (body_of(n).scalar(first_scalar).is_closed()) values.insulated[n] = 1;
  });

  const PointPlaces places(resolved, part, first_scalar);
  for (int variable = 0; variable < variables_per_level; ++variable) {
    const std::size_t v = variable;
    const std::optional<double> uniform = uniform_solid_value(resolved, variable);
    values.uniform_target[v] = uniform.value_or(0);
    if (uniform) continue;
    values.target[v].assign(count, 0);
    for_each_point(points.box, [&](Index3 c) {
      const std::size_t n = points.place(c);
      if (owner[n] != no_body)
        values.target[v][n] = solid_value(body_of(n), variable, places.at(c));
    });
  }
  return values;
}

}  // namespace dns
