/// The section magnetic, and what is refused with it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/config/case_difference.hpp"
#include "solver/config/load_case.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_magnetic {
namespace {

/// Lines 1 to 10.
const std::string yaml = R"(case: base
scheme: projection
grid: {points: [8, 9, 4]}
fluid: {reynolds: 100}
magnetic: {field: [0, 3, 4], hartmann: 20}
boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: symmetry}, z: periodic}
accuracy: {order: 2}
time: {step: 0.1, steps: 5}
output: {statistics: {budgets: false}}
)";

std::string message(const std::string& from, const std::string& to) {
  return messages_of(edited_case(from, to, yaml), {});
}
void expect_message(const std::string& from, const std::string& to, const std::string& wanted) {
  EXPECT_NE(message(from, to).find(wanted), std::string::npos) << message(from, to);
}

TEST(magnetic, is_read_and_written_back) {
  const Case read = parse_case(yaml, "case.yaml", {});
  ASSERT_TRUE(read.magnetic);
  EXPECT_EQ(read.magnetic->net_current, MagneticCase::NetCurrent::zero);
  EXPECT_DOUBLE_EQ(read.magnetic->direction()[1], 0.6);
  EXPECT_DOUBLE_EQ(read.magnetic->direction()[2], 0.8);
  EXPECT_DOUBLE_EQ(read.lorentz_rate(), 4);
  EXPECT_EQ(to_yaml(parse_case(to_yaml(read), "case.yaml", {})), to_yaml(read));
  Case other = read;
  other.magnetic->hartmann = 5;
  EXPECT_EQ(differences_of_flow(read, other), (std::vector<std::string>{"magnetic.hartmann"}));
}

TEST(magnetic, that_cannot_be_is_refused_with_place_and_rule) {
  expect_message("[0, 3, 4]",
                 "[0, 0, 0]",
                 "case.yaml:5:12: magnetic.field is [0, 0, 0], but must be other than [0, 0, 0]");
  expect_message("hartmann: 20",
                 "hartmann: 0",
                 "case.yaml:5:30: magnetic.hartmann is 0, but must be > 0 and <= 1000000");
  expect_message(", hartmann: 20", "", "magnetic.hartmann is missing");
  expect_message("scheme: projection", "scheme: splitting", "magnetic");
  expect_message("y_min: {type: wall}",
                 "y_min: {type: wall, velocity: [0, 0.1, 0]}",
                 "case.yaml:5:1: magnetic: boundaries insulate: nothing may flow through y_min");
  expect_message("y_max: {type: symmetry}",
                 "y_max: {type: outflow}",
                 "magnetic: boundaries insulate: nothing may flow through y_max");
  expect_message("accuracy: {order: 2}",
                 "solids: {ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.2}}",
                 "magnetic: the current around solids is not known");
  expect_message("budgets: false", "budgets: true", "the Lorentz force has no term in budgets");
  EXPECT_NE(
      messages_of(edited_case("magnetic: {field: [0, 3, 4], hartmann: 20}\n",
                              "output: {fields: {variables: [velocity, current]}}\n",
                              edited_case("output: {statistics: {budgets: false}}\n", "", yaml)),
                  {})
          .find("there is no magnetic field"),
      std::string::npos);
}

TEST(magnetic, keeps_planes_of_symmetry_where_it_goes_across_them) {
  const std::string symmetric = edited_case("y_min: {type: wall}",
                                            "y_min: {type: symmetry}",
                                            edited_case("order: 2", "order: [2, 6, 2]", yaml));
  EXPECT_NE(messages_of(symmetric, {})
                .find("a magnetic field acts across the planes of symmetry along y"),
            std::string::npos)
      << messages_of(symmetric, {});
  EXPECT_NO_THROW(parse_case(edited_case("[0, 3, 4]", "[0, 3, 0]", symmetric), "case.yaml", {}));
}

}  // namespace
}  // namespace dns::test_magnetic
