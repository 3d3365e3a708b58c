# Completes the words of dns in fish:  dns completion fish | source
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
