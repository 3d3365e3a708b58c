/// output.slices: the planes of pictures.
#include "tests/config/broken_case.hpp"

namespace dns {
namespace {

Case case_with_slices(const std::string& slices, const std::string& text = valid_case) {
  return parse_case(text + "output:\n  slices: " + slices + "\n", "case.yaml", {});
}

TEST(slices, are_not_drawn_unless_asked_for) {
  EXPECT_FALSE(parse_case(valid_case, "case.yaml", {}).output.slices);
}

TEST(slices, are_the_middle_planes_of_the_speed_unless_named) {
  const std::string off_centre = edited_case("points: [8, 9, 10]",
                                             "points: [8, 9, 10]\n  length: [2, 1, 4]\n"
                                             "  origin: [1, -1, 0]");
  const SlicesCase slices = case_with_slices("{}", off_centre).output.slices.value();
  EXPECT_EQ(slices.every, 100);
  EXPECT_EQ(slices.pixels, 512);
  ASSERT_EQ(slices.planes.size(), 3U);
  const std::array<std::string, 3> names = {"x", "y", "z"};
  const std::array<double, 3> middles = {2, -0.5, 2};
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(slices.planes[n].name, names.at(n));
    EXPECT_EQ(slices.planes[n].axis, static_cast<int>(n));
    EXPECT_EQ(slices.planes[n].at, middles.at(n));
    EXPECT_EQ(slices.planes[n].variable, "velocity_magnitude");
    EXPECT_FALSE(slices.planes[n].low || slices.planes[n].high);
  }
}

TEST(slices, of_what_buoyancy_drives_show_the_temperature) {
  const std::string heated = valid_projection + "buoyancy: {rayleigh: 1000}\n";
  const Case resolved = case_with_slices("{}", heated);
  EXPECT_EQ(resolved.output.slices.value().planes.at(0).variable, "temperature");
}

TEST(slices, of_somebody_who_watches_are_those_of_the_case_or_the_middle_planes) {
  const SlicesCase without = slices_to_draw(parse_case(valid_case, "case.yaml", {}));
  EXPECT_EQ(without.every, 0);
  EXPECT_EQ(without.pixels, 512);
  EXPECT_EQ(without.planes.size(), 3U);
  const SlicesCase with = slices_to_draw(case_with_slices("{every: 7, planes: {lid: {}}}"));
  EXPECT_EQ(with.every, 7);
  ASSERT_EQ(with.planes.size(), 1U);
  EXPECT_EQ(with.planes[0].name, "lid");
}

TEST(slices, can_be_changed_by_overrides) {
  const Case resolved = parse_case(valid_case + "output: {slices: {planes: {lid: {axis: y}}}}\n",
                                   "case.yaml",
                                   {{"output.slices.planes.lid.at", "0.9", "--set"},
                                    {"output.slices.planes.out.axis", "x", "--set"}});
  const std::vector<SliceCase> planes = resolved.output.slices.value().planes;
  ASSERT_EQ(planes.size(), 2U);
  EXPECT_EQ(planes[0].at, 0.9);
  EXPECT_EQ(planes[1].name, "out");
  EXPECT_EQ(planes[1].axis, 0);
}

class WrongSlices : public testing::TestWithParam<BrokenCase> {};

TEST_P(WrongSlices, are_refused) {
  const BrokenCase& broken = GetParam();
  const std::string slices = "output:\n  slices:\n    planes:\n      " + broken.to;
  EXPECT_EQ(messages_of(edited_case("", slices)), broken.messages);
}

const std::vector<BrokenCase> wrong_slices{
    {"outside_the_domain",
     "",
     "lid: {axis: y, at: 1.5}",
     "case.yaml:20:22: output.slices.planes.lid.at is 1.5, but must be from 0 to 1 (where the "
     "plane "
     "cuts that axis [L]); that is the domain along y"},
    {"no_axis",
     "",
     "lid: {axis: w}",
     "case.yaml:20:13: output.slices.planes.lid.axis is w, but must be x, y or z (axis normal to "
     "the "
     "plane)"},
    {"a_misspelt_variable",
     "",
     "lid: {variable: velocity_magnitud}",
     "case.yaml:20:13: output.slices.planes.lid.variable is velocity_magnitud, but must be "
     "velocity_x, velocity_y, velocity_z, velocity_magnitude, temperature or pressure (what the "
     "colours show; pressure: scheme projection); did you mean velocity_magnitude?"},
    {"a_variable_of_the_other_scheme",
     "",
     "lid: {variable: pressure}",
     "case.yaml:20:13: output.slices.planes.lid.variable is pressure, but must be a velocity or "
     "temperature (what the colours show; pressure: scheme projection); pressure belongs to scheme "
     "projection"},
    {"colours_the_wrong_way_round",
     "",
     "lid: {min: 1, max: 0}",
     "case.yaml:20:21: output.slices.planes.lid.max is 0, but must be > min (value of the last "
     "colour); that is 1"},
    {"a_misspelt_key",
     "",
     "lid: {axsi: y}",
     "case.yaml:20:13: output.slices.planes.lid.axsi: unknown key; did you mean "
     "output.slices.planes.lid.axis?"},
    {"a_plane_that_is_no_section",
     "",
     "lid: 3",
     "case.yaml:20:7: output.slices.planes.lid is 3, but must be a section with the keys axis, at, "
     "variable, min, max (one plane, which gives its files their NAME)"},
    {"a_name_that_leads_elsewhere",
     "",
     "../lid: {}",
     "case.yaml:20:7: output.slices.planes.../lid: unknown key; known keys of "
     "output.slices.planes: NAME"},
    {"a_name_with_a_slash",
     "",
     "a/b: {}",
     "case.yaml:20:7: output.slices.planes.a/b: the name of a plane is made of letters, digits, "
     "'_' "
     "and '-', 50 at most"},
};

INSTANTIATE_TEST_SUITE_P(slices, WrongSlices, testing::ValuesIn(wrong_slices), name_of_test);

/// The plane's variable is then neither given nor missed.
TEST(slices, of_what_buoyancy_drives_without_a_temperature_are_not_complained_of) {
  const std::string cold = edited_case("  prandtl: 0.7\n", "", valid_projection);
  const std::string bare =
      edited_case(", temperature: 0", "", edited_case(", temperature: 1", "", cold));
  EXPECT_EQ(messages_of(bare + "buoyancy: {rayleigh: 1}\noutput: {slices: {planes: {lid: {}}}}\n"),
            "case.yaml:15:1: buoyancy: needs a temperature: give fluid.prandtl too");
}

TEST(slices, of_a_temperature_need_one) {
  const std::string cold = edited_case("  prandtl: 0.7\n", "", valid_projection);
  const std::string bare =
      edited_case(", temperature: 0", "", edited_case(", temperature: 1", "", cold));
  EXPECT_EQ(messages_of(bare + "output: {slices: {planes: {lid: {variable: temperature}}}}\n"),
            "case.yaml:15:34: output.slices.planes.lid.variable is temperature, but must be a "
            "variable that the flow has (what the colours show; pressure: scheme projection); it "
            "has a temperature only with fluid.prandtl");
}

}  // namespace
}  // namespace dns
