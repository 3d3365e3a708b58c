/// What the user typed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"

namespace dns {

enum class Verb {
  show_text,
  completion,
  run,
  resume,
  check,
  info,
  keys,
  schema,
  bench,
  plot,
  live,
  average,
  export_run,
  sweep,
  new_case,
  doctor,
};

/// What `dns bench` was given, as typed; empty: not given.
struct BenchCommand {
  std::string section;
  std::string points;     // N[,N...]
  std::string precision;  // float | double
  std::string device;     // cpu | cuda
  std::string threads;
  std::string csv, json, plot;  // files to write
  std::string table;            // of guard, to read
  bool lists = false;           // names the sections instead
};

/// A command line, parsed. `--device`, `--precision`, `--threads`, `--steps` and `-o` are overrides
/// of the case like `--set`.
struct Command {
  Verb verb = Verb::show_text;
  std::string text;    // show_text: help or version
  std::string target;  // case file (run, check, sweep), run folder (resume, plot, live, average,
                       // export), file or folder (info), key path (keys; may be empty), name of
                       // the case (new; empty with --list), shell (completion)
  std::vector<Override> overrides;
  bool resumes = false;   // run: goes on where there is a checkpoint
  bool branches = false;  // resume: into another folder
  bool forces = false;    // run, resume, new: overwrites what is there
  bool lists = false;     // new: names the templates; keys: names alone
  bool is_quiet = false;
  bool is_verbose = false;  // run, resume
  bool wants_json = false;
  bool wants_markdown = false;   // keys: the page docs/case_file.md
  std::string template_name;     // new; empty: the usual one
  int ranks = 0;                 // run, resume, check, bench: to be started; 0: as there are
  std::optional<int> live_port;  // run, resume: shows a page there; 0: any free port
  BenchCommand bench;
  // Of plot, live, average, export and sweep: "--step=20", ... as typed.
  std::vector<std::string> script_options;
};

/// Parses the command line. `arguments` are without the program's name.
/// Throws CaseError for wrong usage, with the nearest known word for a misspelt one.
Command parse_command_line(std::vector<std::string> arguments);

/// Joins a number that follows --live to it, "--live 8080" to "--live=8080", and makes --live alone
/// "--live=0": a case file or a folder that follows stays what it is.
void join_port(std::vector<std::string>& arguments);

/// The number that an option was given. Throws CaseError "OPTION is 'x', but must be ...".
int number_of_option(const std::string& option, const std::string& typed, int least, int most);

}  // namespace dns
