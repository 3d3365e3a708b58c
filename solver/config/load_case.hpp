/// From a case file to a Case and back.
#pragma once

#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/error.hpp"

namespace dns {

/// An override of one key from the command line: key.path=value, value in YAML.
struct Override {
  std::string path;   // grid.points
  std::string value;  // [64, 64, 64]
  std::string from;   // shown where a file shows its position: "--set", "--precision", ...
};

/// Reads and checks a case file, overrides applied first.
/// `warnings` gets what the user should change, each with its place: keys by their former names.
/// Throws CaseError with every mistake found, IoError when the file cannot be read.
Case load_case(const std::string& path,
               const std::vector<Override>& overrides,
               std::vector<std::string>* warnings = nullptr);

/// Files that a case names beside it: surfaces, profiles, planes.
enum class NamedFiles {
  looked_at,   // each must be there and be the one that the case means
  left_alone,  // for what is known without them, of a case whose files may be gone
};

/// Reads and checks a case given as text, like load_case; `name` stands where messages name the
/// file.
Case parse_case(const std::string& yaml,
                const std::string& name,
                const std::vector<Override>& overrides,
                NamedFiles files = NamedFiles::looked_at,
                std::vector<std::string>* warnings = nullptr);

/// The error of a case that was read without one, with the places in its file: messages that begin
/// with the path of a key, "boundaries.x_min.turbulence: ...", get "case.yaml:12:3: " before it, or
/// the override that gives the key.
CaseError located(const CaseError& error,
                  const std::string& path,
                  const std::vector<Override>& overrides);
IoError located(const IoError& error,
                const std::string& path,
                const std::vector<Override>& overrides);

/// The resolved case as YAML, every default spelt out; parse_case of it gives the same Case.
std::string to_yaml(const Case& resolved);

/// The pictures shown while a run is watched: output.slices; where the case has none, the middle
/// planes, with every = 0.
SlicesCase slices_to_draw(const Case& resolved);

/// JSON schema (draft 2020-12) of the case file, from the table that checks it.
std::string case_schema();

/// `dns keys [PATH]`: every key at or below `path`, with type, unit, default and meaning. A word
/// that is no path: the keys with this last word, else those that other codes call so, else those
/// whose paths hold it, else those whose meanings do. Throws CaseError when there is no such key.
std::string describe_keys(const std::string& path);

/// `dns keys --names [PATH]`: the paths of the same keys, one per line, every axis and face named
/// and NAME as it is. Throws CaseError when there is no such key.
std::string key_names(const std::string& path);

/// `dns keys --markdown`: the same of all keys as a page with one table per section.
std::string keys_as_markdown();

/// Splits "key.path=value". Throws CaseError when there is no '='.
Override parse_override(const std::string& text, const std::string& from);

}  // namespace dns
