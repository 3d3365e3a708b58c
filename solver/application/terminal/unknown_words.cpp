#include "solver/application/terminal/unknown_words.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "solver/core/error.hpp"
#include "solver/core/nearest_key.hpp"

namespace dns {
namespace {

constexpr const char* end_of_options = "--";

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands(nullptr)) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// Of a letter or two nothing can be guessed.
std::string guess(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::size_t shortest_guessed = 3;
  return word.size() < shortest_guessed ? "" : or_nearest(word, known);
}

}  // namespace

void refuse_unknown(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> messages;
  for (const std::string& word : words) {
    if (!word.starts_with("-") || word == end_of_options) continue;
    const std::string option = word.substr(0, word.find('='));
    messages.push_back(fmt::format("dns {}: unknown option '{}'{}",
                                   app.get_name(),
                                   option,
                                   guess(option, names_of_options(app))));
  }
  if (messages.empty()) {
    const auto extra =
        std::ranges::find_if(words, [](const std::string& word) { return word != end_of_options; });
    messages.push_back(fmt::format("dns {}: '{}' is one argument too many",
                                   app.get_name(),
                                   extra != words.end() ? *extra : end_of_options));
  }
  messages.push_back(fmt::format("'dns {} --help' shows what there is", app.get_name()));
  throw CaseError(messages);
}

void refuse_unknown_verb(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw CaseError(app.help());
  const std::string& verb = arguments.front();
  const std::vector<std::string> verbs = names_of_commands(app);
  if (std::ranges::find(verbs, verb) != verbs.end()) return;
  std::vector<std::string> options = names_of_options(app);
  options.emplace_back("-h");
  if (std::ranges::find(options, verb) != options.end()) return;
  const bool is_option = verb.starts_with("-");
  throw CaseError(fmt::format("dns: unknown {} '{}'{}\n'dns --help' shows what there is",
                              is_option ? "option" : "command",
                              verb,
                              guess(verb, is_option ? options : verbs)));
}

}  // namespace dns
