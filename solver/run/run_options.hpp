/// What a run is to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"

namespace dns {

struct RunOptions {
  enum class From {
    case_file,  // `target` is its path
    case_text,  // `text` is the case as YAML, `target` its name in messages
    folder,     // `target` is the folder of a run, which goes on from a checkpoint
  };

  From from = From::case_file;
  std::string target;
  std::string text;
  std::vector<Override> overrides;
  bool resumes = false;                // a case: goes on where its folder has a checkpoint
  std::optional<std::int64_t> step{};  // a folder: of the checkpoint; none: the newest good one
  bool branches = false;               // a folder: goes on in another one, which the overrides name
  bool overwrites = false;             // the files of a run that is there
  bool writes_nothing = false;         // no folder, no files
  bool has_page = false;               // pictures are made for a page that shows the run
  bool shows_phases = false;           // at the end: how long each phase of a step took
  std::chrono::steady_clock::time_point started =
      std::chrono::steady_clock::now();  // for run.wall_time_limit
};

}  // namespace dns
