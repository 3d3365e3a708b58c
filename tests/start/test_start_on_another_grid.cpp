/// A flow that starts from a file of another grid or scheme.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "solver/files/file_format.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/flow/variables.hpp"
#include "solver/start/start_in_words.hpp"
#include "tests/compare_states.hpp"
#include "tests/start/start_files.hpp"

namespace dns::testing::test_start_on_another_grid {
namespace {

class StartOnAnotherGrid : public StartFiles {};

/// Values are given on all faces but those across x, as they are in the flow.
const FormulaFlow smooth{Expression("sin(2*pi*x/3)*cos(1.3*y)*exp(0.5*z)+0.2*t"),
                         Expression("cos(2*pi*x/3)*sin(2*y+0.3)*cos(z)-t"),
                         Expression("sin(2*pi*x/3+1)*exp(-y)*sin(1.7*z)+y*t"),
                         Expression("2+cos(2*pi*x/3)*sin(y)*exp(z)+t*z")};

std::string given_face(const FormulaFlow& flow) {
  return fmt::format(R"({{type: inflow, velocity: ["{}", "{}", "{}"], temperature: "{}"}})",
                     flow[0].text(),
                     flow[1].text(),
                     flow[2].text(),
                     flow[3].text());
}

Case open_box(const std::string& scheme,
              const std::string& points,
              double factor,
              const FormulaFlow& flow) {
  const bool is_projection = scheme == "projection";
  const std::string face = given_face(flow);
  return parse_case(
      fmt::format(
          R"yaml(
scheme: {}
grid: {{points: {}, length: [3, 1, 2], origin: [-1, 0.2, 0.4]{}}}
fluid: {{reynolds: 10, prandtl: 1}}
boundaries: {{x: periodic, y_min: {}, y_max: {}, z_min: {}, z_max: {}}}
time: {{step: 0.01, steps: 3}}
output: {{fields: {{precision: double}}}}
)yaml",
          scheme,
          points,
          is_projection
              ? fmt::format(", stretching: {{y: {{factor: {0}}}, z: {{factor: {0}}}}}", factor)
              : "",
          face,
          face,
          face,
          face),
      "box.yaml",
      {});
}

/// Largest difference from the flow at time t, of all variables.
double error_of(const Case& resolved, const FlowState& state, const FormulaFlow& flow, double t) {
  double error = 0;
  EXPECT_EQ(state.fields.size(), 4U);
  for (int variable = 0; variable < 4; ++variable) {
    const HostField exact = field_of_formula(resolved, flow, variable, variable, t, false);
    const HostField& field = state.fields.at(variable);
    EXPECT_EQ(field.name(), exact.name());
    EXPECT_EQ(in_doubles(field).size(), exact.extents().count());
    const auto values = field.values<double>();
    const auto wanted = exact.values<double>();
    for (std::size_t n = 0; n < values.size(); ++n) {
      const double here = std::abs(values[n] - wanted[n]);
      if (!(here <= error)) error = here;  // NaN too
    }
  }
  return error;
}

TEST_F(StartOnAnotherGrid, converges_with_order_four_between_all_kinds_of_files_and_schemes) {
  constexpr double t = 0.5;
  for (const std::string from : {"projection", "splitting"}) {
    for (const std::string to : {"projection", "splitting"}) {
      for (const bool is_checkpoint : {true, false}) {
        SCOPED_TRACE(from + " to " + to + (is_checkpoint ? ", checkpoint" : ", snapshot"));
        const Case target = open_box(to, "[22, 17, 19]", 2.1, smooth);
        const auto error = [&](const std::string& points) {
          const Case source = open_box(from, points, 1.2, smooth);
          const std::string path =
              is_checkpoint ? checkpoint_of(source, smooth, t) : snapshot_of(source, smooth, t);
          return error_of(target, started(target, path), smooth, t);
        };
        const double coarse = error("[17, 13, 15]");
        const double fine = error("[34, 26, 30]");
        EXPECT_LT(coarse, 0.01);
        EXPECT_GT(std::log2(coarse / fine), 3.5) << coarse << " " << fine;
      }
    }
  }
}

/// A snapshot with velocities at all faces: velocity_x (nz, ny, nx + 1) and so on.
std::string snapshot_of_faces(const std::string& path,
                              const Case& source,
                              const FormulaFlow& flow,
                              double t) {
  Hdf5File file = Hdf5File::create(path, Hdf5Format::compatible);
  write_common_attributes(
      file, snapshot_format, 7, t, Precision::double_precision, to_yaml(source));
  for (int variable = 0; variable < 4; ++variable) {
    PerAxis<std::vector<double>> at;
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      at[a] = point_coordinates(source, axis, variable);
      if (axis == variable) at[a].push_back(source.grid.origin[a] + source.grid.length[a]);
    }
    std::vector<double> values;
    for (const double z : at[2]) {
      for (const double y : at[1]) {
        for (const double x : at[0]) values.push_back(flow.at(variable)(x, y, z, t));
      }
    }
    const std::vector<hsize_t> shape{at[2].size(), at[1].size(), at[0].size()};
    DatasetWriter dataset =
        file.create_dataset(solved_variables(source).at(variable).name, {.shape = shape});
    dataset.append(shape[0], values.data());
    dataset.close();
  }
  file.close();
  return path;
}

