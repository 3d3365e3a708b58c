/// `dns new`: case files to start from.
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <limits>
#include <map>
#include <sstream>

#include "tests/application/run_test.hpp"

namespace dns::testing::test_new_case {
namespace {

class NewCase : public RunTest {
 protected:
  /// The lines of `dns new --list` that name a template: those between its head and its notes.
  static std::vector<std::string> lines_of_templates() {
    std::istringstream list(run_dns({"new", "--list"}).out);
    std::vector<std::string> lines;
    for (std::string line; std::getline(list, line) && !line.empty();) lines.push_back(line);
    lines.erase(lines.begin());
    return lines;
  }

  static std::vector<std::string> templates() {
    std::vector<std::string> names;
    for (const std::string& line : lines_of_templates())
      names.push_back(line.substr(0, line.find(' ')));
    return names;
  }

  /// All names of the list, those of its groups included.
  static std::vector<std::string> all_templates() {
    std::vector<std::string> names = templates();
    std::istringstream list(run_dns({"new", "--list"}).out);
    for (std::string line; std::getline(list, line);) {
      if (line.starts_with("  ")) names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    return names;
  }

  /// Seconds of "10 s", "3 min", "2 h" where `words` are; NaN where they are no time.
  static double seconds_of(std::istringstream& words) {
    const std::map<std::string, double> units{{"s", 1}, {"min", 60}, {"h", 3600}};
    double number = 0;
    std::string unit;
    words >> number >> unit;
    return units.contains(unit) ? number * units.at(unit)
                                : std::numeric_limits<double>::quiet_NaN();
  }
};

TEST_F(NewCase, every_template_is_a_valid_case_under_its_new_name) {
  EXPECT_EQ(templates().size(), 8U);
  std::vector<std::string> names = templates();
  names.insert(names.end(), {"blasius", "cylinder_wake"});
  for (const std::string& name : names) {
    const Outcome made = run_dns({"new", path("my_" + name), "--template", name});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    const std::string file = path("my_" + name + ".yaml");
    const Outcome check = run_dns({"check", file, "--device", "cpu", "--json"});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    const YAML::Node given = YAML::LoadFile(file);
    EXPECT_EQ(json_member(check.out, "case"), "my_" + name);
  }
}

TEST_F(NewCase, the_list_fits_in_80_columns) {
  const std::string list = run_dns({"new", "--list"}).out;
  EXPECT_NE(list.find("\nbodies in the flow:\n  cylinder_wake       Vortex street of a warm"),
            std::string::npos)
      << list;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST_F(NewCase, no_case_to_start_from_fixes_its_name_or_folder) {
  const std::filesystem::path folder = std::filesystem::path(DNS_TEST_DATA) / "../../configs";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    const std::string stem = entry.path().stem().string();
    EXPECT_EQ(run_dns({"new", path(stem), "--template", stem}).exit_code, 0) << stem;
    const YAML::Node given = YAML::LoadFile(entry.path().string());
    EXPECT_FALSE(given["case"]) << entry.path();
    EXPECT_FALSE(given["output"]["directory"]) << entry.path();
  }
  EXPECT_EQ(static_cast<std::size_t>(count), all_templates().size());
}

TEST_F(NewCase, a_copy_runs_in_a_folder_of_its_own) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(path("."));
  write("copy.yaml", text_of(case_file()));  // with the same `case`
  for (const char* const file : {"case.yaml", "copy.yaml"})
    EXPECT_EQ(run_dns({"run", file, "--steps", "1", "--threads", "1"}).exit_code, 0) << file;
  std::filesystem::current_path(before);
  EXPECT_TRUE(exists("runs/case/timeseries.csv"));
  EXPECT_TRUE(exists("runs/copy/timeseries.csv"));
}

TEST_F(NewCase, every_section_of_a_template_is_explained) {
  for (const std::string& name : templates()) {
    run_dns({"new", path(name), "--template", name});
    const std::string text = text_of(path(name + ".yaml"));
    EXPECT_EQ(text.substr(0, 2), "# ") << name;
    EXPECT_NE(text.find("non-dimensional"), std::string::npos) << name;
    for (const char* key : {"\nscheme:", "\ndevice:", "\nprecision:", "\n  points:"}) {
      const std::size_t start = text.find(key);
      ASSERT_NE(start, std::string::npos) << name << key;
      const std::string line = text.substr(start + 1, text.find('\n', start + 1) - start - 1);
      const bool is_explained = line.find('#') != std::string::npos || name == "paper";
      EXPECT_TRUE(is_explained) << name << ": " << line;
    }
  }
}

TEST_F(NewCase, the_list_fits_on_a_screen) {
  std::istringstream list(run_dns({"new", "--list"}).out);
  for (std::string line; std::getline(list, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST_F(NewCase, the_list_says_how_long_each_runs_and_begins_with_the_quickest) {
  double last = 0;
  for (const std::string& line : lines_of_templates()) {
    std::istringstream words(line);
    std::string name, on_gpu;
    words >> name;
    const double on_two_cores = seconds_of(words);
    EXPECT_TRUE(on_two_cores <= 30 || last > 0) << "the quickest takes longer: " << line;
    EXPECT_GE(on_two_cores, last) << line;
    last = on_two_cores;
    const auto place = words.tellg();
    words >> on_gpu;
    if (on_gpu == "?") continue;
    words.seekg(place);
    EXPECT_LT(seconds_of(words), on_two_cores) << line;
  }
}

TEST_F(NewCase, an_existing_file_stays_unless_forced) {
  write("mine.yaml", "precious");
  const Outcome refused = run_dns({"new", path("mine")});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("--force"), std::string::npos) << refused.err;
  EXPECT_EQ(text_of(path("mine.yaml")), "precious");
  EXPECT_EQ(run_dns({"new", path("mine"), "--force"}).exit_code, 0);
  EXPECT_NE(text_of(path("mine.yaml")).find("mine.yaml"), std::string::npos);
  EXPECT_FALSE(exists("mine.yaml.part"));
}

TEST_F(NewCase, the_files_that_a_template_reads_come_with_it) {
  const Outcome made = run_dns({"new", path("mine"), "--template", "blasius"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_NE(made.out.find("blasius_inlet.csv, which it reads"), std::string::npos) << made.out;
  EXPECT_EQ(text_of(path("blasius_inlet.csv")),
            text_of(DNS_TEST_DATA "/../../configs/blasius_inlet.csv"));
  write("blasius_inlet.csv", "precious");
  EXPECT_EQ(run_dns({"new", path("other"), "--template", "blasius"}).exit_code, 2);
  EXPECT_EQ(text_of(path("blasius_inlet.csv")), "precious");
  EXPECT_FALSE(exists("other.yaml"));
}

TEST_F(NewCase, the_name_may_be_given_as_the_file) {
  EXPECT_EQ(run_dns({"new", path("first.yaml")}).exit_code, 0);
  EXPECT_TRUE(exists("first.yaml"));
  EXPECT_FALSE(exists("first.yaml.yaml"));
}

TEST_F(NewCase, wrong_names_and_templates_end_with_2_and_write_nothing) {
  for (const char* name : {"", "a b", "1st", "a:b", "#"}) {
    const Outcome refused = run_dns({"new", name});
    EXPECT_EQ(refused.exit_code, 2) << name;
    EXPECT_NE(refused.err.find("NAME"), std::string::npos) << refused.err;
  }
  const Outcome misspelt = run_dns({"new", path("b"), "--template", "chanel"});
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_NE(misspelt.err.find("did you mean 'channel'"), std::string::npos) << misspelt.err;
  EXPECT_FALSE(exists("b.yaml"));
}

TEST_F(NewCase, a_folder_that_is_not_there_ends_with_3) {
  const Outcome refused = run_dns({"new", path("none/first")});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.err.find("none/first.yaml"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace dns::testing::test_new_case
