/// Cases to start from: the commented files of configs/.
#pragma once

#include <string>
#include <vector>

namespace dns {

struct CaseTemplate {
  std::string name;     // "cavity"
  std::string file;     // in configs/: "lid_cavity_2d.yaml"
  std::string summary;  // the first line of its comment
  std::string text;
  std::string time_on_two_cores;  // of the whole run on a CPU, about: "10 s"
  std::string time_on_gpu;        // of the whole run on one, about; "": not known
};

/// Every template, in the order in which they are listed: the quickest first. Throws IoError.
std::vector<CaseTemplate> case_templates();

/// The template `name`. Throws CaseError, with the nearest name, when there is none; IoError.
CaseTemplate case_template(const std::string& name);

/// The text of `model` for the case `name`: `case`, `output.directory` (runs/NAME) and the name of
/// the file in its comments are new, all else, comments included, stands as it is.
std::string text_for_case(const CaseTemplate& model, const std::string& name);

}  // namespace dns
