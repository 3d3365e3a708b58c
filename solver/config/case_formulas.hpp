/// Formulas in the place of numbers, and names for numbers.
#pragma once

#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/config/case_problems.hpp"
#include "solver/config/case_tree.hpp"
#include "solver/config/key_table.hpp"

namespace dns {

/// Evaluates the formulas of a case file: numbers in `parameters`, formulas of constants and of
/// these names where a key takes a number, an interval of time or a list of them, and the names in
/// formulas of x, y, z, t. The tree then holds what a case without formulas would hold, each value
/// with the formula that it comes from. What is wrong with a parameter is added to the problems;
/// what is wrong with another formula is told to its node (CaseNode::trouble), and its key is
/// refused where it is read. `yaml` is the text of the file: its complete case says in comments
/// which numbers were formulas.
class CaseFormulas {
 public:
  CaseFormulas(CaseNode& root, const std::string& yaml, CaseProblems& problems);

  /// Numbers with names, and what stood instead of numbers, in the order of the file.
  [[nodiscard]] const std::vector<ParameterCase>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<FormulaOfKey>& formulas() const { return formulas_; }

 private:
  void read_parameters(CaseNode& section, CaseProblems& problems);
  void evaluate_section(CaseNode& section, const std::string& path);
  void evaluate(CaseNode& node, const Key& key, const std::string& path);
  void evaluate_number(CaseNode& node, const Key& key);
  [[nodiscard]] std::string with_numbers(const std::string& formula);
  [[nodiscard]] double value_of(const std::string& formula);
  void take_recorded(CaseNode& root, const std::string& yaml);

  std::vector<ParameterCase> parameters_;
  std::vector<bool> are_used_;
  std::vector<FormulaOfKey> formulas_;
};

/// The lines of a complete case about what stood instead of numbers in a section at its top:
/// "# fluid.reynolds = sqrt(Ra/Pr)".
[[nodiscard]] std::string lines_of_formulas(const Case& resolved, std::string_view section);

}  // namespace dns
