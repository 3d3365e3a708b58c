#include "solver/start/flow_from_file.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/grid/values_of_formula.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "solver/start/field_in_planes.hpp"
#include "solver/start/plain_flow.hpp"
#include "solver/start/source_flow.hpp"

namespace dns {
namespace {

LineStencil as_it_is(int slot) {
  LineStencil stencil;
  stencil.count = 1;
  stencil.point[0] = slot;
  stencil.weight[0] = 1;
  return stencil;
}

/// The velocity at the low face of a cell from those at the centres on both sides, by linear
/// interpolation; on a boundary plane that of the cell.
LineStencil at_low_face(const StaggeredAxis& along, int cell) {
  const int slot = cell + 1;
  if (cell == 0 && !along.is_periodic) return as_it_is(slot);
  const double width_below = along.width(cell - 1);
  const double width = along.width(cell);
  LineStencil stencil;
  stencil.count = 2;
  stencil.point = {cell == 0 ? along.cells() : slot - 1, slot};
  stencil.weight = {width, width_below};
  stencil.divisor = width_below + width;
  return stencil;
}

/// The values of a variable of a flow in a file, and what its case gives on the boundaries around
/// them: in all slots of x and y, shape (slots of y, slots of x), x fastest, for one slot of z
/// after the other.
class SlotPlane {
 public:
  /// A plane of the flow of a case at time t [L/U]. The references must outlive it.
  SlotPlane(const Case& source, int variable, const SourceLines& lines, double t)
      : source_(source),
        variable_(variable),
        lines_(lines),
        t_(t),
        values_(lines[0].coordinates.size() * lines[1].coordinates.size()) {}

  /// Slot of z: the values of its plane of the dataset begin at `first`, `step` numbers apart.
  template <class Real>
  void fill(int slot, const Real* first, int step) {
    const auto& [x, y, z] = lines_;
    for (int b = 0; b < y.points; ++b) {
      const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y.first + b) * x.stored + x.first;
      const Real* from = first + row * step;
      double* to = values_.data() + at(1, b + 1);
      for (int a = 0; a < x.points; ++a, from += step) *to++ = static_cast<double>(*from);
    }
    for (const bool is_high_end : {false, true}) {
      for (const int axis : {0, 1}) {
        if (lines_[axis].is_given(is_high_end)) give(axis, is_high_end, slot);
      }
    }
  }
  /// The plane that the case gives at an end of z. Requires LineEndKind::given there.
  void fill_with_given(bool is_high_end) { give(2, is_high_end, is_high_end ? last_slot(2) : 0); }

  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  [[nodiscard]] std::size_t at(int a, int b) const { return lines_[0].coordinates.size() * b + a; }
  [[nodiscard]] int last_slot(int axis) const { return lines_[axis].points + 1; }
  /// The values on the part of a face that is in the plane, its edges included.
  void give(int axis, bool is_high_end, int slot_of_z) {
    const Expression given =
        FaceConditions(source_, face_index(axis, is_high_end))[variable_].given;
    const double z = lines_[2].coordinates[slot_of_z];
    const auto slots = [&](int along) {
      if (along != axis) return std::pair{0, last_slot(along)};
      return is_high_end ? std::pair{last_slot(along), last_slot(along)} : std::pair{0, 0};
    };
    const auto [first_a, last_a] = slots(0);
    const auto [first_b, last_b] = slots(1);
    for (int b = first_b; b <= last_b; ++b) {
      const double y = lines_[1].coordinates[b];
      for (int a = first_a; a <= last_a; ++a)
        values_[at(a, b)] = given(lines_[0].coordinates[a], y, z, t_);
    }
  }

  const Case& source_;
  int variable_;
  const SourceLines& lines_;
  double t_;
  std::vector<double> values_;
};

/// Makes the variables of a flow from those of another.
class FlowMaker {
 public:
  FlowMaker(const SourceFlow& source, const Case& target, const Subdomain& part)
      : source_(source), target_(target), part_(part), is_same_grid_(source.is_on_same_grid()) {}

  /// Appends the variables of a dataset that the target has.
  void make(const SourceDataset& dataset, std::vector<HostField>& fields) {
    std::vector<MadeVariable> variables;
    for (const int number : dataset.variables) {
      if (!is_velocity(number) && name_in_target(number).empty()) continue;
      variables.push_back(variable(number, dataset));
    }
    if (variables.empty()) return;
    std::vector<SlotPlane> planes;
    for (const MadeVariable& made : variables)
      planes.emplace_back(source_.made_with(), made.number, made.lines, source_.file().time());
    add_given(variables, planes, false);
    with_real(dataset.values.precision,
              [&]<class Real>(Real) { add_planes<Real>(dataset, variables, planes); });
    add_given(variables, planes, true);
    for (MadeVariable& made : variables) {
      HostField& field = fields.emplace_back(made.field.take());
      const double reference = is_velocity(made.number) ? 0 : source_.reference(made.number);
      if (reference == 0) continue;
      for (double& value : field.values<double>()) value += reference;
    }
  }

 private:
  struct MadeVariable {
    int number;
    SourceLines lines;
    FieldInPlanes field;
  };