TEST_F(StartOnAnotherGrid, takes_the_faces_of_a_snapshot_that_has_them) {
  const Case source = open_box("projection", "[17, 13, 15]", 1.2, smooth);
  const std::string faces = snapshot_of_faces(in_folder("faces.h5"), source, smooth, 0.5);
  const std::string checkpoint = checkpoint_of(source, smooth, 0.5);
  for (const Case& target : {source, open_box("projection", "[22, 17, 19]", 2.1, smooth)})
    EXPECT_TRUE(same_bits(started(target, faces), started(target, checkpoint)));
}

/// A channel between walls across y, warm below.
Case channel(const std::string& points, const std::string& more = "") {
  return parse_case(R"yaml(
scheme: projection
grid: {points: )yaml" + points +
                        R"yaml(, length: [3, 2, 1], stretching: {y: {factor: 1.3}}}
fluid: {reynolds: 10, prandtl: 1}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1, velocity: [0.5, 0, 0]}
  y_max: {type: wall, temperature: 0}
  z: periodic
time: {step: 0.01, steps: 3}
output: {fields: {precision: double}}
)yaml" + more,
                    "channel.yaml",
                    {});
}
const FormulaFlow poiseuille{Expression("0.5*(1-y/2)+y*(2-y)"),
                             Expression(0.0),
                             Expression("y*y*(2-y)"),
                             Expression("1-y/2+y*(2-y)*(y+0.3)")};

TEST_F(StartOnAnotherGrid, keeps_profiles_of_third_degree_up_to_the_walls) {
  const Case coarse = channel("[5, 8, 6]");
  Case fine = channel("[7, 33, 4]");
  fine.grid.stretching[1].factor = 2.4;
  for (const std::string& path :
       {checkpoint_of(coarse, poiseuille), snapshot_of(coarse, poiseuille)})
    EXPECT_LT(error_of(fine, started(fine, path), poiseuille, 0), 1e-13) << path;
}

TEST_F(StartOnAnotherGrid, keeps_what_is_even_about_symmetry_and_adiabatic_walls) {
  const std::string yaml = R"yaml(
scheme: projection
grid: {points: [6, 12, 5], length: [1, 2, 1]}
fluid: {reynolds: 10, prandtl: 1}
boundaries:
  x: periodic
  y_min: {type: symmetry}
  y_max: {type: wall, velocity: [-3, 0, -4], temperature: {gradient: 0}}
  z: periodic
time: {step: 0.01, steps: 3}
output: {fields: {precision: double}}
)yaml";
  const Case coarse = parse_case(yaml, "half.yaml", {});
  const Case fine = parse_case(yaml, "half.yaml", {{"grid.points", "[6, 37, 5]", "--set"}});
  const FormulaFlow even{Expression("1-y*y"), Expression("0"), Expression("-y*y"), Expression("3")};
  EXPECT_LT(error_of(fine, started(fine, snapshot_of(coarse, even)), even, 0), 1e-13);
}

