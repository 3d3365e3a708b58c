/// Keys of scalars and mean gradients, and what is refused with them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/config/case_difference.hpp"
#include "solver/config/load_case.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_scalars {
namespace {

using enum ScalarAtFace::Condition;

/// Lines 1 to 12.
const std::string yaml = R"(case: base
scheme: projection
grid: {points: [8, 9, 4], length: [2, 1, 3]}
fluid: {reynolds: 100, prandtl: 0.7}
scalars:
  salt: {prandtl: 7, initial: "y", source: "x*t", buoyancy: -0.5}
  dye: {prandtl: 0.1, mean_gradient: [0, 0, 2]}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1, scalars: {salt: {gradient: "t"}, dye: 0}}
  y_max: {type: wall, temperature: 0, scalars: {dye: {gradient: 0}, salt: "x"}}
  z: periodic
time: {step: 0.01, steps: 5}
buoyancy: {rayleigh: 10}
forcing:
  type: formula
  sponges: {end: {rate: x, scalars: {dye: "2*t"}}}
)";

std::string with(const std::string& from, const std::string& to) {
  std::string text = yaml;
  const std::size_t found = text.find(from);
  EXPECT_NE(found, std::string::npos) << from;
  return text.replace(found, from.size(), to);
}
std::string message(const std::string& from, const std::string& to) {
  return messages_of(with(from, to), {});
}

TEST(scalars, are_read_with_their_conditions_in_the_order_of_the_file) {
  const Case read = parse_case(yaml, "case.yaml", {});
  ASSERT_EQ(read.scalar_count(), 3);
  EXPECT_EQ(read.name_of_scalar(3), "temperature");
  EXPECT_EQ(read.name_of_scalar(4), "salt");
  EXPECT_EQ(read.name_of_scalar(5), "dye");
  EXPECT_DOUBLE_EQ(read.diffusivity(3), 1 / 70.0);
  EXPECT_DOUBLE_EQ(read.diffusivity(4), 1 / 700.0);
  EXPECT_DOUBLE_EQ(read.diffusivity(5), 1 / 10.0);
  EXPECT_EQ(read.initial_formula(4)(0, 0.25, 0, 0), 0.25);
  EXPECT_EQ(read.source_formula(4)(3, 0, 0, 2), 6);
  EXPECT_TRUE(read.source_formula(5).is_zero());
  EXPECT_EQ(read.mean_gradient(5), (PerAxis<double>{0, 0, 2}));
  EXPECT_FALSE(read.has_mean_gradient(3));
  EXPECT_EQ(read.scalar(4).buoyancy, -0.5);
  const FaceCase& low = read.faces[2];
  EXPECT_EQ(low.scalar(3).condition, value);
  EXPECT_EQ(low.scalar(4).condition, gradient);
  EXPECT_TRUE(low.scalar(4).given.depends_on_time());
  EXPECT_EQ(low.scalar(5).condition, value);
  EXPECT_EQ(read.faces[3].scalar(4).given(5, 0, 0, 0), 5);
  EXPECT_EQ(read.faces[3].scalar(5).condition, gradient);
  const SpongeCase& sponge = read.forcing.sponges.at(0);
  ASSERT_EQ(sponge.scalars.size(), 2U);
  EXPECT_FALSE(sponge.scalars[0]);
  EXPECT_EQ((*sponge.scalars[1])(0, 0, 0, 3), 6);
  EXPECT_EQ(read.output.fields.variables,
            (std::vector<std::string>{"velocity", "temperature", "salt", "dye", "pressure"}));
}

