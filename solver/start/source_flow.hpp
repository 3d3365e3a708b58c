/// The flow of a file, as a source for another.
#pragma once

#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
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

/// A snapshot or checkpoint, with the case that it was made with, or a plain file, whose box,
/// boundaries and scalars are those of the case that starts from it.
class SourceFlow {
 public:
  /// The flow that the case starts from. Throws IoError; CaseError where the file is of another
  /// kind, has no velocity, or is a plain one that does not fit.
  explicit SourceFlow(const Case& target);

  [[nodiscard]] const FlowFile& file() const { return file_; }
  /// Files that it names may be gone. Of a checkpoint that of the differences in it, see reference.
  [[nodiscard]] const Case& made_with() const { return case_; }
  /// What the values of a scalar in the file are less than the scalar (references.hpp).
  [[nodiscard]] double reference(int variable) const {
    return references_.at(variable - first_scalar);
  }
  [[nodiscard]] const std::vector<SourceDataset>& datasets() const { return datasets_; }
  /// The lines of a variable of a dataset.
  [[nodiscard]] SourceLines lines(const SourceDataset& dataset, int variable) const;
  /// Whether it has the scheme, and the nodes or cells, of the case that starts from it.
  [[nodiscard]] bool is_on_same_grid() const { return is_on_same_grid_; }
  /// Numbers of its nodes or cells.
  [[nodiscard]] Extents points() const;
  [[nodiscard]] bool has(const std::string& scalar) const;

 private:
  void add(const std::string& name, const std::vector<int>& variables, Storage storage);
  void require_faces() const;

  FlowFile file_;
  Case case_;
  std::vector<double> references_;
  PerAxis<AxisPoints> points_;
  bool is_on_same_grid_ = false;
  std::vector<SourceDataset> datasets_;
};

}  // namespace dns
