#compdef dns
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
