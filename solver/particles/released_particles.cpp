#include "solver/particles/released_particles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "solver/config/face_coordinates.hpp"
#include "solver/config/smallest_cells.hpp"
#include "solver/core/error.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/particles/release_numbers.hpp"

namespace dns {
namespace {

const std::string diameters_name(diameter_name);

/// Which places lie in the box, and in the part of a rank.
class PlacesOfPart {
 public:
  PlacesOfPart(const Case& resolved, const Subdomain& part)
      : resolved_(resolved), part_(part), planes_(face_coordinates(resolved.grid, 2)) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<double> faces = face_coordinates(resolved.grid, axis);
      low_[axis] = faces.front();
      high_[axis] = faces.back();
    }
  }

  /// The axis along which a place is outside of the box, or no number; -1: none. A place on the
  /// high end of a periodic axis becomes that on the low one.
  [[nodiscard]] int outside(double* place) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (!(place[axis] >= low_[axis] && place[axis] <= high_[axis])) return axis;
      if (place[axis] == high_[axis] && resolved_.is_periodic(axis)) place[axis] = low_[axis];
    }
    return -1;
  }
  /// Whether a particle of this diameter may be at a place: in the part, and in no body.
  [[nodiscard]] bool have_room_for(double diameter,
                                   const double* place,
                                   const BodiesForParticles& bodies) const {
    return has(place[2]) && !bodies.meet({place[0], place[1], place[2]}, diameter);
  }
  [[nodiscard]] bool has(double z) const {
    const auto above = std::ranges::upper_bound(planes_, z);
    const int cell =
        std::clamp(static_cast<int>(above - planes_.begin()) - 1, 0, resolved_.grid.points.nz - 1);
    return cell >= part_.part.begin.k && cell < part_.part.end.k;
  }
  [[nodiscard]] std::string in_words(int axis) const {
    return fmt::format(
        "along {} it is from {:g} to {:g}", axis_names[axis], low_[axis], high_[axis]);
  }

 private:
  const Case& resolved_;
  Subdomain part_;
  std::vector<double> planes_;
  PerAxis<double> low_, high_;
};

void require_inside(const PlacesOfPart& places,
                    double* place,
                    const std::string& where,
                    std::int64_t n) {
  const PerAxis<double> given{place[0], place[1], place[2]};
  const int axis = places.outside(place);
  if (axis < 0) return;
  throw CaseError(
      fmt::format("{}: particle n = {} is at ({:g}, {:g}, {:g}), but must be in the box; {}",
                  where,
                  n,
                  given[0],
                  given[1],
                  given[2],
                  places.in_words(axis)));
}

ParticleRecords by_formulas(const SpeciesCase& species,
                            const PlacesOfPart& places,
                            const BodiesForParticles& bodies,
                            std::int64_t first_id) {
  const std::string path = "particles." + species.name;
  ParticleRecords released;
  for (std::int64_t n = 0; n < species.count; ++n) {
    const std::int64_t id = first_id + n;
    const ReleaseNumbers fields(n, species.seed, static_cast<std::size_t>(id));
    PerAxis<double> x{};
    for (int axis = 0; axis < 3; ++axis) x[axis] = value_at(species.positions[axis], {}, fields);
    double place[3] = {x[0], x[1], x[2]};
    require_inside(places, place, path + ".positions", n);
    if (!places.have_room_for(species.diameter.value_or(0), place, bodies)) continue;
    released.ids.push_back(id);
    released.positions.insert(released.positions.end(), place, place + 3);
    if (!species.velocity) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const double v = value_at((*species.velocity)[axis], {place[0], place[1], place[2]}, fields);
      if (!std::isfinite(v)) {
        throw CaseError(fmt::format(
            "{}.velocity[{}]: particle n = {} has the velocity {}, but must have a finite one",
            path,
            axis,
            n,
            v));
      }
      released.velocities.push_back(v);
    }
  }
  return released;
}

void require_count(const Hdf5File& file,
                   const std::string& name,
                   std::size_t found,
                   std::size_t wanted) {
  if (found == wanted) return;
  throw IoError(fmt::format("{}: dataset {}: has {} numbers, but must have {}, as position has it",
                            file.path(),
                            name,
                            found,
                            wanted));
}

