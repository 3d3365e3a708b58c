/// The flow at the start of a part of the box, against that of the whole.
#include <gtest/gtest.h>

#include <string>

#include "solver/config/load_case.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/start/initial_state.hpp"

namespace dns::test_initial_state {
namespace {

void expect_slabs_of(const std::string& yaml) {
  const Case resolved = parse_case(yaml, "test.yaml", {});
  const Subdomain box = whole_box(resolved);
  const FlowState whole = initial_state(resolved);
  for (const int ranks : {2, 3}) {
    for (int rank = 0; rank < ranks; ++rank) {
      const Subdomain slab = box.slab(rank, ranks);
      const FlowState mine = initial_state(resolved, slab);
      ASSERT_EQ(mine.fields.size(), whole.fields.size());
      for (std::size_t n = 0; n < mine.fields.size(); ++n) {
        EXPECT_EQ(mine.fields[n].name(), whole.fields[n].name());
        ASSERT_EQ(mine.fields[n].extents(), slab.points());
        const auto values = mine.fields[n].values<double>();
        const auto of_box = whole.fields[n].values<double>();
        const auto plane =
            static_cast<std::size_t>(box.whole.nx) * static_cast<std::size_t>(box.whole.ny);
        const std::size_t first = plane * static_cast<std::size_t>(slab.first(2));
        for (std::size_t at = 0; at < values.size(); ++at) {
          ASSERT_EQ(values[at], of_box[first + at])
              << mine.fields[n].name() << " at " << at << " of rank " << rank << " of " << ranks;
        }
      }
    }
  }
}

TEST(initial_state, of_slabs_is_that_of_the_box_for_formulas_and_noise) {
  for (const char* const scheme : {"splitting", "projection"}) {
    expect_slabs_of(std::string("scheme: ") + scheme + R"yaml(
case: start
grid: {points: [7, 5, 11], length: [3, 2, 1], origin: [-1, 0.5, 2]}
fluid: {reynolds: 10, prandtl: 1}
boundaries: {x: periodic, y_min: {type: wall, temperature: 1}, y_max: {type: wall, temperature: 2}, z: periodic}
initial: {velocity: ["sin(x)*z", "y*z", "x+y-z"], temperature: "1+x*y*z", noise: {amplitude: 0.1, seed: 4}}
time: {step: 1, steps: 1}
)yaml");
  }
}

TEST(initial_state, of_slabs_is_that_of_the_box_for_a_disturbed_channel) {
  for (const char* const walls : {"y", "z"}) {
    const std::string periodic = walls[0] == 'y' ? "z" : "y";
    expect_slabs_of(R"yaml(
scheme: projection
case: channel
grid: {points: [8, 9, 11], length: [6, 2, 3]}
fluid: {reynolds: 100}
boundaries: {x: periodic, )yaml" +
                    periodic + ": periodic, " + walls + "_min: {type: wall}, " + walls +
                    R"yaml(_max: {type: wall}}
initial: {type: turbulent_channel, amplitude: 0.2, noise: {amplitude: 0.01, seed: 3}}
time: {step: 1, steps: 1}
)yaml");
  }
}

}  // namespace
}  // namespace dns::test_initial_state
