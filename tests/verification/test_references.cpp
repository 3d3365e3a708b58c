/// Scalars far from 0, which are computed as differences from a reference.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/references.hpp"
#include "solver/core/reduction.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/probe_points.hpp"
#include "solver/statistics/flow_averages.hpp"
#include "tests/verification/slabs.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_references {
namespace {

constexpr double far = 1e4;

/// A flow whose temperature is an offset plus about 1; `salt` has the negative of the offset.
struct OffsetFlow {
  const char* name;
  std::string_view yaml;  // O: the offset; M: its negative

  [[nodiscard]] std::string with(double offset) const {
    std::string text(yaml);
    for (std::size_t at = 0; (at = text.find_first_of("OM", at)) != std::string::npos;)
      text.replace(at, 1, fmt::format("{}", text[at] == 'O' ? offset : -offset));
    return text;
  }
};

const std::vector<OffsetFlow> offset_flows{
    {"buoyant layer", R"yaml(scheme: projection
grid: {points: [12, 10, 8], length: [2, 1, 1]}
fluid: {reynolds: 100, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: "O+1"}
  y_max: {type: wall, temperature: "O"}
  z: periodic
buoyancy: {richardson: 1, direction: y, reference_temperature: "O+0.5"}
initial:
  velocity: ["0.2*sin(2*pi*z)", "0.1*cos(pi*x)*sin(pi*y)", "0.1*sin(pi*x)"]
  temperature: "O+1-y+0.2*sin(pi*x)*sin(pi*y)"
time: {step: 0.02, steps: 100}
)yaml"},
    {"periodic box", R"yaml(scheme: projection
grid: {points: [12, 10, 8], length: [2, 1, 1]}
fluid: {reynolds: 100, prandtl: 0.7}
scalars: {salt: {prandtl: 2, initial: "M+0.5*cos(2*pi*y)"}}
boundaries: {x: periodic, y: periodic, z: periodic}
initial:
  velocity: ["sin(2*pi*z)", "cos(pi*x)", "sin(pi*x)"]
  temperature: "O+0.5*sin(pi*x)*cos(2*pi*z)"
time: {step: 0.02, steps: 100}
)yaml"},
    {"stages", R"yaml(scheme: projection
grid: {points: [12, 10, 8], length: [2, 1, 1]}
accuracy: {order: [4, 2, 4]}
fluid: {reynolds: 100, prandtl: 0.7}
scalars: {salt: {prandtl: 2, initial: "M+0.5*cos(2*pi*y)", buoyancy: 0.3}}
buoyancy: {richardson: 1, direction: y, reference_temperature: "0.7*O"}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: {gradient: 0.3}, scalars: {salt: "M+0.2*sin(pi*x)"}}
  y_max: {type: wall, temperature: {gradient: -0.3}, scalars: {salt: {gradient: 0}}}
  z: periodic
initial:
  velocity: ["0.2*sin(2*pi*z)", 0, "0.1*sin(pi*x)"]
  temperature: "O+0.5*sin(pi*x)*cos(2*pi*z)"
time: {scheme: runge_kutta, step: 0.01, steps: 100}
)yaml"},
    {"splitting", R"yaml(scheme: splitting
grid: {points: [11, 10, 9], length: [2, 1, 1]}
fluid: {reynolds: 50, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, velocity: [0.5, 0, 0], temperature: "O+0.3"}
  y_max: {type: wall, temperature: "O+0.2*sin(pi*x)"}
  z_min: {type: wall, temperature: {gradient: 0}}
  z_max: {type: wall, temperature: "O"}
initial: {velocity: ["0.1*sin(pi*z)", 0, 0], temperature: "O+0.2*sin(pi*y)*sin(pi*x)"}
time: {step: 0.01, steps: 100, global_iterations: 2}
)yaml"},
    {"splitting about a body", R"yaml(scheme: splitting
grid: {points: [12, 11, 10], length: [2, 1, 1]}
fluid: {reynolds: 50, prandtl: 0.7}
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0], temperature: "O+0.2*sin(pi*y)*cos(t)"}
  x_max: {type: outflow}
  y_min: {type: symmetry}
  y_max: {type: symmetry}
  z: periodic
