/// Spectra taken while a staggered flow runs, against sums over waves written out.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/statistics/mean_flow.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_spectra {
namespace {

constexpr std::array<const char*, 5> variables{
    "velocity_x", "velocity_y", "velocity_z", "pressure_of_flow", "temperature"};
constexpr std::array<const char*, 5> squares{"uu", "vv", "ww", "pp", "TT"};

using Values = std::vector<double>;
using Sums = std::map<std::string, Values>;

/// The fields of a copy for restart, with the points around the box.
class Fields {
 public:
  Fields(const FlowState& state, Extents n) : n_(n) {
    for (const HostField& field : state.fields) fields_[field.name()] = in_doubles(field);
  }
  [[nodiscard]] double at(int variable, Index3 c) const {
    const auto place =
        static_cast<std::size_t>(((c.k + 1) * (n_.ny + 2) + c.j + 1) * (n_.nx + 2) + c.i + 1);
    return fields_.at(variables.at(variable))[place];
  }

 private:
  Extents n_;
  std::map<std::string, Values> fields_;
};

/// exp(-2 pi I part/whole) for all parts of a turn.
class Waves {
 public:
  explicit Waves(int whole) : whole_(whole) {
    for (int part = 0; part < whole; ++part)
      turns_.push_back(std::polar(1.0, -2 * std::numbers::pi * part / whole));
  }
  [[nodiscard]] std::complex<double> at(int part) const { return turns_[part % whole_]; }

 private:
  int whole_;
  std::vector<std::complex<double>> turns_;
};

/// What the waves m = 0 .. n/2 contribute to the mean square of a line, both signs together.
Values contributions(const Values& line) {
  const int n = static_cast<int>(line.size());
  const Waves waves(n);
  Values found;
  for (int m = 0; 2 * m <= n; ++m) {
    std::complex<double> sum = 0;
    for (int place = 0; place < n; ++place) sum += line[place] * waves.at(m * place);
    const int signs = m == 0 || 2 * m == n ? 1 : 2;
    found.push_back(signs * std::norm(sum) / n / n);
  }
  return found;
}

/// One sample of spectrum_AXIS_QUANTITY: cell by cell, from the lines through both faces of it.
Values lines_of_sample(const Fields& fields, const Case& resolved, int axis, int variable) {
  const StaggeredGrid grid = staggered_grid(resolved);
  const auto& average = resolved.output.statistics->average;
  const Extents n = resolved.grid.points;
  const int along = axis;
  Extents kept = n;
  for (int other = 0; other < 3; ++other) {
    if (average[other]) kept[other] = 1;
  }
  kept[along] = n[along] / 2 + 1;
  Values sums(kept.count());
  Extents cross = n;
  cross[along] = 1;
  for_each_point({{}, {cross.nx, cross.ny, cross.nz}}, [&](Index3 cell) {
    double weight = 1;
    Index3 to = cell;
    for (int other = 0; other < 3; ++other) {
      if (other == along || !average[other]) continue;
      weight *= grid[other].width(cell[other]) / grid[other].length();
      to[other] = 0;
    }
    for (const int up : {0, 1}) {
      Index3 c = cell;
      if (variable < 3 && variable != axis) c[variable] += up;
      Values line;
      for (c[along] = 0; c[along] < n[along]; ++c[along]) line.push_back(fields.at(variable, c));
      const Values found = contributions(line);
      for (int m = 0; m < kept[along]; ++m) {
        to[along] = m;
        const auto place = static_cast<std::size_t>((to.k * kept.ny + to.j) * kept.nx + to.i);
        sums[place] += 0.5 * weight * found[m];
      }
    }
  });
  return sums;
}

/// One sample of spectrum_k, by the complex sums of all waves of both signs.
Values shells_of_sample(const Fields& fields, const Case& resolved, std::size_t shells) {
  const Extents n = resolved.grid.points;
  const double shortest = std::ranges::min(resolved.grid.length);
  const PerAxis<Waves> waves{Waves(n.nx), Waves(n.ny), Waves(n.nz)};
  Values sums(shells);
  const Box box{{}, {n.nx, n.ny, n.nz}};
  for_each_point(box, [&](Index3 mode) {
    double k2 = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int along = 2 * mode[axis] <= n[axis] ? mode[axis] : mode[axis] - n[axis];
      k2 += std::pow(along * shortest / resolved.grid.length[axis], 2);
    }
    double energy = 0;
    for (int component = 0; component < 3; ++component) {
      std::complex<double> sum = 0;
      for_each_point(box, [&](Index3 c) {
        sum += fields.at(component, c) * waves[0].at(mode.i * c.i) * waves[1].at(mode.j * c.j) *
               waves[2].at(mode.k * c.k);
      });
      energy += std::norm(sum / static_cast<double>(n.count())) / 2;
    }
    sums.at(static_cast<std::size_t>(std::floor(std::sqrt(k2) + 0.5))) += energy;
  });
  return sums;
}

