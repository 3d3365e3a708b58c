/// The key rotation, and what is refused with it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/config/case_difference.hpp"
#include "solver/config/load_case.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_rotation {
namespace {

/// Lines 1 to 9.
const std::string yaml = R"(case: base
scheme: projection
grid: {points: [8, 9, 4]}
fluid: {reynolds: 100}
rotation: {rate: [0, 3, 4]}
boundaries: {x: periodic, y_min: {type: symmetry}, y_max: {type: symmetry}, z: periodic}
accuracy: {order: 2}
time: {step: 0.1, steps: 5}
output: {statistics: {budgets: false}}
)";

std::string message(const std::string& from, const std::string& to) {
  return messages_of(edited_case(from, to, yaml), {});
}

TEST(rotation, is_read_and_written_back) {
  const Case read = parse_case(yaml, "case.yaml", {});
  ASSERT_TRUE(read.rotation);
  EXPECT_EQ(read.rotation->rate, (PerAxis<double>{0, 3, 4}));
  EXPECT_EQ(read.coriolis_rate(), (PerAxis<double>{0, 6, 8}));
  EXPECT_DOUBLE_EQ(read.coriolis_frequency(), 10);
  EXPECT_DOUBLE_EQ(read.longest_turn(), 0.1);
  EXPECT_EQ(to_yaml(parse_case(to_yaml(read), "case.yaml", {})), to_yaml(read));
  Case other = read;
  other.rotation->rate[2] = 5;
  EXPECT_EQ(differences_of_flow(read, other), (std::vector<std::string>{"rotation.rate"}));
  const Case none = parse_case(edited_case("rotation: {rate: [0, 3, 4]}\n", "", yaml), "c", {});
  EXPECT_FALSE(none.rotates());
  EXPECT_GT(none.longest_turn(), 1e300);
}

TEST(rotation, that_cannot_be_is_refused_with_place_and_rule) {
  EXPECT_EQ(
      message("[0, 3, 4]", "[0, 3]"),
      "case.yaml:5:12: rotation.rate is [0, 3], but must be a list of 3 numbers from -1000000 "
      "to 1000000 (angular velocity Omega of the frame, in which velocities are given and "
      "found [U/L])");
  EXPECT_NE(message("[0, 3, 4]", "[0, .nan, 4]").find("case.yaml:5:22: rotation.rate"),
            std::string::npos)
      << message("[0, 3, 4]", "[0, .nan, 4]");
  EXPECT_NE(message("[0, 3, 4]", "[.inf, 3, 4]").find("case.yaml:5:19: rotation.rate"),
            std::string::npos)
      << message("[0, 3, 4]", "[.inf, 3, 4]");
  EXPECT_NE(message("{rate: [0, 3, 4]}", "{}").find("rotation.rate is missing"), std::string::npos)
      << message("{rate: [0, 3, 4]}", "{}");
  EXPECT_NE(message("scheme: projection", "scheme: splitting")
                .find("case.yaml:5:1: rotation: belongs to scheme projection, but scheme is "
                      "splitting; leave it out\n"),
            std::string::npos)
      << message("scheme: projection", "scheme: splitting");
  EXPECT_EQ(message("budgets: false", "budgets: true"),
            "case.yaml:9:23: output.statistics.budgets: rotation has no term in budgets; leave one "
            "out");
  EXPECT_EQ(
      message("step: 0.1", "step: 0.101"),
      "case.yaml:8:8: time.step is 0.101, but must be at most 0.1 (time step [L/U]); time.scheme "
      "implicit has 2 |rotation.rate| dt of 1 at most");
  EXPECT_EQ(
      message("order: 2", "order: [2, 6, 2]"),
      "case.yaml:7:23: accuracy.order[1] is 6, but must be 2 or 4 (order of differences along "
      "axes); "
      "rotation acts across the planes of symmetry along y");
}

TEST(rotation, about_the_normal_of_planes_of_symmetry_has_every_order) {
  const std::string about_y = edited_case("[0, 3, 4]", "[0, 3, 0]", yaml);
  const Case read = parse_case(edited_case("order: 2", "order: [2, 4, 2]", about_y), "c.yaml", {});
  EXPECT_EQ(read.accuracy.order, (PerAxis<int>{2, 4, 2}));
}

}  // namespace
}  // namespace dns::test_rotation
