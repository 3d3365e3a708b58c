/// What snapshots of scheme `projection` hold besides the variables at cell centres.
#pragma once

#include <string>
#include <string_view>

#include "solver/config/case.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/numerics/staggered_gradients.hpp"
#include "solver/projection/flow_copies.hpp"
#include "solver/projection/staggered_field.hpp"

namespace dns {

/// Velocities at the faces across their axes, vorticity and Q, as output.fields asks for them,
/// after the other fields of a copy for a snapshot.
template <class Backend>
class SnapshotFields {
 public:
  using Real = typename Backend::Real;

  SnapshotFields(const Case& resolved, const StaggeredLayout& layout)
      : output_(resolved.output.fields), layout_(layout) {}

  /// Appends their memory to a copy.
  void allocate(FlowState& state) const {
    for_each([&](std::string_view name, Extents points) {
      state.fields.emplace_back(std::string(name),
                                points,
                                precision_of<Real>(),
                                Backend::allocate_host(points.count() * sizeof(Real)));
    });
  }

  /// Copies them into a state that begins with `others` other fields. `room` is overwritten: what
  /// is derived goes through it, one after the other. Does not wait for the copies.
  void download(Backend& backend,
                const StaggeredGradients<Real>& gradients,
                const StaggeredVelocity<Backend>& room,
                std::size_t others,
                FlowState& state) const {
    const auto copy = [&](const FieldView<const Real>& from) {
      HostField& to = state.fields.at(others++);
      backend.download(field_from(from, {}), to.extents(), to.template values<Real>().data());
    };
    if (has_faces()) {
      for (int axis = 0; axis < 3; ++axis) copy(gradients.velocity[axis]);
    }
    if (output_.vorticity) {
      backend.for_each(layout_.all_points(), VorticityAtCentres<Real>{gradients, room.view()});
      for (int axis = 0; axis < 3; ++axis) copy(room[axis].view_const());
    }
    if (output_.q_criterion) {
      backend.for_each(layout_.all_points(), QCriterionAtCentres<Real>{gradients, room[0].view()});
      copy(room[0].view_const());
    }
  }

 private:
  [[nodiscard]] bool has_faces() const {
    return output_.velocity && output_.location == FieldOutputCase::Location::faces;
  }
  /// Calls visit(name, points) for each, in order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (int axis = 0; has_faces() && axis < 3; ++axis) {
      Extents faces = layout_.points;
      ++faces[axis];
      visit(face_velocity_names.at(static_cast<std::size_t>(axis)), faces);
    }
    for (const std::string_view name : vorticity_names)
      if (output_.vorticity) visit(name, layout_.points);
    if (output_.q_criterion) visit(q_criterion_name, layout_.points);
  }

  FieldOutputCase output_;
  StaggeredLayout layout_;
};

}  // namespace dns
