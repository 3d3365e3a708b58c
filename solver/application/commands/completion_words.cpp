#include "solver/application/commands/completion_words.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>

namespace dns {
namespace {

/// What a placeholder of the help stands for; a name with a verb before it only there.
constexpr std::array<std::pair<std::string_view, Values>, 10> placeholders{
    {{"CASE.yaml", Values::case_files},
     {"DIR", Values::folders},
     {"RUN_DIR", Values::folders},
     {"FILE", Values::files},
     {"FILE.png", Values::files},
     {"key.path=value", Values::assignments},
     {"TEMPLATE", Values::templates},
     {"info PATH", Values::files},
     {"keys PATH", Values::keys},
     {"bench NAME", Values::sections}}};

Values values_named(const std::string& verb, const std::string& placeholder) {
  const std::string in_verb = fmt::format("{} {}", verb, placeholder);
  for (const auto& [name, values] : placeholders) {
    if (name == placeholder || name == in_verb) return values;
  }
  return Values::any;
}

/// "auto|cpu|cuda" -> auto, cpu, cuda
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, '|');) parts.push_back(part);
  return parts;
}

OptionWords words_of(const std::string& verb, const CLI::Option& option) {
  OptionWords words;
  for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
  words.description = option.get_description();
  if (option.get_items_expected_max() == 0) return words;
  const bool is_named = !words.names.empty();
  const std::string placeholder = is_named ? option.get_type_name() : option.get_name();
  if (placeholder.starts_with('[')) return words;  // a value need not follow: like a flag
  words.choices = split(placeholder);
  words.values = words.choices.size() > 1 ? Values::choices : values_named(verb, placeholder);
  words.may_repeat = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return words;
}

VerbWords words_of(const CLI::App& app, const std::string& name) {
  VerbWords verb{name, app.get_description(), {}};
  for (const CLI::Option* option : app.get_options()) {
    verb.options.push_back(words_of(name, *option));
  }
  return verb;
}

}  // namespace

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<VerbWords> completion_words(const CLI::App& program) {
  std::vector<VerbWords> verbs;
  for (const CLI::App* verb : program.get_subcommands(nullptr)) {
    verbs.push_back(words_of(*verb, verb->get_name()));
  }
  verbs.push_back(words_of(program, ""));
  return verbs;
}

}  // namespace dns
