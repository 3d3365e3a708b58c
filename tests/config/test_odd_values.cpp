/// Whatever is given for a key, the case is read or refused with a message.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_odd_values {
namespace {

/// With sections whose keys bear on those of others.
const std::string projection_with_much = valid_projection + R"(
buoyancy: {rayleigh: 1e5, direction: z}
forcing: {type: bulk_velocity, value: [1, 0, 0]}
initial: {type: turbulent_channel, amplitude: 0.2}
output:
  fields: {variables: [velocity, pressure]}
  slices: {every: 2, planes: {NAME: {axis: y, at: 0.5, variable: temperature, min: 0, max: 1}}}
  planes: {every: 3, precision: double, NAME: {axis: y, at: 0.5}}
  statistics: {start: 5, every: 3, average: [z]}
)";

const std::string stretched = edited_case("points: [8, 9, 4]",
                                          "points: [4, 9, 4]\n  stretching: {x: {coordinates: [0, "
                                          "0.25, 0.5, 1.5, 2]}, y: {type: tanh, factor: 1.5}}",
                                          projection_with_much);

const std::vector<std::string> odd_values{"",
                                          "~",
                                          "[]",
                                          "{}",
                                          "x",
                                          "-1",
                                          "0",
                                          "1e308",
                                          "1e-308",
                                          "9007199254740992",
                                          "nan",
                                          "[1]",
                                          "[1, 1, 1]",
                                          "[1, [], {}]",
                                          "[1, 1, 1, 1]",
                                          "[-1e308, 0, 1, 2, 1e308]",
                                          "{type: wall}",
                                          "{type: periodic}",
                                          "{gradient: }",
                                          "velocity",
                                          "[temperature, pressure]",
                                          "periodic",
                                          "projection"};

class OddValues : public testing::TestWithParam<std::string> {};

TEST_P(OddValues, of_any_key_are_read_or_refused) {
  std::istringstream paths(key_names(""));
  int keys = 0;
  for (std::string path; std::getline(paths, path); ++keys) {
    for (const std::string& value : odd_values) {
      SCOPED_TRACE(path + "=" + value);
      std::string written;
      try {
        written = to_yaml(parse_case(GetParam(), "case.yaml", {{path, value, "--set"}}));
      } catch (const CaseError&) {
        continue;
      }
      ASSERT_EQ(messages_of(written), "");
      EXPECT_EQ(to_yaml(parse_case(written, "resolved.yaml", {})), written);
    }
  }
  EXPECT_GT(keys, 100);
}

INSTANTIATE_TEST_SUITE_P(cases,
                         OddValues,
                         testing::Values(valid_case, projection_with_much, stretched));

}  // namespace
}  // namespace dns::test_odd_values
