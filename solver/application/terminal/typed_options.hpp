/// The options of a command line before they are understood.
#pragma once

#include <string>
#include <vector>

#include "solver/application/terminal/command_line.hpp"

namespace dns {

/// Options as typed; empty: not given.
struct Typed {
  std::string target;
  std::string device;
  std::string precision;
  std::string threads;
  std::string ranks;
  std::string output;
  std::string steps;
  std::vector<std::string> sets;
  bool resumes = false;
  bool forces = false;
  bool is_dry = false;
  bool is_quiet = false;
  bool wants_json = false;
  std::string template_name;
  std::string shell;
  bool lists = false;
  bool wants_markdown = false;
  std::string live_port;
  BenchCommand bench;
  PlotCommand plot;
};

/// What the options change in the case. Throws CaseError where --set is not key.path=value.
std::vector<Override> overrides_of(const Typed& typed);

/// The number of --ranks; 0: not given. Throws CaseError when it is no such number.
int ranks_of(const Typed& typed);

/// `folder` becomes the run's folder; `source` is how it was given.
Override override_of_folder(const std::string& folder, const std::string& source);

}  // namespace dns
