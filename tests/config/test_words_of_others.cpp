/// Words of other codes, and what a run writes, by name.
#include "solver/config/case_keys.hpp"
#include "solver/config/key_table.hpp"
#include "tests/config/broken_case.hpp"

namespace dns {
namespace {

TEST(words_of_other_codes, get_the_key_that_means_the_same) {
  const auto suggested = [](const std::string& path) { return suggested_key(path, std::nullopt); };
  EXPECT_EQ(suggested("Re"), "fluid.reynolds");
  EXPECT_EQ(suggested("fluid.visci"), "fluid.reynolds");
  EXPECT_EQ(suggested("dt"), "time.step");
  EXPECT_EQ(suggested("time.dt"), "time.step");
  EXPECT_EQ(suggested("omega"), "rotation.rate");
  EXPECT_EQ(suggested("ri"), "buoyancy.richardson");
  EXPECT_EQ(suggested("istret"), "grid.stretching");
  EXPECT_EQ(suggested("grid.nx"), "grid.points");
  EXPECT_EQ(suggested("ilast"), "time.steps");
  EXPECT_EQ(suggested("ioutput"), "output.fields.every");
  EXPECT_EQ(suggested("nclx1"), "boundaries");
  EXPECT_EQ(suggested("scalars.salt.sc"), "scalars.salt.prandtl");
  EXPECT_EQ(messages_of(valid_projection + "omega: 1\n"),
            "case.yaml:16:1: omega: unknown key; did you mean rotation.rate?");
}

TEST(words_of_other_codes, get_no_key_of_another_scheme) {
  EXPECT_NE(suggested_key("omega", Scheme::splitting), "rotation.rate");
}

TEST(description_of_a_word, finds_keys_by_their_last_word) {
  EXPECT_EQ(describe_keys("reynolds"), describe_keys("fluid.reynolds"));
  EXPECT_NE(describe_keys("window").find("output.statistics.window: "), std::string::npos);
  EXPECT_THROW(static_cast<void>(describe_keys("nonsense")), CaseError);
}

}  // namespace
}  // namespace dns
