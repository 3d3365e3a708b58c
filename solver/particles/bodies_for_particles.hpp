/// The bodies of a case as particles meet them.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/numerics/particle_bodies.hpp"

namespace dns {

class BodiesForParticles {
 public:
  enum class Lattices { filled, sized };  // sized: without distances, quick
  /// Arrays of the lattices of all bodies, one after the other.
  struct LatticeValues {
    std::vector<int> numbers;
    std::vector<float> distances;
  };

  BodiesForParticles() = default;
  /// Requires that all bodies are at rest. Throws as read_stl and find_distances do.
  explicit BodiesForParticles(const Case& resolved, Lattices lattices = Lattices::filled);

  /// The instructions of the formulas of all bodies.
  [[nodiscard]] const std::vector<Instruction>& programs() const { return programs_; }
  /// The distances of bodies of shape stl.
  [[nodiscard]] const LatticeValues& lattices() const { return lattices_; }
  /// All bodies, with what they have where copies of programs() and lattices() begin.
  [[nodiscard]] std::vector<ParticleBody> at(const Instruction* programs,
                                             const int* numbers,
                                             const float* distances) const;
  /// All bodies, for use on the host while this lives.
  [[nodiscard]] std::vector<ParticleBody> on_host() const {
    return at(programs_.data(), lattices_.numbers.data(), lattices_.distances.data());
  }
  /// Whether a particle at a place is in a body or touches one.
  [[nodiscard]] bool meet(const PerAxis<double>& place, double diameter) const;

 private:
  /// Where what a body has begins in the arrays of all.
  struct First {
    std::size_t program, number, distance;
  };
  std::vector<ParticleBody> bodies_;  // without pointers
  std::vector<First> first_;
  std::vector<Instruction> programs_;
  LatticeValues lattices_;
};

}  // namespace dns
