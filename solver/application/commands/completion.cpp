#include "solver/application/commands/completion.hpp"

#include <fmt/format.h>

#include "solver/application/commands/completion_words.hpp"
#include "solver/core/error.hpp"

namespace dns {

std::string completion_script(const std::string& shell, const CLI::App& program) {
  const std::vector<VerbWords> verbs = completion_words(program);
  if (shell == "bash") return bash_completion(verbs);
  if (shell == "zsh") return zsh_completion(verbs);
  if (shell == "fish") return fish_completion(verbs);
  throw CaseError(
      fmt::format("dns completion: the shell is '{}', but must be bash, zsh or fish", shell));
}

}  // namespace dns
