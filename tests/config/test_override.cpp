/// Overrides from the command line.
#include "tests/config/broken_case.hpp"

namespace dns::test_override {
namespace {

Case with(const std::vector<std::string>& settings) {
  std::vector<Override> overrides;
  overrides.reserve(settings.size());
  for (const std::string& setting : settings) overrides.push_back(parse_override(setting, "--set"));
  return parse_case(valid_case, "case.yaml", overrides);
}

std::string messages_with(const std::vector<std::string>& settings) {
  return message_of<CaseError>([&] { return with(settings); });
}

TEST(override_of_a_key, replaces_the_value_of_the_file) {
  EXPECT_EQ(with({"grid.points=[16, 17, 18]"}).grid.points, (Extents{16, 17, 18}));
  EXPECT_EQ(with({"fluid.reynolds=1e3"}).fluid.reynolds, 1000);
}

TEST(override_of_a_key, creates_missing_sections) {
  EXPECT_EQ(with({"output.fields.compression=4"}).output.fields.compression, 4);
}

TEST(override_of_a_key, replaces_a_whole_section) {
  const Case read = with({"boundaries.x_min={type: wall, temperature: {gradient: 0.5}}"});
  EXPECT_EQ(read.faces[0].kind, FaceKind::wall);
  EXPECT_EQ(read.faces[0].scalars[0].condition, ScalarAtFace::Condition::gradient);
  EXPECT_EQ(read.faces[0].scalars[0].given(0, 0, 0, 0), 0.5);
}

TEST(override_of_a_key, reaches_into_a_face) {
  EXPECT_EQ(with({"boundaries.y_max.temperature=2"}).faces[3].scalars[0].given(0, 0, 0, 0), 2);
  const Case read = with({"boundaries.y_max.temperature.gradient=3"});
  EXPECT_EQ(read.faces[3].scalars[0].condition, ScalarAtFace::Condition::gradient);
}

TEST(override_of_a_key, changes_one_of_two_faces_that_share_an_alias) {
  const std::string yaml =
      edited_case("y_min: {type: wall, temperature: 1}\n  y_max: {type: wall, ",
                  "y_min: &wall {type: wall, temperature: 1}\n"
                  "  y_max: *wall\n"
                  "  # {");
  const Case read = parse_case(yaml, "case.yaml", {{"boundaries.y_max.temperature", "2", "--set"}});
  EXPECT_EQ(read.faces[2].scalars[0].given(0, 0, 0, 0), 1);
  EXPECT_EQ(read.faces[3].scalars[0].given(0, 0, 0, 0), 2);
}

TEST(override_of_a_key, wins_over_an_alternative_in_the_file) {
  const Case until = with({"time.end=0.2"});
  EXPECT_EQ(until.time.end, 0.2);
  EXPECT_EQ(until.time.steps, 20);
  EXPECT_TRUE(with({"boundaries.x=periodic"}).is_periodic(0));
  const Case walls = with({"boundaries.z_min={type: outflow}", "boundaries.z_max={type: outflow}"});
  EXPECT_FALSE(walls.is_periodic(2));
}

TEST(override_of_a_key, of_the_start_file_drops_the_velocity_of_the_case_file) {
  const std::string yaml =
      valid_case + "initial: {velocity: [1, 0, 0], temperature: 3, noise: {amplitude: 0.5}}";
  const Case read = parse_case(
      yaml, "case.yaml", {{"initial.type", "file", "--set"}, {"initial.path", "a.h5", "--set"}});
  EXPECT_EQ(read.initial.file, "a.h5");
  EXPECT_EQ(read.initial.temperature(0, 0, 0, 0), 3);  // for a file that has none
  EXPECT_EQ(read.initial.noise.amplitude, 0.5);
}

TEST(override_of_a_key, takes_a_path_as_it_stands) {
  EXPECT_EQ(with({"output.directory=/data/run #1: a"}).output.directory, "/data/run #1: a");
  EXPECT_EQ(with({"output.directory=\"a b\""}).output.directory, "a b");
  EXPECT_EQ(with({"case=007"}).name, "007");
}

TEST(override_of_a_key, by_a_later_override_wins) {
  EXPECT_EQ(with({"time.steps=7", "time.steps=9"}).time.steps, 9);
}

TEST(override_of_a_key, mends_a_mistake_of_the_file) {
  const std::string yaml = edited_case("reynolds: 100", "reynolds: -1");
  EXPECT_EQ(messages_of(yaml, {{"fluid.reynolds", "10", "--set"}}), "");
}

TEST(override_of_a_key, with_a_wrong_value_is_named_in_the_message) {
  EXPECT_EQ(messages_with({"grid.points=[4,4]"}),
            "--set grid.points=[4,4]: grid.points is [4, 4], but must be a list of 3 whole numbers "
            "from 4 to 65536 (nodes along x, y, z, boundary nodes included; periodic: distinct "
            "nodes)");
  EXPECT_EQ(messages_with({"grid.points=[4,4,3]"}),
            "--set grid.points=[4,4,3]: grid.points[2] is 3, but must be from 4 to 65536 (nodes "
            "along x, y, z, boundary nodes included; periodic: distinct nodes)");
  EXPECT_EQ(messages_with({"time.step="}),
            "--set time.step=: time.step is empty, but must be a number > 0 (time step [L/U])");
}

TEST(override_of_a_key, by_another_option_is_named_by_that_option) {
  EXPECT_EQ(messages_of(valid_case, {{"precision", "half", "--precision"}}),
            "--precision half: precision is half, but must be float or double (floating-point "
            "numbers of the computation)");
}

TEST(override_of_a_key, that_is_unknown_is_refused) {
  EXPECT_EQ(messages_with({"grid.lenght=[1,1,1]"}),
            "--set grid.lenght=[1,1,1]: grid.lenght: unknown key; did you mean grid.length?");
  EXPECT_EQ(messages_with({"gird.points=[8,8,8]"}),
            "--set gird.points=[8,8,8]: gird.points: unknown key; did you mean grid.points?");
  EXPECT_EQ(messages_with({"grid..points=1"}),
            "--set grid..points=1: grid..points: unknown key; did you mean grid.points?");
  EXPECT_EQ(messages_with({"time.cfl=0.5"}),
            "--set time.cfl=0.5: time.cfl: belongs to scheme projection, but scheme is "
            "splitting; leave it out");
}

TEST(override_of_a_key, that_is_no_yaml_is_refused) {
  EXPECT_EQ(messages_with({"grid.points=[4,4"}),
            "--set grid.points=[4,4: grid.points: the value is no YAML: end of sequence flow not "
            "found");
}

TEST(override_of_a_key, by_two_contradicting_overrides_is_refused) {
  EXPECT_EQ(messages_with({"time.end=1", "time.steps=5"}),
            "--set time.end=1: time.end: given together with time.steps; keep one of the two");
}

TEST(override_of_a_key, comes_after_the_mistakes_of_the_file) {
  EXPECT_EQ(messages_of(edited_case("step: 0.01", "step: 0"), {{"fluid.reynolds", "0", "--set"}}),
            "case.yaml:15:3: time.step is 0, but must be > 0 (time step [L/U])\n"
            "--set fluid.reynolds=0: fluid.reynolds is 0, but must be > 0 (Reynolds number U L / "
            "kinematic viscosity)");
}

TEST(override_text, is_split_at_the_first_equals_sign) {
  const Override given = parse_override("initial.temperature = x==1", "--set");
  EXPECT_EQ(given.path, "initial.temperature");
  EXPECT_EQ(given.value, "x==1");
  EXPECT_EQ(given.from, "--set");
}

TEST(override_text, without_an_equals_sign_is_refused) {
  for (const std::string text : {"grid.points", "=5", ""}) {
    EXPECT_EQ(message_of<CaseError>([&] { return parse_override(text, "--set"); }),
              "--set " + text + ": must be key.path=value, such as --set grid.points=[64,64,64]");
  }
}

}  // namespace
}  // namespace dns::test_override