solids: {rod: {shape: sphere, center: [0.8, 0.5, 0.5], radius: 0.25, temperature: "O+0.4"}}
forcing: {type: formula, heat: "0.1*sin(pi*y)"}
initial: {velocity: [1, 0, 0], temperature: "O"}
time: {step: 0.01, steps: 100, global_iterations: 2}
)yaml"},
    {"body, transfer, sponge and inflow", R"yaml(scheme: projection
grid: {points: [16, 10, 6], length: [3, 1, 1]}
fluid: {reynolds: 50, prandtl: 0.7}
scalars: {salt: {prandtl: 2, initial: "M", source: "0.1*cos(t)"}}
boundaries:
  x_min:
    type: inflow
    velocity: [1, 0, 0]
    temperature: "O+0.3*sin(2*pi*y)*cos(t)"
    scalars: {salt: "M+y"}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: {transfer: 3, outside: "O+1"}, scalars: {salt: {gradient: 0}}}
  y_max: {type: wall, temperature: "O-0.5", scalars: {salt: {transfer: 2, outside: "M-0.4"}}}
  z: periodic
solids:
  rod:
    shape: cylinder
    axis: z
    center: [1, 0.5, 0.5]
    radius: 0.2
    temperature: "O+0.7"
    scalars: {salt: "M+0.3"}
forcing:
  type: formula
  heat: "0.2*x"
  sponges: {end: {rate: "x>2.5 ? 5 : 0", temperature: "O+0.2*y", scalars: {salt: "M+0.5"}}}
initial: {velocity: [1, 0, 0], temperature: "O"}
time: {step: 0.02, steps: 100}
)yaml"}};

/// The largest difference of a field from another one plus an offset.
double largest_difference(const std::vector<double>& a,
                          const std::vector<double>& b,
                          double offset) {
  double largest = 0;
  for (std::size_t n = 0; n < a.size(); ++n)
    largest = larger_or_nan(largest, std::abs(a[n] - offset - b[n]));
  return largest;
}

double offset_of(const Case& resolved, int variable, double offset) {
  if (variable < first_scalar || variable >= transported_variables(resolved)) return 0;
  return resolved.is_temperature(variable) ? offset : -offset;
}

class References : public OnEveryTarget {
 protected:
  /// Values of about 1 lose a few bits in a hundred steps; the numbers of a case, which have the
  /// offset, are double.
  [[nodiscard]] static double tolerance() {
    return is_double() ? 16 * far * epsilon() : 64 * epsilon();
  }
  [[nodiscard]] static Case short_case(const OffsetFlow& flow) {
    Case resolved = case_of(flow.with(far));
    resolved.time.steps = 12;
    return resolved;
  }
};

TEST_P(References, keep_the_digits_of_what_varies) {
  for (const OffsetFlow& flow : offset_flows) {
    const Case resolved = case_of(flow.with(far));
    const FlowState shifted = viewing_copy(*after(resolved, 100));
    const FlowState plain = viewing_copy(*after(case_of(flow.with(0)), 100));
    const std::vector<Variable> variables = solved_variables(resolved);
    for (std::size_t n = 0; n < variables.size(); ++n) {
      const std::string& name = variables[n].name;
      const double difference = largest_difference(values_of(shifted, name),
                                                   values_of(plain, name),
                                                   offset_of(resolved, static_cast<int>(n), far));
      RecordProperty(fmt::format("{} {}", flow.name, name), fmt::format("{:.2g}", difference));
      EXPECT_LE(difference, tolerance()) << flow.name << ", " << name;
    }
  }
}

TEST_P(References, go_on_bit_for_bit_from_a_copy) {
  for (const OffsetFlow& flow : offset_flows) {
    const Case resolved = short_case(flow);
    auto whole = started(resolved);
    for (int n = 0; n < 5; ++n) whole->advance();
    const FlowState middle = state_of(*whole);
    auto resumed = make_simulation(resolved);
    resumed->set_state(middle);
    for (Simulation* const simulation : {whole.get(), resumed.get()})
      for (int n = 0; n < 7; ++n) simulation->advance();
    EXPECT_TRUE(same_bits(state_of(*resumed), state_of(*whole))) << flow.name;
    EXPECT_TRUE(same_bits(viewing_copy(*resumed), viewing_copy(*whole))) << flow.name;
  }
}

