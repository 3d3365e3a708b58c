/// The flow of a file, as a source for another.
#pragma once

#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/error.hpp"
#include "solver/files/flow_file.hpp"
#include "solver/start/source_lines.hpp"

namespace dns {

/// A dataset and the variables that it has, side by side: velocity components, or a scalar.
struct SourceDataset {
  FlowFile::Dataset values;
  std::vector<int> variables;  // by their numbers in the case that the file was made with
  Storage storage;
};

/// Calls function(); errors about the file to start from get the key that names it before them:
/// "initial.path: ".
template <class Function>
auto about_start_file(const Function& function) {
  try {
    return function();
  } catch (const CaseError& error) {
    throw CaseError("initial.path: " + std::string(error.what()));
  } catch (const IoError& error) {
    throw IoError("initial.path: " + std::string(error.what()));
  }
}

/// A snapshot or checkpoint, with the case that it was made with.
class SourceFlow {
 public:
  /// Throws IoError; CaseError where the file is of another kind or has no velocity.
  explicit SourceFlow(const std::string& path);

  [[nodiscard]] const FlowFile& file() const { return file_; }
  /// Files that it names may be gone.
  [[nodiscard]] const Case& made_with() const { return case_; }
  [[nodiscard]] const std::vector<SourceDataset>& datasets() const { return datasets_; }
  [[nodiscard]] bool has(const std::string& scalar) const;

 private:
  void add(const std::string& name, const std::vector<int>& variables, Storage storage);

  FlowFile file_;
  Case case_;
  std::vector<SourceDataset> datasets_;
};

}  // namespace dns
