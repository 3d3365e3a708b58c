#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "solver/config/bound_keys.hpp"
#include "solver/config/case_reader.hpp"
#include "solver/config/smallest_cells.hpp"
#include "solver/core/number_text.hpp"
#include "solver/numerics/formula.hpp"

namespace dns {

// Two or three lines a key: a table.
// clang-format off

std::vector<Key> keys_of_particles() {
  constexpr auto projection = Scheme::projection;
  constexpr std::string_view inertial_only = "with diameter and density only";
  const auto file = keys_of_case();
  const auto species = file.part("particles.NAME", &Case::particles);
  const auto release = species.part("release", &SpeciesCase::release);
  const auto is_inertial = [](const Case& c, std::size_t n) {
    return !c.particles[n].is_tracer();
  };
  const auto has_formulas = [](const Case& c, std::size_t n) { return !c.particles[n].file; };
  const auto acts_on_flow = [](const Case& c, std::size_t n) {
    return c.particles[n].acts_on_flow();
  };
  const auto bounces = [](const Case& c, std::size_t n) {
    return !c.particles[n].is_tracer() && c.particles[n].walls == SpeciesCase::Walls::bounce;
  };
  return {
      file.entry("particles", {.only = projection, .condition = "default: none"},
          "particles that the flow carries, of several species"),
      file.records("particles.NAME", &Case::particles, {.named = "species", .marks = "_"},
          "one species; files and columns have its NAME (letters, digits, '_'; no name of another "
          "quantity). Without diameter and density: tracers"),
      species.key("count", &SpeciesCase::count, {.has_default = false,
           .condition = "required, or file instead", .range = between(1, 2e9),
           .is_written = has_formulas}, "number of particles; with release of each time"),
      species.entry("positions", {.kind = KeyKind::formula, .is_vector = true,
           .condition = "required, or file instead", .variables = "n, r1, r2, r3", .unit = "L",
           .is_written = has_formulas,
           .written = [](const Case& c, std::size_t n) {
             return yaml_text(c.particles[n].positions); },
           .read = [](ValueReader& reader, const std::string& at, Case& read, std::size_t n) {
             reader.read(at, read.particles[n].positions, variables_of_places); }},
          "places of the particles: n = 0 .. count - 1; r1, r2, r3: random numbers of each, "
          "uniform in [0, 1)"),
      species.key("file", &SpeciesCase::file, {.condition = "instead of count and positions; found "
             "from the case file"},
          "HDF5 file with arrays position (N, 3) and, where wanted, velocity (N, 3), id (N) and, of "
          "inertial particles, diameter (N), all in double"),
      species.entry("content", {.kind = KeyKind::text,
           .condition = "with file only; default: that of the file",
           .written = [](const Case& c, std::size_t n) {
             return c.particles[n].file ? yaml_text(c.particles[n].file->content)
                                        : std::string{}; }},
          "checksum that the file must have"),
      species.entry("velocity", {.kind = KeyKind::formula, .is_vector = true, .word = "fluid",
           .default_text = "fluid", .condition = inertial_only,
           .variables = "x, y, z, n, r1, r2, r3", .unit = "U", .is_written = is_inertial,
           .written = [](const Case& c, std::size_t n) {
             const auto& velocity = c.particles[n].velocity;
             return velocity ? yaml_text(*velocity) : "fluid"; },
           .read = [](ValueReader& reader, const std::string& at, Case& read, std::size_t n) {
             const CaseNode* const node = reader.find(at);
             if (node == nullptr || (node->is_scalar() && node->text == "fluid")) return;
             PerAxis<Expression> velocity;
             if (reader.read(at, velocity, variables_of_places))
               read.particles[n].velocity = velocity; }},
          "velocity of the particles when they are released; fluid: that of the fluid there"),
      species.key("seed", &SpeciesCase::seed, {.range = at_least(0), .is_written = has_formulas},
          "seed of the random numbers"),
      species.entry("release", {.condition = "default: once, at the start"},
          "when particles are released"),
      release.key("start", &ReleaseCase::start, {.range = at_least(0), .unit = "L/U"},
          "time of the first release"),
      release.key("every", &ReleaseCase::every, {.has_default = false,
           .condition = "default: once", .range = at_least(1),
           .is_written = [](const Case& c, std::size_t n) {
             return c.particles[n].release.every.is_any(); }}, "interval between releases"),
      release.key("end", &ReleaseCase::end, {.has_default = false, .condition = "default: never",
           .range = at_least(0), .unit = "L/U", .is_written = [](const Case& c, std::size_t n) {
             return std::isfinite(c.particles[n].release.end); }},
          "time after which none are released"),
      species.key("diameter", &SpeciesCase::diameter, {.condition = "with density; default: tracers",
           .range = above(0), .unit = "L"},
          "diameter, at most the width of the smallest cell"),
      species.key("density", &SpeciesCase::density, {.condition = "with diameter",
           .range = above(0)}, "density over that of the fluid"),
      species.key("forces", &SpeciesCase::forces, {.has_default = false,
           .condition = "with diameter and density only; default [drag], with gravity [drag, "
             "gravity]; drag is one of them; added_mass brings pressure_gradient",
           .choices = {SpeciesCase::force_names.begin(), SpeciesCase::force_names.end()},
           .is_written = is_inertial}, "what acts on the particles"),
      species.choice("drag", &SpeciesCase::drag, SpeciesCase::drag_names,
          {.condition = inertial_only, .is_written = is_inertial},
          "law of the drag; schiller_naumann: for particle Reynolds numbers up to 1000"),
      species.key("gravity", &SpeciesCase::gravity, {.has_default = false,
           .condition = "with diameter and density only; default: none", .unit = "U^2/L"},
          "acceleration by gravity"),
      species.key("restitution", &SpeciesCase::restitution,
          {.condition = "with diameter, density and walls: bounce only", .range = between(0, 1),
           .is_written = bounces},
          "velocity across a wall, or the surface of a body, after a bounce over that before"),
      species.choice("walls", &SpeciesCase::walls, SpeciesCase::walls_names, {},
          "what a particle does at a wall or body; absorb: it is removed and counted"),
      species.choice("interpolation", &SpeciesCase::interpolation,
          SpeciesCase::interpolation_names, {},
          "velocity of the fluid at the particles: of order 4, or of order 3 and without divergence, "
          "which leaves uniform tracers uniform (accuracy.order 2 only)"),
      species.choice("coupling", &SpeciesCase::coupling, SpeciesCase::coupling_names,
          {.condition = inertial_only, .is_written = is_inertial},
          "whether the particles act on the flow"),
      species.key("represents", &SpeciesCase::represents,
          {.condition = "with coupling: two_way only", .range = above(0), .is_written = acts_on_flow},
          "particles that each computed one stands for in its force on the flow"),
  };
}

std::vector<Key> keys_of_particle_output() {
  constexpr auto projection = Scheme::projection;
  const auto output = keys_of_case().part("output", &Case::output);
  const auto trajectories = output.part("trajectories", &OutputCase::trajectories);
  const auto tracks = trajectories.part("NAME", &TrajectoriesCase::species);
  const auto statistics = output.part("particle_statistics", &OutputCase::particle_statistics);
  return {
      output.section("trajectories", &OutputCase::trajectories, {.only = projection,
           .condition = "default: none; needs particles"},
          "places of particles over time: particles_NAME_STEP.h5"),
      trajectories.key("every", &TrajectoriesCase::every, {.range = at_least(1)},
          "interval between files"),
      trajectories.key("start", &TrajectoriesCase::start, {.range = at_least(0), .unit = "L/U"},
          "time of the first files"),
      trajectories.choice("precision", &TrajectoriesCase::precision, precision_names, {},
          "floating-point numbers of places and velocities"),
      trajectories.records("NAME", &TrajectoriesCase::species, {.named = "species", .marks = "_"},
          "one of particles; default: all of them, every particle"),
      tracks.key("stride", &TracksCase::stride, {.range = at_least(1)},
          "particles whose id is a multiple of it are written"),
      tracks.key("variables", &TracksCase::variables, {.may_be_empty = true,
           .choices = {TracksCase::variable_names.begin(), TracksCase::variable_names.end()}},
          "what is written besides the places; fluid_velocity: that of the fluid there; unwrapped: "
          "places that do not come back through periodic ends"),
      output.section("particle_statistics", &OutputCase::particle_statistics, {.only = projection,
           .condition = "default: none; needs particles"},
          "means over particles by their place along an axis: particle_statistics.h5"),
      statistics.key("every", &ParticleStatisticsCase::every, {.range = at_least(1)},
          "interval between samples"),
      statistics.key("start", &ParticleStatisticsCase::start, {.range = at_least(0), .unit = "L/U"},
          "time of the first sample"),
      statistics.choice("axis", &ParticleStatisticsCase::axis, axis_names, {},
          "axis along which the bins lie"),
      statistics.entry("bins", {.kind = KeyKind::whole, .word = "cells", .default_text = "cells",
           .range = between(1, 100000),
           .written = [](const Case& c, std::size_t) -> std::string {
             if (!c.output.particle_statistics) return {};
             const int bins = c.output.particle_statistics->bins;
             return bins == 0 ? "cells" : yaml_text(bins); },
           .read = [](ValueReader& reader, const std::string& at, Case& read, std::size_t) {
             if (read.output.particle_statistics)
               reader.read(at, read.output.particle_statistics->bins); }},
          "bins of equal width, or the cells along the axis"),
  };
}

// clang-format on

void refuse_places_in_formulas(ValueReader& reader,
                               const std::string& path,
                               const PerAxis<Expression>& formulas,
                               bool may_have_places) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const Instruction& instruction : formulas[axis].program()) {
      const bool is_place = instruction.operation >= Operation::x &&
                            instruction.operation <= Operation::z && !may_have_places;
      if (!is_place && instruction.operation != Operation::t) continue;
      reader.add_item_mistake(
          path,
          axis,
          may_have_places ? "a formula of x, y, z, n, r1, r2, r3" : "a formula of n, r1, r2, r3",
          "");
      break;
    }
  }
}