const HostField& sum_named(const StatisticsSums& statistics, const std::string& name) {
  const auto found = std::ranges::find(statistics.sums, name, &HostField::name);
  if (found == statistics.sums.end()) throw std::out_of_range("no sum " + name);
  return *found;
}
/// The average over time.
Values values_named(const StatisticsSums& statistics, const std::string& name) {
  const HostField& sum = sum_named(statistics, name);
  return statistics.average(static_cast<std::size_t>(&sum - statistics.sums.data()));
}

/// Of a variable at cells: the means of those at both its faces.
Values mean_squares(const StatisticsSums& statistics, const std::string& square) {
  const MeanOfSum first(statistics, square.substr(0, 1));
  const MeanOfSum second(statistics, square);
  const double reference = statistics.reference(square.substr(0, 1));
  const auto whole = [&](Index3 c) { return second(c) + reference * (2 * first(c) + reference); };
  const auto own = static_cast<int>(std::string_view("uvw").find(square[0]));
  Values at_cells;
  const auto [nx, ny, nz] = sum_named(statistics, "dissipation").extents();
  for_each_point({{}, {nx, ny, nz}}, [&](Index3 c) {
    Index3 behind = c;
    if (own < 3 && own >= 0 && !second.is_averaged(own)) ++behind[own];
    at_cells.push_back((whole(c) + whole(behind)) / 2);
  });
  return at_cells;
}

bool is_taken(const Case& resolved, int axis) {
  return resolved.output.statistics->spectra[axis];
}
bool has_shells(const Case& resolved) {
  return is_taken(resolved, 0) && is_taken(resolved, 1) && is_taken(resolved, 2);
}

const std::string channel = R"yaml(scheme: projection
grid: {points: [6, 7, 9], length: [3, 2, 1.5], stretching: {y: {factor: 1.5}}}
fluid: {reynolds: 30, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, velocity: [0.5, 0, -0.25], temperature: {gradient: 1}}
  z: periodic
initial:
  velocity: ["y*(2-y)+0.3*sin(2*pi*x/3)", "0.4*sin(2*pi*z/1.5)", "cos(2*pi*x/3)*y"]
  temperature: "1+0.1*cos(2*pi*x/3)*sin(y)"
  noise: {amplitude: 0.1, seed: 1}
time: {step: 0.02, steps: 6}
output: {statistics: {start: 0.03, every: 2, spectra: [x, z]}}
)yaml";

const std::string box = R"yaml(scheme: projection
grid: {points: [8, 5, 10], length: [3, 2, 2.5]}
fluid: {reynolds: 30}
boundaries: {x: periodic, y: periodic, z: periodic}
initial:
  velocity: ["0.5+sin(pi*y)", "0.4*sin(2*pi*z/2.5)", "cos(2*pi*x/3)"]
  noise: {amplitude: 0.2, seed: 5}
time: {step: 0.02, steps: 6}
output: {statistics: {start: 0.03, every: 2, spectra: [x, y, z]}}
)yaml";

