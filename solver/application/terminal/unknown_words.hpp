/// Words on the command line that mean nothing to the program.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the name of a library
class App;
}

namespace dns {

/// Throws CaseError that names the options in `words` that `app` does not have; what follows one is
/// its value, not a mistake of its own.
[[noreturn]] void refuse_unknown(const CLI::App& app, const std::vector<std::string>& words);

/// Throws CaseError unless the first word is a command of `app` or an option of the program itself.
void refuse_unknown_verb(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace dns