/// widest: the largest diameter [L].
ParticleRecords of_file(const std::string& path, double widest, std::int64_t first_id) {
  const Hdf5File file = Hdf5File::open(path);
  ParticleRecords all;
  all.positions = numbers_of(file, "position", 3);
  const std::size_t count = all.positions.size() / 3;
  if (file.has_dataset("velocity")) {
    all.velocities = numbers_of(file, "velocity", 3);
    require_count(file, "velocity", all.velocities.size(), all.positions.size());
    for (std::size_t n = 0; n < all.velocities.size(); ++n) {
      if (!std::isfinite(all.velocities[n]))
        throw IoError(fmt::format(
            "{}: dataset velocity: particle {} has {}", path, n / 3, all.velocities[n]));
    }
  }
  if (file.has_dataset(diameters_name)) {
    all.diameters = numbers_of(file, diameters_name, 1);
    require_count(file, diameters_name, all.diameters.size(), count);
    for (std::size_t n = 0; n < count; ++n) {
      if (!(all.diameters[n] > 0 && all.diameters[n] <= widest)) {
        throw IoError(
            fmt::format("{}: dataset diameter: particle {} has {}, but must have more than 0 and "
                        "at most {:.6g}, the width of the smallest cell",
                        path,
                        n,
                        all.diameters[n],
                        widest));
      }
    }
  }
  if (!file.has_dataset("id")) {
    for (std::size_t n = 0; n < count; ++n)
      all.ids.push_back(first_id + static_cast<std::int64_t>(n));
    return all;
  }
  constexpr double most = 9007199254740992.0;  // 2^53
  const std::vector<double> ids = numbers_of(file, "id", 1);
  require_count(file, "id", ids.size(), count);
  for (const double id : ids) {
    if (!(id >= 0 && id < most && std::floor(id) == id))
      throw IoError(fmt::format("{}: dataset id: {} is no whole number from 0 to 2^53", path, id));
    all.ids.push_back(first_id + static_cast<std::int64_t>(id));
  }
  std::vector<std::int64_t> sorted = all.ids;
  std::ranges::sort(sorted);
  const auto same = std::ranges::adjacent_find(sorted);
  if (same != sorted.end())
    throw IoError(fmt::format("{}: dataset id: two particles have {}", path, *same - first_id));
  return all;
}

/// Particles of `all` whose number is right.
template <class IsRight>
ParticleRecords chosen(const ParticleRecords& all, const IsRight& is_right) {
  ParticleRecords own;
  for (std::size_t n = 0; n < all.count(); ++n)
    if (is_right(n)) own.add(all, n);
  return own;
}

}  // namespace

ParticleRecords released_particles(const Case& resolved,
                                   const BodiesForParticles& bodies,
                                   const SpeciesCase& species,
                                   std::int64_t first_id,
                                   const Subdomain& part,
                                   std::int64_t& released) {
  const PlacesOfPart places(resolved, part);
  if (!species.file) {
    released = species.count;
    return by_formulas(species, places, bodies, first_id);
  }
  ParticleRecords all = of_file(species.file->path, smallest_cell(resolved.grid), first_id);
  for (std::size_t n = 0; n < all.count(); ++n) {
    require_inside(places,
                   all.positions.data() + 3 * n,
                   "particles." + species.name + ".file",
                   static_cast<std::int64_t>(n));
  }
  released = all.ids.empty() ? 0 : *std::ranges::max_element(all.ids) + 1 - first_id;
  return chosen(all, [&](std::size_t n) {
    const double diameter = all.diameters.empty() ? species.diameter.value_or(0) : all.diameters[n];
    return places.have_room_for(diameter, all.positions.data() + 3 * n, bodies);
  });
}

bool has_diameters(const SpeciesCase& species) {
  return species.file && !species.is_tracer() &&
         Hdf5File::open(species.file->path).has_dataset(diameters_name);
}

ParticleRecords records_in_part(const Case& resolved,
                                const ParticleRecords& all,
                                const Subdomain& part) {
  const PlacesOfPart places(resolved, part);
  return chosen(all, [&](std::size_t n) { return places.has(all.positions[3 * n + 2]); });
}

bool is_release_due(const ReleaseCase& release, const FlowMoment& at) {
  if (at.time > release.end * (1 + round_off_of_time)) return false;
  if (release.every.is_any()) return release.every.is_due(at, release.start);
  const double start = release.start * (1 - round_off_of_time);
  return at.time >= start && at.time_before < start;
}

}  // namespace dns
