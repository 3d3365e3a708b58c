/// What particles of a species give to the fluid, summed up on a backend.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "solver/core/communicator.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/numerics/particle_impulse.hpp"
#include "solver/particles/planes_beyond_seams.hpp"

namespace dns {

template <class Backend>
class ParticleImpulses {
 public:
  using Real = typename Backend::Real;

  /// unit: a typical impulse or force of one particle. `backend` and `seams` outlive it.
  ParticleImpulses(Backend& backend,
                   const Subdomain& part,
                   const PlanesBeyondSeams<Backend>& seams,
                   double unit)
      : backend_(&backend), part_(part), seams_(&seams), quantum_(quantum_of(unit)) {
    extents_ = part.points();
    if (backend.is_divided()) extents_.nz += 2 * planes;
    sums_ = backend.template allocate<std::int64_t>(3 * extents_.count());
    if (backend.is_divided()) arrived_ = backend.template allocate<std::int64_t>(2 * values());
  }

  [[nodiscard]] double quantum() const { return quantum_; }
  [[nodiscard]] ImpulseSums view() const {
    return {.sums = sums_.data(),
            .extents = extents_,
            .beyond = backend_->is_divided() ? planes : 0,
            .first = part_.first(2),
            .planes = part_.points().nz,
            .whole = part_.whole.nz,
            .quantum = quantum_};
  }
  void clear() {
    const Extents all{extents_.nx, extents_.ny, 3 * extents_.nz};
    backend_->for_each({{}, {all.nx, all.ny, all.nz}}, ClearSums{sums_.data(), all});
  }
  /// Adds what particles of the neighbours gave to this part. The ranks wait for each other.
  void exchange() {
    if (!backend_->is_divided()) return;
    const ImpulseSums sums = view();
    const std::size_t bytes = values() / 3 * sizeof(std::int64_t);
    std::vector<SentMessage> sent;
    std::vector<ReceivedMessage> received;
    for (const bool is_high : {false, true}) {  // see PlanesBeyondSeams
      for (int component = 0; component < 3; ++component) {
        if (seams_->is_seam(is_high)) {
          const Index3 first{0, 0, is_high ? sums.planes : -planes};
          sent.push_back({seams_->neighbour(is_high), sums.at(component, first), bytes});
        }
        if (seams_->is_seam(!is_high)) {
          received.push_back(
              {seams_->neighbour(!is_high), arrived(!is_high) + component * values() / 3, bytes});
        }
      }
    }
    backend_->pass(sent, received);
    for (const bool is_high : {false, true}) {
      if (!seams_->is_seam(is_high)) continue;
      const int first = is_high ? sums.planes - planes : 0;
      backend_->for_each({{}, {extents_.nx, extents_.ny, planes}},
                         AddArrivedSums{sums, arrived(is_high), first});
    }
  }
  /// Adds `times` the sums over the part to the counters of the species.
  void count(std::int64_t times, std::int64_t* counters) {
    const Extents points = part_.points();
    backend_->for_each({{}, {1, points.ny, points.nz}}, CountImpulses{view(), times, counters});
  }

 private:
  static constexpr int planes = PlanesBeyondSeams<Backend>::planes;

  /// 2^-40 of the power of two next to a unit.
  [[nodiscard]] static double quantum_of(double unit) {
    constexpr int bits = 40;
    return std::ldexp(1.0, static_cast<int>(std::lround(std::log2(unit))) - bits);
  }
  /// Number of values in the planes beyond an end, of all components.
  [[nodiscard]] std::ptrdiff_t values() const {
    return static_cast<std::ptrdiff_t>(extents_.nx) * extents_.ny * planes * 3;
  }
  [[nodiscard]] std::int64_t* arrived(bool is_high) const {
    return arrived_.data() + (is_high ? values() : 0);
  }

  using Memory = decltype(std::declval<Backend&>().template allocate<std::int64_t>(0));

  Backend* backend_;
  Subdomain part_;
  const PlanesBeyondSeams<Backend>* seams_;
  double quantum_;
  Extents extents_;
  Memory sums_, arrived_;
};

}  // namespace dns
