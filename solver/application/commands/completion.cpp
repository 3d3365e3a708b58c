#include "solver/application/commands/completion.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <set>
#include <sstream>
#include <stdexcept>

#include "completion_stubs.hpp"
#include "solver/application/commands/commands.hpp"
#include "solver/application/terminal/command_line.hpp"
#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/core/number_text.hpp"
#include "solver/run/words.hpp"

namespace dns {
namespace {

std::string proposal(const std::string& word, const std::string& meaning) {
  return word + (meaning.empty() ? "" : "\t" + meaning) + "\n";
}

/// Proposals, each preceded by `front`; paths are left to the shell.
std::string in_front(const std::string& front, const std::string& proposals) {
  std::string text;
  for (const std::string& line : split(proposals, '\n'))
    text += (line.starts_with(':') ? "" : front) + line + "\n";
  return text;
}

/// The proposals of lines "word   meaning".
std::string first_words(const std::string& list) {
  std::istringstream lines(list);
  std::string text;
  for (std::string word, meaning; lines >> word && std::getline(lines, meaning);)
    text += proposal(word, trimmed(meaning));
  return text;
}

/// Every spelling of the options of `app`, without those in `given` that may not repeat.
std::string options_of(const CLI::App& app, const std::set<const CLI::Option*>& given) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    const bool may_repeat = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    if (!option->nonpositional() || (given.contains(option) && !may_repeat)) continue;
    // get_name() is empty where help leaves an option out.
    for (const std::string& name : option->get_snames())
      text += proposal("-" + name, option->get_description());
    for (const std::string& name : option->get_lnames())
      text += proposal("--" + name, option->get_description());
  }
  return text;
}

/// The keys of a case file, each followed by `end`; without sections unless `end` is empty.
std::string keys(const std::string& end) {
  std::string text;
  for (const std::string& name : split(key_names(""), '\n')) {
    const Key& key = *find_key(name);
    if (end.empty() || key.kind != KeyKind::section)
      text += proposal(name + end, meaning_text(key));
  }
  return text;
}

/// "fluid.reynolds=" and so on; after the '=' of `typed` the choices of its key.
std::string assignments(const std::string& typed) {
  const std::size_t equals = typed.find('=');
  if (equals == std::string::npos) return keys("=");
  const Key* const key = find_key(typed.substr(0, equals));
  const std::string front = typed.substr(0, equals + 1);
  if (key != nullptr && key->kind == KeyKind::flag) return in_front(front, "true\nfalse");
  if (key == nullptr || key->kind != KeyKind::choice) return "";
  return in_front(front, fmt::format("{}", fmt::join(key->choices, "\n")));
}

/// The completions of `typed`, the beginning of the value of `option`.
std::string values_of(const CLI::App& verb, const CLI::Option& option, const std::string& typed) {
  std::string what = option.nonpositional() ? option.get_type_name() : option.get_name();
  const std::string in_verb = verb.get_name() + " " + what;
  if (what == "CASE.yaml") return ":files *.yaml\n";
  if (what == "DIR" || what == "RUN_DIR") return ":folders\n";
  if (what == "FILE" || what == "FILE.png" || in_verb == "info PATH") return ":files *\n";
  if (what.starts_with("key.path=")) return assignments(typed);
  if (what == "TEMPLATE") return first_words(list_of_templates());
  if (in_verb == "bench NAME") return first_words(list_of_sections());
  if (in_verb == "keys PATH") return keys("");
  if (what.find('|') == std::string::npos) return "";
  std::ranges::replace(what, '|', '\n');  // "auto|cpu|cuda"
  return what + "\n";
}

/// The completions of `typed` after `words` of a command.
std::string proposals_in(const CLI::App& verb,
                         const std::vector<std::string>& words,
                         const std::string& typed) {
  std::vector<const CLI::Option*> arguments =
      verb.get_options([](const CLI::Option* option) { return !option->nonpositional(); });
  arguments.push_back(nullptr);
  auto argument = arguments.begin();     // the next one
  const CLI::Option* waiting = nullptr;  // for its value
  std::set<const CLI::Option*> given;
  bool may_be_option = true;  // until "--"
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (waiting != nullptr) {
      waiting = nullptr;
    } else if (may_be_option && word == "--") {
      may_be_option = false;
    } else if (may_be_option && word.starts_with('-')) {
      const CLI::Option* const option = verb.get_option_no_throw(word.substr(0, equals));
      given.insert(option);
      const bool takes_value = option != nullptr && option->get_items_expected_max() > 0;
      if (takes_value && equals == std::string::npos) waiting = option;
    } else if (*argument != nullptr) {
      ++argument;
    }
  }
  if (waiting != nullptr) return values_of(verb, *waiting, typed);
  if (!may_be_option || !typed.starts_with('-'))
    return *argument == nullptr ? "" : values_of(verb, **argument, typed);
  const std::size_t equals = typed.find('=');
  if (equals == std::string::npos) return options_of(verb, given);
  const CLI::Option* const option = verb.get_option_no_throw(typed.substr(0, equals));
  if (option == nullptr) return "";
  return in_front(typed.substr(0, equals + 1), values_of(verb, *option, typed.substr(equals + 1)));
}

}  // namespace

std::string proposals(const CLI::App& program, std::vector<std::string> words) {
  if (words.empty()) return "";
  const std::string typed = words.back();
  words.pop_back();
  if (words.empty() && typed.starts_with('-')) return options_of(program, {});
  std::string verbs;
  for (const CLI::App* verb : program.get_subcommands(nullptr)) {
    verbs += proposal(verb->get_name(), verb->get_description());
    if (words.empty() || words.front() != verb->get_name()) continue;
    join_port(words);
    try {
      return proposals_in(*verb, {words.begin() + 1, words.end()}, typed);
    } catch (const std::runtime_error&) {
      return "";  // the templates are not there
    }
  }
  return words.empty() ? verbs : "";
}

std::string completion_script(const std::string& shell) {
  for (const auto& [name, stub] : completion_stubs) {
    if (name == shell) return std::string(stub);
  }
  throw CaseError(
      fmt::format("dns completion: the shell is '{}', but must be bash, zsh or fish", shell));
}

}  // namespace dns
