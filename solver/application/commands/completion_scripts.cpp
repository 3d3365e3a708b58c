#include <fmt/format.h>

#include "solver/application/commands/completion.hpp"
#include "solver/core/error.hpp"

namespace dns {
namespace {

constexpr const char* bash_script =
    R"sh(# Completes the words of dns in bash:  source <(dns completion bash)
_dns() {
  local part line words=(complete --)
  for part in "${COMP_WORDS[@]:1:COMP_CWORD}"; do # bash takes "--device=cpu" for three words
    if [[ $part == = || ${words[-1]} == *= ]]; then words[-1]+=$part; else words+=("$part"); fi
  done
  part=${part#=}
  COMPREPLY=()
  while IFS=$'\t' read -r line _; do
    if [[ $line == :* ]]; then
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -o plusdirs -f -X "!${line#:files }" -- "$part")
    elif [[ $line == "${words[-1]}"* ]]; then
      COMPREPLY+=("${line#"${words[-1]%"$part"}"}")
      if [[ $line == *= ]]; then compopt -o nospace 2>/dev/null; fi
    fi
  done < <("$1" "${words[@]}" 2>/dev/null)
}
complete -F _dns dns
)sh";

constexpr const char* zsh_script = R"sh(#compdef dns
# Completes the words of dns in zsh: this is the file _dns of a folder of fpath, or is sourced.
_dns() {
  local -a lines suffix
  lines=(${(f)"$("${(Q)words[1]}" complete -- "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)"})
  if [[ $lines == :* ]]; then
    compset -P '--[^=]#='
    if [[ $lines == :folders ]]; then _files -/; else _files -g "${lines#:files }"; fi
  else
    if [[ $lines == *=(|$'\t'*) ]]; then suffix=(-S ''); fi
    lines=(${lines/$'\t'/:})
    _describe value lines "${suffix[@]}"
  fi
}
if [[ $funcstack[1] == _dns ]]; then _dns "$@"; else compdef _dns dns; fi
)sh";

constexpr const char* fish_script =
    R"sh(# Completes the words of dns in fish:  dns completion fish | source
function __dns_proposals
  set -l words (commandline -opc)
  set -l typed (commandline -ct)
  set -l lines ($words[1] complete -- $words[2..] "$typed" 2>/dev/null)
  if string match -q ':*' -- $lines
    set -l front (string match -r '^--[^=]*=' -- $typed)
    set -l glob (string replace ':files ' '' -- $lines)
    set -l paths (__fish_complete_suffix (string replace -- "$front" '' "$typed") '')
    set lines "$front"(string match -- '*/' $paths; string match -- $glob $paths)
  end
  string join \n -- $lines
end
complete -c dns -f -a '(__dns_proposals)'
)sh";

}  // namespace

std::string completion_script(const std::string& shell) {
  if (shell == "bash") return bash_script;
  if (shell == "zsh") return zsh_script;
  if (shell == "fish") return fish_script;
  throw CaseError(
      fmt::format("dns completion: the shell is '{}', but must be bash, zsh or fish", shell));
}

}  // namespace dns
