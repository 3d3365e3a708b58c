/// Verbs and options of the command line, as shells complete them.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the name of a library
class App;
}

namespace dns {

/// What stands for a value.
enum class Values {
  none,         // a flag
  any,          // numbers, new names: nothing to propose
  choices,      // one of a few words
  case_files,   // *.yaml, and folders on the way
  folders,      //
  files,        //
  keys,         // of a case file
  assignments,  // key=value
  templates,    // of `dns new`
  sections      // of `dns bench`
};

struct OptionWords {
  std::vector<std::string> names;  // "-o", "--output"; empty: the argument without a name
  std::string description;
  Values values = Values::none;
  std::vector<std::string> choices;  // Values::choices
  bool may_repeat = false;
};

struct VerbWords {
  std::string name;
  std::string description;
  std::vector<OptionWords> options;
};

/// The verbs of `program`, each with its options; the last is the program itself, without a name.
std::vector<VerbWords> completion_words(const CLI::App& program);

/// With spaces between them.
std::string joined(const std::vector<std::string>& words);

}  // namespace dns