TEST_P(References, may_change_where_a_run_goes_on) {
  for (const OffsetFlow& flow : offset_flows) {
    const Case resolved = short_case(flow);
    for (const double other : {far - 3, 0.0}) {
      Case changed = resolved;
      changed.temperature.reference = other;
      for (ScalarCase& scalar : changed.scalars) scalar.reference = -other;
      const auto whole = after(resolved, 5);
      for (const bool is_back : {false, true}) {
        const auto resumed = make_simulation(is_back ? resolved : changed);
        resumed->set_state(state_of(*after(is_back ? changed : resolved, 5)));
        // Five steps about 0 lose what references keep.
        const double bits = other == 0 ? 32 * far * epsilon() : tolerance();
        EXPECT_LE(largest_difference(values_of(viewing_copy(*resumed), "temperature"),
                                     values_of(viewing_copy(*whole), "temperature"),
                                     0),
                  bits)
            << flow.name << ", " << other;
      }
    }
  }
}

TEST_P(References, are_in_all_that_a_simulation_hands_over) {
  const std::string records = R"yaml(
output:
  statistics: {every: 1}
  planes: {every: 1, middle: {axis: y, at: 0.5}}
  probes: {every: 1, here: {at: [0.7, 0.3, 0.4]}}
)yaml";
  for (const OffsetFlow& flow : offset_flows) {
    const bool has_statistics = flow.yaml.find("projection") != std::string_view::npos;
    std::string more = records;
    if (!has_statistics)
      more.erase(more.find("  statistics"), more.find("  planes") - more.find("  statistics"));
    const auto run = [&](double offset) { return after(case_of(flow.with(offset) + more), 5); };
    const Case resolved = case_of(flow.with(far) + more);
    const auto shifted = run(far);
    const auto plain = run(0);

    const auto names = shifted->diagnostic_names();
    const std::vector<double> means = shifted->diagnostics().others;
    const std::vector<double> plain_means = plain->diagnostics().others;
    ASSERT_EQ(names, plain->diagnostic_names());
    for (std::size_t n = 0; n < names.size(); ++n) {
      const double offset = names[n] == "temperature_mean" ? far
                            : names[n] == "salt_mean"      ? -far
                                                           : 0;
      EXPECT_NEAR(means[n] - offset, plain_means[n], 10 * tolerance())
          << flow.name << ", " << names[n];
    }

    const std::vector<PlaneValues> planes = shifted->planes();
    const std::vector<PlaneValues> plain_planes = plain->planes();
    for (std::size_t n = 0; n < planes[0].size(); ++n) {
      EXPECT_LE(
          largest_difference(
              planes[0][n], plain_planes[0][n], offset_of(resolved, static_cast<int>(n), far)),
          tolerance())
          << flow.name << ", " << n;
    }

    const std::vector<ProbeSample> samples = probe_samples(resolved);
    const ProbeRecords probes = shifted->take_probes();
    const ProbeRecords plain_probes = plain->take_probes();
    ASSERT_EQ(probes.values.size(), 6 * samples.size());
    for (std::size_t n = 0; n < probes.values.size(); ++n) {
      const double offset = offset_of(resolved, samples[n % samples.size()].variable, far);
      EXPECT_NEAR(probes.values[n] - offset, plain_probes.values[n], tolerance()) << flow.name;
    }

    if (!has_statistics) continue;
    const auto averages = averages_of(shifted->statistics(), resolved);
    const auto plain_averages = averages_of(plain->statistics(), resolved);
    ASSERT_EQ(averages.size(), plain_averages.size());
    for (std::size_t n = 0; n < averages.size(); ++n) {
      const std::string& name = averages[n].name;
      if (name.starts_with("skewness") || name.starts_with("flatness")) continue;
      const double offset = name == "T" ? far : name == "salt" ? -far : 0;
      std::vector<double> values = averages[n].values;
      std::vector<double> plain_values = plain_averages[n].values;
      for (std::size_t cell = 0; cell < values.size(); ++cell) {
        if (!std::isnan(values[cell]) || !std::isnan(plain_values[cell])) continue;  // in a body
        values[cell] = offset;
        plain_values[cell] = 0;
      }
      EXPECT_LE(largest_difference(values, plain_values, offset), 10 * tolerance())
          << flow.name << ", " << name;
    }
  }
}

TEST_P(References, are_the_same_on_several_ranks) {
  for (const OffsetFlow& flow : offset_flows) {
    const Case resolved = short_case(flow);
    const RanksResult result = run_on_ranks(resolved, 2, 5);
    const auto alone = after(resolved, 5);
    EXPECT_LE(largest_difference(values_of(result.viewing, "temperature"),
                                 values_of(viewing_copy(*alone), "temperature"),
                                 0),
              tolerance())
        << flow.name;
    EXPECT_TRUE(same_bits(run_on_ranks(resolved, 2, 0, &result.restart).restart, result.restart));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, References, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_references
