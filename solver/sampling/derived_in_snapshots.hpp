/// What snapshots hold besides the variables that are solved for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/level_view.hpp"
#include "solver/numerics/derived_fields.hpp"
#include "solver/simulation/flow_checks.hpp"

namespace dns {

/// Appends a field to a copy of the flow.
template <class Backend>
void add_field(std::string_view name, Extents points, FlowState& state) {
  using Real = typename Backend::Real;
  state.fields.emplace_back(std::string(name),
                            points,
                            precision_of<Real>(),
                            Backend::allocate_host(points.count() * sizeof(Real)));
}

/// The fields derived from the velocity for which output.fields asks: the last ones of a copy for a
/// snapshot.
template <class Backend>
class DerivedInSnapshots {
 public:
  using Real = typename Backend::Real;

  DerivedInSnapshots(const Case& resolved, Extents points)
      : asked_(resolved.output.fields), points_(points) {}

  [[nodiscard]] bool are_any() const { return asked_.derived_components() > 0; }

  /// Appends their memory to a copy.
  void allocate(FlowState& state) const {
    for (const DerivedField& field : derived_fields) {
      for (int n = 0; asked_.has(field.name) && n < field.components; ++n)
        add_field<Backend>(name_of(field, n), points_, state);
    }
  }

  /// Copies them to the end of a state, one after the other through `between`, a field of the
  /// device that is overwritten. Does not wait for the copies.
  template <class Gradients>
  void download(Backend& backend,
                const Gradients& gradients,
                const StridedField<Real>& between,
                FlowState& state) const {
    std::size_t n = state.fields.size() - asked_.derived_components();
    for_each_derived_component([&]<class Formula, int component>(const DerivedField& field) {
      if (!asked_.has(field.name)) return;
      backend.for_each(Box{{}, {points_.nx, points_.ny, points_.nz}},
                       DerivedComponent<Formula, component, Gradients>{gradients, between});
      backend.download(
          between.as_const(), points_, state.fields.at(n++).template values<Real>().data());
    });
  }

 private:
  FieldOutputCase asked_;
  Extents points_;
};

}  // namespace dns
