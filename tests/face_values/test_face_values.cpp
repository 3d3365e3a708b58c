/// Values of faces from formulas, tables and synthetic turbulence.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/face_values/face_points.hpp"
#include "solver/face_values/face_values.hpp"
#include "solver/grid/case_grid.hpp"
#include "tests/message_of.hpp"
#include "tests/output/output_testing.hpp"

namespace dns::test_face_values {
namespace {

class ValuesOfFaces : public FolderTest {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(in_folder(name)) << text;
  }
  /// A channel whose inflow is as given; files are found from the test's folder.
  [[nodiscard]] Case channel(const std::string& inflow,
                             const std::string& scheme = "projection") const {
    return parse_case(fmt::format(R"yaml(
scheme: {}
grid: {{points: [6, 9, 11], length: [1, 2, 3]}}
fluid: {{reynolds: 100, prandtl: 1}}
boundaries:
  x_min: {{type: inflow, {}}}
  x_max: {{type: outflow}}
  y_min: {{type: wall, temperature: 0}}
  y_max: {{type: wall, temperature: 0}}
  z: periodic
time: {{step: 0.1, steps: 1}}
)yaml",
                                  scheme,
                                  inflow),
                      in_folder("case.yaml"),
                      {});
  }
  [[nodiscard]] std::string refusal_of(const std::string& inflow) const {
    return message_of<CaseError>([&] { FaceValues{channel(inflow)}; });
  }
};

TEST_F(ValuesOfFaces, are_those_of_formulas) {
  FaceValues values(channel(R"(velocity: ["x+y+10*z+100*t", 2, 0], temperature: "z")"));
  EXPECT_EQ(values.at(0, 0, {0.5, 1}, {2, 3}, 4), (std::vector<double>{420.5, 421, 430.5, 431}));
  EXPECT_EQ(values.at(0, 1, {0.5, 1}, {2, 3}, 4), (std::vector<double>{2, 2, 2, 2}));
  EXPECT_EQ(values.at(0, 3, {0.5, 1}, {2, 3}, 4), (std::vector<double>{2, 2, 3, 3}));
  EXPECT_EQ(values.at(1, 0, {0.5}, {2}, 4), (std::vector<double>{0}));  // outflow gives none
}

TEST_F(ValuesOfFaces, are_those_of_tables) {
  write("inlet.csv", "# a profile\ny,u,w\n0,0,1\n1,2,1\n2,0,3\n");
  write("warm.csv", "z T\n0 1\n3 4\n");
  for (const char* const scheme : {"projection", "splitting"}) {
    FaceValues values(
        channel("velocity: {profile: inlet.csv}, temperature: {profile: warm.csv}", scheme));
    EXPECT_EQ(values.at(0, 0, {0.5, 1, 1.5}, {0, 2}, 0), (std::vector<double>{1, 2, 1, 1, 2, 1}));
    EXPECT_EQ(values.at(0, 1, {0.5, 1}, {0}, 0), (std::vector<double>{0, 0}));
    EXPECT_EQ(values.at(0, 2, {1.5}, {0}, 9), (std::vector<double>{2}));
    EXPECT_EQ(values.at(0, 3, {1.5}, {1}, 0), (std::vector<double>{2}));
  }
}

TEST_F(ValuesOfFaces, of_scalars_are_in_columns_of_their_names) {
  write("smoke.csv", "y smoke T\n0 1 5\n2 3 5\n");
  FaceValues values(parse_case(R"yaml(
scheme: projection
grid: {points: [6, 9, 11], length: [1, 2, 3]}
fluid: {reynolds: 100}
scalars: {smoke: {prandtl: 1}}
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0], scalars: {smoke: {profile: smoke.csv}}}
  x_max: {type: outflow}
  y: symmetry
  z: periodic
time: {step: 0.1, steps: 1}
)yaml",
                               in_folder("case.yaml"),
                               {}));
  EXPECT_EQ(values.at(0, 3, {0, 0.5, 2}, {1}, 0), (std::vector<double>{1, 1.5, 3}));
}

