/// The bodies of a case as particles meet them.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/numerics/particle_bodies.hpp"

namespace dns {

class BodiesForParticles {
 public:
  /// Requires that all bodies are at rest and none is of a file.
  explicit BodiesForParticles(const Case& resolved);

  /// The instructions of the formulas of all bodies.
  [[nodiscard]] const std::vector<Instruction>& programs() const { return programs_; }
  /// All bodies, with their formulas where a copy of programs() begins.
  [[nodiscard]] std::vector<ParticleBody> at(const Instruction* programs) const;
  /// Whether a particle at a place is in a body or touches one.
  [[nodiscard]] bool meet(const PerAxis<double>& place, double diameter) const;

 private:
  std::vector<ParticleBody> bodies_;  // without programs
  std::vector<std::size_t> first_;    // of each in programs_
  std::vector<Instruction> programs_;
};

}  // namespace dns