/// Lines along y and z in a box with walls across x, stretched along it.
const std::string between_walls_across_x = R"yaml(scheme: projection
grid: {points: [7, 10, 6], length: [1, 2, 1.5], stretching: {x: {factor: 1.2}}}
fluid: {reynolds: 30}
boundaries: {x_min: {type: wall}, x_max: {type: wall, velocity: [0, 1, 0.5]}, y: periodic, z: periodic}
initial: {velocity: [0, "x+0.2*sin(4*pi*z/1.5)", "sin(pi*y)"], noise: {amplitude: 0.1, seed: 2}}
time: {step: 0.02, steps: 6}
output: {statistics: {start: 0.03, every: 2, spectra: [y, z]}}
)yaml";

/// An axis that is averaged over without being uniform, and one that is kept though periodic.
const std::string over_a_stretched_axis = R"yaml(scheme: projection
grid: {points: [5, 6, 11], length: [3, 2, 1.5], stretching: {x: {coordinates: [0, 0.4, 1, 1.7, 2.1, 3]}}}
fluid: {reynolds: 30}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: ["sin(pi*y)", "sin(2*pi*x/3)", "cos(2*pi*x/3)"], noise: {amplitude: 0.1, seed: 2}}
time: {step: 0.02, steps: 6}
output: {statistics: {start: 0.03, every: 2, average: [x, z], spectra: [z]}}
)yaml";

std::string on_points(std::string yaml, const std::string& from, const std::string& to) {
  return yaml.replace(yaml.find(from), from.size(), to);
}

/// Lines shorter and longer than those for which a transform pays on a CPU, along each axis.
std::vector<std::string> cases() {
  return {channel,
          box,
          box + "accuracy: {order: 4}\n",
          between_walls_across_x,
          over_a_stretched_axis,
          on_points(channel, "[6, 7, 9]", "[33, 5, 24]"),
          on_points(channel, "[6, 7, 9]", "[262, 4, 5]"),
          on_points(channel, "[6, 7, 9]", "[4, 5, 259]"),
          on_points(between_walls_across_x, "[7, 10, 6]", "[4, 260, 5]")};
}

class Spectra : public OnEveryTarget {
 protected:
  /// Of what is at most `size`: modes found in the precision of the run, squared.
  [[nodiscard]] static double tolerance(double size) {
    return (is_double() ? 1e-14 : 4e-6) * std::max(size, 1e-3);
  }
  /// magnified: by the flow, whose own roundings differ.
  static void expect_near(const Values& found,
                          const Values& wanted,
                          const std::string& name,
                          double magnified = 1) {
    ASSERT_EQ(found.size(), wanted.size()) << name;
    const double largest = std::ranges::max(wanted);
    for (std::size_t n = 0; n < wanted.size(); ++n)
      EXPECT_NEAR(found[n], wanted[n], 10 * magnified * tolerance(largest)) << name << " at " << n;
  }
};

TEST_P(Spectra, are_those_of_the_fields_of_each_sample) {
  for (const std::string& yaml : cases()) {
    const Case resolved = case_of(yaml);
    const auto simulation = started(resolved);
    Sums wanted;
    const auto add = [&](const std::string& name, const Values& sample) {
      Values& sum = wanted[name];
      sum.resize(sample.size());
      for (std::size_t n = 0; n < sample.size(); ++n) sum[n] += sample[n] / 2;
    };
    for (int step = 1; step <= 4; ++step) {
      simulation->advance();
      if (step % 2 != 0) continue;
      const Fields fields(state_of(*simulation), resolved.grid.points);
      for (int axis = 0; axis < 3; ++axis) {
        if (!is_taken(resolved, axis)) continue;
        for (int variable = 0; variable < (resolved.has_temperature() ? 5 : 4); ++variable)
          add(fmt::format("spectrum_{}_{}", "xyz"[axis], squares.at(variable)),
              lines_of_sample(fields, resolved, axis, variable));
      }
      if (has_shells(resolved)) {
        const auto shells = sum_named(simulation->statistics(), "spectrum_k").extents().nx;
        add("spectrum_k", shells_of_sample(fields, resolved, static_cast<std::size_t>(shells)));
      }
    }
    const StatisticsSums statistics = simulation->statistics();
    ASSERT_EQ(statistics.samples, 2);
    std::size_t spectra = 0;
    for (const HostField& sum : statistics.sums) {
      if (!sum.name().starts_with("spectrum_")) continue;
      ++spectra;
      expect_near(values_named(statistics, sum.name()), wanted.at(sum.name()), sum.name());
    }
    EXPECT_EQ(spectra, wanted.size());
  }
}

