/// Cases and table of `dns bench guard`.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "bench/guard.hpp"
#include "solver/core/error.hpp"
#include "tests/message_of.hpp"

namespace dns::bench::test_guard {
namespace {

std::string file_of(const std::string& text) {
  const std::string path =
      (std::filesystem::path(::testing::TempDir()) / "dns_guard_table.txt").string();
  std::ofstream(path) << text;
  return path;
}

TEST(Guard, has_twelve_cases_that_can_be_read) {
  std::set<std::string_view> names;
  for (const GuardCase& guard : guard_cases()) {
    names.insert(guard.name);
    EXPECT_EQ(case_of(guard, Device::cpu, 2).grid.points, guard.on_cpu) << guard.name;
    EXPECT_EQ(case_of(guard, Device::cuda, 0).grid.points, guard.on_gpu) << guard.name;
    EXPECT_EQ(case_of(guard, Device::cpu, 2).precision, guard.precision);
  }
  EXPECT_EQ(names.size(), 12U);
}

TEST(Guard, measures_again_what_seems_slower_and_names_what_is) {
  GuardTable table;
  for (const GuardCase& guard : guard_cases()) table[{"card", std::string(guard.name)}] = 2;
  int calls = 0;
  const GuardReport slow = guard_report("card", table, [&](const GuardCase& guard) {
    if (guard.name != "body") return 2.09;
    return ++calls == 2 ? 2.12 : 2.2;
  });
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(slow.slower, 1);
  EXPECT_NE(
      slow.text.find("card       |  body                  |  2.120  #  2.000  SLOWER by 6.0 %"),
      std::string::npos)
      << slow.text;
  calls = 0;
  const GuardReport once = guard_report("card", table, [&](const GuardCase& guard) {
    return guard.name == "body" && ++calls == 1 ? 3.0 : 2.0;
  });
  EXPECT_EQ(once.slower, 0);
  EXPECT_EQ(once.text.find("SLOWER"), std::string::npos);
}

TEST(Guard, reads_what_it_prints_and_says_what_has_no_row) {
  const GuardReport first = guard_report("a card", {}, [](const GuardCase&) { return 1.5; });
  EXPECT_EQ(first.slower, 0);
  const std::string last = "the table has no row for 12 of 12 cases on a card\n";
  ASSERT_TRUE(first.text.ends_with(last)) << first.text;
  const GuardTable table =
      read_guard_table(file_of(first.text.substr(0, first.text.size() - last.size())));
  EXPECT_EQ(table.size(), 12U);
  EXPECT_EQ(table.at({"a card", "splitting long lines"}), 1.5);
  const auto message = [](const std::string& line) {
    return message_of<CaseError>([&] { read_guard_table(file_of("# a table\n" + line)); });
  };
  for (const char* const line : {"card | body | fast", "card | body", "card body 2", "a | b | -1"})
    EXPECT_NE(message(line).find(":2: is '" + std::string(line) + "', but must be machine | case"),
              std::string::npos)
        << message(line);
  EXPECT_THROW(read_guard_table("/no/such/table"), IoError);
}

}  // namespace
}  // namespace dns::bench::test_guard
