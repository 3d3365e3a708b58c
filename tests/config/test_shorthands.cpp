/// Shorter forms of sections: both faces of an axis at once, two numbers for the centre of a
/// cylinder.
#include "tests/config/broken_case.hpp"

namespace dns::test_shorthands {
namespace {

std::string resolved(const std::string& yaml, const std::vector<Override>& overrides = {}) {
  return to_yaml(parse_case(yaml, "case.yaml", overrides));
}

const std::string both_walls =
    "  y_min: {type: wall, temperature: 1}\n  y_max: {type: wall, temperature: 0}\n";

TEST(both_faces, are_given_at_once) {
  const std::string without_heat = edited_case("  prandtl: 0.7\n", "", valid_projection);
  const std::string walls = "  y_min: {type: wall}\n  y_max: {type: wall}\n";
  EXPECT_EQ(resolved(edited_case(both_walls, "  y: wall\n", without_heat)),
            resolved(edited_case(both_walls, walls, without_heat)));
  EXPECT_EQ(
      resolved(edited_case(both_walls, "  y: symmetry\n", valid_projection)),
      resolved(edited_case(
          both_walls, "  y_min: {type: symmetry}\n  y_max: {type: symmetry}\n", valid_projection)));
  EXPECT_EQ(
      resolved(edited_case(both_walls, "  y: {type: wall, temperature: 0}\n", valid_projection)),
      resolved(edited_case("temperature: 1", "temperature: 0", valid_projection)));
}

TEST(both_faces, may_be_overridden_one_by_one_and_at_once) {
  const std::string once =
      edited_case(both_walls, "  y: {type: wall, temperature: 0}\n", valid_projection);
  EXPECT_EQ(resolved(once, {{"boundaries.y_min.temperature", "1", "--set"}}),
            resolved(valid_projection));
  EXPECT_EQ(resolved(valid_projection, {{"boundaries.y", "symmetry", "--set"}}),
            resolved(edited_case(both_walls, "  y: symmetry\n", valid_projection)));
}

TEST(both_faces, are_refused_beside_one_face_and_with_other_words) {
  EXPECT_EQ(messages_of(edited_case(
                "  y_min: {type: wall, temperature: 1}\n", "  y: wall\n", valid_projection)),
            "case.yaml:11:3: boundaries.y_max: given together with boundaries.y; keep one of the "
            "two");
  const std::string messages =
      messages_of(edited_case("x: periodic", "x: inflow", valid_projection));
  EXPECT_NE(messages.find("case.yaml:9:3: boundaries.x is inflow, but must be periodic, wall or "
                          "symmetry ("),
            std::string::npos)
      << messages;
  EXPECT_EQ(messages_of(edited_case(both_walls, "  y: wall\n", valid_projection)),
            "case.yaml:10:3: boundaries.y_min.temperature is missing, but must be given: a formula "
            "of x, y, z, t, {gradient: ...}, {transfer: ...}, {profile: ...} or {planes: ...} "
            "(temperature at the face [T0])\n"
            "case.yaml:10:3: boundaries.y_max.temperature is missing, but must be given: a formula "
            "of x, y, z, t, {gradient: ...}, {transfer: ...}, {profile: ...} or {planes: ...} "
            "(temperature at the face [T0])");
}

TEST(center_of_a_cylinder, takes_two_numbers_across_its_axis) {
  const auto with = [](const std::string& body) {
    return edited_case("", "solids: {rod: {" + body + ", radius: 0.5, temperature: 1}}\n");
  };
  EXPECT_EQ(resolved(with("shape: cylinder, center: [2, 3]")),
            resolved(with("shape: cylinder, center: [2, 3, 0]")));
  EXPECT_EQ(resolved(with("shape: cylinder, axis: x, center: [2, 3]")),
            resolved(with("shape: cylinder, axis: x, center: [0, 2, 3]")));
  EXPECT_EQ(resolved(with("shape: cylinder, axis: y, center: [2, 3]")),
            resolved(with("shape: cylinder, axis: y, center: [2, 0, 3]")));
  for (const char* const other :
       {"shape: sphere, center: [2, 3]", "shape: cylinder, length: 2, center: [2, 3]"}) {
    const std::string messages = messages_of(with(other));
    EXPECT_NE(messages.find("solids.rod.center is [2, 3], but must be a list of 3 numbers ("),
              std::string::npos)
        << messages;
  }
}

}  // namespace
}  // namespace dns::test_shorthands
