#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "solver/application/commands/completion.hpp"
#include "solver/application/commands/completion_words.hpp"

namespace dns {
namespace {

constexpr std::string_view fish_begin =
    R"sh(# Completes the words of dns in fish:  dns completion fish | source

function __dns_verb_is
  set -l words (commandline -opc)
  test (count $words) -gt 1; and test $words[2] = $argv[1]
end

function __dns_has_no_verb
  test (count (commandline -opc)) -eq 1
end

# First words of the lines that the program prints.
function __dns_listed
  dns $argv 2>/dev/null | string replace -r ' .*' ''
end

complete -c dns -f
)sh";

std::string fish_values(const OptionWords& option) {
  switch (option.values) {
    case Values::none:
    case Values::any:
    case Values::files:
      return "";
    case Values::choices:
      return joined(option.choices);
    case Values::case_files:
      return "(__fish_complete_suffix .yaml)";
    case Values::folders:
      return "(__fish_complete_directories)";
    case Values::keys:
      return "(__dns_listed keys --names)";
    case Values::assignments:
      return "(__dns_listed keys --names)=";
    case Values::templates:
      return "(__dns_listed new --list)";
    case Values::sections:
      return "(__dns_listed bench --list)";
  }
  return "";
}

std::string fish_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + "'";
}

std::string fish_option(const std::string& condition, const OptionWords& option) {
  std::string line = "complete -c dns -n " + condition;
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (option.values != Values::none && !option.names.empty()) line += " -r";
  if (option.values == Values::files) line += " -F";
  const std::string values = fish_values(option);
  if (!values.empty()) line += " -a " + fish_quoted(values);
  // The description of an argument would stand behind every file.
  if (!option.names.empty()) line += " -d " + fish_quoted(option.description);
  return line + "\n";
}

}  // namespace

std::string fish_completion(const std::vector<VerbWords>& verbs) {
  std::string text(fish_begin);
  for (const VerbWords& verb : verbs) {
    const bool is_program = verb.name.empty();
    const std::string condition =
        is_program ? "__dns_has_no_verb" : fmt::format("'__dns_verb_is {}'", verb.name);
    if (!is_program) {
      text += fmt::format("complete -c dns -n __dns_has_no_verb -a {} -d {}\n",
                          verb.name,
                          fish_quoted(verb.description));
    }
    for (const OptionWords& option : verb.options) {
      if (option.names.empty() && option.values == Values::any) continue;
      text += fish_option(condition, option);
    }
  }
  return text;
}

}  // namespace dns
