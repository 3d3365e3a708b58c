/// The sums and the solution of a balance (solver/numerics/momentum_balance.hpp) in memory of a
/// device, from step to step.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "solver/core/backend.hpp"
#include "solver/core/index.hpp"
#include "solver/numerics/momentum_balance.hpp"
#include "solver/projection/boundaries/given_planes.hpp"
#include "solver/projection/fields.hpp"
#include "solver/projection/flow_copies.hpp"

namespace dns {

/// kappa: what passes through all walls at a unit of a variable of this diffusivity [U L], over the
/// volume [U/L].
template <class Backend>
[[nodiscard]] double passed_by_walls(const ProjectionFields<Backend>& fields,
                                     const GivenPlanes<Backend>& given,
                                     int variable,
                                     double diffusivity) {
  double sum = 0;
  for (int face = 0; face < given.faces; ++face) {
    const StaggeredAxis& cells = fields.grid[face / 2];
    if (cells.is_periodic) continue;
    sum += diffusivity / width_beside(fields.grid, face) *
           (1 - given.closure(face, variable).first) / cells.length();
  }
  return sum;
}

/// Momenta of V^n and V*, or of a scalar, and what is added to V*. The host need not wait for them.
template <class Backend>
class BalanceOnDevice {
 public:
  using Real = typename Backend::Real;

  explicit BalanceOnDevice(Backend& backend)
      : backend_(&backend),
        added_(backend.template allocate<Real>(3)),
        memory_(backend.template allocate<double>(sizeof(Numbers) / sizeof(double))),
        report_(Backend::allocate_results(sizeof(MomentumReport))) {}

  PerAxis<double> inverse_volume{};  // of the sums [1/L^3]

  /// The last balance, or the momenta that were stored; the caller has waited for the device.
  [[nodiscard]] const MomentumReport& report() const { return *report_in_memory(); }
  /// What is added, a value for each axis.
  [[nodiscard]] const Real* added() const { return added_.data(); }
  /// Where sums over the whole box of V* are put that a kernel finds on the device.
  [[nodiscard]] double* sums_of_star() const { return numbers()->of_star.of[0].sum; }

  /// Sums up a part of MomentumSums of V*: on the device, or, of several ranks, here.
  template <class Kernel>
  void sum_up(std::size_t part, const Box& box, const Kernel& kernel) {
    sum_up(box, kernel, numbers()->of_star.of[part], of_star_.of[part]);
  }
  template <class Kernel>
  void sum_up_rows(const Box& box, const Kernel& kernel) {
    sum_up(box, kernel, numbers()->of_rows, of_rows_);
  }
  /// Takes momenta as those of t^n: these, or of what was summed up.
  void store(const Momenta& now) { store({{}, nullptr, inverse_volume, now, true, {}, {}}); }
  void store_sums() {
    store(
        {of_star_, are_here() ? nullptr : &numbers()->of_star, inverse_volume, {}, false, {}, {}});
  }

  /// The kernel that solves a balance.
  [[nodiscard]] BalanceMomentum<Real> solved(const MomentumBalance& balance,
                                             const PerAxis<double>& acceleration,
                                             const PerAxis<bool>& is_measured) {
    return {.balance = balance,
            .acceleration = acceleration,
            .inverse_volume = inverse_volume,
            .is_measured = is_measured,
            .of_star = of_star_,
            .of_rows = of_rows_,
            .sums = are_here() ? nullptr : &numbers()->of_star,
            .sums_of_rows = &numbers()->of_rows,
            .now = &numbers()->of_step[now_],
            .next = &numbers()->of_step[1 - now_],
            .report = report_in_memory(),
            .added = added_.data()};
  }
  void solve(const BalanceMomentum<Real>& kernel) { backend_->for_each(one_point, kernel); }
  /// Keeps the momenta of the end of the step for the next one.
  void accept() { now_ = 1 - now_; }

 private:
  using Doubles = decltype(std::declval<Backend&>().template allocate<double>(0));
  using Reals = decltype(std::declval<Backend&>().template allocate<Real>(0));
  static constexpr Box one_point{{0, 0, 0}, {1, 1, 1}};

  struct Numbers {
    MomentumSums of_star;
    MomentumReduction of_rows;
    Momenta of_step[2];
  };

  [[nodiscard]] bool are_here() const { return backend_->is_divided(); }
  [[nodiscard]] Numbers* numbers() const {
    return reinterpret_cast<Numbers*>(const_cast<double*>(memory_.data()));
  }
  [[nodiscard]] MomentumReport* report_in_memory() const {
    return reinterpret_cast<MomentumReport*>(report_.get());
  }
  template <class Kernel>
  void sum_up(const Box& box,
              const Kernel& kernel,
              MomentumReduction& on_device,
              MomentumReduction& here) {
    if (are_here()) {
      here = backend_->template reduce<MomentumSum::count, 0>(box, kernel);
    } else {
      backend_->template reduce_later<MomentumSum::count, 0>(box, kernel, on_device.sum);
    }
  }
  void store(StoreMomenta kernel) {
    if constexpr (Backend::only_counts) return;
    kernel.to = &numbers()->of_step[now_];
    kernel.report = report_in_memory();
    backend_->for_each(one_point, kernel);
  }

  Backend* backend_;
  Reals added_;
  Doubles memory_;  // Numbers
  std::shared_ptr<std::byte[]> report_;
  MomentumSums of_star_{};       // of several ranks
  MomentumReduction of_rows_{};  // likewise
  int now_ = 0;                  // which of of_step are those of t^n
};

}  // namespace dns
