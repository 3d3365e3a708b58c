#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "solver/application/commands/completion.hpp"
#include "solver/application/commands/completion_words.hpp"

namespace dns {
namespace {

/// Every spelling of the options that have names.
std::string names_of_options(const VerbWords& verb) {
  std::vector<std::string> names;
  for (const OptionWords& option : verb.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return joined(names);
}

std::string names_of_verbs(const std::vector<VerbWords>& verbs) {
  std::vector<std::string> names;
  names.reserve(verbs.size());
  for (const VerbWords& verb : verbs) names.push_back(verb.name);
  names.pop_back();  // the program itself
  return joined(names);
}

constexpr std::string_view bash_begin =
    R"sh(# Completes the words of dns in bash:  source <(dns completion bash)

_dns_propose() { mapfile -t COMPREPLY < <(compgen "$@" -- "$word"); }

_dns_propose_paths() {
  compopt -o filenames 2>/dev/null
  _dns_propose "$@"
}

_dns_propose_cases() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- "$word"; compgen -d -- "$word")
}

_dns_propose_assignments() {
  compopt -o nospace 2>/dev/null
  _dns_propose -S = -W "$("$program" keys --names 2>/dev/null)"
}

# First words of the lines that the program prints.
_dns_propose_listed() { _dns_propose -W "$("$program" "$@" 2>/dev/null | cut -d ' ' -f 1)"; }

_dns() {
  local program=$1 word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  if [[ $word == '=' ]]; then # bash takes "--device=cpu" for three words
    word=''
  elif [[ $before == '=' ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
)sh";

std::string bash_values(const OptionWords& option) {
  switch (option.values) {
    case Values::none:
    case Values::any:
      return ":";
    case Values::choices:
      return fmt::format("_dns_propose -W '{}'", joined(option.choices));
    case Values::case_files:
      return "_dns_propose_cases";
    case Values::folders:
      return "_dns_propose_paths -d";
    case Values::files:
      return "_dns_propose_paths -f";
    case Values::keys:
      return "_dns_propose_listed keys --names";
    case Values::assignments:
      return "_dns_propose_assignments";
    case Values::templates:
      return "_dns_propose_listed new --list";
    case Values::sections:
      return "_dns_propose_listed bench --list";
  }
  return ":";
}

/// One line for each option with a value, one for all options, one for the argument.
std::string bash_cases(const VerbWords& verb) {
  std::string named;
  std::string nameless;
  for (const OptionWords& option : verb.options) {
    if (option.values == Values::none) continue;
    if (option.names.empty()) {
      nameless = fmt::format("    {}:*) {} ;;\n", verb.name, bash_values(option));
      continue;
    }
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(verb.name + ":" + name + ":*");
    named += fmt::format("    {}) {} ;;\n", fmt::join(patterns, " | "), bash_values(option));
  }
  return named +
         fmt::format("    {}:*:-*) _dns_propose -W '{}' ;;\n", verb.name, names_of_options(verb)) +
         nameless;
}

}  // namespace

std::string bash_completion(const std::vector<VerbWords>& verbs) {
  std::string text(bash_begin);
  text +=
      fmt::format("  if ((COMP_CWORD == 1)); then\n    _dns_propose -W '{} {}'\n    return\n  fi\n",
                  names_of_verbs(verbs),
                  names_of_options(verbs.back()));
  text += "  case ${COMP_WORDS[1]}:$before:$word in\n";
  for (const VerbWords& verb : verbs) {
    if (!verb.name.empty()) text += bash_cases(verb);
  }
  return text + "  esac\n}\n\ncomplete -F _dns dns\n";
}

}  // namespace dns
