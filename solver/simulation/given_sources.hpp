/// Sources that the owner of a run gives by their values, in copies for restart.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"

namespace dns {

/// Fields source_of_VARIABLE at the points of a rank, in double, behind those of the flow.
class GivenSources {
 public:
  /// values: at all points of the rank, x fastest.
  void set(const Case& resolved, int variable, Extents points, const std::vector<double>& values);
  void clear() { fields_.clear(); }

  /// Gives them to a copy for restart, in place of those that it has.
  void add_to(FlowState& copy) const;
  /// Gives those of a copy to another one.
  static void pass_on(const FlowState& from, FlowState& to);
  /// The sources of a copy: numbers of variables and values. A formula that the case has by now
  /// replaces them. Throws CaseError where the case has a variable no more.
  [[nodiscard]] static std::vector<std::pair<int, std::vector<double>>> in(const FlowState& copy,
                                                                           const Case& resolved);

 private:
  std::vector<HostField> fields_;
};

}  // namespace dns