TEST_F(StartOnAnotherGrid, repeats_a_periodic_box_exactly) {
  const FormulaFlow flow{Expression("sin(2*pi*x/3)*y*(2-y)+cos(2*pi*z)"),
                         Expression("cos(2*pi*(x/3+z))*y*(2-y)"),
                         Expression("sin(2*pi*z)*y"),
                         Expression("1-y/2+0.1*sin(2*pi*z)")};
  const Case one = channel("[5, 7, 6]");
  const Case tiled = parse_case(
      to_yaml(channel("[10, 7, 18]")),
      "tiled.yaml",
      {{"grid.length", "[6, 2, 3]", "--set"}, {"grid.origin", "[-0.7, 0, 1.1]", "--set"}});
  const std::string path = checkpoint_of(one, flow);
  const FlowState source = started(one, path);
  const FlowState state = started(tiled, path);
  for (std::size_t variable = 0; variable < 4; ++variable) {
    const auto from = source.fields[variable].values<double>();
    const auto to = state.fields[variable].values<double>();
    for (std::size_t n = 0; n < to.size(); ++n) {
      const std::size_t i = n % 10;
      const std::size_t j = n / 10 % 7;
      const std::size_t k = n / 70;
      ASSERT_EQ(to[n], from[(k % 6 * 7 + j) * 5 + i % 5]) << variable << " at " << n;
    }
  }
}

TEST_F(StartOnAnotherGrid, scales_boxes_of_other_lengths) {
  const FormulaFlow flow{Expression("0.5*(1-y/2)+y*(2-y)*sin(2*pi*x/3)"),
                         Expression("y*(2-y)*cos(2*pi*z)"),
                         Expression("y*(2-y)"),
                         Expression("1-y/2")};
  const FormulaFlow wanted{
      Expression("0.5*(1-y)+4*y*(1-y)*sin(2*pi*x/3.3)"),  // 2.2 lengths: twice, scaled by 1.1
      Expression("4*y*(1-y)*cos(2*pi*z/0.4)"),
      Expression("4*y*(1-y)"),
      Expression("1-y")};
  const Case source = channel("[48, 8, 48]");
  const Case target = parse_case(
      to_yaml(channel("[50, 9, 30]")), "t.yaml", {{"grid.length", "[6.6, 1, 0.4]", "--set"}});
  Case from_file = target;
  from_file.initial.file = checkpoint_of(source, flow);
  EXPECT_LT(error_of(target, initial_state(from_file), wanted, 0), 2e-4);
  EXPECT_EQ(start_in_words(from_file)[1],
            "48 x 8 x 48 cells interpolated to 50 x 9 x 30 cells (cubic); x repeated 2 times, x "
            "scaled by 1.1, y scaled by 0.5, z scaled by 0.4; divergence removed");
}

/// Sums of cosines whose energy falls with the wave number like that of turbulence, k^(-5/3), up to
/// 11 of the 16 waves that 32 points resolve.
TEST_F(StartOnAnotherGrid, keeps_the_energy_of_a_turbulent_spectrum) {
  std::string text = "0";
  double energy = 0;
  for (int k = 1; k <= 11; ++k) {
    const double amplitude = std::pow(k, -5.0 / 6);
    text += fmt::format("+{:.15g}*cos(2*pi*{}*x+{})", amplitude, k, k * k);
    energy += amplitude * amplitude / 2;
  }
  const auto along = [&](char axis) {
    std::string formula = text;
    for (char& letter : formula) letter = letter == 'x' ? axis : letter;
    return Expression(formula);
  };
  // Each component across its own axis, where it is as free of divergence as turbulence is.
  const FormulaFlow flow{along('y'), along('z'), along('x'), Expression(0.0)};
  const std::string yaml = R"yaml(
scheme: projection
grid: {points: [32, 32, 32], length: [1, 1, 1]}
fluid: {reynolds: 10}
boundaries: {x: periodic, y: periodic, z: periodic}
time: {step: 0.01, steps: 3}
)yaml";
  const Case coarse = parse_case(yaml, "box.yaml", {});
  const Case fine = parse_case(yaml, "box.yaml", {{"grid.points", "[48, 48, 48]", "--set"}});
  const FlowState state = started(fine, checkpoint_of(coarse, flow));
  for (const HostField& field : state.fields) {
    double sum = 0;
    for (const double value : field.values<double>()) sum += value * value;
    const double kept = sum / static_cast<double>(field.extents().count()) / energy;
    EXPECT_GT(kept, 0.97) << field.name();
    EXPECT_LT(kept, 1) << field.name();
  }
}

