/// Planes of a velocity beyond the seams of a rank, for particles.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/core/communicator.hpp"
#include "solver/core/error.hpp"
#include "solver/core/field_layout.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/numerics/particle_velocity.hpp"

namespace dns {

/// More planes than fields have ghost planes: those that a particle sees from where it may come to
/// in a step. Two velocities have planes at a time.
template <class Backend>
class PlanesBeyondSeams {
 public:
  using Real = typename Backend::Real;
  static constexpr int planes = VelocityAround<Real>::planes_beyond;

  /// `backend` outlives it. Throws CaseError on all ranks where a slab has too few planes.
  PlanesBeyondSeams(Backend& backend, const Subdomain& part, const FieldLayout& layout)
      : backend_(&backend), part_(part), layout_(layout) {
    if (!is_divided()) return;
    if (part.whole.nz / ranks() < planes) {
      throw CaseError("particles: each rank needs " + std::to_string(planes) +
                      " planes along z at least, but " + std::to_string(ranks()) +
                      " ranks have fewer of " + std::to_string(part.whole.nz) +
                      "; take fewer ranks or more cells along z");
    }
    for (auto& memory : memory_) memory = backend.template allocate<Real>(6 * values());
  }

  /// A velocity and its planes beyond seams, in place 0 or 1. Called by all ranks.
  [[nodiscard]] VelocityAround<Real> around(const VelocityView<const Real>& velocity,
                                            std::size_t which) {
    VelocityAround<Real> around{
        velocity, {}, {}, part_.first(2), part_.points().nz, part_.whole.nz};
    if (!is_divided()) return around;
    exchange(velocity, which);
    for (int component = 0; component < 3; ++component) {
      if (is_seam(false)) around.low[component] = view(which, component, false);
      if (is_seam(true)) around.high[component] = view(which, component, true);
    }
    return around;
  }

  [[nodiscard]] bool is_seam(bool is_high) const {
    return part_.ends[2][is_high ? 1 : 0] == End::neighbour;
  }
  [[nodiscard]] int neighbour(bool is_high) const {
    return (backend_->communicator().rank() + (is_high ? 1 : ranks() - 1)) % ranks();
  }

 private:
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));

  [[nodiscard]] bool is_divided() const { return backend_->is_divided(); }
  [[nodiscard]] int ranks() const { return backend_->communicator().size(); }
  /// Number of values in `planes` planes.
  [[nodiscard]] std::ptrdiff_t values() const {
    return static_cast<std::ptrdiff_t>(layout_.stride_z(sizeof(Real))) * planes;
  }
  [[nodiscard]] Real* beyond(std::size_t which, int component, bool is_high) const {
    return memory_.at(which).data() + values() * (2 * component + (is_high ? 1 : 0));
  }
  [[nodiscard]] FieldView<const Real> view(std::size_t which, int component, bool is_high) const {
    const int stride_y = layout_.stride_y(sizeof(Real));
    return {beyond(which, component, is_high) + layout_.ghosts.ny * stride_y + layout_.ghosts.nx,
            stride_y,
            layout_.stride_z(sizeof(Real))};
  }
  /// Two ranks of a periodic box are each other's neighbours at both ends: what one sends low
  /// arrives high, so that the receives from the high end come first.
  void exchange(const VelocityView<const Real>& velocity, std::size_t which) {
    const std::size_t bytes = values() * sizeof(Real);
    const auto plane = [&](int component, int k) {
      return velocity[component].origin - layout_.origin(sizeof(Real)) +
             layout_.plane(k, sizeof(Real));
    };
    std::vector<SentMessage> sent;
    std::vector<ReceivedMessage> received;
    for (const bool is_high : {false, true}) {
      for (int component = 0; component < 3; ++component) {
        if (is_seam(is_high))
          sent.push_back({neighbour(is_high),
                          plane(component, is_high ? part_.points().nz - planes : 0),
                          bytes});
        if (is_seam(!is_high))
          received.push_back({neighbour(!is_high), beyond(which, component, !is_high), bytes});
      }
    }
    backend_->pass(sent, received);
  }

  Backend* backend_;
  Subdomain part_;
  FieldLayout layout_;
  std::array<Memory, 2> memory_;  // of each component the planes below, then those above
};

}  // namespace dns
