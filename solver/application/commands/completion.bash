# Completes the words of dns in bash:  source <(dns completion bash)
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