TEST_F(StartOnAnotherGrid, is_the_same_for_slabs_and_with_other_threads) {
  const Case source = open_box("projection", "[9, 11, 13]", 1.5, smooth);
  Case compressed = source;
  compressed.output.fields.compression = 4;
  Case floats = source;
  floats.output.fields.precision = Precision::single_precision;
  const Case periodic = channel("[9, 11, 13]");
  const std::vector<std::pair<std::string, Case>> starts{
      {checkpoint_of(source, smooth, 1), open_box("projection", "[7, 8, 17]", 2, smooth)},
      {checkpoint_of(source, smooth, 1), open_box("splitting", "[7, 8, 17]", 2, smooth)},
      {checkpoint_of(source, smooth, 1), source},
      {snapshot_of(source, smooth, 1), source},
      {snapshot_of(compressed, smooth, 1), open_box("projection", "[7, 8, 17]", 2, smooth)},
      {snapshot_of(floats, smooth, 1), open_box("projection", "[7, 8, 17]", 2, smooth)},
      {snapshot_of(periodic, poiseuille, 1),
       parse_case(
           to_yaml(channel("[7, 8, 23]")), "t.yaml", {{"grid.length", "[3, 2, 2.5]", "--set"}})}};
  int number = 0;
  for (auto [path, target] : starts) {
    SCOPED_TRACE(number++);
    target.initial.file = path;
    target.run.threads = 1;
    const FlowState whole = initial_state(target);
    target.run.threads = 3;
    for (const int ranks : {1, 2, 3}) {
      for (int rank = 0; rank < ranks; ++rank) {
        const Subdomain slab = whole_box(target).slab(rank, ranks);
        FlowState wanted = whole;
        for (HostField& field : wanted.fields)
          field = field.planes(slab.first(2), slab.points().nz);
        EXPECT_TRUE(same_bits(initial_state(target, slab), wanted)) << rank << " of " << ranks;
      }
    }
  }
}

TEST_F(StartOnAnotherGrid, from_floats_differs_by_their_round_off) {
  const Case source = open_box("projection", "[9, 11, 13]", 1.5, smooth);
  const Case target = open_box("projection", "[12, 8, 17]", 2, smooth);
  const FlowState exact = started(target, snapshot_of(source, smooth, 1));
  Case floats = source;
  floats.output.fields.precision = Precision::single_precision;
  const FlowState rounded = started(target, snapshot_of(floats, smooth, 1));
  // Weights of third degree add up to less than 2 along each axis; values are below 6.
  EXPECT_EQ(StateComparison(exact, rounded, 8 * 6 * 6e-8, Precisions::must_agree).words(), "");
  EXPECT_FALSE(same_bits(exact, rounded));
}

TEST_F(StartOnAnotherGrid, takes_a_temperature_that_the_file_lacks_from_the_case) {
  Case source = channel("[5, 7, 6]");
  std::erase(source.output.fields.variables, "temperature");
  Case target = channel("[6, 9, 4]", "initial: {temperature: \"2+x*y\"}\n");
  target.initial.file = snapshot_of(source, poiseuille);
  const FlowState state = initial_state(target);
  const FormulaFlow wanted{poiseuille[0], poiseuille[1], poiseuille[2], Expression("2+x*y")};
  EXPECT_LT(error_of(target, state, wanted, 0), 1e-13);
  EXPECT_EQ(start_in_words(target)[2], "temperature from initial.temperature: the file has none");
  Case cold = target;
  cold.fluid.prandtl = 0;
  EXPECT_EQ(initial_state(cold).fields.size(), 3U);
}

TEST_F(StartOnAnotherGrid, needs_no_other_file_that_its_case_names) {
  const std::string gone = R"yaml(
solids: {body: {shape: stl, path: /gone.stl, content: "1-2", temperature: 1}}
)yaml";
  const Case source = channel("[5, 7, 6]");
  Case named = parse_case(to_yaml(source) + gone, "named.yaml", {}, NamedFiles::left_alone);
  EXPECT_EQ(named.solids.size(), 1U);
  EXPECT_THROW(parse_case(to_yaml(source) + gone, "named.yaml", {}), CaseError);
  const Case target = channel("[6, 9, 4]");
  EXPECT_LT(error_of(target, started(target, snapshot_of(named, poiseuille)), poiseuille, 0),
            1e-13);
}

}  // namespace
}  // namespace dns::testing::test_start_on_another_grid
