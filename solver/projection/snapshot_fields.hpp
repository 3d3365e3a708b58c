/// What snapshots of scheme `projection` hold besides the variables at cell centres.
#pragma once

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/numerics/staggered_gradients.hpp"
#include "solver/projection/flow_copies.hpp"
#include "solver/projection/staggered_field.hpp"
#include "solver/sampling/derived_in_snapshots.hpp"

namespace dns {

/// Velocities at the faces across their axes and derived fields, as output.fields asks for them,
/// after the other fields of a copy for a snapshot.
template <class Backend>
class SnapshotFields {
 public:
  using Real = typename Backend::Real;

  SnapshotFields(const Case& resolved, const StaggeredLayout& layout)
      : has_faces_(resolved.output.fields.has_faces()),
        points_(layout.points),
        derived_(resolved, layout.points) {}

  /// Appends their memory to a copy.
  void allocate(FlowState& state) const {
    for (int axis = 0; has_faces_ && axis < 3; ++axis) {
      Extents faces = points_;
      ++faces[axis];
      add_field<Backend>(face_velocity_names.at(axis), faces, state);
    }
    derived_.allocate(state);
  }

  /// Copies them into a state that begins with `others` other fields. `between` is overwritten.
  /// Does not wait for the copies.
  void download(Backend& backend,
                const StaggeredGradients<Real>& gradients,
                const FieldView<Real>& between,
                std::size_t others,
                FlowState& state) const {
    for (int axis = 0; has_faces_ && axis < 3; ++axis) {
      HostField& to = state.fields.at(others++);
      backend.download(field_from(gradients.velocity[axis], {}),
                       to.extents(),
                       to.template values<Real>().data());
    }
    derived_.download(backend, gradients, field_from(between, {}), state);
  }

 private:
  bool has_faces_;
  Extents points_;
  DerivedInSnapshots<Backend> derived_;
};

}  // namespace dns
