/// Sections particles, output.trajectories and output.particle_statistics: what is read, and what
/// is refused with its place.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/config/particles_in_words.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_particles_case {
namespace {

const std::string yaml = R"(case: base
scheme: projection
grid: {points: [8, 9, 5], length: [2, 1, 1]}
fluid: {reynolds: 100}
boundaries: {x: periodic, y: wall, z: periodic}
particles:
  tracer: {count: 7, positions: [r1, n/7, "r2*r3"], interpolation: divergence_free}
  dust:
    {count: 9, positions: [0.5, 0.5, 0.1*n], velocity: [x, "n*r1", 0], seed: 4,
     release: {start: 1, every: 0.5 L/U, end: 3}, diameter: 0.02, density: 50,
     gravity: [0, -1, 0], drag: schiller_naumann, restitution: 0.5}
time: {step: 0.1, steps: 5}
output:
  trajectories: {every: 5, dust: {stride: 3, variables: [fluid_velocity]}}
  particle_statistics: {axis: z, bins: 7}
)";

std::string message(const std::string& from, const std::string& to) {
  return messages_of(edited_case(from, to, yaml), {});
}
void expect_message(const std::string& from, const std::string& to, const std::string& part) {
  const std::string found = message(from, to);
  EXPECT_NE(found.find(part), std::string::npos) << found;
}

TEST(particles_of_a_case, are_read_and_written_back) {
  const Case read = parse_case(yaml, "case.yaml", {});
  ASSERT_EQ(read.particles.size(), 2U);
  const SpeciesCase& tracer = read.particles[0];
  EXPECT_TRUE(tracer.is_tracer());
  EXPECT_EQ(tracer.count, 7);
  EXPECT_FALSE(tracer.release.every.is_any());
  EXPECT_EQ(tracer.interpolation, SpeciesCase::Interpolation::divergence_free);
  const SpeciesCase& dust = read.particles[1];
  EXPECT_EQ(dust.interpolation, SpeciesCase::Interpolation::cubic);
  EXPECT_EQ(dust.forces, (std::vector<std::string>{"drag", "gravity"}));
  EXPECT_EQ(dust.release.every, Interval::of_time(0.5));
  EXPECT_DOUBLE_EQ(dust.response_time(read.viscosity()), 50 * 0.02 * 0.02 * 100 / 18);
  EXPECT_EQ(read.output.trajectories->species.size(), 1U);
  EXPECT_EQ(read.output.particle_statistics->bins, 7);
  EXPECT_EQ(to_yaml(parse_case(to_yaml(read), "case.yaml", {})), to_yaml(read));
}

TEST(particles_of_a_case, have_defaults) {
  const Case read =
      parse_case(edited_case("output:\n  trajectories: {every: 5, dust: {stride: 3, variables: "
                             "[fluid_velocity]}}\n  particle_statistics: {axis: z, bins: 7}\n",
                             "output: {trajectories: {}, particle_statistics: {bins: cells}}\n",
                             yaml),
                 "case.yaml",
                 {});
  EXPECT_EQ(read.output.trajectories->species.size(), 2U);
  EXPECT_EQ(read.output.particle_statistics->bins, 0);
  const SpeciesCase fluid =
      parse_case(edited_case("velocity: [x, \"n*r1\", 0]", "velocity: fluid", yaml), "c", {})
          .particles[1];
  EXPECT_FALSE(fluid.velocity);
  const SpeciesCase bubble =
      parse_case(edited_case("drag: schiller_naumann", "forces: [added_mass, drag, gravity]", yaml),
                 "c",
                 {})
          .particles[1];
  EXPECT_EQ(bubble.forces,
            (std::vector<std::string>{"drag", "gravity", "pressure_gradient", "added_mass"}));
  EXPECT_DOUBLE_EQ(bubble.added_mass(), 0.5);
}