TEST(scalars, need_no_temperature) {
  const Case read = parse_case(R"(scheme: projection
grid: {points: [8, 9, 4]}
fluid: {reynolds: 100}
scalars: {dye: {prandtl: 2}}
boundaries:
  x: periodic
  y_min: {type: inflow, velocity: [0, 1, 0], scalars: {dye: 1}}
  y_max: {type: outflow}
  z: periodic
solids: {ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.2, scalars: {dye: {gradient: 0}}}}
time: {step: 0.01, steps: 5}
output:
  fields: {variables: [dye, velocity]}
  slices: {planes: {middle: {variable: dye}}}
)",
                               "case.yaml",
                               {});
  EXPECT_FALSE(read.has_temperature());
  EXPECT_EQ(read.name_of_scalar(first_scalar), "dye");
  EXPECT_EQ(read.faces[2].scalar(first_scalar).given(0, 0, 0, 0), 1);
  EXPECT_TRUE(read.solids[0].scalar(first_scalar).is_insulated());
  EXPECT_EQ(read.output.fields.variables, (std::vector<std::string>{"velocity", "dye"}));
  EXPECT_EQ(read.output.slices->planes[0].variable, "dye");
}

TEST(scalars, rise_without_temperature) {
  const std::string cold = R"(scheme: projection
grid: {points: [8, 9, 4]}
fluid: {reynolds: 100}
scalars: {dye: {prandtl: 2}, salt: {prandtl: 3, buoyancy: -2}}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {step: 0.01, steps: 5}
)";
  const Case read =
      parse_case(cold + "buoyancy: {richardson: 7, direction: [0, 3, -4]}\n", "case.yaml", {});
  EXPECT_EQ(read.buoyancy_factor(), 7);
  EXPECT_FALSE(read.axis_of_buoyancy());
  EXPECT_EQ(read.buoyancy_along()[0], 0);
  EXPECT_DOUBLE_EQ(read.buoyancy_along()[1], 7 * 0.6);
  EXPECT_DOUBLE_EQ(read.buoyancy_along()[2], -7 * 0.8);
  EXPECT_EQ(read.buoyancy_weight(first_scalar), 0);
  EXPECT_EQ(read.buoyancy_weight(first_scalar + 1), -2);
  const std::string text = to_yaml(read);
  EXPECT_NE(text.find("  richardson: 7\n  direction: [0, 3, -4]\n"), std::string::npos) << text;
  EXPECT_EQ(to_yaml(parse_case(text, "case.yaml", {})), text);

  EXPECT_EQ(
      messages_of(cold + "buoyancy: {rayleigh: 7}\n"),
      "case.yaml:7:1: buoyancy: needs a temperature: give fluid.prandtl too, or richardson in "
      "place of rayleigh and a scalar with a buoyancy");
  EXPECT_EQ(messages_of(cold + "buoyancy: {richardson: 7, reference_temperature: 1}\n"),
            "case.yaml:7:27: buoyancy.reference_temperature: the flow has a temperature only if "
            "fluid.prandtl is given");
  EXPECT_EQ(
      messages_of(cold + "buoyancy: {richardson: 7}\n", {{"scalars.salt.buoyancy", "0", "--set"}}),
      "case.yaml:7:1: buoyancy: nothing rises: give fluid.prandtl, or a scalar with a "
      "buoyancy");
}

TEST(buoyancy, along_an_axis_is_the_same_by_letter_and_by_vector) {
  for (const std::string direction : {"z", "[0, 0, 1]", "[0, 0, 0.3]"}) {
    const Case read = parse_case(yaml, "case.yaml", {{"buoyancy.direction", direction, "--set"}});
    EXPECT_EQ(read.buoyancy_along(), (PerAxis<double>{0, 0, read.buoyancy_factor()}));
    EXPECT_EQ(read.axis_of_buoyancy(), 2);
    const bool is_letter = to_yaml(read).find("direction: z\n") != std::string::npos;
    EXPECT_EQ(is_letter, direction != "[0, 0, 0.3]");
  }
}

TEST(scalars, come_back_from_the_text_of_a_case) {
  const Case read = parse_case(yaml, "case.yaml", {});
  const std::string text = to_yaml(read);
  EXPECT_NE(text.find("scalars: {salt: {gradient: \"t\"}, dye: 0}"), std::string::npos) << text;
  EXPECT_EQ(to_yaml(parse_case(text, "case.yaml", {})), text);
  const std::string without = with(", buoyancy: -0.5", "");
  const std::string passive =
      to_yaml(parse_case(without.substr(0, without.find("buoyancy:")), "case.yaml", {}));
  EXPECT_EQ(to_yaml(parse_case(passive, "case.yaml", {})), passive);
}