namespace {

constexpr double most_cfl = 2;  // cells that a particle may move along an axis in a step

bool is_grid_known(const ValueReader& reader, const Case& read) {
  return reader.is_right("grid.points") && read.grid.points.nx > 0 &&
         !reader.is_wrong("grid.length") && !reader.is_wrong("grid.stretching");
}

void check_start(ValueReader& reader, const SpeciesCase& species, const std::string& path) {
  if (reader.is_given(path + ".file")) {
    for (const char* const key : {".count", ".positions", ".seed", ".velocity"})
      reader.refuse_beside(path + key, path + ".file");
  } else {
    reader.require(path + ".count");
    reader.require(path + ".positions");
    reader.refuse(path + ".content", "the checksum of a file; leave it out, or give file too");
  }
  if (reader.is_right(path + ".positions"))
    refuse_places_in_formulas(reader, path + ".positions", species.positions, false);
  if (species.velocity && reader.is_right(path + ".velocity"))
    refuse_places_in_formulas(reader, path + ".velocity", *species.velocity, true);
  if (species.release.end < species.release.start && reader.is_right(path + ".release.end")) {
    reader.add_mistake(path + ".release.end",
                       ">= release.start",
                       fmt::format("; that is {}", number_text(species.release.start)));
  }
}

void check_tracers(ValueReader& reader, const std::string& path) {
  for (const char* const key :
       {".velocity", ".forces", ".drag", ".gravity", ".restitution", ".coupling", ".represents"}) {
    reader.refuse(path + key,
                  "particles without diameter and density are tracers, which have the velocity of "
                  "the fluid; leave it out, or give both");
  }
}

/// Bodies that particles cannot bounce on.
void refuse_bodies(ValueReader& reader, const SolidCase& body) {
  const std::string path = "solids." + body.name;
  if (body.is_mobile()) {
    const std::string_view key = body.motion ? "motion" : "free";
    reader.add_problem(
        fmt::format("{}.{}", path, key),
        fmt::format("particles meet bodies at rest only; leave out particles, or {}", key));
  }
  PerAxis<double> about = body.rotation;
  if (body.shape == SolidCase::Shape::sphere) about = {};
  if (body.shape == SolidCase::Shape::cylinder) about[body.axis] = 0;
  const PerAxis<double> rest{};
  if (body.velocity == rest && about == rest) return;
  reader.add_problem(path,
                     "fluid passes its surface, which a bounce of particles needs to be at rest; "
                     "leave out velocity, and rotation but that of a sphere or of a cylinder about "
                     "its axis");
}

/// Walls that fluid passes have no bounce.
void refuse_permeable_walls(ValueReader& reader, const Case& read, const std::string& path) {
  for (int face = 0; face < read.faces.size(); ++face) {
    const FaceCase& wall = read.faces[face];
    if (wall.kind != FaceKind::wall || wall.velocity[face / 2].is_zero()) continue;
    reader.add_problem(
        path,
        fmt::format("fluid passes the wall {0}: boundaries.{0}.velocity[{1}] is {2}, "
                    "but must be 0 where there are particles with a density",
                    face_names[face],
                    face / 2,
                    wall.velocity[face / 2].text()));
  }
}

void settle_forces(ValueReader& reader, SpeciesCase& species, const std::string& path) {
  if (!reader.is_given(path + ".forces")) {
    species.forces = {"drag"};
    if (species.gravity) species.forces.emplace_back("gravity");
  }
  if (species.has_force("added_mass") && !species.has_force("pressure_gradient"))
    species.forces.emplace_back("pressure_gradient");
  const auto place_of = [](const std::string& force) {
    return std::ranges::find(SpeciesCase::force_names, force);
  };
  std::ranges::sort(species.forces, {}, place_of);
  if (!reader.is_right(path + ".forces")) return;
  if (!species.has_force("drag"))
    reader.add_mistake(path + ".forces", "a list with drag", "; tracers need no forces");
  if (species.has_force("gravity") && !reader.is_given(path + ".gravity"))
    reader.add_mistake(path + ".forces", "a list without gravity", "; gravity is not given");
  if (!species.has_force("gravity") && species.gravity)
    reader.refuse(path + ".gravity", "has no effect: forces leave gravity out");
}

void check_interpolation(ValueReader& reader,
                         const Case& read,
                         const SpeciesCase& species,
                         const std::string& path) {
  if (species.interpolation == SpeciesCase::Interpolation::cubic ||
      !reader.is_right(path + ".interpolation") || !read.accuracy.is_high())
    return;
  reader.add_mistake(
      path + ".interpolation",
      "cubic",
      "; with accuracy.order above 2 the flow has another divergence than that of the "
      "fluxes into cells, which divergence_free keeps at 0");
}

void check_coupling(ValueReader& reader,
                    const Case& read,
                    const SpeciesCase& species,
                    const std::string& path) {
  if (species.coupling == SpeciesCase::Coupling::none)
    return reader.refuse(path + ".represents", "has no effect without coupling: two_way");
  if (!reader.is_right(path + ".coupling")) return;
  const auto refuse = [&](const char* why) {
    reader.add_mistake(path + ".coupling", "none", std::string("; ") + why);
  };
  if (std::ranges::max(read.accuracy.order) > 2)
    return refuse("forces on the flow are of order 2, but accuracy.order is above");
  if (read.time.scheme == TimeScheme::runge_kutta && species.has_force("pressure_gradient")) {
    refuse(
        "in Runge-Kutta stages the acceleration of the fluid is not known when pressure_gradient "
        "and added_mass need it; take time.scheme: implicit");
  }
}

void check_inertial(ValueReader& reader,
                    Case& read,
                    SpeciesCase& species,
                    const std::string& path) {
  settle_forces(reader, species, path);
  if (species.walls == SpeciesCase::Walls::absorb)
    reader.refuse(path + ".restitution", "has no effect with walls: absorb; leave one out");
  refuse_permeable_walls(reader, read, path);
  if (read.rotation) {
    reader.add_problem(path,
                       "particles with a density in a frame that rotates: the centrifugal part of "
                       "the pressure is not known; leave out rotation, or diameter and density");
  }
  check_coupling(reader, read, species, path);
  if (!is_grid_known(reader, read) || !reader.is_right(path + ".diameter")) return;
  const double least = smallest_cell(read.grid);
  if (*species.diameter > least) {
    reader.add_mistake(path + ".diameter",
                       fmt::format("at most {:.6g}, the width of the smallest cell", least),
                       "; the flow around larger ones is not that of points");
  }
}

void check_species(ValueReader& reader, Case& read, SpeciesCase& species, const std::string& path) {
  if (const std::string obstacle = obstacle_to_quantity(species.name, read); !obstacle.empty())
    reader.add_problem(path, "the name of a species " + obstacle);
  check_start(reader, species, path);
  check_interpolation(reader, read, species, path);
  const bool is_inertial =
      reader.is_given(path + ".diameter") || reader.is_given(path + ".density");
  if (!is_inertial) return check_tracers(reader, path);
  reader.require(path + ".diameter");
  reader.require(path + ".density");
  if (reader.is_right(path + ".diameter") && reader.is_right(path + ".density"))
    check_inertial(reader, read, species, path);
}

}  // namespace

