/// What a foreign file holds cannot steer the terminal on which it is quoted.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "solver/run/printable.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing::test_printable {
namespace {

/// What print_printable() makes of a text.
std::string printed(const std::string& text) {
  char* made = nullptr;
  std::size_t size = 0;
  std::FILE* const file = open_memstream(&made, &size);
  print_printable(text, file);
  std::fclose(file);
  const std::string all(made, size);
  std::free(made);
  return all;
}

TEST(printable, shows_control_characters_as_numbers) {
  EXPECT_EQ(printed("a\x1b[31mred\x1b]0;title\x07 b\x7f\r\b"),
            "a\\x1b[31mred\\x1b]0;title\\x07 b\\x7f\\x0d\\x08");
  EXPECT_EQ(printed("\xc2\x9b"
                    "31m \xc2\x80 \xc2\x9f"),
            "\\xc2\\x9b31m \\xc2\\x80 \\xc2\\x9f");  // as one character of UTF-8
}

TEST(printable, leaves_lines_tabs_and_letters_of_all_languages) {
  const std::string text = "one\n\ttwo: \xc3\xa9 \xc2\xa0 \xe2\x82\xac \xf0\x9f\x98\x80 \xc2";
  EXPECT_EQ(printed(text), text);
  EXPECT_EQ(printed(""), "");
}

class Quotes : public RunTest {
 protected:
  static bool has_control(const std::string& text) {
    return std::ranges::any_of(text, [](char c) {
      const auto code = static_cast<unsigned char>(c);
      return (code < 0x20 && c != '\n' && c != '\t') || code == 0x7f;
    });
  }

  static void expect_printable(const Outcome& ended, const std::string& words) {
    EXPECT_FALSE(has_control(ended.out + ended.err)) << ended.out << ended.err;
    EXPECT_NE((ended.out + ended.err).find(words), std::string::npos) << ended.out << ended.err;
  }
};

TEST_F(Quotes, keys_of_a_case_are_printable) {
  write("bad.yaml", "scheme: projection\n\"\x1b]0;title\x07key\": 1\n\"\\e[31mred\": 1\n");
  expect_printable(run_dns({"check", path("bad.yaml")}), "\\x1b[31mred: unknown key");
}

TEST_F(Quotes, values_of_a_case_are_printable) {
  write("bad.yaml", "case: \"\\e[31mred\"\nscheme: \"\\e[31mred\"\n");
  expect_printable(run_dns({"check", path("bad.yaml")}), "scheme is ");
}

TEST_F(Quotes, columns_of_a_table_are_printable) {
  write("series.csv", "step,time,dt,cfl,\x1b[31mred\n1,2,3,4,5\n");
  expect_printable(run_dns({"info", path("series.csv")}), "\\x1b[31mred");
}

TEST_F(Quotes, what_a_run_says_and_records_is_printable) {
  const std::string name = "\x1b[31mrun";
  const Outcome run = run_dns(run_into(name, {"--steps", "1"}));
  EXPECT_EQ(run.exit_code, 0);
  expect_printable(run, "\\x1b[31mrun");
  const std::string log = text_of(path(name) + "/log.txt");
  EXPECT_NE(log.find("\\x1b[31mrun"), std::string::npos) << log;
  EXPECT_FALSE(has_control(log)) << log;
}

TEST_F(Quotes, names_of_files_are_printable) {
  const std::string folder = path("\x1b[31mrun");
  std::filesystem::create_directory(folder);
  expect_printable(run_dns({"info", folder}), "\\x1b[31mrun: holds no run");
  expect_printable(run_dns({"plot", folder}), "\\x1b[31mrun: holds no run");
}

}  // namespace
}  // namespace dns::testing::test_printable
