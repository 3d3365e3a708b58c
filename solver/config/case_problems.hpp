/// The mistakes of a case file, collected while it is read.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/config/case_tree.hpp"
#include "solver/config/load_case.hpp"

namespace dns {

/// Collects messages and throws them all at once, in the order of the file, those about overrides
/// last.
class CaseProblems {
 public:
  /// `file` precedes line and column in messages; `overrides` are those that positions refer to.
  CaseProblems(std::string file, std::vector<Override> overrides)
      : file_(std::move(file)), overrides_(std::move(overrides)) {}

  /// Adds "case.yaml:7:3: MESSAGE", or "--set key=value: MESSAGE". Throws CaseError with all of
  /// them when there are a thousand.
  void add(Position position, const std::string& message);

  /// Adds a warning, with its place before it.
  void warn(Position position, const std::string& message) {
    warnings_.push_back(placed(position, message));
  }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  /// Throws CaseError if there is any problem.
  void throw_if_any() const;

  /// `message` with its place before it, as `add` adds it.
  [[nodiscard]] std::string placed(Position position, const std::string& message) const;

 private:
  std::string file_;
  std::vector<Override> overrides_;
  std::vector<std::pair<Position, std::string>> problems_;
  std::vector<std::string> warnings_;
};

}  // namespace dns
