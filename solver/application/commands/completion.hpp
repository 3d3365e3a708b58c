/// Completion of command lines: a stub in the shell asks the program what may come next.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the name of a library
class App;
}

namespace dns {

/// The command that the stubs call: `dns complete -- WORDS`. No help shows it.
inline constexpr const char* completion_verb = "complete";

/// The completions of the last of `words` (typed after the name of `program`; the last may be
/// empty), one per line, with its meaning after a tab where there is one. The shell keeps those
/// that begin with the word. A line ":files PATTERN" or ":folders" stands for the paths that the
/// shell finds. Empty where nothing is known.
std::string proposals(const CLI::App& program, std::vector<std::string> words);

/// The stub for "bash", "zsh" or "fish". Throws CaseError for another shell.
std::string completion_script(const std::string& shell);

}  // namespace dns
