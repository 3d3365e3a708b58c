#include "solver/splitting/solid_node_values.hpp"

#include <algorithm>
#include <cstddef>

#include "solver/grid/case_grid.hpp"

namespace dns {
namespace {

/// Whether all bodies have the same value of a variable everywhere.
bool has_uniform_value(const Case& resolved, int variable) {
  const SolidCase& first = resolved.solids.front();
  return std::ranges::all_of(resolved.solids, [&](const SolidCase& body) {
    if (variable == temperature_variable)
      return body.is_adiabatic == first.is_adiabatic && body.temperature == first.temperature;
    const auto is_zero = [](double value) { return value == 0; };
    return std::ranges::all_of(body.velocity, is_zero) &&
           std::ranges::all_of(body.rotation, is_zero);
  });
}

}  // namespace

SolidNodeValues solid_node_values(const Case& resolved,
                                  const Subdomain& part,
                                  const SolidPoints& points) {
  SolidNodeValues values;
  values.box = points.box;
  const Box& box = points.box;
  const Extents n = box.extents();
  for (auto& pull : values.pull) pull.assign(n.count(), 0);
  if (std::ranges::any_of(resolved.solids, &SolidCase::is_adiabatic))
    values.insulated.assign(n.count(), 0);

  values.touched = {box.end, box.begin};
  const auto touch = [&](Index3 c) {
    Box& touched = values.touched;
    touched.begin = {std::min(touched.begin.i, c.i),
                     std::min(touched.begin.j, c.j),
                     std::min(touched.begin.k, c.k)};
    touched.end = {std::max(touched.end.i, c.i + 1),
                   std::max(touched.end.j, c.j + 1),
                   std::max(touched.end.k, c.k + 1)};
  };
  const auto place = [&](Index3 c) {
    const auto row = static_cast<std::size_t>(c.k - box.begin.k) * static_cast<std::size_t>(n.ny) +
                     static_cast<std::size_t>(c.j - box.begin.j);
    return row * static_cast<std::size_t>(n.nx) + static_cast<std::size_t>(c.i - box.begin.i);
  };

  std::vector<std::int16_t> owner = points.body;  // that a node is in, or next to
  for (const Cut& cut : points.cuts) {
    const std::size_t here = place(cut.point);
    values.pull[static_cast<std::size_t>(cut.axis)][here] += pull_of_cut_end(cut.theta);
    owner[here] = static_cast<std::int16_t>(cut.body);
  }
  std::size_t at = 0;
  for (int k = box.begin.k; k < box.end.k; ++k) {
    for (int j = box.begin.j; j < box.end.j; ++j) {
      for (int i = box.begin.i; i < box.end.i; ++i, ++at) {
        if (owner[at] == no_body) continue;
        const int body = points.body[at];
        if (body == no_body) {
          touch({i, j, k});
          continue;
        }
        touch({i - 1, j - 1, k - 1});  // a cut may have theta = 1, and k = 0
        touch({i + 1, j + 1, k + 1});
        for (auto& pull : values.pull) pull[at] = pull_in_body;
        if (resolved.solids[static_cast<std::size_t>(body)].is_adiabatic) values.insulated[at] = 1;
      }
    }
  }

  for (int variable = 0; variable < variables_per_level; ++variable) {
    const auto v = static_cast<std::size_t>(variable);
    if (has_uniform_value(resolved, variable)) {
      if (variable == temperature_variable)
        values.uniform_target[v] = resolved.solids.front().temperature;
      continue;
    }
    values.target[v].assign(n.count(), 0);
    at = 0;
    for (int k = box.begin.k; k < box.end.k; ++k) {
      for (int j = box.begin.j; j < box.end.j; ++j) {
        for (int i = box.begin.i; i < box.end.i; ++i, ++at) {
          if (owner[at] == no_body) continue;
          const std::array<double, 3> x{coordinate(resolved, 0, i + part.first(0)),
                                        coordinate(resolved, 1, j + part.first(1)),
                                        coordinate(resolved, 2, k + part.first(2))};
          values.target[v][at] =
              solid_value(resolved.solids[static_cast<std::size_t>(owner[at])], variable, x);
        }
      }
    }
  }
  return values;
}

std::size_t solid_fields_at_nodes(const Case& resolved) {
  if (resolved.solids.empty()) return 0;
  std::size_t fields = 3;
  for (int variable = 0; variable < variables_per_level; ++variable) {
    if (!has_uniform_value(resolved, variable)) ++fields;
  }
  if (std::ranges::any_of(resolved.solids, &SolidCase::is_adiabatic)) ++fields;
  return fields;
}

}  // namespace dns