TEST(particles_of_a_case, that_cannot_be_are_refused_with_place_and_rule) {
  expect_message("count: 7, ", "", "case.yaml:7:3: particles.tracer.count is missing");
  expect_message("n/7", "y/7", "particles.tracer.positions[1] is y/7, but must be a formula of n");
  expect_message("[r1, n/7, \"r2*r3\"]", "[r1, n/7]", "particles.tracer.positions");
  expect_message("density: 50", "density: 0", "particles.dust.density is 0, but must be > 0");
  expect_message("density: 50,\n", "\n", "particles.dust.density is missing");
  expect_message("count: 7,",
                 "count: 7, gravity: [0, 1, 0],",
                 "particles.tracer.gravity: particles without diameter and density are tracers");
  expect_message("diameter: 0.02",
                 "diameter: 0.2",
                 "particles.dust.diameter is 0.2, but must be at most 0.111111, the width of the "
                 "smallest cell");
  expect_message("drag: schiller_naumann", "forces: [gravity]", "must be a list with drag");
  expect_message("gravity: [0, -1, 0], drag: schiller_naumann",
                 "forces: [drag, gravity]",
                 "must be a list without gravity");
  expect_message(
      "drag: schiller_naumann", "forces: [drag]", "particles.dust.gravity: has no effect");
  expect_message(
      "restitution: 0.5", "restitution: 0.5, walls: absorb", "particles.dust.restitution");
  expect_message("restitution: 0.5",
                 "represents: 3",
                 "particles.dust.represents: has no effect without coupling: two_way");
  expect_message("restitution: 0.5",
                 "coupling: two_way, represents: 0",
                 "particles.dust.represents is 0, but must be > 0");
  expect_message("count: 7,", "count: 7, coupling: two_way,", "particles.tracer.coupling");
  const std::string two_way = edited_case("restitution: 0.5", "coupling: two_way", yaml);
  const std::string with_added_mass =
      edited_case("drag: schiller_naumann", "forces: [drag, gravity, added_mass]", two_way);
  const auto in_stages = [](const std::string& of) {
    return edited_case("time: {step: 0.1", "time: {scheme: runge_kutta, step: 0.001", of);
  };
  EXPECT_EQ(messages_of(with_added_mass, {}), "");
  EXPECT_EQ(messages_of(in_stages(two_way), {}), "");
  const std::string unknown = messages_of(in_stages(with_added_mass), {});
  EXPECT_NE(unknown.find("particles.dust.coupling is two_way, but must be none"),
            std::string::npos);
  EXPECT_NE(unknown.find("in Runge-Kutta stages the acceleration"), std::string::npos) << unknown;
  const std::string high = messages_of("accuracy: {order: [4, 2, 4]}\n" + in_stages(two_way), {});
  EXPECT_NE(high.find("forces on the flow are of order 2"), std::string::npos) << high;
  expect_message(
      "end: 3", "end: 0.5", "particles.dust.release.end is 0.5, but must be >= release.start");
  expect_message("  tracer:", "  velocity:", "the name of a species is that of another quantity");
  expect_message("y: wall",
                 "y_min: {type: wall, velocity: [0, 0.1, 0]}, y_max: {type: wall, velocity: [0, "
                 "0.1, 0]}",
                 "fluid passes the wall y_min: boundaries.y_min.velocity[1] is 0.1");
  expect_message("fluid:", "rotation: {rate: [0, 0, 1]}\nfluid:", "in a frame that rotates");
  const std::string ball = "solids: {ball: {shape: sphere, center: [1, 0.5, 0.5], radius: 0.2";
  EXPECT_EQ(message("fluid:", ball + ", rotation: [1, 0, 3]}}\nfluid:"), "");
  expect_message(
      "fluid:", ball + ", velocity: [1, 0, 0]}}\nfluid:", "solids.ball: fluid passes its surface");
  expect_message("fluid:",
                 "solids: {rod: {shape: cylinder, center: [1, 0.5, 0.5], radius: 0.2, axis: z, "
                 "rotation: [0, 1, 2]}}\nfluid:",
                 "solids.rod: fluid passes its surface");
  expect_message("dust: {stride: 3, variables: [fluid_velocity]}",
                 "tracer: {variables: [diameter]}",
                 "diameter is among them, but tracers have none");
  expect_message("fluid:",
                 "accuracy: {order: [4, 2, 4]}\nfluid:",
                 "case.yaml:8:53: particles.tracer.interpolation is divergence_free, but must be "
                 "cubic");
  expect_message("step: 0.1", "cfl: 3", "time.cfl is 3, but must be at most 2");
  expect_message("dust: {stride", "sand: {stride", "there is no species of that name in particles");
  expect_message("scheme: projection", "scheme: splitting", "particles: ");
}

TEST(particles_of_a_case, are_described_and_warned_of) {
  const Case read = parse_case(yaml, "case.yaml", {});
  const std::vector<std::string> lines = particles_in_words(read, 0.1);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "tracer: 7 particles, 56 bytes each, tracers");
  EXPECT_EQ(
      lines[1],
      "dust: 9 particles in each release, 56 bytes each, tau 0.111, dt/tau 0.9, d 0.18 of the "
      "smallest cell, volume loading 1.9e-05, mass loading 0.00094");
  EXPECT_TRUE(warnings_about_particles(read).empty());
  const Case heavy =
      parse_case(edited_case("count: 9", "count: 900", edited_case("0.02", "0.08", yaml)), "c", {});
  const std::vector<std::string> warnings = warnings_about_particles(heavy);
  ASSERT_EQ(warnings.size(), 3U);
  EXPECT_NE(warnings[0].find("0.72 of the smallest cell"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[1].find("they fill 0.12 of the box"), std::string::npos) << warnings[1];
  EXPECT_NE(warnings[2].find("their mass is 6 of that of the fluid"), std::string::npos)
      << warnings[2];
}

}  // namespace
}  // namespace dns::test_particles_case