TEST(scalars, are_refused_by_scheme_splitting) {
  const std::string messages = message("scheme: projection", "scheme: splitting");
  EXPECT_NE(messages.find("case.yaml:5:1: scalars: belongs to scheme projection, but scheme is "
                          "splitting; leave it out"),
            std::string::npos)
      << messages;
  EXPECT_NE(
      messages.find("case.yaml:10:39: boundaries.y_min.scalars: belongs to scheme projection"),
      std::string::npos)
      << messages;
  EXPECT_NE(messages_of(valid_case + "temperature: {mean_gradient: [0, 0, 1]}\n", {})
                .find("temperature.mean_gradient: belongs to scheme projection"),
            std::string::npos);
}

TEST(scalars, with_names_of_other_quantities_are_refused) {
  for (const std::string name : {"u",
                                 "T",
                                 "p",
                                 "uu",
                                 "x",
                                 "time",
                                 "temperature",
                                 "velocity",
                                 "velocity_x",
                                 "vorticity",
                                 "solid",
                                 "u_salt",
                                 "heat_flux"}) {
    const std::string messages =
        messages_of(with("fluid:", "fluid:"), {{"scalars." + name + ".prandtl", "1", "--set"}});
    EXPECT_NE(messages.find("scalars." + name +
                            ": the name of a scalar is that of another quantity, or begins like "
                            "one"),
              std::string::npos)
        << name << ": " << messages;
  }
  EXPECT_NE(
      messages_of(yaml, {{"scalars.salt_mean.prandtl", "1", "--set"}})
          .find("scalars.salt_mean: the name of a scalar begins with that of scalar salt, like "
                "its averages"),
      std::string::npos);
  EXPECT_NE(messages_of(yaml, {{"scalars.a-b.prandtl", "1", "--set"}})
                .find("the name of a scalar is made of letters, digits and '_', 50 at most"),
            std::string::npos);
}

TEST(scalars, with_wrong_keys_are_refused_with_the_place) {
  EXPECT_EQ(
      message("prandtl: 7, ", ""),
      "case.yaml:6:3: scalars.salt.prandtl is missing, but must be given: a number > 0 (Prandtl "
      "or Schmidt number, kinematic viscosity / diffusivity of the scalar)");
  EXPECT_EQ(
      message("prandtl: 7", "prandtl: 0"),
      "case.yaml:6:10: scalars.salt.prandtl is 0, but must be > 0 (Prandtl or Schmidt number, "
      "kinematic viscosity / diffusivity of the scalar)");
  EXPECT_EQ(
      message(", dye: 0}", "}"),
      "case.yaml:10:39: boundaries.y_min.scalars.dye is missing, but must be given: a formula "
      "of x, y, z, t, {gradient: ...}, {transfer: ...}, {profile: ...} or {planes: ...} (scalar at "
      "the face, "
      "without G . x)");
  EXPECT_EQ(message(", dye: 0}", ", dye: 0, sand: 1}"),
            "case.yaml:10:80: boundaries.y_min.scalars.sand: there is no scalar of that name in "
            "scalars");
  EXPECT_EQ(message("dye: \"2*t\"", "sand: 1"),
            "case.yaml:17:38: forcing.sponges.end.scalars.sand: there is no scalar of that name in "
            "scalars");
  EXPECT_EQ(message(", scalars: {dye: \"2*t\"}", ""),
            "case.yaml:17:13: forcing.sponges.end: has no target: give a velocity, a temperature "
            "or scalars");
  EXPECT_EQ(
      message("buoyancy: {rayleigh: 10}\n", ""),
      "case.yaml:6:51: scalars.salt.buoyancy: has an effect only with buoyancy; give that too");
}

TEST(scalars, of_more_than_a_thousand_are_refused_at_once) {
  std::string more = "scalars:\n";
  for (int n = 0; n < 1001; ++n) more += "  s" + std::to_string(n) + ": {prandtl: 1}\n";
  EXPECT_TRUE(
      message("scalars:\n", more)
          .starts_with("case.yaml:5:1: scalars: 1003 scalars, but at most 1000 are taken\n"));
}