/// Parseval: the waves add up to the mean squares among the averages, and to the kinetic energy.
TEST_P(Spectra, add_up_to_mean_squares_and_kinetic_energy) {
  for (const std::string& yaml : cases()) {
    const Case resolved = case_of(yaml);
    const auto simulation = after(resolved, 2);
    const StatisticsSums statistics = simulation->statistics();
    ASSERT_EQ(statistics.samples, 1);
    for (int axis = 0; axis < 3; ++axis) {
      if (!is_taken(resolved, axis)) continue;
      for (int variable = 0; variable < (resolved.has_temperature() ? 5 : 4); ++variable) {
        const std::string square = squares.at(variable);
        const std::string name = fmt::format("spectrum_{}_{}", "xyz"[axis], square);
        const HostField& sum = sum_named(statistics, name);
        const Values spectrum = values_named(statistics, name);
        const Values wanted = mean_squares(statistics, square);
        Values found(wanted.size());
        Extents kept = sum.extents();
        kept[static_cast<int>(axis)] = 1;
        std::size_t place = 0;
        const auto [nx, ny, nz] = sum.extents();
        for_each_point({{}, {nx, ny, nz}}, [&](Index3 c) {
          c[static_cast<int>(axis)] = 0;
          found[(c.k * kept.ny + c.j) * kept.nx + c.i] += spectrum[place++];
        });
        expect_near(found, wanted, sum.name());
      }
    }
    if (!has_shells(resolved)) continue;
    double energy = 0;
    for (const double shell : values_named(statistics, "spectrum_k")) energy += shell;
    const double wanted = simulation->diagnostics().kinetic_energy;
    EXPECT_NEAR(energy, wanted, 10 * tolerance(wanted));
  }
}

/// A wave of amplitude 0.8 about a mean of 0.5, which shears nothing but itself and, without
/// viscosity to speak of, stays as it is.
TEST_P(Spectra, of_one_wave_are_one_line) {
  const std::array<Extents, 2> grids{Extents{8, 10, 12}, Extents{7, 9, 11}};
  for (const Extents n : grids) {
    for (int axis = 0; axis < 3; ++axis) {
      const int component = (axis + 1) % 3;
      const int points = n[static_cast<int>(axis)];
      for (const int waves : {1, 3, points / 2}) {
        SCOPED_TRACE(fmt::format("axis {}, {} waves on {} cells", axis, waves, points));
        PerAxis<std::string> velocity{"0", "0", "0"};
        velocity[component] = fmt::format("0.5+0.8*sin(2*pi*{}*{}/2)", waves, "xyz"[axis]);
        const Case resolved = case_of(fmt::format(R"yaml(scheme: projection
grid: {{points: [{}, {}, {}], length: [2, 2, 2]}}
fluid: {{reynolds: 1e15}}
boundaries: {{x: periodic, y: periodic, z: periodic}}
initial: {{velocity: ["{}", "{}", "{}"]}}
time: {{step: 0.001, steps: 1}}
output: {{statistics: {{every: 1, spectra: [x, y, z]}}}}
)yaml",
                                                  n.nx,
                                                  n.ny,
                                                  n.nz,
                                                  velocity[0],
                                                  velocity[1],
                                                  velocity[2]));
        const StatisticsSums statistics = after(resolved, 1)->statistics();
        const double wave = 0.8 * 0.8 * (2 * waves == points ? 1 : 0.5);
        // Rounding of the flow, squared; and of the wave itself.
        const double small = is_double() ? 1e-28 : 1e-12;
        const auto near = [&](double energy) { return energy > 0 ? tolerance(1) : small; };
        for (int other = 0; other < 3; ++other) {
          const Values line = values_named(
              statistics, fmt::format("spectrum_{}_{}", "xyz"[other], squares.at(component)));
          const auto m = static_cast<std::size_t>(waves);
          for (std::size_t bin = 0; bin < line.size(); ++bin) {
            double wanted = bin == 0 ? 0.25 : 0;
            if (other == axis && bin == m) wanted = wave;
            if (other != axis && bin == 0) wanted += wave;
            EXPECT_NEAR(line[bin], wanted, near(wanted)) << "along " << other << ", bin " << bin;
          }
        }
        const Values shells = values_named(statistics, "spectrum_k");
        for (std::size_t shell = 0; shell < shells.size(); ++shell) {
          const double wanted = shell == 0                                 ? 0.125
                                : shell == static_cast<std::size_t>(waves) ? wave / 2
                                                                           : 0;
          EXPECT_NEAR(shells[shell], wanted, near(wanted)) << "shell " << shell;
        }
      }
    }
  }
}

