#include "solver/particles/bodies_for_particles.hpp"

#include <algorithm>
#include <limits>

#include "solver/config/smallest_cells.hpp"

namespace dns {
namespace {

ParticleBody::Shape shape_for_particles(SolidCase::Shape shape) {
  switch (shape) {
    case SolidCase::Shape::sphere:
      return ParticleBody::Shape::sphere;
    case SolidCase::Shape::cylinder:
      return ParticleBody::Shape::cylinder;
    case SolidCase::Shape::box:
      return ParticleBody::Shape::box;
    default:
      return ParticleBody::Shape::formula;
  }
}

ParticleBody body_for_particles(const Case& resolved, const SolidCase& body) {
  constexpr double part_of_cell = 1e-4;
  ParticleBody made{.shape = shape_for_particles(body.shape),
                    .centre = body.center,
                    .radius = body.radius,
                    .axis = body.axis,
                    .half = {},
                    .program = nullptr,
                    .instructions = 0,
                    .small = part_of_cell * smallest_cell(resolved.grid),
                    .origin = resolved.grid.origin,
                    .length = resolved.grid.length,
                    .repeats = {}};
  for (int axis = 0; axis < 3; ++axis) made.repeats[axis] = resolved.is_periodic(axis);
  if (body.shape == SolidCase::Shape::cylinder)
    made.half[body.axis] = body.length ? *body.length / 2 : std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3 && body.shape == SolidCase::Shape::box; ++axis) {
    made.centre[axis] = (body.low[axis] + body.high[axis]) / 2;
    made.half[axis] = (body.high[axis] - body.low[axis]) / 2;
  }
  return made;
}

}  // namespace

BodiesForParticles::BodiesForParticles(const Case& resolved) {
  for (const SolidCase& body : resolved.solids) {
    ParticleBody& made = bodies_.emplace_back(body_for_particles(resolved, body));
    first_.push_back(programs_.size());
    if (body.shape != SolidCase::Shape::formula) continue;
    const std::vector<Instruction>& program = body.surface.program();
    made.instructions = body.surface.instructions();
    programs_.insert(programs_.end(), program.begin(), program.end());
  }
}

std::vector<ParticleBody> BodiesForParticles::at(const Instruction* programs) const {
  std::vector<ParticleBody> bodies = bodies_;
  for (std::size_t n = 0; n < bodies.size(); ++n) bodies[n].program = programs + first_[n];
  return bodies;
}

bool BodiesForParticles::meet(const PerAxis<double>& place, double diameter) const {
  return std::ranges::any_of(at(programs_.data()), [&](const ParticleBody& body) {
    return !(body.at(place).distance >= diameter / 2);
  });
}

}  // namespace dns
