/// output.slices: the planes of pictures.
#include "tests/config/broken_case.hpp"

namespace dns::test_slices {
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
  const PerAxis<double> middles = {2, -0.5, 2};
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(slices.planes[n].name, names.at(n));
    EXPECT_EQ(slices.planes[n].axis, static_cast<int>(n));
    EXPECT_EQ(slices.planes[n].at, middles[n]);
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

/// The plane's variable is then neither given nor missed.
TEST(slices, of_what_buoyancy_drives_without_a_temperature_are_not_complained_of) {
  const std::string cold = edited_case("  prandtl: 0.7\n", "", valid_projection);
  const std::string bare =
      edited_case(", temperature: 0", "", edited_case(", temperature: 1", "", cold));
  EXPECT_EQ(
      messages_of(bare + "buoyancy: {rayleigh: 1}\noutput: {slices: {planes: {lid: {}}}}\n"),
      "case.yaml:15:1: buoyancy: needs a temperature: give fluid.prandtl too, or richardson in "
      "place of rayleigh and a scalar with a buoyancy");
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
}  // namespace dns::test_slices
