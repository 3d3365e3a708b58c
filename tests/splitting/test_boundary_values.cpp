#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/splitting/splitting_boundary_values.hpp"

namespace dns::test_boundary_values {
namespace {

Case box_of_formulas() {
  const std::string face =
      R"({type: inflow, velocity: ["x+2*y", "y*z", "z-t"], temperature: "x*y*z+t"})";
  std::string faces;
  for (const std::string& name : face_names) faces += "  " + name + ": " + face + "\n";
  return parse_case(R"yaml(
case: box
scheme: splitting
grid: {points: [7, 5, 11], length: [3, 2, 1], origin: [-1, 0.5, 2]}
fluid: {reynolds: 10, prandtl: 1}
boundaries:
)yaml" + faces + R"yaml(
initial: {velocity: [0, 0, 0], temperature: 1}
time: {step: 1, steps: 1}
)yaml",
                    "box.yaml",
                    {});
}

/// Rows of a face across x or y lie one after the other along z, so that those of the slabs make up
/// those of the box.
TEST(given_at_nodes, of_slabs_is_that_of_the_box) {
  const Case resolved = box_of_formulas();
  const Subdomain box = whole_box(resolved);
  FaceValues values(resolved);
  constexpr double t = 0.25;
  for (int face = 0; face < 6; ++face) {
    for (int variable = 0; variable < 4; ++variable) {
      const std::vector<double> whole = given_at_nodes(values, resolved, box, face, variable, t);
      for (const int ranks : {2, 3}) {
        std::vector<double> joined;
        for (int rank = 0; rank < ranks; ++rank) {
          const Subdomain slab = box.slab(rank, ranks);
          if (!slab.is_boundary(face)) continue;
          const std::vector<double> mine =
              given_at_nodes(values, resolved, slab, face, variable, t);
          joined.insert(joined.end(), mine.begin(), mine.end());
        }
        EXPECT_EQ(joined, whole) << face_names[face] << " variable " << variable;
      }
    }
  }
}

TEST(given_at_nodes, is_the_formula_at_each_node) {
  const Case resolved = box_of_formulas();
  FaceValues values(resolved);
  const std::vector<double> on_x_max =
      given_at_nodes(values, resolved, whole_box(resolved), 1, 3, 0.5);
  ASSERT_EQ(on_x_max.size(), 5U * 11);
  EXPECT_DOUBLE_EQ(on_x_max[3 * 5 + 2], 2 * 1.5 * 2.3 + 0.5);  // x = 2, y = 1.5, z = 2.3
}

}  // namespace
}  // namespace dns::test_boundary_values
