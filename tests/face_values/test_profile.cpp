/// Profiles from text files: what they mean between their points, and what is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/face_values/profile.hpp"
#include "tests/message_of.hpp"

namespace dns::test_profile {
namespace {

/// A text file of one test, gone when the test is over.
class TextOf {
 public:
  explicit TextOf(const std::string& text)
      : path_((std::filesystem::temp_directory_path() /
               (std::string("dns_profile_") +
                ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt"))
                  .string()) {
    std::ofstream(path_) << text;
  }
  TextOf(const TextOf&) = delete;
  TextOf& operator=(const TextOf&) = delete;
  ~TextOf() { std::filesystem::remove(path_); }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What is said of a table, after the file's path.
std::string refusal_of(const std::string& text) {
  const TextOf file(text);
  try {
    static_cast<void>(read_profile(file.path()));
  } catch (const CaseError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find(file.path() + ":"), 0U) << message;
    return message.substr(file.path().size() + 1);
  }
  return "nothing";
}

TEST(profile, may_begin_with_a_byte_order_mark) {
  const TextOf file("\xef\xbb\xbfy,u\n0,1\n1,3\n");
  EXPECT_EQ(read_profile(file.path()).value(0, {0, 0.5, 0}), 2);
}

TEST(profile, is_linear_between_points_and_constant_beyond_them) {
  const TextOf file("# of a channel\n\n y,u , T  # names\n-1,0,2\n0.5,\t3,1e0\n2 , 0, -1\n");
  const Profile profile = read_profile(file.path());
  EXPECT_EQ(profile.axes(), std::vector<int>{1});
  EXPECT_EQ(profile.coordinates(1), (std::vector<double>{-1, 0.5, 2}));
  EXPECT_TRUE(profile.coordinates(0).empty());
  EXPECT_EQ(profile.names(), (std::vector<std::string>{"u", "T"}));
  ASSERT_EQ(profile.column("T"), 1U);
  EXPECT_EQ(profile.column("v"), std::nullopt);
  const auto u = [&](double y) { return profile.value(0, {7, y, -7}); };
  EXPECT_EQ(u(-1), 0);
  EXPECT_EQ(u(-0.25), 1.5);
  EXPECT_EQ(u(0.5), 3);
  EXPECT_EQ(u(1.25), 1.5);
  EXPECT_EQ(u(2), 0);
  EXPECT_EQ(u(-9), 0);
  EXPECT_EQ(profile.value(1, {0, 9, 0}), -1);
  EXPECT_EQ(profile.value(1, {0, -9, 0}), 2);
  EXPECT_EQ(profile.value(1, {0, 1.25, 0}), 0);
}

/// 1 + 2 z + 3 x + 4 x z, which bilinear interpolation keeps, from rows in no order.
TEST(profile, of_two_coordinates_in_any_order_keeps_a_bilinear_function) {
  std::string text = "z x v\n";
  const std::vector<double> zs{-1, 0, 3};
  const std::vector<double> xs{4, 0, 1, 2.5};
  const auto exact = [](double x, double z) { return 1 + 2 * z + 3 * x + 4 * x * z; };
  for (const double x : xs) {
    for (const double z : zs) {
      text +=
          std::to_string(z) + " " + std::to_string(x) + " " + std::to_string(exact(x, z)) + "\n";
    }
  }
  const TextOf file(text);
  const Profile profile = read_profile(file.path());
  EXPECT_EQ(profile.axes(), (std::vector<int>{2, 0}));
  EXPECT_EQ(profile.coordinates(0), (std::vector<double>{0, 1, 2.5, 4}));
  EXPECT_EQ(profile.coordinates(2), zs);
  for (int i = 0; i <= 16; ++i) {
    for (int k = 0; k <= 32; ++k) {
      const double x = i / 4.0;
      const double z = k / 8.0 - 1;
      EXPECT_NEAR(profile.value(0, {x, 99, z}), exact(x, z), 1e-13) << x << ' ' << z;
    }
  }
  EXPECT_NEAR(profile.value(0, {9, 0, -9}), exact(4, -1), 1e-13);
}

TEST(profile, covers_what_its_points_reach_but_for_rounding) {
  const TextOf file("y u\n0 1\n2 1\n");
  const Profile profile = read_profile(file.path());
  EXPECT_TRUE(profile.covers(1, 0, 2));
  EXPECT_TRUE(profile.covers(1, 0.5, 1));
  EXPECT_TRUE(profile.covers(1, -1e-12, 2 + 1e-12));
  EXPECT_FALSE(profile.covers(1, -1e-6, 2));
  EXPECT_FALSE(profile.covers(1, 0, 2.0001));
  EXPECT_FALSE(profile.covers(1, std::numeric_limits<double>::quiet_NaN(), 2));
  EXPECT_TRUE(profile.covers(0, -9, 9));
}

/// 2 + t + 3 y + t y at times that are not equally far apart, rows in no order.
TEST(profile, with_times_is_linear_between_them_and_held_beyond_them) {
  std::string text = "t y u\n";
  const auto exact = [](double t, double y) { return 2 + t + 3 * y + t * y; };
  for (const double y : {1.0, -1.0, 0.5}) {
    for (const double t : {0.0, 4.0, 1.0})
      text +=
          std::to_string(t) + " " + std::to_string(y) + " " + std::to_string(exact(t, y)) + "\n";
  }
  const TextOf file(text);
  const Profile profile = read_profile(file.path());
  EXPECT_EQ(profile.times(), (std::vector<double>{0, 1, 4}));
  for (const double t : {0.0, 0.25, 1.0, 3.0, 4.0}) {
    for (const double y : {-1.0, 0.0, 0.75, 1.0})
      EXPECT_NEAR(profile.value(0, {9, y, 9}, t), exact(t, y), 1e-13) << t << ' ' << y;
  }
  EXPECT_NEAR(profile.value(0, {0, 1, 0}, -3), exact(0, 1), 1e-13);
  EXPECT_NEAR(profile.value(0, {0, 1, 0}, 9), exact(4, 1), 1e-13);
}

TEST(profile, of_time_alone_is_the_same_everywhere) {
  const TextOf file("t u T\n0 1 5\n2 3 5\n");
  const Profile profile = read_profile(file.path());
  EXPECT_TRUE(profile.axes().empty());
  EXPECT_EQ(profile.value(0, {1, 2, 3}, 0.5), 1.5);
  EXPECT_EQ(profile.value(1, {1, 2, 3}, 0.5), 5);
  EXPECT_TRUE(profile.covers(1, -9, 9));
}

TEST(profile, that_cannot_be_read_is_an_io_error_that_names_it) {
  for (const std::string path : {"/nowhere/profile.txt", "/dev/zero", "/"}) {
    const std::string message = message_of<IoError>([&] { return read_profile(path); });
    EXPECT_EQ(message.find(path + " "), 0U) << path << ": " << message;
  }
}

TEST(profile, names_the_line_of_what_it_refuses) {
  const std::vector<std::pair<std::string, std::string>> tables{
      {"# nothing\n\n", " no line names its columns"},
      {"y u\n0 1\n1 fast\n", "3: 'fast' is no finite number"},
      {"y u\n0 1\n1 nan\n", "3: 'nan' is no finite number"},
      {"y u\n0 1\n1 -inf\n", "3: '-inf' is no finite number"},
      {"y u\n0 1\n1 1e999\n", "3: '1e999' is no finite number"},
      {"y u\n0 1\n1e999 1\n", "3: '1e999' is no finite number"},
      {"y u\n0 1\n#\n1 2 3\n", "4: 3 numbers, but there are 2 columns"},
      {"y u v\n0 1\n", "2: 2 numbers, but there are 3 columns"},
      {"y u\n0 1\n2 1\n1 1\n", "4: y is 1, but must be > 2, that of line 3"},
      {"y u\n0 1\n0 1\n", "3: y is 0, but must be > 0, that of line 2"},
      {"y u\n0 1\n-0.0 1\n", "3: y is 0, but must be > 0, that of line 2"},
      {"y u\n0 1\n", "2: there must be two values of y at least"},
      {"y u\n", "1: there must be two values of y at least"},
      {"y z u\n0 1 1\n1 1 1\n", "3: there must be two values of z at least"},
      {"y z u\n0 0 1\n1 0 1\n0 1 1\n1 1 2\n0 1 1\n", "6: y = 0, z = 1 is also in line 4"},
      {"y z u\n0 0 1\n1 0 1\n0 1 1\n", "4: z = 1 has no line of y = 1"},
      {"y U\n0 1\n1 1\n",
       "1: no column may have the name 'U'; it may be one of t, x, y, z, u, v, w, T, uu, vv, ww, "
       "uv, "
       "uw, vw"},
      {"0 1\n1 1\n",
       "1: no column may have the name '0'; it may be one of t, x, y, z, u, v, w, T, uu, vv, ww, "
       "uv, "
       "uw, vw"},
      {"y u u\n0 1 1\n", "1: two columns have the name u"},
      {"u y\n0 1\n", "1: column y: coordinates come before values"},
      {"u v\n0 1\n", "1: its columns must begin with one or two of x, y, z, or with t"},
      {"x y z u\n0 1 1 1\n", "1: its columns must begin with one or two of x, y, z, or with t"},
      {"y z\n0 1\n", "1: there is no column of values"},
      {"t y u\n0 0 1\n0 1 1\n2 0 1\n", "4: t = 2 has no line of y = 1"},
      {"t y u\n0 0 1\n0 1 1\n", "3: there must be two values of t at least"},
      {"y t u\n0 1 1\n1 1 1\n0 2 1\n1 2 1\n0 2 3\n", "6: t = 2, y = 0 is also in line 4"},
  };
  for (const auto& [text, expected] : tables) EXPECT_EQ(refusal_of(text), expected) << text;
}

}  // namespace
}  // namespace dns::test_profile