/// sqrt(3) is nearest to 2. Scales that the step has made are of the order of dt.
TEST_P(Spectra, of_the_vortex_of_taylor_and_green_are_in_one_shell) {
  const Case resolved = case_of(R"yaml(scheme: projection
grid: {points: [16, 16, 16], length: [6.283185307179586, 6.283185307179586, 6.283185307179586]}
fluid: {reynolds: 1600}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: ["sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", "0"]}
time: {step: 1e-6, steps: 1}
output: {statistics: {every: 1, spectra: [x, y, z]}}
)yaml");
  const auto simulation = after(resolved, 1);
  const Values shells = values_named(simulation->statistics(), "spectrum_k");
  EXPECT_EQ(shells.size(), 15U);  // 8 sqrt(3) is nearest to 14
  for (std::size_t shell = 0; shell < shells.size(); ++shell)
    EXPECT_NEAR(shells[shell], shell == 2 ? 0.125 : 0, is_double() ? 1e-8 : 1e-7) << shell;
}

TEST_P(Spectra, of_several_ranks_are_those_of_one) {
  for (const std::string& yaml : cases()) {
    const Case resolved = case_of(yaml);
    const RanksResult one = run_on_ranks(resolved, 1, 4);
    for (const int ranks : {2, 3}) {
      SCOPED_TRACE(ranks);
      const RanksResult several = run_on_ranks(resolved, ranks, 4);
      for (const HostField& sum : one.restart.statistics.sums) {
        if (!sum.name().starts_with("spectrum_")) continue;
        const Values found = values_named(several.restart.statistics, sum.name());
        expect_near(found, values_named(one.restart.statistics, sum.name()), sum.name(), 100);
        for (const StatisticsSums& of_rank : several.statistics)
          EXPECT_EQ(values_named(of_rank, sum.name()), found) << sum.name();
      }
    }
  }
}

TEST_P(Spectra, repeat_and_go_on_bit_for_bit) {
  for (const std::string& yaml : {channel, box}) {
    Case resolved = case_of(yaml);
    for (const int ranks : {1, 3}) {
      SCOPED_TRACE(ranks);
      const RanksResult whole = run_on_ranks(resolved, ranks, 6);
      const RanksResult paused = run_on_ranks(resolved, ranks, 3);
      const RanksResult goes_on = run_on_ranks(resolved, ranks, 3, &paused.restart);
      EXPECT_TRUE(same_bits(goes_on.restart, whole.restart));
      resolved.run.threads = 1;
      EXPECT_TRUE(same_bits(run_on_ranks(resolved, ranks, 6).restart, whole.restart));
    }
  }
}

TEST_P(Spectra, cannot_begin_amid_averages) {
  Case resolved = case_of(channel);
  resolved.output.statistics->spectra = {};
  const auto simulation = after(resolved, 2);
  FlowState state = state_of(*simulation);
  state.statistics = simulation->statistics();
  resolved.output.statistics->spectra = {true, false, false};
  EXPECT_THROW(make_simulation(resolved)->set_state(state), CaseError);
}

INSTANTIATE_TEST_SUITE_P(Devices, Spectra, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_spectra
