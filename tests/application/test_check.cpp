/// `dns check`: how long a run takes.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/application/run_test.hpp"
#include "tests/values_in_file.hpp"

namespace dns::testing::test_check {
namespace {

class Check : public RunTest {};

/// Streams whose speeds are largest in different places; a stretched axis; a wall that moves; noise
/// does not count; a flow from a file.
TEST_F(Check, estimates_the_steps_that_a_run_of_a_given_cfl_number_takes) {
  const std::string periodic = "boundaries: {x: periodic, y: periodic, z: periodic}\n";
  const std::string walls =
      "boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall, velocity: [1, 0, 0]}, "
      "z: periodic}\n";
  const auto text = [](const std::string& more) {
    return "scheme: projection\nfluid: {reynolds: 100}\n" + more +
           "time: {cfl: 0.4, end: 1.5}\noutput: {checkpoint: {every: 1000}}\n";
  };
  write("vortices.yaml", text(periodic + R"yaml(
grid: {points: [20, 24, 8], length: [6.283185307179586, 6.283185307179586, 1]}
initial: {velocity: ["2+sin(x)*cos(y)", "-cos(x)*sin(y)", 0], noise: {amplitude: 0.3}}
)yaml"));
  write("couette.yaml", text(walls + R"yaml(
grid: {points: [16, 24, 8], stretching: {y: {type: tanh, factor: 1.5}}}
initial: {velocity: ["y+0.02*sin(pi*y)*sin(2*pi*z)", 0, 0]}
)yaml"));
  write("continued.yaml",
        text(walls + "grid: {points: [16, 24, 8], stretching: {y: {type: tanh, factor: 1.5}}}\n" +
             "initial: {type: file, path: " + path("couette") + "/checkpoint_FINAL.h5}\n"));
  for (const std::string name : {"vortices", "couette", "continued"}) {
    const std::string file = path(name + ".yaml");
    if (name == "continued") {
      std::string continued = text_of(file);
      const auto steps =
          json_member(run_dns({"info", path("couette"), "--json"}).out, "checkpoints");
      const std::string step = steps.substr(1, steps.size() - 2);
      continued.replace(continued.find("FINAL"), 5, std::string(8 - step.size(), '0') + step);
      write(name + ".yaml", continued);
    }
    const Outcome check = run_dns({"check", file, "--json"});
    ASSERT_EQ(check.exit_code, 0) << check.err;
    const double estimated = std::stod(json_member(check.out, "estimated_steps"));
    ASSERT_EQ(run_dns({"run", file, "-o", path(name)}).exit_code, 0);
    const Outcome info = run_dns({"info", path(name), "--json"});
    const double taken = std::stod(json_member(info.out, "step"));
    EXPECT_NEAR(estimated / taken, 1, 0.2) << name << ": " << estimated << ", taken " << taken;
    const std::string words = run_dns({"check", file}).out;
    const std::string basis =
        name == "continued" ? "if the flow stays as fast as at the start: " : "judged by ";
    EXPECT_NE(words.find(" steps, " + basis), std::string::npos) << words;
  }
}

/// u_tau is 1 at Re_tau 180 with f = 1; Dean's law gives 0.0650 at a bulk velocity 1 and Re_b 5600.
TEST_F(Check, says_cells_in_wall_units_where_the_friction_is_known) {
  const auto checked = [&](const std::string& more) {
    write("channel.yaml",
          "scheme: projection\ngrid: {points: [18, 12, 9], length: [1.5, 2, 0.5]}\n"
          "time: {step: 0.001, steps: 1}\n" +
              more);
    return run_dns({"check", path("channel.yaml")}).out;
  };
  const std::string walls =
      "boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}\n";
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(checked(walls +
                 "fluid: {reynolds: 180}\nforcing: {type: pressure_gradient, value: [1, 0, 0]}\n"),
         "# cells        d+ 15 x 30 x 10; u_tau 1, of the pressure gradient");
  expect(checked(walls +
                 "fluid: {reynolds: 2800}\nforcing: {type: bulk_velocity, value: [1, 0, 0]}\n"),
         "; u_tau 0.065, estimated by Dean's friction law");
  expect(checked(walls + "fluid: {reynolds: 2800}\n"), "# cell Re ");
}

/// 0.1 (1.2^(n+1) - 1.2)/0.2 reaches 1 with n = 6; widths 0.1 r^n that fill it have r = 1.1480.
TEST_F(Check, names_the_largest_ratio_of_neighbouring_cells) {
  const auto checked = [&](const std::string& grid) {
    write("grid.yaml",
          "scheme: projection\nfluid: {reynolds: 100}\ntime: {step: 0.001, steps: 1}\n"
          "boundaries: {x: periodic, y: wall, z: periodic}\ngrid: " +
              grid + "\n");
    return run_dns({"check", path("grid.yaml")}).out;
  };
  const std::string text = checked(
      "{points: [9, auto, 7], length: [1, 3, 1], stretching: {y: {uniform: [0, 2, 0.1], ratio: "
      "1.2}}}");
  EXPECT_NE(text.find("# ratio        1.148 of neighbouring cells at most, at y = 2"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("points: [9, 26, 7]"), std::string::npos) << text;
  EXPECT_EQ(checked("{points: [9, 8, 7]}").find("# ratio"), std::string::npos);
}

TEST_F(Check, warns_of_what_comes_after_the_end_across_walls_and_of_long_steps) {
  const auto warnings = [&](const std::string& more) {
    write("odd.yaml",
          "scheme: projection\nfluid: {reynolds: 100}\ngrid: {points: [16, 9, 8]}\n"
          "boundaries: {x: periodic, y: wall, z: periodic}\n" +
              more);
    const Outcome check = run_dns({"check", path("odd.yaml"), "--json"});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    return json_member(check.out, "warnings");
  };
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const std::string steps = "time: {step: 0.01, steps: 10}\n";
  expect(warnings(steps + "output: {statistics: {start: 0.2}}\n"),
         "output.statistics.start is 0.2, but the run ends at t = 0.1");
  EXPECT_EQ(warnings(steps + "output: {statistics: {start: 0.09}}\n"), "[]");
  expect(warnings(steps + "forcing: {type: pressure_gradient, value: [1, 2, 0]}\n"),
         "forcing.value[1] is 2, but y ends at walls");
  expect(warnings(steps + "forcing: {type: formula, acceleration: [0, -3, \"y\"]}\n"),
         "forcing.acceleration[1] is -3, but y ends at walls");
  EXPECT_EQ(warnings(steps + "forcing: {type: pressure_gradient, value: [1, 0, 2]}\n"), "[]");
  // At an outflow the pressure is given, and what the force moves may leave.
  write("open.yaml",
        "scheme: projection\nfluid: {reynolds: 100}\ngrid: {points: [16, 9, 8]}\n"
        "boundaries: {x_min: {type: wall}, x_max: {type: outflow}, y: wall, z: periodic}\n" +
            steps + "forcing: {type: pressure_gradient, value: [0, 2, 0]}\n");
  EXPECT_EQ(json_member(run_dns({"check", path("open.yaml"), "--json"}).out, "warnings"), "[]");
  // 75 of the 16 cells in a step of 75/16.
  expect(warnings("time: {step: 4.6875, steps: 10}\ninitial: {velocity: [1, 0, 0]}\n"),
         "time.step 4.6875 makes the CFL number 75");
  const Outcome run = run_dns({"run", path("odd.yaml"), "--steps", "2", "-o", path("odd")});
  expect(run.err, "warning: step 0: time.step 4.6875 makes the CFL number 75");
  EXPECT_EQ(run.err.find("step 1: time.step"), std::string::npos) << "once\n" << run.err;
  EXPECT_EQ(warnings("time: {step: 0.0625, steps: 10}\ninitial: {velocity: [1, 0, 0]}\n"), "[]");
}

/// What is warm above what is cold is stable, whether faces give values, gradients or what is
/// outside, of temperature and of scalars, along each axis, and what sides make of a box; a layer
/// heated from below is not. N^2 = 4 times the slope of T - S/2.
TEST_F(Check, says_which_layers_are_stably_stratified) {
  const auto waves = [&](const std::string& boundaries,
                         const std::string& direction,
                         const std::string& carried = "fluid: {reynolds: 100, prandtl: 1}\n") {
    write("layer.yaml",
          "scheme: projection\ngrid: {points: [8, 9, 7], length: [2, 1, 3]}\n"
          "time: {step: 0.001, steps: 1}\nbuoyancy: {richardson: 4, direction: " +
              direction + "}\n" + carried + "boundaries: {" + boundaries + "}\n");
    const Outcome check = run_dns({"check", path("layer.yaml")});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    const std::size_t found = check.out.find("# waves        N ");
    return found == std::string::npos ? 0.0 : std::stod(check.out.substr(found + 17));
  };
  const auto walls = [](const std::string& axis, const std::string& low, const std::string& high) {
    std::string text;
    for (const std::string other : {"x", "y", "z"}) {
      text += text.empty() ? "" : ", ";
      text += other != axis ? other + ": periodic"
                            : fmt::format(
                                  "{0}_min: {{type: wall, {1}}}, {0}_max: {{type: wall, "
                                  "{2}}}",
                                  axis,
                                  low,
                                  high);
    }
    return text;
  };
  const auto across =
      [&](const std::string& axis, const std::string& low, const std::string& high) {
        return walls(axis, "temperature: " + low, "temperature: " + high);
      };
  const double along_z = 2 / std::sqrt(3.0);
  EXPECT_NEAR(waves(across("y", "0", "1"), "y"), 2, 1e-2);
  EXPECT_EQ(waves(across("y", "1", "0"), "y"), 0);
  EXPECT_NEAR(waves(across("z", "0", "1"), "z"), along_z, 1e-2);
  EXPECT_EQ(waves(across("z", "1", "0"), "z"), 0);
  EXPECT_NEAR(waves(across("z", "1", "0"), "[0, 0, -1]"), along_z, 1e-2);
  EXPECT_NEAR(waves(across("x", "1", "0"), "y"), 2, 1e-2);
  EXPECT_GT(waves(across("y", "1", "0"), "[1, 1, 0]"), 0);

  const auto flux = [](const char* outward) { return fmt::format("{{gradient: {}}}", outward); };
  // Cooled or heated from below by a flux, from above, and through both; along z in a layer 3 high.
  EXPECT_NEAR(waves(across("y", flux("-0.25"), "1"), "y"), 1, 1e-2);
  EXPECT_EQ(waves(across("y", flux("0.25"), "1"), "y"), 0);
  EXPECT_NEAR(waves(across("y", "1", flux("0.25")), "y"), 1, 1e-2);
  EXPECT_EQ(waves(across("y", "1", flux("-0.25")), "y"), 0);
  EXPECT_NEAR(waves(across("z", flux("-0.25"), flux("0.25")), "z"), 1, 1e-2);
  EXPECT_EQ(waves(across("z", flux("0.25"), flux("-0.25")), "z"), 0);
  EXPECT_EQ(waves(across("z", flux("0.25"), flux("0")), "z"), 0);
  EXPECT_NEAR(waves(across("y", flux("0"), flux("1")), "y"), 2, 1e-2);  // the slope at the top
  // Between what is outside: 1 through the resistances 1/2 + 1 + 1/0.4 = 4.
  const auto outside = [](const char* transfer, const char* value) {
    return fmt::format("{{transfer: {}, outside: {}}}", transfer, value);
  };
  EXPECT_NEAR(waves(across("y", outside("2", "0"), outside("0.4", "1")), "y"), 1, 1e-2);
  EXPECT_EQ(waves(across("y", outside("2", "1"), outside("0.4", "0")), "y"), 0);
  EXPECT_NEAR(waves(across("y", outside("2", "3"), flux("1")), "y"), 2, 1e-2);
  EXPECT_EQ(waves(across("y", flux("1"), outside("2", "3")), "y"), 0);
  // A flux through the sides makes a difference of 2 times 0.5 in a box 1 high.
  EXPECT_NEAR(waves(across("x", flux("0.5"), "0"), "y"), 2, 1e-2);
  EXPECT_NEAR(waves(across("x", flux("0.5"), flux("-0.5")), "y"), 2, 1e-2);
  // Conduction across a layer that leans: N^2 = 4 e . grad T.
  EXPECT_NEAR(waves(across("y", "0", flux("1")), "[1, 1, 0]"), 2 / std::pow(2, 0.25), 1e-2);

  const std::string salt =
      "scalars: {salt: {prandtl: 1, initial: 0, buoyancy: -0.5}}\nfluid: {reynolds: 100";
  const auto salty = [&](const std::string& low, const std::string& high) {
    return walls("y", "scalars: {salt: " + low + "}", "scalars: {salt: " + high + "}");
  };
  EXPECT_NEAR(waves(salty("2", "0"), "y", salt + "}\n"), 2, 1e-2);
  EXPECT_EQ(waves(salty("0", "2"), "y", salt + "}\n"), 0);
  EXPECT_NEAR(waves(salty(flux("0.5"), "0"), "y", salt + "}\n"), 1, 1e-2);
  EXPECT_EQ(waves(salty("0", flux("0.5")), "y", salt + "}\n"), 0);
  // Warm and salty above: T rises by 1, S by 1.5 through a flux, so that a quarter is left.
  const auto both = [&](const std::string& salt_below, const std::string& salt_above) {
    return walls("y",
                 "temperature: 0, scalars: {salt: " + salt_below + "}",
                 "temperature: 1, scalars: {salt: " + salt_above + "}");
  };
  EXPECT_NEAR(waves(both("0", flux("1.5")), "y", salt + ", prandtl: 1}\n"), 1, 1e-2);
  EXPECT_EQ(waves(both("0", flux("2.5")), "y", salt + ", prandtl: 1}\n"), 0);
}

/// Flows of more cells than a pilot run has: vortices that break down; one under a lid that starts;
/// one that a pressure gradient accelerates from rest; one around a body.
TEST_F(Check, estimates_the_steps_of_a_flow_that_becomes_faster_from_the_same_on_few_cells) {
  const auto text = [](const std::string& more) { return "scheme: projection\n" + more; };
  const std::string periodic = "boundaries: {x: periodic, y: periodic, z: periodic}\n";
  write("breakdown.yaml", text(periodic + R"yaml(
grid: {points: [36, 35, 34], length: [6.283185307179586, 6.283185307179586, 6.283185307179586]}
fluid: {reynolds: 400}
initial: {velocity: ["sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", 0]}
time: {cfl: 0.8, end: 8}
)yaml"));
  write("lid.yaml", text(R"yaml(
grid: {points: [54, 47, 6], stretching: {x: {type: tanh, factor: 1.2}, y: {type: tanh, factor: 1}}}
fluid: {reynolds: 400}
boundaries: {x_min: {type: wall}, x_max: {type: wall}, y_min: {type: wall},
  y_max: {type: wall, velocity: [1, 0, 0]}, z: periodic}
time: {cfl: 1, step: 0.05, end: 6}
)yaml"));
  write("accelerated.yaml", text(R"yaml(
grid: {points: [40, 33, 7], length: [2, 1, 0.4], stretching: {y: {type: tanh, factor: 1.2}}}
fluid: {reynolds: 20}
boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}
forcing: {type: pressure_gradient, value: [1, 0, 0]}
time: {cfl: 0.8, step: 0.05, end: 12}
)yaml"));
  write("around.yaml", text(R"yaml(
grid: {points: [60, 40, 4], length: [6, 4, 0.4]}
fluid: {reynolds: 40}
boundaries: {x_min: {type: inflow, velocity: [1, 0, 0]}, x_max: {type: outflow},
  y_min: {type: symmetry}, y_max: {type: symmetry}, z: periodic}
solids: {rod: {shape: cylinder, axis: z, center: [2, 2, 0], radius: 0.5}}
initial: {velocity: [1, 0, 0]}
time: {cfl: 0.8, end: 6}
)yaml"));
  for (const std::string name : {"breakdown", "lid", "accelerated", "around"}) {
    const std::string file = path(name + ".yaml");
    const Outcome check = run_dns({"check", file, "--json"});
    ASSERT_EQ(check.exit_code, 0) << check.err;
    const double estimated = std::stod(json_member(check.out, "estimated_steps"));
    ASSERT_EQ(run_dns({"run", file, "-o", path(name)}).exit_code, 0);
    const double taken =
        std::stod(json_member(run_dns({"info", path(name), "--json"}).out, "step"));
    EXPECT_NEAR(estimated / taken, 1, 0.2) << name << ": " << estimated << ", taken " << taken;
  }
}

/// A body that no point of the pilot run is in; a force that few cells do not bear.
TEST_F(Check, says_that_it_goes_by_the_start_where_few_cells_do_not_do) {
  const std::string text = R"yaml(
scheme: projection
grid: {points: [64, 40, 36], length: [2, 1.25, 1.125]}
fluid: {reynolds: 10}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: [1, 0, 0]}
time: {cfl: 0.5, end: 1}
)yaml";
  write("dot.yaml",
        text + "solids: {dot: {shape: sphere, center: [1, 0.6, 0.5], radius: 0.028}}\n");
  write("forced.yaml", text + "forcing: {type: bulk_velocity, value: [1, 0, 0], linear: 0.2}\n");
  for (const char* const name : {"dot.yaml", "forced.yaml"}) {
    const Outcome check = run_dns({"check", path(name)});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    EXPECT_NE(check.out.find("64 steps, if the flow stays as fast as at the start: "),
              std::string::npos)
        << check.out;
  }
}

/// The flow is fastest in the last planes of more than are read at a time; a damaged one is
/// refused.
TEST_F(Check, reads_all_of_a_file_to_start_from) {
  const std::string text = R"yaml(
scheme: projection
grid: {points: [128, 126, 70], length: [1, 1, 1]}
fluid: {reynolds: 100}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {step: 0.001, steps: 0}
initial: )yaml";
  write("fast.yaml", text + "{velocity: [\"exp(-50*(z-0.9)^2)\", 0, 0]}\n");
  ASSERT_EQ(run_dns({"run", path("fast.yaml"), "-o", path("fast")}).exit_code, 0);
  const std::string checkpoint = path("fast/checkpoint_00000000.h5");
  write("on.yaml", text + "{type: file, path: " + checkpoint + "}\n");
  const Outcome check = run_dns({"check", path("on.yaml"), "--json"});
  ASSERT_EQ(check.exit_code, 0) << check.err;
  EXPECT_NEAR(std::stod(json_member(check.out, "advective_step")) * 128, 1, 0.005);
  std::string bytes = text_of(checkpoint);
  const std::size_t among_u = bytes.size() / 14;  // u is the first of seven fields
  bytes[among_u] = static_cast<char>(bytes[among_u] ^ 1);
  write("fast/checkpoint_00000000.h5", bytes);
  const Outcome damaged = run_dns({"check", path("on.yaml")});
  EXPECT_EQ(damaged.exit_code, 3);
  EXPECT_NE(damaged.err.find("do not match their checksum"), std::string::npos) << damaged.err;
}

/// The trial of a large case has stretched cells where the case has.
TEST_F(Check, of_a_large_case_keeps_the_coordinates_of_its_cells) {
  std::string faces = "0";
  for (int face = 1; face <= 128; ++face) faces += fmt::format(", {}", face * face / 16384.0);
  write("large.yaml",
        fmt::format(R"yaml(
scheme: projection
grid: {{points: [128, 128, 64], stretching: {{x: {{coordinates: [{}]}}, y: {{factor: 1.5}}}}}}
fluid: {{reynolds: 100}}
boundaries:
  x_min: {{type: wall}}
  x_max: {{type: wall}}
  y_min: {{type: wall}}
  y_max: {{type: wall}}
  z: periodic
initial: {{velocity: [0, 0, 1]}}
time: {{step: 0.001, steps: 1}}
)yaml",
                    faces));
  const Outcome check = run_dns({"check", path("large.yaml")});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_NE(check.out.find("eigenbasis along"), std::string::npos) << check.out;
  EXPECT_EQ(check.out.find("cosine"), std::string::npos) << check.out;
}

/// nu dt/h^2 of a cylinder in cells that are finer along y; insulated bodies conduct nothing; held
/// CFL numbers; nodes.
TEST_F(Check, says_the_diffusion_number_beside_bodies) {
  const auto checked = [&](const std::string& more, const std::string& temperature) {
    write("body.yaml",
          more +
              "grid: {points: [24, 24, 4], length: [2, 1, 0.2]}\n"
              "boundaries: {x: periodic, y: periodic, z: periodic}\n"
              "solids: {rod: {shape: cylinder, axis: z, center: [1, 0.5, 0], radius: 0.2" +
              temperature + "}}\n");
    const Outcome check = run_dns({"check", path("body.yaml"), "--json"});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    return check.out;
  };
  const auto number = [](const std::string& json) {
    return std::stod(json_member(json, "body_diffusion_number"));
  };
  const auto warnings = [](const std::string& json) { return json_member(json, "warnings"); };
  const std::string projection = "scheme: projection\n";
  const std::string steps = "time: {step: 0.5, steps: 1}\n";
  const std::string cold = "fluid: {reynolds: 20}\n";
  const std::string warm = "fluid: {reynolds: 20, prandtl: 0.5}\n";
  for (const std::string precision : {"precision: float\n", "precision: double\n"}) {
    const std::string flow = precision + projection;
    std::string found = checked(flow + cold + steps, "");
    EXPECT_NEAR(number(found), 0.05 * 0.5 * 24 * 24, 1e-9);
    EXPECT_EQ(warnings(found), "[]");
    found = checked(flow + warm + steps, ", temperature: {gradient: 0}");
    EXPECT_NEAR(number(found), 14.4, 1e-9);
    found = checked(flow + warm + steps, ", temperature: 0");
    EXPECT_NEAR(number(found), 28.8, 1e-9);
    EXPECT_NE(warnings(found).find("nu dt/h^2 beside bodies is 28.8, above 18: "),
              std::string::npos)
        << found;
  }
  const std::string held =
      "time: {scheme: implicit, cfl: 0.5, end: 1}\ninitial: {velocity: [1, 0, 0]}\n";
  EXPECT_NEAR(number(checked(projection + cold + held, "")), 0.05 * 0.5 / 12 * 24 * 24, 1e-9);
  const std::string nodes =
      "scheme: splitting\nfluid: {reynolds: 20, prandtl: 1}\ninitial: {temperature: 0}\n";
  const std::string few = checked(nodes + "time: {step: 0.02, steps: 1}\n", ", temperature: 0");
  EXPECT_NEAR(number(few), 0.05 * 0.02 * 24 * 24, 1e-9);
  EXPECT_NE(warnings(few).find("nu dt/h^2 beside bodies is 0.576, above 0.1: "), std::string::npos)
      << few;
  const Outcome words = run_dns({"check", path("body.yaml")});
  EXPECT_NE(words.out.find("# bodies       nu dt/h^2 0.576 beside their surfaces, h = 0.0417\n"),
            std::string::npos)
      << words.out;
  EXPECT_NE(words.out.find("# WARNING      nu dt/h^2 beside bodies is 0.576, above 0.1: "),
            std::string::npos)
      << words.out;
}

/// Three factors amplify what a stream carries along three axes; two do not, nor do stages.
TEST_F(Check, warns_of_a_stream_along_three_axes_in_implicit_steps) {
  const auto warnings = [&](const std::string& velocity, const std::string& time) {
    write("stream.yaml",
          R"yaml(
scheme: projection
grid: {points: [8, 9, 10], length: [1, 1, 1]}
fluid: {reynolds: 1000}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: )yaml" +
              velocity + "}\ntime: " + time + "\n");
    const Outcome check = run_dns({"check", path("stream.yaml")});
    const Outcome run =
        run_dns({"run", path("stream.yaml"), "-q", "--force", "-o", path("stream")});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::string words = "the stream crosses the grid along three axes (CFL ";
    const bool warns = check.out.find("# WARNING      " + words) != std::string::npos;
    EXPECT_EQ(run.err.find(words) != std::string::npos, warns) << check.out << run.err;
    return warns;
  };
  EXPECT_TRUE(warnings("[1, -1, 1]", "{scheme: implicit, cfl: 1, steps: 3}"));
  EXPECT_TRUE(warnings("[1, 1, 1]", "{step: 0.026, steps: 3}"));
  EXPECT_FALSE(warnings("[1, 1, 1]", "{step: 0.02, steps: 3}"));
  EXPECT_FALSE(warnings("[1, 1, 0]", "{scheme: implicit, cfl: 1, steps: 3}"));
  EXPECT_FALSE(warnings("[1, -1, 1]", "{cfl: 1, steps: 3}"));
}

/// Round-off of a float over steps so short that it is much of the pressure, against double: the
/// check and the run warn of as much as there is, and not of longer steps or in double.
TEST_F(Check, warns_of_steps_so_short_that_the_pressure_is_round_off) {
  write("vortices.yaml", R"yaml(
scheme: projection
grid: {points: [16, 16, 16], length: [6.283185307179586, 6.283185307179586, 6.283185307179586]}
fluid: {reynolds: 100}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: ["sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", 0]}
time: {step: 1, steps: 10}
output: {fields: {every: 10, precision: double}, checkpoint: {final: false}}
)yaml");
  const auto pressure = [&](const std::string& step, const std::string& precision, bool warns) {
    const std::string set = "time.step=" + step;
    const std::string file = path("vortices.yaml");
    const Outcome check = run_dns({"check", file, "--set", set, "--precision", precision});
    const Outcome run = run_dns(
        {"run", file, "--set", set, "--precision", precision, "-q", "--force", "-o", path("run")});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::string words = "that round-off is up to ";
    EXPECT_EQ(check.out.find("# WARNING      steps are so short") != std::string::npos, warns)
        << check.out;
    EXPECT_EQ(run.err.find(words) != std::string::npos, warns) << run.err;
    const std::size_t place = check.out.find(words);
    const double part = warns ? std::stod(check.out.substr(place + words.size())) / 100 : 0;
    const Hdf5File fields = Hdf5File::open(path("run/fields_00000010.h5"));
    return std::pair{values_in(fields, "pressure"), part};
  };
  const auto error = [](const std::vector<double>& one, const std::vector<double>& exact) {
    double sum = 0;
    double squares = 0;
    for (std::size_t n = 0; n < exact.size(); ++n) {
      sum += std::pow(one[n] - exact[n], 2);
      squares += exact[n] * exact[n];
    }
    return std::sqrt(sum / squares);
  };
  for (const std::string step : {"1e-6", "1e-5"}) {
    const auto [in_float, part] = pressure(step, "float", true);
    const double found = error(in_float, pressure(step, "double", false).first);
    EXPECT_LT(found, part) << step;
    EXPECT_GT(found, part / 100) << step;
  }
  EXPECT_LT(error(pressure("1e-3", "float", false).first, pressure("1e-3", "double", false).first),
            1e-3);
}

/// Every key that takes a formula: the check and the run name the key, its place, the formula, the
/// point and the value, and no file is made or replaced.
TEST_F(Check, refuses_formulas_without_a_value_with_key_place_point_and_value) {
  struct Wrong {
    std::string key, formula;  // the key as a message names it
    std::string line;          // of the case
  };
  const std::vector<Wrong> all{
      {"initial.velocity", "sqrt(-1-x)", "initial: {velocity: [0, 0, \"sqrt(-1-x)\"]}"},
      {"initial.velocity", "1/(x-x)", "initial: {velocity: [\"1/(x-x)\", 0, 0]}"},
      {"initial.temperature", "log(-x)", "initial: {temperature: \"log(-x)\"}"},
      {"scalars.dye.initial", "0/(x-x)", "scalars: {dye: {initial: \"0/(x-x)\", prandtl: 1}}"},
      {"scalars.dye.source", "log(-y)", "scalars: {dye: {source: \"log(-y)\", prandtl: 1}}"},
      {"scalars.dye.source", "acos(2+t)", "scalars: {dye: {source: \"acos(2+t)\", prandtl: 1}}"},
      {"boundaries.y_max.velocity",
       "sqrt(-x)",
       "boundaries: {y_max: {velocity: [\"sqrt(-x)\", 0, 0]}}"},
      {"boundaries.y_max.velocity",
       "sqrt(-1-t)",
       "boundaries: {y_max: {velocity: [\"sqrt(-1-t)\", 0, 0]}}"},
      {"boundaries.y_max.shear", "log(x-2)", "boundaries: {y_max: {shear: [\"log(x-2)\", 0, 0]}}"},
      {"boundaries.y_max.temperature",
       "1/(z-z)",
       "boundaries: {y_max: {temperature: \"1/(z-z)\"}}"},
      {"boundaries.y_max.temperature.gradient",
       "log(-x)",
       "boundaries: {y_max: {temperature: {gradient: \"log(-x)\"}}}"},
      {"boundaries.y_max.temperature.outside",
       "log(-x)",
       "boundaries: {y_max: {temperature: {transfer: 1, outside: \"log(-x)\"}}}"},
      {"boundaries.y_max.scalars.dye",
       "log(-x)",
       "boundaries: {y_max: {scalars: {dye: \"log(-x)\"}}}"},
      {"forcing.acceleration",
       "sqrt(-x)",
       "forcing: {type: formula, acceleration: [0, \"sqrt(-x)\", 0]}"},
      {"forcing.acceleration",
       "sqrt(-1-t)",
       "forcing: {type: formula, acceleration: [0, \"sqrt(-1-t)\", 0]}"},
      {"forcing.heat", "1/(x-x)", "forcing: {type: formula, heat: \"1/(x-x)\"}"},
      {"forcing.sponges.end.rate",
       "log(-x)",
       "forcing: {type: formula, sponges: {end: {rate: \"log(-x)\", temperature: 0}}}"},
      {"forcing.sponges.end.velocity",
       "log(-x)",
       "forcing: {type: formula, sponges: {end: {rate: 1, velocity: [0, 0, \"log(-x)\"]}}}"},
      {"forcing.sponges.end.temperature",
       "log(-x)",
       "forcing: {type: formula, sponges: {end: {rate: 1, temperature: \"log(-x)\"}}}"},
      {"forcing.sponges.end.scalars.dye",
       "log(-x)",
       "forcing: {type: formula, sponges: {end: {rate: 1, scalars: {dye: \"log(-x)\"}}}}"},
      {"solids.rod.surface",
       "sqrt(-1-x)",
       "solids: {rod: {shape: formula, surface: \"sqrt(-1-x)\", temperature: 0}}"},
  };
  for (const Wrong& wrong : all) {
    const bool has_dye = wrong.key.find("dye") != std::string::npos;
    const auto has = [&](const std::string& section) { return wrong.line.starts_with(section); };
    const auto wall = [&](const std::string& more) {
      std::string text = "{type: wall";
      if (more.find("temperature") == std::string::npos) text += ", temperature: 0";
      if (has_dye && more.find("scalars") == std::string::npos) text += ", scalars: {dye: 0}";
      return text + more + "}";
    };
    std::string upper;
    if (has("boundaries")) {
      const std::size_t begin = std::string("boundaries: {y_max: {").size();
      upper = ", " + wrong.line.substr(begin, wrong.line.size() - begin - 2);
    }
    const std::string text =
        "scheme: projection\ngrid: {points: [6, 5, 4]}\n"
        "fluid: {reynolds: 10, prandtl: 1}\ntime: {step: 0.01, steps: 2}\n"
        "boundaries: {x: periodic, z: periodic, y_min: " +
        wall("") + ",\n  y_max: " + wall(upper) + "}\n" +
        (has("boundaries") ? "" : wrong.line + "\n") +
        (!has_dye || has("scalars") ? "" : "scalars: {dye: {prandtl: 1}}\n");
    write("wrong.yaml", text);
    for (const std::string precision : {"float", "double"}) {
      const std::string file = path("wrong.yaml");
      const Outcome check = run_dns({"check", file, "--precision", precision});
      EXPECT_EQ(check.exit_code, 2) << text << check.out << check.err;
      const std::string place = has("boundaries") ? ":6:" : ":7:";
      EXPECT_EQ(check.err.find(file + place), 0U) << check.err;
      const bool is_infinite = wrong.formula.starts_with("1/");
      EXPECT_NE(check.err.find(": " + wrong.key + ": " + wrong.formula + " is " +
                               (is_infinite ? "inf" : "undefined") + " at x = "),
                std::string::npos)
          << check.err;
      const Outcome run =
          run_dns({"run", file, "--precision", precision, "--force", "-o", path("old")});
      EXPECT_EQ(run.exit_code, 2) << run.err;
      EXPECT_EQ(run.err, check.err);
      EXPECT_FALSE(exists("old"));
    }
  }
}

/// A start that is undefined at one point that only cells of the trial would have.
TEST_F(Check, takes_formulas_that_have_a_value_where_the_run_needs_it) {
  const std::string rest =
      "scheme: projection\nfluid: {reynolds: 10}\ntime: {step: 0.01, steps: 2}\n"
      "boundaries: {x: periodic, y: periodic, z: periodic}\n";
  write("start.yaml",
        rest +
            "grid: {points: [4, 1002, 252], length: [4, 1002, 252]}\n"
            "initial: {velocity: [\"abs(y-501) < 0.1 ? log(-1) : 1\", 0, 0]}\n");
  const Outcome start = run_dns({"check", path("start.yaml")});
  EXPECT_EQ(start.exit_code, 0) << start.err;
}

}  // namespace
}  // namespace dns::testing::test_check
