/// Mistakes between keys: missing, contradictory and useless ones.
#include "tests/config/broken_case.hpp"

namespace dns::test_rules_between_keys {
namespace {

class Contradiction : public testing::TestWithParam<BrokenCase> {};

TEST_P(Contradiction, is_refused) {
  const BrokenCase& broken = GetParam();
  EXPECT_EQ(messages_of(edited_case(broken.from, broken.to)), broken.messages);
}

const std::vector<BrokenCase> missing_keys{
    {"scheme",
     "scheme: splitting\n",
     "",
     "case.yaml:1:1: scheme is missing, but must be given: splitting or projection (numerical "
     "scheme; projection: div u = 0, the one for flows; splitting: for studies of speed)"},
    {"points",
     "points: [8, 9, 10]",
     "length: [1, 1, 1]",
     "case.yaml:3:1: grid.points is missing, but must be given: a list of 3 whole numbers from 4 "
     "to 65536 (nodes along x, y, z, boundary nodes included; periodic: distinct nodes)"},
    {"everything_in_grid",
     "  points: [8, 9, 10]\n",
     "",
     "case.yaml:3:1: grid.points is missing, but must be given: a list of 3 whole numbers from 4 "
     "to 65536 (nodes along x, y, z, boundary nodes included; periodic: distinct nodes)"},
    {"the_section_grid",
     "grid:\n  points: [8, 9, 10]\n",
     "",
     "case.yaml:1:1: grid.points is missing, but must be given: a list of 3 whole numbers from 4 "
     "to 65536 (nodes along x, y, z, boundary nodes included; periodic: distinct nodes)"},
    {"steps_and_end",
     "  steps: 5\n",
     "",
     "case.yaml:14:1: time.steps is missing, but must be given: a whole number >= 0, or time.end "
     "instead (number of time steps of the whole run)"},
    {"one_face",
     "  y_max: {type: wall, temperature: 1}\n",
     "",
     "case.yaml:8:1: boundaries.y_max is missing, but must be given: such as {type: wall, "
     "temperature: 1}, or y: periodic for both faces (boundary conditions of one face)"},
    {"an_axis",
     "  z: periodic\n",
     "",
     "case.yaml:8:1: boundaries.z is missing, but must be given: periodic, wall or symmetry, or "
     "both "
     "z_min and z_max instead (what both faces are; a section holds for both, as that of one face "
     "does for one)"},
    {"type_of_a_face",
     "{type: outflow}",
     "{}",
     "case.yaml:10:3: boundaries.x_max.type is missing, but must be given: wall, inflow, outflow "
     "or symmetry (kind of boundary condition)"},
    {"velocity_of_an_inflow",
     "velocity: [1, 0, 0], ",
     "",
     "case.yaml:9:3: boundaries.x_min.velocity is missing, but must be given: a list of 3 formulas "
     "of x, y, z, t, {profile: ...} or {planes: ...} (velocity at the face [U])"},
    {"temperature_of_a_wall",
     "y_min: {type: wall, temperature: 1}",
     "y_min: {type: wall}",
     "case.yaml:11:3: boundaries.y_min.temperature is missing, but must be given: a formula of x, "
     "y, z, t, {gradient: ...}, {profile: ...} or {planes: ...} (temperature at the face [T0])"},
    {"gradient_of_a_temperature",
     "y_min: {type: wall, temperature: 1}",
     "y_min: {type: wall, temperature: {}}",
     "case.yaml:11:23: boundaries.y_min.temperature.gradient is missing, but must be given: a "
     "formula of x, y, z, t (derivative of the temperature along the outward normal [T0/L])"},
    {"path_of_a_start_file",
     "",
     "initial: {type: file}",
     "case.yaml:17:1: initial.path is missing, but must be given: text (snapshot or checkpoint "
     "of any grid and scheme, the folder of a run (its newest checkpoint), or plain datasets in "
     "HDF5)"},
    {"most_iterations_of_a_tolerance",
     "steps: 5",
     "steps: 5\n  global_tolerance: 1e-6",
     "case.yaml:14:1: time.max_global_iterations is missing, but must be given: a whole number, "
     "for time.global_tolerance (most passes per step when global_tolerance is given)"},
};

const std::vector<BrokenCase> contradictions{
    {"periodic_and_a_face",
     "z: periodic",
     "z: periodic\n  z_min: {type: outflow}",
     "case.yaml:14:3: boundaries.z_min: given together with boundaries.z; keep one of the two"},
    {"periodic_at_one_face",
     "x_max: {type: outflow}",
     "x_max: {type: periodic}",
     "case.yaml:10:11: boundaries.x_max.type is periodic, but must be wall, inflow, outflow or "
     "symmetry (kind of boundary condition); for a periodic axis write x: periodic, without x_min "
     "and x_max"},
    {"an_axis_that_is_an_inflow",
     "z: periodic",
     "z: inflow",
     "case.yaml:13:3: boundaries.z is inflow, but must be periodic, wall or symmetry (what both "
     "faces are; a section holds for both, as that of one face does for one)"},
    {"a_misspelt_face_type",
     "{type: outflow}",
     "{type: outlow}",
     "case.yaml:10:11: boundaries.x_max.type is outlow, but must be wall, inflow, outflow or "
     "symmetry (kind of boundary condition); did you mean outflow?"},
    {"a_face_that_is_no_section",
     "x_max: {type: outflow}",
     "x_max: outflow",
     "case.yaml:10:3: boundaries.x_max is outflow, but must be a section with the keys type, "
     "velocity, temperature, turbulence (boundary conditions of one face)"},
    {"flow_through_a_wall",
     "y_min: {type: wall,",
     "y_min: {type: wall, velocity: [1, 0.5, 0],",
     "case.yaml:11:37: boundaries.y_min.velocity[1] is 0.5, but must be 0 (velocity at the face "
     "[U]); no flow passes a wall, through a face of type inflow it does"},
    {"velocity_of_an_outflow",
     "{type: outflow}",
     "{type: outflow, velocity: [1, 0, 0]}",
     "case.yaml:10:26: boundaries.x_max.velocity: not used by type outflow; leave it out"},
    {"temperature_of_a_symmetry",
     "{type: outflow}",
     "{type: symmetry, temperature: {gradient: 0}}",
     "case.yaml:10:27: boundaries.x_max.temperature: not used by type symmetry in scheme "
     "splitting; "
     "leave it out"},
    {"transfer_in_scheme_splitting",
     "y_min: {type: wall, temperature: 1}",
     "y_min: {type: wall, temperature: {transfer: 1, outside: 0}}",
     "case.yaml:11:37: boundaries.y_min.temperature.transfer: belongs to scheme projection, but "
     "scheme is splitting; leave it out\n"
     "case.yaml:11:50: boundaries.y_min.temperature.outside: belongs to scheme projection, but "
     "scheme is splitting; leave it out"},
    {"backflow_in_scheme_splitting",
     "{type: outflow}",
     "{type: outflow, backflow: stabilised}",
     "case.yaml:10:26: boundaries.x_max.backflow: belongs to scheme projection, but scheme is "
     "splitting; leave it out"},
    {"steps_and_end",
     "steps: 5",
     "steps: 5\n  end: 1",
     "case.yaml:17:3: time.end: given together with time.steps; keep one of the two"},
    {"an_end_too_many_steps_away",
     "steps: 5",
     "end: 1e300",
     "case.yaml:16:3: time.end is 1e300, but must be within 2^53 steps (time to reach [L/U]); "
     "time.step is 0.01"},
    {"most_iterations_without_a_tolerance",
     "steps: 5",
     "steps: 5\n  max_global_iterations: 9",
     "case.yaml:17:3: time.max_global_iterations: has an effect only with time.global_tolerance; "
     "give that too"},
    {"fewer_most_iterations_than_iterations",
     "steps: 5",
     "steps: 5\n  global_iterations: 4\n  global_tolerance: 1e-6\n  max_global_iterations: 3",
     "case.yaml:19:3: time.max_global_iterations is 3, but must be >= time.global_iterations (most "
     "passes per step when global_tolerance is given); that is 4"},
    {"a_start_file_and_a_velocity",
     "",
     "initial: {type: file, path: a.h5, velocity: [0, 0, 0]}",
     "case.yaml:17:35: initial.velocity: given together with initial.type file; keep one of the "
     "two"},
    {"a_path_without_type_file",
     "",
     "initial: {path: a.h5}",
     "case.yaml:17:11: initial.path: used by initial.type file only; add type: file"},
};

INSTANTIATE_TEST_SUITE_P(missing, Contradiction, testing::ValuesIn(missing_keys), name_of_test);
INSTANTIATE_TEST_SUITE_P(between_keys,
                         Contradiction,
                         testing::ValuesIn(contradictions),
                         name_of_test);

}  // namespace
}  // namespace dns::test_rules_between_keys