void read_particles(ValueReader& reader, Case& read) {
  reader.read_section("particles", read);
  if (read.particles.empty()) {
    if (reader.is_map("particles"))
      reader.add_problem("particles", "names no species, such as dust: {count: 1000, ...}");
    return;
  }
  for (SpeciesCase& species : read.particles) {
    const std::string path = "particles." + species.name;
    if (!reader.is_wrong(path)) check_species(reader, read, species, path);
  }
  for (const SolidCase& body : read.solids) refuse_bodies(reader, body);
  if (read.time.cfl && *read.time.cfl > most_cfl && reader.is_right("time.cfl")) {
    reader.add_mistake("time.cfl",
                       fmt::format("at most {}", most_cfl),
                       "; particles move at most 2 cells in a step");
  }
}

void check_particle_output(ValueReader& reader, Case& read) {
  for (const char* const path : {"output.trajectories", "output.particle_statistics"}) {
    if (read.particles.empty() && !reader.is_given("particles"))
      reader.refuse(path, "the case has no particles");
  }
  if (!read.output.trajectories) return;
  std::vector<TracksCase>& tracks = read.output.trajectories->species;
  for (const TracksCase& species : tracks) {
    const auto of = std::ranges::find(read.particles, species.name, &SpeciesCase::name);
    if (of == read.particles.end()) {
      reader.add_problem("output.trajectories." + species.name,
                         "there is no species of that name in particles");
    } else if (of->is_tracer() && species.has(diameter_name)) {
      reader.add_problem("output.trajectories." + species.name + ".variables",
                         "diameter is among them, but tracers have none");
    }
  }
  if (!tracks.empty()) return;
  for (const SpeciesCase& species : read.particles) tracks.emplace_back().name = species.name;
}

}  // namespace dns