/// A lid y = 2 that a table moves along x and z: 1 + x + 2 t, and 3 - x t.
TEST_F(ValuesOfFaces, of_walls_are_those_of_tables_over_time) {
  const auto cavity = [&](const std::string& columns, const std::string& scheme) {
    std::string table = "t x u w" + columns + "\n";
    for (const double t : {0.0, 1.0, 4.0}) {
      for (const double x : {0.0, 0.5, 1.0})
        table += fmt::format("{} {} {} {}{}\n",
                             t,
                             x,
                             1 + x + 2 * t,
                             3 - x * t,
                             columns.empty() ? ""
                             : t < 2         ? " 0"
                                             : " 0.5");
    }
    write("lid.csv", table);
    return parse_case("scheme: " + scheme + R"yaml(
grid: {points: [6, 9, 11], length: [1, 2, 3]}
fluid: {reynolds: 100, prandtl: 1}
boundaries:
  x: {type: wall, temperature: 0}
  y_min: {type: wall, temperature: 0}
  y_max: {type: wall, temperature: 0, velocity: {profile: lid.csv}}
  z: periodic
time: {step: 0.1, steps: 1}
)yaml",
                      in_folder("case.yaml"),
                      {});
  };
  FaceValues values(cavity("", "projection"));
  const int lid = face_index(Axis::y, true);
  EXPECT_EQ(values.at(lid, 0, {0, 0.25, 1}, {1}, 2.5), (std::vector<double>{6, 6.25, 7}));
  EXPECT_EQ(values.at(lid, 1, {0, 0.25, 1}, {1}, 2.5), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(values.at(lid, 2, {0, 0.25, 1}, {1}, 2.5), (std::vector<double>{3, 2.375, 0.5}));
  FaceValues blowing(cavity(" v", "projection"));
  EXPECT_EQ(blowing.at(lid, 1, {0.25}, {1}, 4), (std::vector<double>{0.5}));
  FaceValues leaking(cavity(" v", "splitting"));
  EXPECT_EQ(leaking.at(lid, 1, {0.25}, {1}, 0.5), (std::vector<double>{0}));
  EXPECT_EQ(message_of<CaseError>([&] { static_cast<void>(leaking.at(lid, 1, {0.25}, {1}, 2.5)); }),
            "boundaries.y_max.velocity: v across the wall is 0.25 at t = 2.5 in the file, but must "
            "be 0; in scheme splitting blowing and suction are formulas");
}

TEST_F(ValuesOfFaces, with_turbulence_keep_the_flux_and_the_walls) {
  write("stresses.csv",
        "y,uu,vv,ww,uv\n0,0,0,0,0\n0.4,0.04,0.02,0.03,-0.01\n1.6,0.04,0.02,0.03,0.01\n2,0,0,0,0\n");
  const Case resolved = channel(
      R"yaml(velocity: ["y*(2-y)", 0, 0], temperature: 1, turbulence: {stresses: stresses.csv, lengths: [0.3, 0.2, 0.25], seed: 5})yaml");
  FaceValues values(resolved);
  const FacePoints face = face_points(resolved, 0);
  const std::vector<double>& y = face.axes[0].points;
  const std::vector<double>& z = face.axes[1].points;
  std::vector<double> laminar;
  for (std::size_t n = 0; n < z.size(); ++n) {
    for (const double here : y) laminar.push_back(here * (2 - here));
  }
  double largest = 0;
  for (const double t : {0.0, 0.37, 12.0}) {
    const std::vector<double> u = values.at(0, 0, y, z, t);
    EXPECT_NEAR(face.mean(u), face.mean(laminar), 1e-14);
    for (std::size_t n = 0; n < u.size(); ++n)
      largest = std::max(largest, std::abs(u[n] - laminar[n]));
    EXPECT_EQ(values.at(0, 0, {0, 2}, {0.5}, t), (std::vector<double>{0, 0}));
    EXPECT_EQ(values.at(0, 3, {0.5}, {0.5}, t), (std::vector<double>{1}));
  }
  EXPECT_GT(largest, 0.1);
  EXPECT_LT(largest, 1.2);
  FaceValues again(resolved);
  EXPECT_EQ(values.at(0, 1, {0.5, 0.9}, {1, 2}, 3.3), again.at(0, 1, {0.5, 0.9}, {1, 2}, 3.3));
  FaceValues ahead(resolved);
  for (int n = 0; n < 40; ++n) {
    const double t = 3.3 + 0.01 * n;
    for (const int component : {0, 1, 2})
      ASSERT_EQ(ahead.at(0, component, y, z, t), values.at(0, component, y, z, t)) << n;
    ahead.prepare(t + 0.01);
  }
}

