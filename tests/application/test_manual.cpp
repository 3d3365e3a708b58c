/// The manual page names all that the program accepts and returns.
#include <algorithm>
#include <sstream>

#include "solver/application/exit_code.hpp"
#include "tests/application/run_test.hpp"

namespace dns::testing::test_manual {
namespace {

/// docs/dns.1 without the backslashes of troff, which stand before every '-'.
std::string manual() {
  std::string text = text_of(DNS_MANUAL);
  text.erase(std::remove(text.begin(), text.end(), '\\'), text.end());
  return text;
}

/// First words of the lines of a help that are indented by two, below the line `heading`.
std::vector<std::string> first_words(const std::string& help, const std::string& heading) {
  std::istringstream lines(help.substr(std::min(help.find(heading), help.size())));
  std::vector<std::string> words;
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    if (line.starts_with("  ") && line[2] != ' ')
      words.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return words;
}

TEST(Manual, names_every_command_and_option) {
  const std::string page = manual();
  ASSERT_FALSE(page.empty()) << DNS_MANUAL;
  const std::vector<std::string> verbs = first_words(run_dns({"--help"}).out, "Subcommands:");
  ASSERT_GE(verbs.size(), 10U);
  for (const std::string& verb : verbs) {
    EXPECT_NE(page.find(".TP\n.B " + verb + "\n"), std::string::npos) << verb;
    for (const std::string& option : first_words(run_dns({verb, "--help"}).out, "Options:")) {
      const std::string name = option.substr(option.find("--"));
      EXPECT_NE(page.find(name), std::string::npos) << "dns " << verb << " " << name;
    }
  }
}

TEST(Manual, names_every_exit_code) {
  const std::string page = manual();
  for (const ExitCode code : {ExitCode::finished,
                              ExitCode::bug,
                              ExitCode::wrong_usage,
                              ExitCode::input_output,
                              ExitCode::diverged,
                              ExitCode::device,
                              ExitCode::stopped_early,
                              ExitCode::interrupted}) {
    const std::string number = std::to_string(static_cast<int>(code));
    EXPECT_NE(page.find(".TP\n.B " + number + "\n"), std::string::npos) << number;
  }
}

}  // namespace
}  // namespace dns::testing::test_manual
