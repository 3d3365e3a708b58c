#include "solver/particles/bodies_for_particles.hpp"

#include <algorithm>
#include <limits>

#include "solver/config/smallest_cells.hpp"
#include "solver/core/in_threads.hpp"
#include "solver/solids/surface_lattice.hpp"
#include "solver/solids/triangles.hpp"

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
    case SolidCase::Shape::stl:
      return ParticleBody::Shape::triangles;
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
                    .repeats = {},
                    .lattice = {}};
  for (int axis = 0; axis < 3; ++axis) made.repeats[axis] = resolved.is_periodic(axis);
  if (body.shape == SolidCase::Shape::cylinder)
    made.half[body.axis] = body.length ? *body.length / 2 : std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3 && body.shape == SolidCase::Shape::box; ++axis) {
    made.centre[axis] = (body.low[axis] + body.high[axis]) / 2;
    made.half[axis] = (body.high[axis] - body.low[axis]) / 2;
  }
  return made;
}

template <class T>
void append(const std::vector<T>& values, std::vector<T>& to) {
  to.insert(to.end(), values.begin(), values.end());
}

}  // namespace

BodiesForParticles::BodiesForParticles(const Case& resolved, Lattices lattices) {
  for (const SolidCase& body : resolved.solids) {
    ParticleBody& made = bodies_.emplace_back(body_for_particles(resolved, body));
    first_.push_back({programs_.size(), lattices_.numbers.size(), lattices_.distances.size()});
    if (body.shape == SolidCase::Shape::stl) {
      const Triangles surface = read_stl(body);
      const SurfaceLattice found =
          lattices == Lattices::filled
              ? find_distances(surface, body, resolved, threads_or_all(resolved.run.threads))
              : lattice_of_zeros(surface, body, resolved);
      made.lattice = found.lattice;
      append(found.numbers, lattices_.numbers);
      append(found.distances, lattices_.distances);
    }
    if (body.shape != SolidCase::Shape::formula) continue;
    const std::vector<Instruction>& program = body.surface.program();
    made.instructions = body.surface.instructions();
    programs_.insert(programs_.end(), program.begin(), program.end());
  }
}

std::vector<ParticleBody> BodiesForParticles::at(const Instruction* programs,
                                                 const int* numbers,
                                                 const float* distances) const {
  std::vector<ParticleBody> bodies = bodies_;
  for (std::size_t n = 0; n < bodies.size(); ++n) {
    bodies[n].program = programs + first_[n].program;
    bodies[n].lattice.numbers = numbers + first_[n].number;
    bodies[n].lattice.distances = distances + first_[n].distance;
  }
  return bodies;
}

bool BodiesForParticles::meet(const PerAxis<double>& place, double diameter) const {
  return std::ranges::any_of(
      on_host(), [&](const ParticleBody& body) { return !(body.distance(place) >= diameter / 2); });
}

}  // namespace dns