TEST_F(ValuesOfFaces, that_do_not_fit_are_refused) {
  write("short.csv", "y,u\n0,1\n1.5,1\n");
  write("across.csv", "x,u\n0,1\n1.5,1\n");
  write("warm.csv", "y T\n0 1\n2 4\n");
  write("negative.csv", "y,uu,vv,ww\n0,0,0,0\n1,-0.1,0,0\n2,0,0,0\n");
  write("good.csv", "y,uu,vv,ww\n0,0,0,0\n1,0.1,0,0\n2,0,0,0\n");
  const std::string warm = ", temperature: 1";
  EXPECT_EQ(
      refusal_of("velocity: {profile: short.csv}" + warm),
      "boundaries.x_min.velocity: the table reaches from y = 0 to 1.5, but the face from 0 to "
      "2");
  EXPECT_EQ(refusal_of("velocity: {profile: across.csv}" + warm),
            "boundaries.x_min.velocity: the table has a column x, but the face lies across that "
            "axis");
  EXPECT_EQ(refusal_of("velocity: {profile: warm.csv}" + warm),
            "boundaries.x_min.velocity: the table has none of the columns u, v, w");
  const auto with_stresses = [&](const std::string& file, const std::string& velocity) {
    return refusal_of("velocity: " + velocity + warm + ", turbulence: {stresses: " + file +
                      ", lengths: [0.1, 0.1, 0.1]}");
  };
  EXPECT_NE(with_stresses("negative.csv", "[1, 0, 0]")
                .find("boundaries.x_min.turbulence: stresses at y = "),
            std::string::npos)
      << with_stresses("negative.csv", "[1, 0, 0]");
  EXPECT_EQ(
      with_stresses("good.csv", "[-1, 0, 0]"),
      "boundaries.x_min.turbulence: nothing carries eddies in: the mean velocity into the box "
      "is -1");
  EXPECT_EQ(with_stresses("good.csv", "[1, 0, 0]"), "");
}

TEST(face_points, of_cells_are_weighted_with_their_widths) {
  const Case resolved = parse_case(R"yaml(
scheme: projection
grid: {points: [4, 5, 4], length: [1, 2, 3], stretching: {y: {coordinates: [0, 0.1, 0.4, 1, 1.5, 2]}}}
fluid: {reynolds: 1}
boundaries: {x: periodic, y_min: {type: wall}, y_max: {type: wall}, z: periodic}
time: {step: 0.1, steps: 1}
)yaml",
                                   "test.yaml",
                                   {});
  const FacePoints face = face_points(resolved, 3);
  EXPECT_EQ(face.position, 2);
  const FacePoints across = face_points(resolved, 5);
  const std::vector<double> y = values_of_formula(Expression("y"), across, 0);
  EXPECT_NEAR(across.mean(y), 1, 1e-15);  // the middle of cells is exact for lines
  EXPECT_NEAR(across.mean(values_of_formula(Expression("2"), across, 0)), 2, 1e-15);
}

TEST(face_points, set_mean_scales_both_directions) {
  const Case resolved = parse_case(R"yaml(
scheme: splitting
grid: {points: [4, 5, 6], length: [1, 2, 3]}
fluid: {reynolds: 1, prandtl: 1}
boundaries: {x_min: {type: outflow}, x_max: {type: outflow}, y_min: {type: symmetry}, y_max: {type: symmetry}, z: periodic}
time: {step: 0.1, steps: 1}
)yaml",
                                   "test.yaml",
                                   {});
  const FacePoints face = face_points(resolved, 0);
  std::vector<double> values = values_of_formula(Expression("y-0.7"), face, 0);
  EXPECT_NEAR(face.mean(values), 0.3, 1e-15);
  const std::vector<double> before = values;
  set_mean(face, before, 0.25, values);
  EXPECT_NEAR(face.mean(values), 0.25, 1e-15);
  for (std::size_t n = 0; n < values.size(); ++n) {
    EXPECT_LT(values[n], before[n]);  // less one way, more the other
  }
}

}  // namespace
}  // namespace dns::test_face_values
