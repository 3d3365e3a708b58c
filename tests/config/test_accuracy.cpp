/// accuracy.order and time.scheme: what they become, and what is refused with which cure.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "solver/config/step_limit.hpp"
#include "solver/core/error.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_accuracy {
namespace {

/// A case of one line a section; the lines of `more` come last.
std::string box(const std::string& accuracy,
                const std::string& time,
                const std::string& boundaries = "{x: periodic, y: periodic, z: periodic}",
                const std::string& more = "") {
  return "scheme: projection\n"
         "grid: {points: [12, 8, 6], length: [1.2, 1.6, 3]" +
         more + "}\naccuracy: {order: " + accuracy +
         "}\nfluid: {reynolds: 100}\nboundaries: " + boundaries + "\ntime: " + time + "\n";
}
using Orders = PerAxis<int>;

Case read(const std::string& yaml) {
  return parse_case(yaml, "case.yaml", {});
}

TEST(accuracy, a_number_holds_along_uniform_periodic_axes_of_enough_cells) {
  const std::string time = "{step: 0.01, steps: 5}";
  EXPECT_EQ(read(box("2", time)).accuracy.order, (Orders{2, 2, 2}));
  EXPECT_EQ(read(box("6", time)).accuracy.order, (Orders{6, 6, 6}));
  EXPECT_EQ(read(box("8", time)).accuracy.order, (Orders{8, 8, 2}));
  EXPECT_EQ(
      read(box("4", time, "{x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}"))
          .accuracy.order,
      (Orders{4, 2, 4}));
  EXPECT_EQ(read(box("4",
                     time,
                     "{x: periodic, y: periodic, z: periodic}",
                     ", stretching: {x: {type: tanh, factor: 1}}"))
                .accuracy.order,
            (Orders{2, 4, 4}));
  EXPECT_EQ(read(box("[6, 2, 4]", time)).accuracy.order, (Orders{6, 2, 4}));
}

const std::string symmetric_y =
    "{x: periodic, y_min: {type: symmetry}, y_max: {type: symmetry}, z: periodic}";

TEST(accuracy, diffusion_between_boundaries_is_explicit_where_the_case_says_so) {
  const std::string walls = "{x: periodic, y: wall, z: wall}";
  const std::string cfl = "{cfl: 1, steps: 5";
  const Case one = read(box("2", cfl + ", explicit_diffusion: [z]}", walls));
  EXPECT_TRUE(has_implicit_diffusion(one, 1));
  EXPECT_FALSE(has_implicit_diffusion(one, 2));
  EXPECT_LT(step_limit(one).diffusive_step(),
            step_limit(read(box("2", cfl + "}", walls))).diffusive_step());
  EXPECT_EQ(parse_case(to_yaml(one), "resolved", {}).time.explicit_diffusion,
            (PerAxis<bool>{false, false, true}));
  EXPECT_TRUE(has_implicit_diffusion(
      read(box("2", "{step: 0.01, steps: 5, explicit_diffusion: []}", walls)), 1));
  const auto refused = [&](const std::string& time, const std::string& grid, const char* why) {
    try {
      read(box("2", time, walls, grid));
      ADD_FAILURE() << time;
    } catch (const CaseError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused(cfl + ", explicit_diffusion: [y]}", ", stretching: {y: {factor: 1}}", "y is stretched");
  refused("{step: 0.01, steps: 5, explicit_diffusion: [y]}", "", "of time.scheme runge_kutta");
}

TEST(accuracy, a_number_holds_between_planes_of_symmetry_that_nothing_crosses) {
  const std::string time = "{step: 0.01, steps: 5}";
  const Case symmetric = read(box("4", time, symmetric_y));
  EXPECT_EQ(symmetric.accuracy.order, (Orders{4, 4, 4}));
  EXPECT_FALSE(has_implicit_diffusion(symmetric, 1));
  EXPECT_TRUE(has_implicit_diffusion(read(box("[4, 2, 4]", time, symmetric_y)), 1));
  const std::string half =
      "{x: periodic, y_min: {type: wall}, y_max: {type: symmetry}, z: periodic}";
  EXPECT_EQ(read(box("4", time, half)).accuracy.order, (Orders{4, 2, 4}));
  EXPECT_EQ(read(box("4", time, symmetric_y, ", stretching: {y: {factor: 1}}")).accuracy.order,
            (Orders{4, 2, 4}));
  std::string lifted = box("4", time, symmetric_y) + "buoyancy: {rayleigh: 100, direction: y}\n";
  lifted.replace(lifted.find("100}"), 4, "100, prandtl: 1}");
  EXPECT_EQ(read(lifted).accuracy.order, (Orders{4, 2, 4}));
  lifted.replace(lifted.find("direction: y"), 12, "direction: x");
  EXPECT_EQ(read(lifted).accuracy.order, (Orders{4, 4, 4}));
}

/// A box between planes of symmetry across y, with a temperature.
std::string warm_planes(const std::string& order, const std::string& low) {
  std::string yaml = box(
      order,
      "{step: 0.01, steps: 5}",
      "{x: periodic, y_min: {type: symmetry" + low + "}, y_max: {type: symmetry}, z: periodic}");
  return yaml.replace(yaml.find("100}"), 4, "100, prandtl: 1}");
}

TEST(accuracy, planes_of_symmetry_that_give_a_temperature_have_order_2) {
  EXPECT_EQ(read(warm_planes("4", "")).accuracy.order, (Orders{4, 4, 4}));
  EXPECT_EQ(read(warm_planes("4", ", temperature: {gradient: 0}")).accuracy.order,
            (Orders{4, 4, 4}));
  for (const char* temperature : {"1", "{gradient: 2}", "{transfer: 1, outside: 0}"}) {
    const std::string low = std::string(", temperature: ") + temperature;
    EXPECT_EQ(read(warm_planes("4", low)).accuracy.order, (Orders{4, 2, 4}));
    EXPECT_EQ(read(warm_planes("[4, 2, 4]", low)).accuracy.order, (Orders{4, 2, 4}));
    EXPECT_EQ(
        messages_of(warm_planes("[2, 6, 4]", low)),
        "case.yaml:3:23: accuracy.order[1] is 6, but must be 2 or 4 (order of differences along "
        "axes); the temperature given at y_min is not symmetric to it");
  }
}

TEST(accuracy, runge_kutta_is_the_scheme_above_order_2_and_of_cfl_numbers) {
  const auto scheme_of = [](const char* order, const std::string& time) {
    return read(box(order, time)).time.scheme;
  };
  for (const char* const time : {"{step: 0.01, steps: 5}",
                                 "{step: 0.01, steps: 5, global_iterations: 2}",
                                 "{cfl: 1, steps: 5, global_iterations: 2}",
                                 "{cfl: 1, steps: 5, global_tolerance: 1e-6, "
                                 "max_global_iterations: 9}",
                                 "{scheme: implicit, cfl: 1, steps: 5}"})
    EXPECT_EQ(scheme_of("2", time), TimeScheme::implicit) << time;
  for (const char* const time : {"{cfl: 1, steps: 5}",
                                 "{cfl: 1, step: 0.1, steps: 5, global_iterations: 1}",
                                 "{scheme: runge_kutta, step: 0.01, steps: 5}"})
    EXPECT_EQ(scheme_of("2", time), TimeScheme::runge_kutta) << time;
  EXPECT_EQ(scheme_of("6", "{step: 0.01, steps: 5}"), TimeScheme::runge_kutta);
}

TEST(accuracy, is_written_as_it_is_read) {
  for (const char* order : {"2", "4", "8", "[6, 2, 4]"}) {
    const Case once = read(box(order, "{step: 0.01, steps: 5}"));
    const Case again = read(to_yaml(once));
    EXPECT_EQ(again.accuracy.order, once.accuracy.order);
    EXPECT_EQ(again.time.scheme, once.time.scheme);
  }
}

const std::string walls_along_y =
    "{x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}";

TEST(accuracy, order_4_goes_across_walls_along_y_where_a_list_says_so) {
  const std::string time = "{step: 0.01, steps: 5}";
  const std::string tanh = ", stretching: {y: {type: tanh, factor: 2}}";
  for (const char* order : {"[2, 4, 2]", "[4, 4, 4]", "[6, 4, 6]"}) {
    for (const std::string& stretching : {std::string(), tanh}) {
      const Case once = read(box(order, time, walls_along_y, stretching));
      EXPECT_EQ(once.accuracy.order[1], 4) << order;
      EXPECT_TRUE(has_rows_across_walls(once, 1)) << order;
      EXPECT_TRUE(has_implicit_diffusion(once, 1)) << order;
      EXPECT_EQ(once.time.scheme, TimeScheme::runge_kutta) << order;
      const Case again = read(to_yaml(once));
      EXPECT_EQ(again.accuracy.order, once.accuracy.order);
    }
  }
  // Images are exact between two planes of symmetry on uniform cells.
  const Case symmetric = read(box("[2, 4, 2]", time, symmetric_y));
  EXPECT_EQ(symmetric.accuracy.order, (Orders{2, 4, 2}));
  EXPECT_FALSE(has_rows_across_walls(symmetric, 1));
  EXPECT_TRUE(has_rows_across_walls(read(box("[2, 4, 2]", time, symmetric_y, tanh)), 1));
  EXPECT_FALSE(has_rows_across_walls(read(box("[6, 2, 6]", time, walls_along_y)), 1));
}

TEST(accuracy, order_4_across_walls_says_what_it_does_not_go_with) {
  const std::string time = "{step: 0.01, steps: 5}";
  const auto refusal = [&](int axis, const std::string& reason) {
    return "case.yaml:3:" + std::to_string(20 + 3 * axis) + ": accuracy.order[" +
           std::to_string(axis) + "] is 4, but must be 2 (order of differences along axes); " +
           reason;
  };
  EXPECT_EQ(
      messages_of(box("[2, 2, 4]",
                      time,
                      "{x: periodic, y: periodic, z_min: {type: wall}, z_max: {type: wall}}")),
      refusal(2,
              "z ends at boundaries, and order 4 goes across these along y alone: put the "
              "walls along y"));
  EXPECT_EQ(
      messages_of(box("[2, 4, 2]",
                      time,
                      "{x_min: {type: wall}, x_max: {type: wall}, y_min: {type: wall}, y_max: "
                      "{type: wall}, z: periodic}")),
      refusal(1,
              "order 4 across walls along y needs x and z periodic and uniform, but x is not "
              "periodic"));
  EXPECT_EQ(
      messages_of(box("[2, 4, 2]",
                      time,
                      "{x: periodic, y_min: {type: inflow, velocity: [0, 1, 0]}, y_max: {type: "
                      "outflow}, z: periodic}")),
      refusal(1,
              "order 4 goes across walls and planes of symmetry alone, but the flow passes "
              "y_min"));
  EXPECT_EQ(
      messages_of(box("[2, 4, 2]",
                      time,
                      "{x: periodic, y_min: {type: wall, slip_length: \"0.1*x\"}, y_max: {type: "
                      "wall}, z: periodic}")),
      refusal(1, "the slip_length of y_min is a formula; give a number"));
  std::string few = box("[2, 4, 2]", time, walls_along_y);
  few.replace(few.find("12, 8, 6"), 8, "12, 7, 6");
  EXPECT_EQ(messages_of(few), refusal(1, "y has 7 cells; order 4 across walls needs 8"));
  EXPECT_EQ(messages_of(box(
                "[2, 4, 2]", time, walls_along_y, ", stretching: {y: {type: tanh, factor: 4}}")),
            refusal(1,
                    "the widths of the cells beside walls differ so much that volumes of order 4 "
                    "are negative; take more cells or less stretching"));
  EXPECT_EQ(messages_of(box("[2, 4, 2]", time, walls_along_y) +
                        "solids: {ball: {shape: sphere, center: [0.6, 0.8, 1], radius: 0.3}}\n"),
            refusal(1, "bodies and order 4 across walls exclude each other"));
  EXPECT_NE(messages_of(box("[2, 4, 2]", "{scheme: implicit, step: 0.01, steps: 5}", walls_along_y))
                .find("time.scheme is implicit, but must be runge_kutta"),
            std::string::npos);
  EXPECT_NE(messages_of(box("[2, 4, 2]", time, walls_along_y) +
                        "output: {statistics: {every: 1, budgets: true, average: [z]}}\n")
                .find("output.statistics.budgets: with accuracy.order 4 across walls budgets are "
                      "over x and z"),
            std::string::npos);
}

TEST(accuracy, refusals_name_place_reason_and_cure) {
  const std::string time = "{step: 0.01, steps: 5}";
  const std::string meaning = " (order of differences along axes)";
  EXPECT_EQ(messages_of(box("5", time)),
            "case.yaml:3:12: accuracy.order is 5, but must be 2, 4, 6 or 8" + meaning);
  EXPECT_EQ(messages_of(box("[6, 6]", time)),
            "case.yaml:3:12: accuracy.order is [6, 6], but must be 2, 4, 6 or 8, or a list of 3 of "
            "them, for x, y, z" +
                meaning);
  EXPECT_EQ(messages_of(box("[2, 6, 8]", time)),
            "case.yaml:3:26: accuracy.order[2] is 8, but must be 2" + meaning + "; z has 6 cells");
  const std::string walls = "{x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}";
  EXPECT_EQ(messages_of(box("[2, 6, 4]", time, walls)),
            "case.yaml:3:23: accuracy.order[1] is 6, but must be 2 or 4" + meaning +
                "; y is neither periodic nor between two faces of type symmetry");
  std::string lifted =
      box("[2, 6, 4]", time, symmetric_y) + "buoyancy: {rayleigh: 100, direction: y}\n";
  lifted.replace(lifted.find("100}"), 4, "100, prandtl: 1}");
  EXPECT_EQ(messages_of(lifted),
            "case.yaml:3:23: accuracy.order[1] is 6, but must be 2 or 4" + meaning +
                "; buoyancy acts across the planes of symmetry along y");
  EXPECT_EQ(messages_of(box("[6, 2, 2]",
                            time,
                            "{x: periodic, y: periodic, z: periodic}",
                            ", stretching: {x: {type: tanh, factor: 1}}")),
            "case.yaml:3:20: accuracy.order[0] is 6, but must be 2" + meaning + "; x is stretched");
  EXPECT_NE(messages_of(box("6", "{scheme: implicit, step: 0.01, steps: 5}"))
                .find("case.yaml:6:8: time.scheme is implicit, but must be runge_kutta"),
            std::string::npos);
  EXPECT_EQ(messages_of(box("6", "{step: 0.01, steps: 5, global_iterations: 2}")),
            "case.yaml:6:30: time.global_iterations: time.scheme runge_kutta has no global "
            "iterations; leave it out, or set time.scheme: implicit and accuracy.order: 2");
  EXPECT_EQ(messages_of(box("[2, 2, 6]", time) +
                        "solids: {ball: {shape: sphere, center: [0, 0, 0], radius: 0.3}}\n"),
            "case.yaml:3:26: accuracy.order[2] is 6, but must be 2" + meaning +
                "; the surface of ball crosses lines along z");
  EXPECT_NE(messages_of(box("6", "{step: 5, steps: 5}"))
                .find("case.yaml:6:8: time.step is 5, but must be at most 0.3, which explicit "
                      "diffusion allows"),
            std::string::npos)
      << messages_of(box("6", "{step: 5, steps: 5}"));
  EXPECT_EQ(messages_of(box("6", "{cfl: 5, step: 5, steps: 5}")), "");
  EXPECT_EQ(messages_of(box("6", "{cfl: fast, steps: 5}")),
            "case.yaml:6:8: time.cfl is fast, but must be a number > 0 and <= 100 (CFL number to "
            "hold, dt times the largest |u|/hx + |v|/hy + |w|/hz; checked every fifth step)");
}

TEST(step_limit, lies_on_the_ellipse_of_advection_and_diffusion) {
  const StepLimit limit = step_limit(read(box("6", "{cfl: 1, steps: 5}")));
  const double squares = 1 / (0.1 * 0.1) + 1 / (0.2 * 0.2) + 1 / (0.5 * 0.5);
  const double diffusion = 6.167 * 0.01 * squares / 2.51;
  EXPECT_NEAR(limit.diffusive_step(), 0.95 / diffusion, 1e-4 / diffusion);
  EXPECT_EQ(limit.wave_factors(), (PerAxis<double>{1.6217, 1.6217, 1.6217}));
  const double step = limit.step(30, 2, 1);
  EXPECT_NEAR(step, 0.95 / std::hypot((30 + 2) / 1.732, diffusion + 1 / 2.51), 1e-4 * step);
}

TEST(step_limit, leaves_out_axes_of_implicit_diffusion) {
  const std::string walls = "{x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}";
  const StepLimit limit = step_limit(
      read(box("6",
               "{cfl: 1, steps: 5}",
               walls,
               ", stretching: {x: {type: tanh, factor: 1}, z: {type: tanh, factor: 1}}")));
  EXPECT_TRUE(std::isinf(limit.diffusive_step()));
  EXPECT_EQ(limit.wave_factors(), (PerAxis<double>{1.0, 1.0, 1.0}));
}

TEST(step_limit, counts_each_axis_with_the_symbols_of_its_order) {
  const StepLimit limit = step_limit(read(box("[8, 2, 4]", "{cfl: 1, steps: 5}")));
  EXPECT_EQ(limit.wave_factors(), (PerAxis<double>{1.7657, 1.0, 1.4032}));
  const double squares =
      6.6182 / (0.1 * 0.1) + 4 / (0.2 * 0.2) + 5.4445 / (0.5 * 0.5);  // SUM l/h^2
  EXPECT_NEAR(limit.diffusive_step() * 0.01 * squares / 2.51, 0.95, 1e-12);
}

/// A body that conducts makes the largest diffusivity max(k, 1)/min(c, 1) times that of the fluid.
TEST(step_limit, counts_bodies_that_conduct) {
  const auto limit_with = [](const std::string& of_body) {
    return step_limit(parse_case(R"(scheme: projection
grid: {points: [16, 12, 10], length: [1, 1, 1]}
fluid: {reynolds: 2, prandtl: 0.5}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {scheme: runge_kutta, step: 1e-6, steps: 5}
solids: {ball: {shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.3, temperature: )" +
                                     of_body + "}}\n",
                                 "case.yaml",
                                 {}))
        .diffusive_step();
  };
  const double of_fluid = limit_with("1");
  EXPECT_GT(of_fluid, 0);
  EXPECT_EQ(limit_with("{heat_flux: 1}"), of_fluid);
  EXPECT_NEAR(
      limit_with("{conducting: {conductivity: 7, heat_capacity: 4}}") * 7 / of_fluid, 1, 1e-12);
  EXPECT_NEAR(
      limit_with("{conducting: {conductivity: 0.1, heat_capacity: 0.5}}") * 2 / of_fluid, 1, 1e-12);
}

}  // namespace
}  // namespace dns::test_accuracy
