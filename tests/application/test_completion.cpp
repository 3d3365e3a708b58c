/// Completion of command lines: what the program proposes, and what each shell makes of it. The
/// shells themselves are asked.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/application/run_test.hpp"

namespace dns::testing::test_completion {
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

/// What the program proposes for the last of `words`. It must never fail or print errors.
std::string proposed(std::vector<std::string> words) {
  words.insert(words.begin(), {"complete", "--"});
  const Outcome outcome = run_dns(words);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

/// Whether `line` is one of the lines of `text`.
bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(Proposals, are_the_verbs_with_their_meaning_first) {
  const std::string verbs = proposed({""});
  EXPECT_TRUE(has_line(verbs, "run\tRuns a case")) << verbs;
  EXPECT_TRUE(has_line(verbs, "completion\tPrints what completes words in a shell")) << verbs;
  EXPECT_EQ(verbs.find("complete\t"), std::string::npos) << verbs;
  EXPECT_NE(proposed({"--"}).find("--version\t"), std::string::npos);
}

TEST(Proposals, are_the_options_of_the_verb_that_are_not_given_yet) {
  const std::string all = proposed({"run", "-"});
  EXPECT_TRUE(has_line(all, "--device\twhere to compute")) << all;
  EXPECT_TRUE(has_line(all, "-o\tthe run's folder")) << all;
  EXPECT_EQ(all.find("--template"), std::string::npos) << all;
  const std::string rest =
      proposed({"run", "--device=cpu", "--output", "x", "-q", "--set", "case=a", "--"});
  for (const std::string given : {"--device", "-o", "--output", "-q", "--quiet"}) {
    EXPECT_EQ(rest.find(given + "\t"), std::string::npos) << given;
  }
  EXPECT_NE(rest.find("--set\t"), std::string::npos) << "may be repeated";
  EXPECT_NE(rest.find("--steps\t"), std::string::npos);
}

TEST(Proposals, are_what_an_option_takes) {
  EXPECT_EQ(proposed({"run", "--device", ""}), "auto\ncpu\ncuda\n");
  EXPECT_EQ(proposed({"run", "--device=c"}), "--device=auto\n--device=cpu\n--device=cuda\n");
  EXPECT_EQ(proposed({"bench", "--device", ""}), "cpu\ncuda\n");
  EXPECT_EQ(proposed({"run", "--steps", ""}), "");
  EXPECT_EQ(proposed({"run", "-o", ""}), ":folders\n");
  EXPECT_EQ(proposed({"bench", "--csv=x"}), ":files *\n");
  EXPECT_NE(proposed({"new", "--template", ""}).find("cavity\tFlow in"), std::string::npos);
}

TEST(Proposals, are_keys_and_then_their_choices) {
  const std::string keys = proposed({"run", "--set", "flu"});
  EXPECT_NE(keys.find("fluid.reynolds=\tReynolds number"), std::string::npos) << keys;
  EXPECT_EQ(keys.find("fluid=\t"), std::string::npos) << "a section has no value";
  EXPECT_EQ(proposed({"sweep", "--vary", "flu"}), keys);
  EXPECT_NE(proposed({"run", "--set="}).find("\n--set=fluid.reynolds=\t"), std::string::npos);
  EXPECT_EQ(proposed({"run", "--set", "scheme="}), "scheme=splitting\nscheme=projection\n");
  EXPECT_EQ(proposed({"run", "--set=boundaries.x=p"}),
            "--set=boundaries.x=periodic\n--set=boundaries.x=wall\n--set=boundaries.x=symmetry\n");
  EXPECT_EQ(proposed({"check", "--set", "output.checkpoint.final="}),
            "output.checkpoint.final=true\noutput.checkpoint.final=false\n");
  EXPECT_EQ(proposed({"run", "--set", "fluid.reynolds="}), "");
  EXPECT_EQ(proposed({"run", "--set", "no.such.key="}), "");
}

TEST(Proposals, are_what_an_argument_may_be_until_it_is_given) {
  EXPECT_EQ(proposed({"run", ""}), ":files *.yaml\n");
  EXPECT_EQ(proposed({"run", "--quiet", "--steps", "9", ""}), ":files *.yaml\n");
  EXPECT_EQ(proposed({"run", "--", "-"}), ":files *.yaml\n");
  EXPECT_EQ(proposed({"run", "--live", ""}), ":files *.yaml\n") << "its port need not be given";
  EXPECT_EQ(proposed({"run", "--live", "8080", ""}), ":files *.yaml\n");
  EXPECT_EQ(proposed({"run", "case.yaml", ""}), "");
  EXPECT_EQ(proposed({"resume", ""}), ":folders\n");
  EXPECT_EQ(proposed({"plot", ""}), ":folders\n");
  EXPECT_EQ(proposed({"info", ""}), ":files *\n");
  EXPECT_EQ(proposed({"new", ""}), "");
  EXPECT_EQ(proposed({"completion", ""}), "bash\nzsh\nfish\n");
  EXPECT_NE(proposed({"bench", ""}).find("stencil\t"), std::string::npos);
  EXPECT_NE(proposed({"keys", ""}).find("\nfluid\t"), std::string::npos);
}

TEST(Proposals, are_none_for_words_that_mean_nothing) {
  const std::vector<std::vector<std::string>> lines{{},
                                                    {"nonsense", ""},
                                                    {"--", "ru"},
                                                    {"", ""},
                                                    {"--version", ""},
                                                    {"'run", ""},
                                                    {"schema", ""},
                                                    {"run", "--nonsense="},
                                                    {"run", "--="},
                                                    {"run", "-="},
                                                    {"run", "--quiet=\"x"},
                                                    {"run", "--set", "="},
                                                    {"run", "--set", "\"scheme="},
                                                    {"complete", "--", ""}};
  for (const std::vector<std::string>& words : lines) EXPECT_EQ(proposed(words), "");
  EXPECT_EQ(proposed({"run", "--nonsense", "'x", ""}), "");
  EXPECT_EQ(proposed({"run", "--nonsense=", ""}), ":files *.yaml\n");
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

  /// `words` as arguments of a command.
  static std::string quoted(const std::vector<std::string>& words) {
    std::string arguments;
    for (const std::string& word : words) arguments += " '" + word + "'";
    return arguments;
  }

  /// What bash proposes for the last of `words`, which are those that bash makes of a line.
  [[nodiscard]] std::string bash(const std::vector<std::string>& words) const {
    return output_of(here() +
                     "bash -c 'source ./bash; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); "
                     "_dns dns; echo \"${COMPREPLY[*]}\"' shell" +
                     quoted(words) + " 2>&1");
  }

  /// What zsh's own functions are handed for the last of `words`.
  [[nodiscard]] std::string zsh(const std::vector<std::string>& words) const {
    return output_of(here() +
                     "zsh -f -c 'compdef() { }; compset() { }; source ./zsh; "
                     "_describe() { print -rl -- ${(P)2} \"${@:3}\"; }; "
                     "_files() { print -r -- _files \"$@\"; }; "
                     "words=(\"$@\"); CURRENT=$#; PREFIX=$words[-1]; _dns' shell" +
                     quoted(words) + " 2>&1");
  }

  [[nodiscard]] std::string fish(const std::string& line) const {
    return output_of(here() + "HOME=" + path("") +
                     " fish --no-config -c 'source ./fish; complete -C \"" + line +
                     "\"' 2>&1 | cut -f 1");
  }
};

TEST_F(Completion, bash_proposes_verbs_options_values_keys_and_files) {
  if (!has("bash")) GTEST_SKIP() << "no bash";
  EXPECT_EQ(bash({"dns", "ru"}), "run ");
  EXPECT_EQ(bash({"dns", "run", "--prec"}), "--precision ");
  EXPECT_EQ(bash({"dns", "run", "--quiet", "--q"}), " ");
  EXPECT_EQ(bash({"dns", "run", "--device", ""}), "auto cpu cuda ");
  EXPECT_EQ(bash({"dns", "run", "--device", "="}), "auto cpu cuda ");
  EXPECT_EQ(bash({"dns", "run", "--device", "=", "cu"}), "cuda ");
  EXPECT_EQ(bash({"dns", "run", "--device=cu"}), "--device=cuda ") << "= does not part words";
  EXPECT_EQ(bash({"dns", "run", "--set", "fluid.rey"}), "fluid.reynolds= ");
  EXPECT_EQ(bash({"dns", "run", "--set", "=", "fluid.rey"}), "fluid.reynolds= ");
  EXPECT_EQ(bash({"dns", "run", "--set", "scheme", "=", "s"}), "splitting ");
  EXPECT_EQ(bash({"dns", "run", "--set", "=", "scheme", "="}), "splitting projection ");
  EXPECT_EQ(bash({"dns", "run", "--set", "scheme", "=", "x", "ca"}), "case.yaml ");
  EXPECT_EQ(bash({"dns", "run", "ca"}), "case.yaml ");
  EXPECT_EQ(bash({"dns", "run", "oth"}), " ");
  EXPECT_EQ(bash({"dns", "run", "ru"}), "runs ");
  EXPECT_EQ(bash({"dns", "run", "--live", "ca"}), "case.yaml ");
  EXPECT_EQ(bash({"dns", "resume", "ru"}), "runs ");
  EXPECT_EQ(bash({"dns", "resume", "ca"}), " ");
  EXPECT_EQ(bash({"dns", "plot", "ru"}), "runs ");
  EXPECT_EQ(bash({"dns", "new", "--template", "cav"}), "cavity ");
  EXPECT_EQ(bash({"dns", "bench", "sten"}), "stencil ");
  EXPECT_EQ(bash({"dns", "bench", "--csv", "=", "oth"}), "other.txt ");
  EXPECT_EQ(bash({"dns", "info", "oth"}), "other.txt ");
}

TEST_F(Completion, bash_keeps_still_about_odd_words) {
  if (!has("bash")) GTEST_SKIP() << "no bash";
  EXPECT_EQ(bash({"dns", "\"ru"}), " ");
  EXPECT_EQ(bash({"dns", "--", "ru"}), " ");
  EXPECT_EQ(bash({"dns", "nonsense", ""}), " ");
  EXPECT_EQ(bash({"dns", "="}), " ");
  EXPECT_EQ(bash({"dns", "run", "\"ca"}), " ");
  EXPECT_EQ(bash({"dns", "run", "--device", "[a*"}), " ");
}

TEST_F(Completion, fish_proposes_verbs_options_values_keys_and_files) {
  if (!has("fish")) GTEST_SKIP() << "no fish";
  EXPECT_EQ(fish("dns ru"), "run ");
  EXPECT_EQ(fish("dns run --prec"), "--precision ");
  EXPECT_EQ(fish("dns run --quiet --q"), "");
  EXPECT_EQ(fish("dns run --device cu"), "cuda ");
  EXPECT_EQ(fish("dns run --device=cu"), "--device=cuda ");
  EXPECT_EQ(fish("dns run --set fluid.rey"), "fluid.reynolds= ");
  EXPECT_EQ(fish("dns run --set scheme=s"), "scheme=splitting ");
  EXPECT_EQ(fish("dns run ca"), "case.yaml ");
  EXPECT_EQ(fish("dns run oth"), "");
  EXPECT_EQ(fish("dns run ru"), "runs/ ");
  EXPECT_EQ(fish("dns run --live ca"), "case.yaml ");
  EXPECT_EQ(fish("dns resume "), "bin/ runs/ ");
  EXPECT_EQ(fish("dns new --template cav"), "cavity ");
  EXPECT_EQ(fish("dns bench --csv=oth"), "--csv=other.txt ");
  EXPECT_EQ(fish("dns info oth"), "other.txt ");
  EXPECT_EQ(fish("dns -- ru"), "");
  EXPECT_EQ(fish("dns nonsense "), "");
}

TEST_F(Completion, zsh_proposes_verbs_options_values_keys_and_files) {
  if (!has("zsh")) GTEST_SKIP() << "no zsh";
  const std::string verbs = zsh({"dns", ""});
  EXPECT_NE(verbs.find("run:Runs a case "), std::string::npos) << verbs;
  const std::string options = zsh({"dns", "run", "--quiet", "-"});
  EXPECT_NE(options.find("--device:where to compute "), std::string::npos) << options;
  EXPECT_EQ(options.find("--quiet:"), std::string::npos) << options;
  EXPECT_EQ(zsh({"dns", "run", "--device", ""}), "auto cpu cuda ");
  const std::string keys = zsh({"dns", "run", "--set", ""});
  EXPECT_NE(keys.find("fluid.reynolds=:Reynolds number"), std::string::npos) << keys;
  EXPECT_TRUE(keys.ends_with(" -S  ")) << "no space after the '=': " << keys;
  EXPECT_EQ(zsh({"dns", "run", "--set", "scheme="}), "scheme=splitting scheme=projection ");
  EXPECT_EQ(zsh({"dns", "run", ""}), "_files -g *.yaml ");
  EXPECT_EQ(zsh({"dns", "resume", ""}), "_files -/ ");
  EXPECT_EQ(zsh({"dns", "info", ""}), "_files -g * ");
  EXPECT_EQ(zsh({"dns", "nonsense", ""}), " ");
}

TEST_F(Completion, an_unknown_shell_ends_with_2) {
  const Outcome outcome = run_dns({"completion", "tcsh"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("bash, zsh or fish"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace dns::testing::test_completion
