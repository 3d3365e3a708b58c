#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "solver/application/commands/completion.hpp"
#include "solver/application/commands/completion_words.hpp"

namespace dns {
namespace {

constexpr std::string_view zsh_begin = R"sh(#compdef dns
# Completes the words of dns in zsh: this is the file _dns of a folder of fpath, or is sourced.

# First words of the lines that the program prints, each with $1 behind it.
_dns_listed() {
  local suffix=$1
  shift
  local -a proposed=(${${(f)"$($program "$@" 2>/dev/null)"}%% *})
  compadd -q -S "$suffix" -a proposed
}

_dns() {
  local program=$words[1]
)sh";

std::string zsh_values(const OptionWords& option) {
  switch (option.values) {
    case Values::none:
    case Values::any:
      return "";
    case Values::choices:
      return fmt::format("({})", joined(option.choices));
    case Values::case_files:
      return "_files -g \"*.yaml\"";
    case Values::folders:
      return "_files -/";
    case Values::files:
      return "_files";
    case Values::keys:
      return "{_dns_listed \" \" keys --names}";
    case Values::assignments:
      return "{_dns_listed \"=\" keys --names}";
    case Values::templates:
      return "{_dns_listed \" \" new --list}";
    case Values::sections:
      return "{_dns_listed \" \" bench --list}";
  }
  return "";
}

/// `text` with a backslash before each character that means something to _arguments or _describe.
std::string zsh_escaped(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    if (std::string_view("[]:\\").find(letter) != std::string_view::npos) escaped += '\\';
    escaped += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return escaped;
}

/// Arguments of _arguments, one per spelling.
std::string zsh_options(const VerbWords& verb) {
  std::string text;
  for (const OptionWords& option : verb.options) {
    const std::string what = zsh_escaped(option.description);
    const std::string value = option.values == Values::none ? "" : ":value:" + zsh_values(option);
    if (option.names.empty())
      text += fmt::format(" \\\n        ':{}:{}'", what, zsh_values(option));
    for (const std::string& name : option.names) {
      const bool takes_equals = !value.empty() && name.starts_with("--");
      text += fmt::format(" \\\n        '{}{}{}[{}]{}'",
                          option.may_repeat ? "*" : fmt::format("({})", joined(option.names)),
                          name,
                          takes_equals ? "=" : "",
                          what,
                          value);
    }
  }
  return text;
}

}  // namespace

std::string zsh_completion(const std::vector<VerbWords>& verbs) {
  std::string text(zsh_begin);
  text += "  local -a verbs=(";
  for (const VerbWords& verb : verbs) {
    if (verb.name.empty()) continue;
    text += fmt::format("\n    '{}:{}'", verb.name, zsh_escaped(verb.description));
  }
  text +=
      ")\n  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
      "    _describe command verbs\n    return\n  fi\n"
      "  if ((CURRENT > 2)); then\n    shift words\n    ((CURRENT--))\n  fi\n"
      "  case $words[1] in\n";
  for (const VerbWords& verb : verbs) {
    text += fmt::format(
        "    {})\n      _arguments{} ;;\n", verb.name.empty() ? "*" : verb.name, zsh_options(verb));
  }
  return text +
         "  esac\n}\n\n"
         "if [[ $funcstack[1] == _dns ]]; then _dns \"$@\"; else compdef _dns dns; fi\n";
}

}  // namespace dns
