/// Sources of momentum and heat on the device of a run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

#include "solver/core/agreement.hpp"
#include "solver/core/backend.hpp"
#include "solver/core/field_layout.hpp"
#include "solver/flow/variables.hpp"
#include "solver/forcing/source_values.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/grid/formula_lines.hpp"
#include "solver/numerics/sources.hpp"

namespace dns {

/// S and R of all variables. S is evaluated on the device, in every step where it changes with
/// time; what does not change is evaluated once, at the start.
template <class Backend>
class SourceFields {
 public:
  using Real = typename Backend::Real;

  /// layout: that of all fields of the flow; `backend` and the case must outlive it. Throws
  /// CaseError as rate_values does.
  SourceFields(Backend& backend,
               const Case& resolved,
               const Subdomain& part,
               const FieldLayout& layout)
      : backend_(&backend), case_(resolved), part_(part), layout_(layout) {
    variables_.resize(variables());
    for (int variable = 0; variable < variables(); ++variable) {
      Variable& of = at(variable);
      of.has_source = has_source(resolved, variable);
      of.view.uniform_source = static_cast<Real>(uniform_source(resolved, variable));
      of.view.uniform_rate = static_cast<Real>(uniform_rate(resolved, variable));
      largest_rate_ = std::max(largest_rate_, uniform_rate(resolved, variable));
      if (has_rate_field(resolved, variable)) of.view.rate = allocate(of.rate);
      if (!has_source_field(resolved, variable)) continue;
      of.view.source = allocate(of.source);
      of.changes = source_changes_with_time(resolved, variable);
      const Extents n = layout.points;
      of.coordinates = backend.template allocate<double>(n.nx + n.ny + n.nz);
      of.program =
          backend.template allocate<Instruction>(whole_source(resolved, variable).program().size());
    }
    if constexpr (!Backend::only_counts) initialise();
  }

  /// Whether a case has any.
  [[nodiscard]] static bool are_in(const Case& resolved) {
    for (int variable = 0; variable < transported_variables(resolved); ++variable) {
      if (has_source(resolved, variable)) return true;
    }
    return false;
  }

  /// Evaluates S at time t [L/U] where it changes with time.
  void set_time(double t) {
    for (int variable = 0; variable < variables(); ++variable) {
      if (at(variable).changes) evaluate(variable, t, case_);
    }
  }
  /// Evaluates all of S at time t [L/U] as in another case.
  void evaluate_as_in(const Case& resolved, double t) {
    for (int variable = 0; variable < variables(); ++variable) {
      if (at(variable).view.source.origin == nullptr) continue;
      upload_program(variable, resolved);
      evaluate(variable, t, resolved);
    }
  }

  /// Gives S of a variable at all points, x fastest. Requires that the case has none for it.
  void set_values(int variable, const std::vector<double>& values) {
    Variable& of = at(variable);
    of.has_source = true;
    if (of.view.source.origin == nullptr) of.view.source = allocate(of.source);
    upload(values, of.source);
  }

  /// The largest R of all variables, 0 at least [U/L].
  [[nodiscard]] double largest_rate() const { return largest_rate_; }
  [[nodiscard]] bool has(int variable) const { return at(variable).has_source; }
  [[nodiscard]] const SourceView<Real>& view(int variable) const { return at(variable).view; }

 private:
  template <class T>
  using Array = decltype(std::declval<Backend&>().template allocate<T>(0));
  using Memory = Array<Real>;
  struct Variable {
    bool has_source = false;
    bool changes = false;
    Memory source, rate;
    Array<double> coordinates;  // of the points along x, then y, then z
    Array<Instruction> program;
    int instructions = 0;
    SourceView<Real> view;
  };

  [[nodiscard]] int variables() const { return transported_variables(case_); }
  [[nodiscard]] Variable& at(int variable) { return variables_[variable]; }
  [[nodiscard]] const Variable& at(int variable) const { return variables_[variable]; }
  [[nodiscard]] FieldView<const Real> allocate(Memory& memory) {
    memory = backend_->template allocate<Real>(layout_.count(sizeof(Real)));
    return layout_.field_view(memory.data()).as_const();
  }
  void initialise() {
    for (int variable = 0; variable < variables(); ++variable) {
      Variable& of = at(variable);
      if (of.view.rate.origin != nullptr) {
        const auto rates = on_all_ranks([&] { return rate_values(case_, part_, variable); });
        largest_rate_ = std::max(largest_rate_, std::ranges::max(rates));
        upload(rates, of.rate);
      }
      if (of.view.source.origin == nullptr) continue;
      std::vector<double> all;
      for (const std::vector<double>& along : point_coordinates(case_, part_, variable))
        all.insert(all.end(), along.begin(), along.end());
      backend_->upload_values(all.data(), of.coordinates.data(), all.size());
      upload_program(variable, case_);
      if (!of.changes) evaluate(variable, 0, case_);
    }
    if (!backend_->is_divided()) return;
    for (const double of_rank : backend_->communicator().gathered(largest_rate_))
      largest_rate_ = std::max(largest_rate_, of_rank);
  }
  void upload_program(int variable, const Case& resolved) {
    Variable& of = at(variable);
    const Expression formula = whole_source(resolved, variable);
    backend_->enlarge(of.program, formula.program().size());
    backend_->upload_values(formula.program().data(), of.program.data(), formula.program().size());
    of.instructions = formula.instructions();
  }
  /// By the program that was uploaded, that of `resolved`. Throws CaseError on all ranks, naming
  /// the place, where a value is not finite.
  void evaluate(int variable, double t, const Case& resolved) {
    const Variable& of = at(variable);
    const double* const x = of.coordinates.data();
    const double* const y = x + layout_.points.nx;
    const double* const z = y + layout_.points.ny;
    backend_->for_each(layout_.all_points(),
                       WriteFormula<Real>{of.program.data(),
                                          of.instructions,
                                          {x, y, z},
                                          t,
                                          layout_.field_view(of.source.data())});
    const auto all =
        backend_->template reduce<1, 0>(layout_.all_points(), ZeroIfFinite<Real>{of.view.source});
    if (all.sum[0] == 0) return;
    static_cast<void>(on_all_ranks([&] { return source_values(resolved, part_, variable, t); }));
  }
  /// Values that all ranks make of their parts: what one of them cannot is an error of all.
  template <class Make>
  [[nodiscard]] std::vector<double> on_all_ranks(const Make& make) {
    std::vector<double> values;
    const std::exception_ptr error =
        common_error(backend_->communicator(), [&] { values = make(); });
    if (error) std::rethrow_exception(error);
    return values;
  }
  /// Values of all points, x fastest.
  void upload(const std::vector<double>& values, const Memory& memory) {
    const std::vector<Real> rounded(values.begin(), values.end());
    const FieldView<Real> view = layout_.field_view(memory.data());
    backend_->upload(
        rounded.data(), {view.origin, 1, view.stride_y, view.stride_z}, layout_.points);
    backend_->synchronize();
  }

  Backend* backend_;
  const Case& case_;
  Subdomain part_;
  FieldLayout layout_;
  std::vector<Variable> variables_;
  double largest_rate_ = 0;
};

}  // namespace dns
