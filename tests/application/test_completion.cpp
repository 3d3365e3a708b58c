/// `dns completion`: each shell proposes what the program takes. Asked of the shells themselves.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/application/run_test.hpp"

namespace dns::testing {
namespace {

/// What a command of the shell prints, on one line.
std::string output_of(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  std::array<char, 256> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
  pclose(pipe);
  for (char& letter : text) {
    if (letter == '\n' || letter == '\t') letter = ' ';
  }
  return text;
}

bool has(const std::string& shell) {
  return std::system(("command -v " + shell + " >/dev/null 2>&1").c_str()) == 0;
}

class Completion : public RunTest {
 protected:
  Completion() {
    write("other.txt", "");
    std::filesystem::create_directory(path("runs"));
    std::filesystem::create_directory(path("bin"));
    std::filesystem::create_symlink(DNS_PROGRAM, path("bin/dns"));
    for (const char* shell : {"bash", "zsh", "fish"}) {
      write(shell, run_dns({"completion", shell}).out);
    }
  }

  /// In the test's folder, with the program on the PATH.
  [[nodiscard]] std::string here() const {
    return "cd " + path("") + " && PATH=" + path("bin") + ":$PATH ";
  }

  /// What bash proposes for the last of `words`.
  [[nodiscard]] std::string bash(const std::vector<std::string>& words) const {
    std::string arguments;
    for (const std::string& word : words) arguments += " '" + word + "'";
    return output_of(here() +
                     "bash -c 'source ./bash; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); "
                     "_dns dns; echo \"${COMPREPLY[*]}\"' shell" +
                     arguments);
  }

  [[nodiscard]] std::string fish(const std::string& line) const {
    return output_of(here() + "HOME=" + path("") +
                     " fish --no-config -c 'source ./fish; complete -C \"" + line +
                     "\"' | cut -f 1");
  }
};

TEST_F(Completion, bash_proposes_verbs_options_values_keys_and_files) {
  if (!has("bash")) GTEST_SKIP() << "no bash";
  EXPECT_EQ(bash({"dns", "ru"}), "run ");
  EXPECT_EQ(bash({"dns", "run", "--prec"}), "--precision ");
  EXPECT_EQ(bash({"dns", "run", "--device", ""}), "auto cpu cuda ");
  EXPECT_EQ(bash({"dns", "run", "--device", "=", "cu"}), "cuda ");
  EXPECT_EQ(bash({"dns", "run", "--set", "fluid.rey"}), "fluid.reynolds= ");
  EXPECT_EQ(bash({"dns", "run", "ca"}), "case.yaml ");
  EXPECT_EQ(bash({"dns", "run", "oth"}), " ");
  EXPECT_EQ(bash({"dns", "run", "ru"}), "runs ");
  EXPECT_EQ(bash({"dns", "run", "--live", "ca"}), "case.yaml ");
  EXPECT_EQ(bash({"dns", "resume", "ru"}), "runs ");
  EXPECT_EQ(bash({"dns", "plot", "ru"}), "runs ");
  EXPECT_EQ(bash({"dns", "new", "--template", "cav"}), "cavity ");
  EXPECT_EQ(bash({"dns", "bench", "sten"}), "stencil ");
  EXPECT_EQ(bash({"dns", "info", "oth"}), "other.txt ");
}

TEST_F(Completion, fish_proposes_verbs_options_values_keys_and_files) {
  if (!has("fish")) GTEST_SKIP() << "no fish";
  EXPECT_EQ(fish("dns ru"), "run ");
  EXPECT_EQ(fish("dns run --prec"), "--precision ");
  EXPECT_EQ(fish("dns run --device cu"), "cuda ");
  EXPECT_EQ(fish("dns run --set fluid.rey"), "fluid.reynolds= ");
  EXPECT_EQ(fish("dns run ca"), "case.yaml ");
  EXPECT_EQ(fish("dns run --live ca"), "case.yaml ");
  EXPECT_EQ(fish("dns new --template cav"), "cavity ");
  EXPECT_EQ(fish("dns info oth"), "other.txt ");
}

TEST_F(Completion, zsh_takes_the_script_and_proposes_verbs) {
  if (!has("zsh")) GTEST_SKIP() << "no zsh";
  EXPECT_EQ(std::system(("zsh -n " + path("zsh")).c_str()), 0);
  // _describe and _arguments are zsh's own: here they only show what they are handed.
  const std::string handed =
      output_of(here() +
                "zsh -f -c 'compdef() { }; source ./zsh; _describe() { print -l $verbs; }; "
                "_arguments() { print -l \"$@\"; }; words=(dns \"\"); CURRENT=2; _dns; "
                "words=(dns run \"\"); CURRENT=3; _dns'");
  EXPECT_NE(handed.find("resume:Goes on"), std::string::npos) << handed;
  EXPECT_NE(handed.find("--device=[where to compute]:value:(auto cpu cuda)"), std::string::npos)
      << handed;
  EXPECT_NE(handed.find(":the case file:_files -g \"*.yaml\""), std::string::npos) << handed;
}

TEST_F(Completion, an_unknown_shell_ends_with_2) {
  const Outcome outcome = run_dns({"completion", "tcsh"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("bash, zsh or fish"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace dns::testing