  /// The field of a variable of the source; empty where the target has no such scalar.
  [[nodiscard]] std::string name_in_target(int number) const {
    if (is_velocity(number)) return std::string(velocity_names.at(number));
    const std::string name = source_.made_with().name_of_scalar(number);
    for (int n = 0; n < target_.scalar_count(); ++n)
      if (target_.name_of_scalar(first_scalar + n) == name) return name;
    return {};
  }

  [[nodiscard]] MadeVariable variable(int number, const SourceDataset& dataset) const {
    const Storage storage = dataset.storage;
    SourceLines lines = source_.lines(dataset, number);
    PerAxis<AxisStencils> stencils;
    Extents slots;
    for (int axis = 0; axis < 3; ++axis) {
      const SourceLine& line = lines[axis];
      stencils[axis] =
          is_same_grid_ ? of_same_grid(number, axis, storage) : interpolated(number, axis, line);
      slots[axis] = line.points + 2;
    }
    return {number,
            std::move(lines),
            FieldInPlanes(name_in_target(number), std::move(stencils), slots, target_.run.threads)};
  }

  [[nodiscard]] AxisStencils of_same_grid(int number, int axis, Storage storage) const {
    const StaggeredAxis along = staggered_grid(target_)[axis];
    const bool is_between_centres = number == axis && storage == Storage::centres;
    AxisStencils stencils;
    for (int n = part_.first(axis); n < part_.part.end[axis]; ++n)
      stencils.push_back(is_between_centres ? at_low_face(along, n) : as_it_is(n + 1));
    return stencils;
  }

  [[nodiscard]] AxisStencils interpolated(int number, int axis, const SourceLine& line) const {
    const AxisFit fit = axis_fit(source_.made_with(), target_, axis);
    const auto positions = point_coordinates(target_, part_, number);
    AxisStencils stencils;
    for (const double position : positions[axis]) {
      LineStencil stencil = cubic_stencil(line.line, fit.in_source(position));
      for (int n = 0; n < stencil.count; ++n) {
        int& point = stencil.point.at(n);
        point = line.slots[point];
      }
      stencils.push_back(stencil);
    }
    return stencils;
  }

  static void add_given(std::vector<MadeVariable>& variables,
                        std::vector<SlotPlane>& planes,
                        bool is_high_end) {
    for (std::size_t n = 0; n < variables.size(); ++n) {
      const SourceLine& z = variables[n].lines[2];
      if (!z.is_given(is_high_end)) continue;
      planes[n].fill_with_given(is_high_end);
      variables[n].field.add(is_high_end ? z.points + 1 : 0, planes[n].values());
    }
  }

  template <class Real>
  void add_planes(const SourceDataset& dataset,
                  std::vector<MadeVariable>& variables,
                  std::vector<SlotPlane>& planes) const {
    const auto components = static_cast<int>(dataset.variables.size());
    const auto slot_of = [](const SourceLine& z, int k) { return k - z.first + 1; };
    const auto is_needed = [&](const MadeVariable& variable, int k) {
      const SourceLine& z = variable.lines[2];
      const int slot = slot_of(z, k);
      return slot >= 1 && slot <= z.points && variable.field.needs(slot);
    };
    const bool is_plain = source_.file().kind() == FlowFile::Kind::plain;
    const auto use = [&](int k, const void* values) {
      if (is_plain)
        require_finite(source_.file(), dataset.values, k, static_cast<const Real*>(values));
      for (std::size_t n = 0; n < variables.size(); ++n) {
        if (!is_needed(variables[n], k)) continue;
        const int slot = slot_of(variables[n].lines[2], k);
        planes[n].fill(slot, static_cast<const Real*>(values) + n, components);
        variables[n].field.add(slot, planes[n].values());
      }
    };
    if (part_.first(2) == 0) return read_all_planes(dataset.values, use);
    std::vector<bool> wanted(dataset.values.extents.nz);
    for (int k = 0; k < std::ssize(wanted); ++k) {
      wanted[k] = std::ranges::any_of(
          variables, [&](const MadeVariable& variable) { return is_needed(variable, k); });
    }
    read_planes(dataset.values, wanted, use);
  }

  const SourceFlow& source_;
  const Case& target_;
  const Subdomain& part_;
  bool is_same_grid_;
};

}  // namespace

FlowState flow_from_file(const Case& resolved, const Subdomain& part) {
  return about_start_file([&] {
    const SourceFlow source(resolved);
    FlowState state;
    FlowMaker maker(source, resolved, part);
    for (const SourceDataset& dataset : source.datasets()) maker.make(dataset, state.fields);
    for (int n = 0; n < resolved.scalar_count(); ++n) {
      const int variable = first_scalar + n;
      const std::string name = resolved.name_of_scalar(variable);
      if (source.has(name)) continue;
      HostField& field =
          state.fields.emplace_back(name, part.points(), Precision::double_precision);
      evaluate(
          resolved.initial_formula(variable), resolved, part, variable, 0, field.values<double>());
    }
    return state;
  });
}

}  // namespace dns