/// `yaml` with other boundaries across y.
std::string between(const std::string& low, const std::string& high) {
  return with(
      yaml.substr(yaml.find("  y_min:"), yaml.find("  z: periodic") - yaml.find("  y_min:")),
      "  y_min: " + low + "\n  y_max: " + high + "\n");
}

TEST(conditions_on_scalars, are_read_at_all_kinds_of_faces) {
  const Case read = parse_case(
      between("{type: symmetry, temperature: {transfer: 2, outside: \"cos(t)\"}, scalars: {dye: "
              "{gradient: \"x\"}}}",
              "{type: wall, temperature: 1, scalars: {salt: {transfer: 0, outside: 3}, dye: 1}}"),
      "case.yaml",
      {});
  const FaceCase& low = read.faces[2];
  EXPECT_EQ(low.scalar(3).condition, transfer);
  EXPECT_EQ(low.scalar(3).transfer, 2);
  EXPECT_TRUE(low.scalar(3).given.depends_on_time());
  EXPECT_EQ(low.scalar(4).condition, by_default);  // salt: symmetric
  EXPECT_EQ(low.scalar(5).condition, gradient);
  EXPECT_FALSE(low.gives_velocity());
  const FaceCase& high = read.faces[3];
  EXPECT_EQ(high.scalar(3).condition, value);
  EXPECT_EQ(high.scalar(4).condition, transfer);
  EXPECT_EQ(high.scalar(4).given(0, 0, 0, 0), 3);
  const std::string text = to_yaml(read);
  EXPECT_NE(text.find("y_min: {type: symmetry, temperature: {transfer: 2, outside: \"cos(t)\"}, "
                      "scalars: {dye: {gradient: \"x\"}}}"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("scalars: {salt: {transfer: 0, outside: 3}, dye: 1}"), std::string::npos);
  EXPECT_EQ(to_yaml(parse_case(text, "case.yaml", {})), text);
}

TEST(conditions_on_scalars, at_outflows_replace_what_is_carried_out) {
  const Case read = parse_case(
      between(
          "{type: inflow, velocity: [0, 1, 0], temperature: {transfer: 1, outside: 2}, scalars: "
          "{salt: 0, dye: 1}}",
          "{type: outflow, backflow: stabilised, scalars: {salt: {gradient: 0}}}"),
      "case.yaml",
      {});
  EXPECT_EQ(read.faces[3].backflow, Backflow::stabilised);
  EXPECT_EQ(read.faces[3].scalar(3).condition, by_default);
  EXPECT_EQ(read.faces[3].scalar(4).condition, gradient);
  EXPECT_EQ(read.faces[3].scalar(5).condition, by_default);
  const std::string text = to_yaml(read);
  EXPECT_NE(text.find("y_max: {type: outflow, scalars: {salt: {gradient: 0}}, backflow: "
                      "stabilised}"),
            std::string::npos)
      << text;
  EXPECT_EQ(to_yaml(parse_case(text, "case.yaml", {})), text);
}

TEST(conditions_on_scalars, that_are_wrong_are_refused_with_the_place) {
  const std::string low = "{type: symmetry, temperature: ";
  const std::string high = "{type: wall, temperature: 0, scalars: {salt: 0, dye: 0}}";
  const auto refusal = [&](const std::string& temperature) {
    return messages_of(between(low + temperature + "}", high));
  };
  const std::string place = "case.yaml:10:41: boundaries.y_min.temperature.";
  EXPECT_EQ(refusal("{transfer: -1, outside: 0}"),
            place +
                "transfer is -1, but must be >= 0 (h of dT/dn = h (outside - T), along the "
                "outward normal: a heat transfer coefficient over the conductivity [1/L])");
  EXPECT_EQ(
      refusal("{transfer: 1}"),
      "case.yaml:10:27: boundaries.y_min.temperature.outside is missing, but must be given: a "
      "formula of x, y, z, t (temperature outside [T0])");
  EXPECT_EQ(
      refusal("{outside: 1}"),
      "case.yaml:10:27: boundaries.y_min.temperature.transfer is missing, but must be given: "
      "a number >= 0 (h of dT/dn = h (outside - T), along the outward normal: a heat transfer "
      "coefficient over the conductivity [1/L])");
  EXPECT_EQ(refusal("{transfer: 1, outside: 0, gradient: 2}").substr(0, 120),
            "case.yaml:10:66: boundaries.y_min.temperature.gradient: given together with transfer; "
            "keep one of the two");
  EXPECT_NE(refusal("{transfer: 1, outside: 0, value: 2}").find("temperature.value: unknown key"),
            std::string::npos)
      << refusal("{transfer: 1, outside: 0, value: 2}");
  EXPECT_NE(refusal("{transfer: x, outside: 0}").find("transfer is x, but must be a number"),
            std::string::npos)
      << refusal("{transfer: x, outside: 0}");
  EXPECT_NE(refusal("1, backflow: stabilised").find("backflow: not used by type symmetry"),
            std::string::npos);
  EXPECT_NE(messages_of(between("{type: symmetry, scalars: {sand: 1}}", high))
                .find("boundaries.y_min.scalars.sand: there is no scalar of that name"),
            std::string::npos);
  EXPECT_NE(messages_of(between("{type: symmetry, temperature: {profile: a.csv}}", high))
                .find("a file gives values to faces of type inflow or wall"),
            std::string::npos);
}

TEST(mean_gradients, are_for_periodic_axes_without_solids_and_not_in_the_start) {
  EXPECT_EQ(message("[0, 0, 2]", "[0, 2, 0]"),
            "case.yaml:7:42: scalars.dye.mean_gradient[1] is 2, but must be 0 (gradient G of the "
            "scalar: its value is G . x and what is solved for [1/L]); a mean gradient is imposed "
            "along periodic axes only, and y is not periodic: faces give what changes along it");
  EXPECT_EQ(message("prandtl: 0.1, ", "prandtl: 0.1, initial: \"2*z+sin(x)\", "),
            "case.yaml:7:23: scalars.dye.initial is \"2*z+sin(x)\", but must be without 2 z (the "
            "scalar at the start, without G . x); scalars.dye.mean_gradient adds it");
  EXPECT_EQ(message("prandtl: 0.1, ", "prandtl: 0.1, initial: \"sin(2*pi*z/3)\", "), "");
  EXPECT_EQ(messages_of(yaml, {{"temperature.mean_gradient", "[-1, 0, 0]", "--set"}}), "");
  EXPECT_NE(messages_of(yaml,
                        {{"temperature.mean_gradient", "[-1, 0, 0]", "--set"},
                         {"initial.temperature", "y-x", "--set"}})
                .find("initial.temperature is y-x, but must be without -1 x"),
            std::string::npos);
  EXPECT_NE(
      messages_of(yaml,
                  {{"solids",
                    "{ball: {shape: sphere, center: [1, 0.5, 1], radius: 0.2, temperature: 1, "
                    "scalars: {salt: 1, dye: 1}}}",
                    "--set"}})
          .find("scalars.dye.mean_gradient: what it is at the surface of solids is not known; "
                "leave one out"),
      std::string::npos);
}

TEST(scalars, take_the_order_of_another_case_with_all_that_belongs_to_them) {
  const Case before = parse_case(yaml, "case.yaml", {});
  const std::string salt =
      "  salt: {prandtl: 7, initial: \"y\", source: \"x*t\", buoyancy: -0.5}\n";
  const std::string dye = "  dye: {prandtl: 0.1, mean_gradient: [0, 0, 2]}\n";
  const std::string swapped = with(salt + dye, dye + salt);
  Case now = parse_case(swapped, "case.yaml", {});
  EXPECT_NE(to_yaml(now), to_yaml(before));
  EXPECT_EQ(differences_of_flow(before, now), std::vector<std::string>{});
  take_order_of_scalars(before, now);
  EXPECT_EQ(to_yaml(now), to_yaml(before));
}

}  // namespace
}  // namespace dns::test_scalars
