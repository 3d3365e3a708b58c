/// Solid bodies on the device of a run of scheme `splitting`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "solver/numerics/splitting_solid_rows.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/splitting/solid_node_values.hpp"
#include "solver/splitting/time_level.hpp"

namespace dns {

/// k and W of the nodes (solver/numerics/splitting_solid_rows.hpp).
template <class Backend>
class SolidNodes {
 public:
  using Real = typename Backend::Real;
  static constexpr int interleave_width = Backend::interleave_width;

  /// `backend` must outlive it. Throws CaseError, IoError as find_solid_points does.
  SolidNodes(Backend& backend,
             const Case& resolved,
             const Subdomain& part,
             const LevelLayout& layout)
      : backend_(&backend), layout_(layout) {
    for (FieldView<const Real>& pull : view_.pull) pull = new_field();
    if (has_closed_body(resolved, first_scalar)) view_.insulated = new_field();
    for (int v = 0; v < variables_per_level; ++v)
      if (!uniform_solid_value(resolved, v)) view_.target[v] = new_field();
    if constexpr (!Backend::only_counts) initialise(resolved, part);
  }

  [[nodiscard]] const SolidNodesView<Real>& view() const { return view_; }
  /// 1 at the nodes in bodies, else 0: of the part, x fastest.
  [[nodiscard]] HostField at_nodes() const { return at_nodes_; }
  /// A line for each body.
  [[nodiscard]] const std::vector<std::string>& in_words() const { return words_; }

  /// Gives the nodes in bodies the values there.
  void impose(const TimeLevel<Backend>& level) {
    backend_->for_each(touched_, ImposeSolidNodes<Real, interleave_width>{view_, level.view()});
  }

  /// A box that has all cells of this rank with a corner in a body.
  [[nodiscard]] Box cells() const { return cells_; }

  [[nodiscard]] bool has_adiabatic() const { return view_.insulated.origin != nullptr; }
  /// T in adiabatic bodies follows that of the fluid around them. Requires that there are such
  /// bodies, and the nodes beyond periodic ends and seams.
  void insulate(const TimeLevel<Backend>& level) {
    backend_->for_each(touched_, InsulateNodes<Real, interleave_width>{view_, level.view()});
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  [[nodiscard]] FieldView<const Real> new_field() {
    fields_.push_back(backend_->template allocate<Real>(layout_.count(sizeof(Real))));
    return layout_.field_view(fields_.back().data()).as_const();
  }

  void initialise(const Case& resolved, const Subdomain& part) {
    const std::vector<SolidPoints> points =
        find_solid_points(resolved, part, backend_->communicator());
    at_nodes_ = solid_field(points.front(), precision_of<Real>());
    words_ = solids_in_words(resolved, part, points.front(), backend_->communicator());
    const SolidNodeValues values = solid_node_values(resolved, part, points.front());
    touched_ = common_box(values.touched, layout_.interior());  // no body reaches boundary nodes
    view_.box = with_packs(touched_);
    cells_ = common_box(widened(values.touched), layout_.cells());
    auto field = fields_.begin();  // in the order in which they were made
    for (const std::vector<double>& pull : values.pull) upload(pull, values.box, *field++);
    if (!values.insulated.empty()) upload(values.insulated, values.box, *field++);
    for (std::size_t v = 0; v < variables_per_level; ++v) {
      if (!values.target[v].empty()) upload(values.target[v], values.box, *field++);
      view_.uniform_target[v] = static_cast<Real>(values.uniform_target[v]);
    }
  }

  /// The values of `box`, of which the layout may store less.
  void upload(const std::vector<double>& values, const Box& box, const Memory& memory) {
    const Box stored = layout_.all_stored();
    const Extents n = stored.extents();
    std::vector<Real> kept;
    kept.reserve(n.count());
    auto value = values.begin();
    for_each_point(box, [&](Index3 c) {
      if (stored.holds(c)) kept.push_back(static_cast<Real>(*value));
      ++value;
    });
    const FieldView<Real> view = layout_.field_view(memory.data());
    backend_->upload(kept.data(), {view.address(stored.begin), 1, view.stride_y, view.stride_z}, n);
    backend_->synchronize();
  }

  Backend* backend_;
  LevelLayout layout_;
  Box touched_;
  Box cells_;  // those with a corner in a body
  std::vector<Memory> fields_;
  SolidNodesView<Real> view_;
  HostField at_nodes_;
  std::vector<std::string> words_;
};

}  // namespace dns
