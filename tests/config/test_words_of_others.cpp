/// Words of other codes, and what a run writes, by name.
#include <algorithm>

#include "solver/config/case_keys.hpp"
#include "solver/config/key_table.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_words_of_others {
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

TEST(words_of_other_codes, get_the_choice_that_means_the_same) {
  const auto ending = [](const std::string& from, const std::string& to) {
    const std::string messages = messages_of(edited_case(from, to, valid_projection));
    return messages.substr(std::min(messages.find(')'), messages.size()) + 1);
  };
  EXPECT_EQ(ending("", "device: gpu\n"), "; did you mean cuda?");
  EXPECT_EQ(ending("", "precision: single\n"), "; did you mean float?");
  EXPECT_EQ(ending("", "precision: FP64\n"), "; did you mean double?");
  EXPECT_EQ(ending("y_max: {type: wall", "y_max: {type: no-slip"), "; did you mean wall?");
  EXPECT_EQ(ending("y_max: {type: wall", "y_max: {type: noSlip"), "; did you mean wall?");
}

TEST(words_of_other_codes, get_an_answer_where_another_name_is_not_all) {
  const auto message = [](const std::string& word) {
    return unknown_key_message(word, Scheme::projection);
  };
  EXPECT_EQ(message("nu"),
            "nu: unknown key; did you mean fluid.reynolds? It is U L/nu, \"1/nu\" in units of L "
            "and U");
  EXPECT_EQ(message("force"), "force: unknown key; did you mean forcing?");
  EXPECT_EQ(message("les"), "les: unknown key; there are no turbulence models");
  EXPECT_EQ(message("fluid.particles"), "fluid.particles: unknown key; did you mean particles?");
}

TEST(values_of_scheme_projection, are_of_cells_not_of_nodes) {
  EXPECT_EQ(
      messages_of(edited_case("points: [8, 9, 4]", "points: [8, 9, 3]", valid_projection)),
      "case.yaml:4:18: grid.points[2] is 3, but must be from 4 to 65536 (cells along x, y, z)");
}

TEST(words_of_other_codes, get_no_key_of_another_scheme) {
  EXPECT_NE(suggested_key("omega", Scheme::splitting), "rotation.rate");
}

TEST(description_of_a_word, finds_keys_by_their_last_word) {
  EXPECT_EQ(describe_keys("reynolds"), describe_keys("fluid.reynolds"));
  EXPECT_NE(describe_keys("window").find("output.statistics.window: "), std::string::npos);
  EXPECT_THROW(static_cast<void>(describe_keys("nonsense")), CaseError);
}

TEST(description_of_a_word, finds_words_of_other_codes_parts_of_paths_and_meanings) {
  EXPECT_EQ(describe_keys("viscosity"), describe_keys("fluid.reynolds"));
  EXPECT_EQ(describe_keys("Stretch").substr(0, 16), "grid.stretching:");
  const std::string found = describe_keys("statis");
  EXPECT_NE(found.find("output.statistics.window: "), std::string::npos) << found;
  EXPECT_EQ(found.find("grid"), std::string::npos) << found;
  EXPECT_EQ(describe_keys("noSlip").substr(0, 21), "boundaries.FACE.type:");
  EXPECT_EQ(describe_keys("coordinates"), describe_keys("grid.stretching.AXIS.coordinates"));
  EXPECT_NE(describe_keys("tanh").find("grid.stretching.AXIS.type: "), std::string::npos);
  EXPECT_NE(describe_keys("gzip").find("output.fields.compression: "), std::string::npos);
}

}  // namespace
}  // namespace dns::test_words_of_others
