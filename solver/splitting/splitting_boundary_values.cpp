#include "solver/splitting/splitting_boundary_values.hpp"

#include "solver/grid/case_grid.hpp"

namespace dns {

std::vector<double> given_at_nodes(FaceValues& values,
                                   const Case& resolved,
                                   const Subdomain& part,
                                   int face,
                                   int variable,
                                   double t) {
  const auto [first, second] = axes_in_plane(face / 2);
  const auto nodes = [&](Axis axis) {
    std::vector<double> along;
    for (int node = 0; node < part.points()[axis]; ++node)
      along.push_back(coordinate(resolved, velocity_along(axis), part.first(axis) + node));
    return along;
  };
  return values.at(face, variable, nodes(first), nodes(second), t);
}

}  // namespace dns
