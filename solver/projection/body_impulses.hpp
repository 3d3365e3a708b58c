/// Momentum that bodies have taken from a flow of Runge-Kutta steps since t = 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/variables.hpp"
#include "solver/numerics/body_impulse.hpp"
#include "solver/projection/solid_fields.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/simulation/late_reductions.hpp"

namespace dns {

/// impulse_NAME_x ...: sums over the stages (solver/numerics/body_impulse.hpp). The host adds those
/// of a step when the next one is complete, or something asks for them: it need not wait. All ranks
/// call the same members in the same order.
template <class Backend>
class BodyImpulses {
 public:
  using Real = typename Backend::Real;

  static constexpr std::size_t stages = 3;

  /// All must outlive it.
  BodyImpulses(Backend& backend, const SolidFields<Backend>& solids, const Case& resolved)
      : solids_(&solids), case_(resolved), late_(backend), totals_(resolved.solids.size()) {
    for (auto& bodies : of_stages_) {
      for (std::size_t n = 0; n < totals_.size(); ++n)
        bodies.push_back({late_.template place<sums, 0>(), late_.template place<sums, 0>()});
    }
    totals_before_ = totals_;
  }

  [[nodiscard]] static bool are_known(const Case& resolved) {
    return resolved.time.scheme == TimeScheme::runge_kutta && !resolved.solids.empty();
  }
  /// Names of columns, and of numbers in copies for restart.
  [[nodiscard]] static std::vector<std::string> names(const Case& resolved) {
    std::vector<std::string> names;
    for (std::size_t n = 0; are_known(resolved) && n < resolved.solids.size(); ++n) {
      for (const std::string& axis : axis_names)
        names.push_back("impulse_" + resolved.solids[n].name + "_" + axis);
    }
    return names;
  }

  /// Begins the sums of what the pulls of a stage take. kernel: without `feels`.
  void begin_pulls(std::size_t stage, TakenByPulls<Real> kernel) {
    for (std::size_t n = 0; n < totals_.size(); ++n) {
      kernel.feels = solids_->feels(n);
      late_.begin(of_stages_[stage][n].pulls, solids_->box_of_body(n), kernel);
    }
  }
  /// Begins the sums of what the factors of a stage take. kernel: without `feels`.
  void begin_factors(std::size_t stage, TakenInFactors<Real> kernel) {
    for (std::size_t n = 0; n < totals_.size(); ++n) {
      kernel.feels = solids_->feels(n);
      late_.begin(of_stages_[stage][n].factors, solids_->box_of_body(n), kernel);
    }
  }
  void end_step() {
    settle();
    late_.close();
    is_open_ = true;
    ++steps_;
  }

  /// How many steps have ended here.
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  /// The impulses after so many of them: all, or all but the last [U L^3].
  [[nodiscard]] std::vector<double> after(std::int64_t steps) const {
    const bool is_before = steps < steps_;
    if (!is_before) settle();
    std::vector<double> values;
    for (const PerAxis<double>& of_body : is_before && !is_open_ ? totals_before_ : totals_)
      values.insert(values.end(), of_body.begin(), of_body.end());
    return values;
  }
  void add_to(FlowState& copy) const {
    const std::vector<std::string> of = names(case_);
    const std::vector<double> values = after(steps_);
    for (std::size_t n = 0; n < of.size(); ++n) copy.numbers.push_back({of[n], values[n]});
  }
  /// Continues from a copy for restart, or starts without one. Impulses that the copy lacks begin
  /// at 0.
  void start(const FlowState* copy) {
    is_open_ = false;
    steps_ = 0;
    const std::vector<std::string> of = names(case_);
    for (std::size_t n = 0; n < of.size(); ++n)
      totals_[n / 3][n % 3] = copy == nullptr ? 0 : find_number(*copy, of[n]).value_or(0);
    totals_before_ = totals_;
  }

 private:
  static constexpr int sums = 3;
  struct Body {
    LatePlace<sums, 0> pulls, factors;  // the latter 0 where no axis is implicit
  };

  /// Adds the sums of the step that was closed.
  void settle() const {
    if (!is_open_) return;
    late_.finish();
    is_open_ = false;
    totals_before_ = totals_;
    for (const auto& bodies : of_stages_) {
      for (std::size_t n = 0; n < bodies.size(); ++n) {
        const auto pulls = late_[bodies[n].pulls];
        const auto factors = late_[bodies[n].factors];
        for (int axis = 0; axis < 3; ++axis)
          totals_[n][axis] += pulls.sum[axis] + factors.sum[axis];
      }
    }
  }

  const SolidFields<Backend>* solids_;
  const Case& case_;
  mutable LateReductions<Backend> late_;
  std::array<std::vector<Body>, stages> of_stages_;
  mutable std::vector<PerAxis<double>> totals_, totals_before_;  // the latter of one step less
  mutable bool is_open_ = false;                                 // a closed step is not in totals_
  std::int64_t steps_ = 0;
};

}  // namespace dns
