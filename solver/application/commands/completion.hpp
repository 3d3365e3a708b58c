/// What completes the words of a command line in a shell.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the name of a library
class App;
}

namespace dns {

struct VerbWords;

/// A script for "bash", "zsh" or "fish" that knows the verbs and options of `program`. What depends
/// on the place (case files, run folders) the shell looks up itself, what depends on the program
/// (keys, templates, sections of the benchmark) the script asks it for.
/// Throws CaseError for another shell.
std::string completion_script(const std::string& shell, const CLI::App& program);

/// The scripts; `verbs` as from completion_words.
std::string bash_completion(const std::vector<VerbWords>& verbs);
std::string zsh_completion(const std::vector<VerbWords>& verbs);
std::string fish_completion(const std::vector<VerbWords>& verbs);

}  // namespace dns
