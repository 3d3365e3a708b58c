/// What snapshots of scheme `splitting` hold besides its variables.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/numerics/nodal_gradients.hpp"
#include "solver/simulation/flow_checks.hpp"

namespace dns {

/// Vorticity and Q, as output.fields asks for them: the last fields of a copy for a snapshot.
template <class Backend>
class DerivedAtNodes {
 public:
  using Real = typename Backend::Real;
  static constexpr int interleave_width = Backend::interleave_width;
  using Gradients = NodalGradients<Real, interleave_width>;

  DerivedAtNodes(Backend& backend, const Case& resolved, const Subdomain& part)
      : asked_(resolved.output.fields), points_(part.points()) {
    if (are_in(resolved)) between_ = backend.template allocate<Real>(points_.count());
  }

  [[nodiscard]] static bool are_in(const Case& resolved) {
    return resolved.output.fields.vorticity || resolved.output.fields.q_criterion;
  }

  /// Appends their memory to a copy.
  void allocate(FlowState& state) const {
    const auto add = [&](std::string_view name) {
      state.fields.emplace_back(std::string(name),
                                points_,
                                precision_of<Real>(),
                                Backend::allocate_host(points_.count() * sizeof(Real)));
    };
    for (const std::string_view name : vorticity_names)
      if (asked_.vorticity) add(name);
    if (asked_.q_criterion) add(q_criterion_name);
  }

  /// Copies them to the end of a state, one after the other through one field of the device. Does
  /// not wait for the copies.
  void download(Backend& backend, const Gradients& gradients, FlowState& state) const {
    std::size_t n = state.fields.size() - (asked_.vorticity ? 3 : 0) - (asked_.q_criterion ? 1 : 0);
    const StridedField<Real> field{between_.data(), 1, points_.nx, points_.nx * points_.ny};
    const auto copy = [&](const auto& kernel) {
      backend.for_each(Box{{}, {points_.nx, points_.ny, points_.nz}}, kernel);
      backend.download(
          field.as_const(), points_, state.fields.at(n++).template values<Real>().data());
    };
    if (asked_.vorticity) {
      for_each_axis([&]<Axis axis>() {
        copy(VorticityAtNodes<axis, Real, interleave_width>{gradients, field});
      });
    }
    if (asked_.q_criterion) copy(QCriterionAtNodes<Real, interleave_width>{gradients, field});
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  FieldOutputCase asked_;
  Extents points_;
  Memory between_{};
};

}  // namespace dns
