#include "solver/particles/released_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "solver/config/face_coordinates.hpp"
#include "solver/core/error.hpp"
#include "solver/numerics/formula.hpp"
#include "solver/particles/bodies_for_particles.hpp"
#include "solver/particles/release_numbers.hpp"

namespace dns {
namespace {

/// Whether a body has no end along an axis.
bool is_along(const SolidCase& body, int axis) {
  return body.shape == SolidCase::Shape::cylinder && body.axis == axis;
}

bool has_random_numbers(const SolidCase& entry) {
  return std::ranges::any_of(entry.positions, [](const Expression& formula) {
    return std::ranges::any_of(formula.program(), [](const Instruction& instruction) {
      return instruction.operation > value_of_field(0);
    });
  });
}

std::string in_words(const PerAxis<double>& x) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
}

/// The bodies that have their places.
class PlacedBodies {
 public:
  explicit PlacedBodies(const Case& resolved) : case_(resolved), singles_(only_single(resolved)) {
    for (int axis = 0; axis < 3; ++axis) faces_[axis] = face_coordinates(resolved.grid, axis);
    Case with_one = singles_;
    for (const SolidCase& body : singles_.solids) {
      with_one.solids = {body};
      obstacles_.emplace_back(with_one);
    }
  }

  /// Why a body cannot be at its centre, such as "overlaps solids.wall"; empty where it can. A
  /// centre beyond a periodic end comes back through the other one.
  [[nodiscard]] std::string reason_against(SolidCase& body) const {
    for (int axis = 0; axis < 3; ++axis) {
      double& x = body.center[axis];
      const double low = faces_[axis].front();
      const double high = faces_[axis].back();
      if (!std::isfinite(x)) return "is no place";
      if (case_.is_periodic(axis)) {
        x -= std::floor((x - low) / (high - low)) * (high - low);
        if (x >= high) x = low;
      } else if (x - body.radius < low || x + body.radius > high) {
        return fmt::format("sticks out of the box, which along {} is from {:g} to {:g}",
                           axis_names[axis],
                           low,
                           high);
      }
    }
    for (const SolidCase& other : placed_) {
      if (gap(body, other) < 0)
        return fmt::format("overlaps body n = {} of {}", other.number, other.path());
    }
    for (std::size_t n = 0; n < obstacles_.size(); ++n) {
      if (meets(body, obstacles_[n])) return "overlaps " + singles_.solids[n].path();
    }
    return {};
  }
  void add(SolidCase body) { placed_.push_back(std::move(body)); }

 private:
  static Case only_single(Case resolved) {
    std::erase_if(resolved.solids, &SolidCase::is_several);
    return resolved;
  }
  /// Between the surfaces of two spheres or endless cylinders [L].
  [[nodiscard]] double gap(const SolidCase& body, const SolidCase& other) const {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (is_along(body, axis) || is_along(other, axis)) continue;
      double way = other.center[axis] - body.center[axis];
      if (case_.is_periodic(axis)) way = std::remainder(way, case_.grid.length[axis]);
      square += way * way;
    }
    return std::sqrt(square) - body.radius - other.radius;
  }
  /// Whether a body meets another: a cylinder at the middle of a cell along it.
  [[nodiscard]] bool meets(const SolidCase& body, const BodiesForParticles& one) const {
    if (body.shape == SolidCase::Shape::sphere) return one.meet(body.center, 2 * body.radius);
    const std::vector<double>& faces = faces_[body.axis];
    PerAxis<double> place = body.center;
    for (std::size_t cell = 0; cell + 1 < faces.size(); ++cell) {
      place[body.axis] = (faces[cell] + faces[cell + 1]) / 2;
      if (one.meet(place, 2 * body.radius)) return true;
    }
    return false;
  }

  const Case& case_;
  Case singles_;
  std::vector<BodiesForParticles> obstacles_;  // each of singles_
  PerAxis<std::vector<double>> faces_;
  std::vector<SolidCase> placed_;  // of entries with several
};

