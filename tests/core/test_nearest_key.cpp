/// "Did you mean".
#include <gtest/gtest.h>

#include "solver/core/nearest_key.hpp"

namespace dns::test_nearest_key {
namespace {

TEST(edit_distance, counts_single_slips) {
  EXPECT_EQ(edit_distance("length", "length"), 0U);
  EXPECT_EQ(edit_distance("lenght", "length"), 1U);   // two neighbours swapped
  EXPECT_EQ(edit_distance("lengthh", "length"), 1U);  // one too many
  EXPECT_EQ(edit_distance("lngth", "length"), 1U);    // one missing
  EXPECT_EQ(edit_distance("lemgth", "length"), 1U);   // one wrong
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(nearest_key, is_the_closest_one) {
  EXPECT_EQ(nearest_key("lenght", {"points", "length", "origin"}), "length");
  EXPECT_EQ(nearest_key("step_s", {"step", "steps"}), "steps");
}

TEST(nearest_key, ignores_capitals) {
  EXPECT_EQ(nearest_key("REYNOLDS", {"prandtl", "reynolds"}), "reynolds");
}

TEST(nearest_key, is_none_when_nothing_is_close) {
  EXPECT_EQ(nearest_key("colour", {"points", "length", "origin"}), "");
  EXPECT_EQ(nearest_key("q", {"x", "y"}), "");
  EXPECT_EQ(nearest_key(std::string(1000, 'a'), {"points"}), "");
}

}  // namespace
}  // namespace dns::test_nearest_key
