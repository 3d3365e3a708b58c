/// The planes of a case that are recorded, taken from the flow on its device.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/plane_points.hpp"
#include "solver/grid/plane_values.hpp"
#include "solver/numerics/plane_samples.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// Samples go to a small array on the device and from there to the host, all in one copy.
template <class Backend>
class PlaneSampler {
 public:
  using Real = typename Backend::Real;

  /// part: that of this rank, whose samples are the only ones taken.
  PlaneSampler(Backend& backend, const Case& resolved, const Subdomain& part)
      : variables_(static_cast<int>(solved_variables(resolved).size())) {
    if (!resolved.output.planes) return;
    planes_ = resolved.output.planes->planes.size();
    std::size_t plane = 0;
    for (const PlaneCase& wanted : resolved.output.planes->planes) {
      for (int variable = 0; variable < variables_; ++variable) {
        const PlaneBetween between = plane_between(resolved, wanted, variable);
        const Box points = points_of_part(resolved, wanted, variable, between, part);
        if (points.extents().count() == 0) continue;
        parts_.push_back({.plane = plane,
                          .variable = variable,
                          .axis = wanted.axis,
                          .between = between,
                          .points = points,
                          .first = count_,
                          .edge = {},
                          .inside = {}});
        count_ += points.extents().count();
        add_edge(resolved, wanted, part);
      }
      ++plane;
    }
    if (count_ == 0) return;
    on_device_ = backend.template allocate<Real>(count_);
    on_host_ = Backend::allocate_host(count_ * sizeof(Real));
  }

  /// The samples of a flow whose variables are field(variable), a StridedField<const Real> with
  /// valid ghost points; in the order of the case's planes, none where it has none.
  template <class FieldOf>
  [[nodiscard]] std::vector<PlaneValues> sample(Backend& backend, const FieldOf& field) const {
    std::vector<PlaneValues> planes(planes_, PlaneValues(variables_));
    if (count_ == 0) return planes;
    backend.enter(phase::copy);
    for (const Part& part : parts_) {
      const StridedField<const Real> q = field(part.variable);
      enqueue(backend, part, q, part.points, part.between);
      if (part.edge.extents().count() > 0) enqueue(backend, part, q, part.edge, part.inside);
    }
    Real* const host = reinterpret_cast<Real*>(on_host_.get());
    const auto words = static_cast<int>(count_);
    backend.download(
        StridedField<const Real>{on_device_.data(), 1, words, words}, {words, 1, 1}, host);
    backend.synchronize();
    backend.enter(phase::other);
    for (const Part& part : parts_) {
      planes[part.plane][part.variable].assign(host + part.first,
                                               host + part.first + part.points.extents().count());
    }
    return planes;
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  /// A variable in a plane.
  struct Part {
    std::size_t plane = 0;
    int variable = 0;
    int axis = 0;
    PlaneBetween between;
    Box points;             // of the plane below
    std::size_t first = 0;  // of its samples
    Box edge;               // of these points, to be taken from elsewhere: plane_inside_of_edge
    PlaneBetween inside;
  };

  /// Sets the edge of the last of the parts, where plane_inside_of_edge finds one.
  void add_edge(const Case& resolved, const PlaneCase& plane, const Subdomain& of_rank) {
    Part& part = parts_.back();
    const auto inside = plane_inside_of_edge(resolved, plane, part.variable, part.between);
    if (!inside || !of_rank.is_boundary(part.variable, true)) return;
    part.inside = *inside;
    part.edge = part.points;
    part.edge.begin[part.variable] = part.edge.end[part.variable] - 1;
  }

  /// Takes the samples at points of a part.
  void enqueue(Backend& backend,
               const Part& part,
               StridedField<const Real> q,
               const Box& points,
               const PlaneBetween& between) const {
    const PerAxis<std::ptrdiff_t> strides{q.stride_x, q.stride_y, q.stride_z};
    const std::ptrdiff_t to_next = strides[part.axis];
    q.origin += (between.below - part.between.below) * to_next;
    backend.for_each(points,
                     SampleInPlane<Real>{q,
                                         between.weight != 0 ? to_next : 0,
                                         static_cast<Real>(between.weight),
                                         samples_of(part)});
  }

  /// The samples of a part, x fastest, addressed by its points.
  [[nodiscard]] StridedField<Real> samples_of(const Part& part) const {
    const auto [nx, ny, nz] = part.points.extents();
    StridedField<Real> samples{nullptr, 1, nx, nx * ny};
    const Index3 first = part.points.begin;
    samples.origin = on_device_.data() + part.first -
                     (static_cast<std::ptrdiff_t>(samples.stride_z) * first.k +
                      samples.stride_y * first.j + first.i);
    return samples;
  }

  int variables_;
  std::size_t planes_ = 0;
  std::vector<Part> parts_;
  std::size_t count_ = 0;
  Memory on_device_;
  std::shared_ptr<std::byte[]> on_host_;
};

}  // namespace dns
