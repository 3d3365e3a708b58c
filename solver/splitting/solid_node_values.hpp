/// What solid bodies are to the nodes of scheme `splitting`, on the host.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/numerics/splitting_solid_rows.hpp"
#include "solver/solids/solid_points.hpp"

namespace dns {

/// k and W of the nodes of a box: those of a part and one more at every end, x fastest.
struct SolidNodeValues {
  Box box;                            // of the values
  Box touched;                        // of nodes that are in a body or cut; may be empty
  PerAxis<std::vector<double>> pull;  // k along each axis, pull_in_body in bodies
  std::vector<double> insulated;      // 1 in adiabatic bodies, else 0; empty: there are none
  std::array<std::vector<double>, variables_per_level> target;  // W; empty: uniform_target
  std::array<double, variables_per_level> uniform_target{};
};

[[nodiscard]] SolidNodeValues solid_node_values(const Case& resolved,
                                                const Subdomain& part,
                                                const SolidPoints& points);

}  // namespace dns