SolidCase single_body(const SolidCase& entry, int number) {
  SolidCase body = entry;
  body.entry = entry.name;
  body.name = fmt::format("{}[{}]", entry.name, number);
  body.number = number;
  body.count = 0;
  body.places.reset();
  body.positions = {};
  return body;
}

void place_by_formulas(const SolidCase& entry, PlacedBodies& placed, std::vector<SolidCase>& all) {
  constexpr int most_trials = 2000;
  const bool is_random = has_random_numbers(entry);
  const int trials = is_random ? most_trials : 1;
  for (int number = 0; number < entry.count; ++number) {
    SolidCase body = single_body(entry, number);
    std::string reason = "-";
    for (int trial = 0; trial < trials && !reason.empty(); ++trial) {
      const std::size_t index = number + trial * entry.count;
      const ReleaseNumbers numbers(number, entry.seed, index);
      for (int axis = 0; axis < 3; ++axis)
        body.center[axis] = value_at(entry.positions[axis], {}, numbers);
      reason = placed.reason_against(body);
    }
    if (!reason.empty()) {
      throw CaseError(fmt::format(
          "{}.positions: body n = {} {}at {} {}{}",
          entry.path(),
          number,
          is_random ? fmt::format("finds no place in {} trials of r1, r2, r3: ", trials) : "",
          in_words(body.center),
          is_random ? "it " + reason : reason,
          is_random ? "; take fewer or smaller bodies, or another seed" : ""));
    }
    placed.add(body);
    all.push_back(std::move(body));
  }
}

void place_by_file(const SolidCase& entry, PlacedBodies& placed, std::vector<SolidCase>& all) {
  const std::string key = entry.path() + ".file: ";
  const Hdf5File file = Hdf5File::open(entry.places->path);
  const std::vector<double> positions = numbers_of(file, "position", 3);
  std::vector<double> velocities;
  if (file.has_dataset("velocity")) velocities = numbers_of(file, "velocity", 3);
  const auto refuse = [&](const std::string& what) {
    throw CaseError(key + entry.places->path + " " + what);
  };
  const std::size_t most = SolidCase::most_free;
  if (positions.empty() || positions.size() > 3 * most)
    refuse(fmt::format("has {} bodies, but must have 1 to {}", positions.size() / 3, most));
  if (!velocities.empty() && velocities.size() != positions.size()) {
    refuse(
        fmt::format("has {} velocities of {} bodies", velocities.size() / 3, positions.size() / 3));
  }
  for (std::size_t n = 0; n < positions.size() / 3; ++n) {
    SolidCase body = single_body(entry, static_cast<int>(n));
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t place = 3 * n + axis;
      body.center[axis] = positions[place];
      if (velocities.empty()) continue;
      if (!std::isfinite(velocities[place]))
        refuse(fmt::format("has the velocity {} of body n = {}", velocities[place], n));
      body.free->velocity[axis] = velocities[place];
    }
    const PerAxis<double> given = body.center;
    if (const std::string reason = placed.reason_against(body); !reason.empty())
      throw CaseError(fmt::format("{}body n = {} at {} {}", key, n, in_words(given), reason));
    placed.add(body);
    all.push_back(std::move(body));
  }
}

}  // namespace

Case with_single_bodies(const Case& resolved) {
  Case with = resolved;
  if (std::ranges::none_of(resolved.solids, &SolidCase::is_several)) return with;
  with.solids.clear();
  PlacedBodies placed(resolved);
  for (const SolidCase& entry : resolved.solids) {
    if (!entry.is_several()) {
      with.solids.push_back(entry);
    } else if (entry.places) {
      place_by_file(entry, placed, with.solids);
    } else {
      place_by_formulas(entry, placed, with.solids);
    }
  }
  const auto free = std::ranges::count_if(
      with.solids, [](const SolidCase& body) { return body.free.has_value(); });
  if (free > SolidCase::most_free) {
    throw CaseError(fmt::format(
        "solids: {} bodies are free, but at most {} can be", free, SolidCase::most_free));
  }
  return with;
}

}  // namespace dns
