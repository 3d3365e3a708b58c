/// Probes in flows: exact for linear ones, of second order for smooth ones, the values of walls on
/// walls, and the same bits on any number of ranks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "solver/grid/probe_points.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/output/record_transfer.hpp"
#include "solver/simulation/flow_checks.hpp"
#include "tests/slab_of.hpp"
#include "tests/verification/known_flows.hpp"
#include "tests/verification/slabs.hpp"

namespace dns::testing::test_probes {
namespace {

constexpr int pressure_number = 4;  // in flows with a temperature

/// Anywhere in the box: corners, edges, faces, close to them, and inside.
std::vector<Place> places_everywhere(int random) {
  std::vector<Place> places;
  constexpr std::array fractions{0.0, 0.004, 0.5, 0.997, 1.0};
  for (const double x : fractions)
    for (const double y : fractions)
      for (const double z : fractions) places.push_back({x, y, z});
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> anywhere(0, 1);
  for (int n = 0; n < random; ++n)
    places.push_back({anywhere(generator), anywhere(generator), anywhere(generator)});
  for (Place& place : places) {
    for (int axis = 0; axis < 3; ++axis)
      place[axis] = place[axis] == 1 ? origin[axis] + length[axis]
                                     : origin[axis] + place[axis] * length[axis];
  }
  return places;
}

class Probes : public OnEveryTarget {
 protected:
  static Case with_probes(const std::string& yaml, const std::vector<Place>& places) {
    Case resolved = case_of(yaml);
    ProbesCase& probes = resolved.output.probes.emplace();
    probes.every = 1;
    for (const Place& place : places)
      probes.probes.push_back({fmt::format("p{}", probes.probes.size()), place, place, 1});
    return resolved;
  }

  struct Errors {
    double largest = 0, mean = 0;  // the root of the mean square
  };
  /// Those of the records of a flow at its start.
  static Errors errors_of(const std::string& yaml, const Flow& flow) {
    const std::vector<Place> places = places_everywhere(300);
    const Case resolved = with_probes(yaml, places);
    const ProbeRecords records = started(resolved)->take_probes();
    const std::vector<ProbeSample> samples = probe_samples(resolved);
    EXPECT_EQ(records.count(), 1U);
    EXPECT_EQ(records.values.size(), samples.size());
    Errors errors;
    for (std::size_t n = 0; n < records.values.size(); ++n) {
      const int variable = samples[n].variable;
      const double exact =
          variable == pressure_number ? 0 : flow.at(variable)(places.at(samples[n].probe));
      const double error = std::abs(records.values[n] - exact);
      if (!(error <= errors.largest)) errors.largest = error;  // also where it is NaN, which stays
      errors.mean += error * error / static_cast<double>(records.values.size());
    }
    errors.mean = std::sqrt(errors.mean);
    return errors;
  }
};

TEST_P(Probes, of_a_linear_flow_are_exact_everywhere_to_the_corners_of_the_box) {
  for (const Scheme scheme : schemes) {
    const std::string yaml =
        yaml_of(scheme, {7, 6, 9}, all_stretched, given_everywhere(linear_values));
    // Values of about 1: roundings of the start, of its projection and of the interpolation.
    EXPECT_LE(errors_of(yaml, linear).largest, is_double() ? 1e-12 : 5e-6) << name_of(scheme);
  }
}

TEST_P(Probes, of_a_smooth_flow_are_of_second_order) {
  for (const Scheme scheme : schemes) {
    for (const std::string& rest : {all_periodic, given_everywhere(wave_values)}) {
      const bool is_closed = rest != all_periodic;
      const auto error = [&](int fine) {
        const int one = is_closed && scheme == Scheme::splitting ? 1 : 0;  // nodes at both ends
        return errors_of(
            yaml_of(scheme,
                    {15 * fine + one, 13 * fine + one, 14 * fine + one},
                    is_closed ? ", stretching: {x: {factor: 1.2}, z: {factor: 0.8}}" : "",
                    rest),
            waves);
      };
      const Errors coarse = error(1);
      const Errors fine = error(2);
      const double order = std::log2(coarse.mean / fine.mean);
      EXPECT_LE(coarse.largest, 0.2) << name_of(scheme);
      EXPECT_LE(fine.largest, coarse.largest / 3) << name_of(scheme);
      EXPECT_GE(order, 1.8) << name_of(scheme) << (is_closed ? " closed" : " periodic");
      EXPECT_LE(order, 2.3) << name_of(scheme) << (is_closed ? " closed" : " periodic");
    }
  }
}

const std::string walls = R"yaml(
boundaries:
  x_min: {type: wall, velocity: [0, 0, 0], temperature: 1}
  x_max: {type: wall, velocity: [0, 0, 0], temperature: 1}
  y_min: {type: wall, velocity: [0, 0, 0], temperature: 1}
  y_max: {type: wall, velocity: [0, 0, 0], temperature: 1}
  z_min: {type: wall, velocity: [0, 0, 0], temperature: 1}
  z_max: {type: wall, velocity: [0, 0, 0], temperature: 1}
initial: {velocity: ["sin(pi*y)", "sin(pi*(x+1))", "0.3*sin(pi*y)"], temperature: "1+sin(pi*y)"}
)yaml";

TEST_P(Probes, on_walls_record_the_values_of_walls) {
  for (const Scheme scheme : schemes) {
    std::vector<Place> places = places_everywhere(0);
    for (int axis = 0; axis < 3; ++axis) {
      for (const Place& anywhere : places_everywhere(40)) {
        Place on_wall = anywhere;
        on_wall[axis] = origin[axis];
        places.push_back(on_wall);
        on_wall[axis] += length[axis];
        places.push_back(on_wall);
      }
    }
    const Case resolved = with_probes(yaml_of(scheme, {7, 6, 9}, all_stretched, walls), places);
    const auto simulation = after(resolved, 3);
    const ProbeRecords records = simulation->take_probes();
    ASSERT_EQ(records.count(), 4U);
    const std::vector<ProbeSample> samples = probe_samples(resolved);
    // Of 2 given - q and q, both of about 1, there remain roundings of them.
    const double tolerance = is_double() ? 1e-14 : 1e-5;
    double largest_inside = 0;
    for (std::size_t n = 0; n < samples.size(); ++n) {
      const Place& place = places.at(samples[n].probe);
      const bool is_on_wall = std::ranges::any_of(std::array{0, 1, 2}, [&](int axis) {
        return place[axis] == origin[axis] || place[axis] == origin[axis] + length[axis];
      });
      if (samples[n].variable == pressure_number) continue;
      const double value = records.record(3)[n];
      if (is_on_wall) {
        EXPECT_NEAR(value, is_velocity(samples[n].variable) ? 0 : 1, tolerance) << n;
      } else {
        largest_inside = std::max(largest_inside, std::abs(value));
      }
    }
    EXPECT_GE(largest_inside, 0.1);
  }
}

/// Those of all ranks together, of the flow of a copy for restart said to be at step 0.
ProbeRecords probes_on_ranks(const Case& resolved, int ranks, const FlowState& flow) {
  ProbeRecords records;
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    const auto simulation = make_simulation(resolved, communicator);
    simulation->set_state(slab_of(flow, simulation->subdomain()));
    ProbeRecords of_all = probes_of_all(communicator, simulation->take_probes());
    if (communicator.rank() == 0) records = std::move(of_all);
  });
  return records;
}

TEST_P(Probes, of_one_flow_are_the_same_bits_on_any_number_of_ranks) {
  for (const Scheme scheme : schemes) {
    std::vector<std::string> boxes{walls, all_periodic, given_everywhere(linear_values)};
    if (scheme == Scheme::projection) boxes.push_back(all_periodic + "accuracy: {order: 4}\n");
    for (const std::string& rest : boxes) {
      const bool is_periodic = rest.starts_with(all_periodic);
      const Case resolved =
          with_probes(yaml_of(scheme, {7, 6, 9}, is_periodic ? "" : all_stretched, rest),
                      places_everywhere(100));
      FlowState flow = state_of(*after(resolved, 3));
      flow.step = 0;
      const auto simulation = make_simulation(resolved);
      simulation->set_state(flow);
      const ProbeRecords alone = simulation->take_probes();
      ASSERT_EQ(alone.count(), 1U);
      for (const int ranks : {1, 2, 3}) {
        const ProbeRecords several = probes_on_ranks(resolved, ranks, flow);
        EXPECT_EQ(several.samples, alone.samples) << ranks;
        EXPECT_EQ(several.values, alone.values) << name_of(scheme) << " on " << ranks;
      }
      for (const double value : alone.values) ASSERT_TRUE(std::isfinite(value));
    }
  }
}

TEST_P(Probes, come_in_the_steps_that_are_due_however_often_they_are_taken) {
  for (const Scheme scheme : schemes) {
    Case resolved = with_probes(yaml_of(scheme, {7, 6, 9}, all_stretched, walls), {});
    ProbesCase& probes = *resolved.output.probes;
    probes.every = 3;
    // So many that a record or two fill what the device has for them.
    probes.probes = {{"a", {-1, 0.2, 2}, {0.5, 0.9, 2.75}, 13000}, {"b", {0, 0, 2.1}, {}, 1}};
    ASSERT_LE(records_on_device(probe_samples(resolved).size(), bytes_of(resolved.precision)), 5U);
    const auto simulation = started(resolved);
    ProbeRecords each = simulation->take_probes();
    for (int step = 1; step <= 20; ++step) {
      simulation->advance();
      each.append(simulation->take_probes());
    }
    EXPECT_EQ(each.steps, (std::vector<std::int64_t>{0, 3, 6, 9, 12, 15, 18}));
    EXPECT_NEAR(each.times.back(), 0.018, 1e-15);
    const ProbeRecords at_once = after(resolved, 20)->take_probes();
    EXPECT_EQ(at_once.steps, each.steps);
    EXPECT_EQ(at_once.times, each.times);
    EXPECT_TRUE(at_once.values == each.values);
    probes.start = 0.0075;
    EXPECT_EQ(after(resolved, 13)->take_probes().steps, (std::vector<std::int64_t>{9, 12}));
    FlowState flow = state_of(*simulation);
    const auto resumed = make_simulation(resolved);
    resumed->set_state(flow);
    EXPECT_EQ(resumed->take_probes().count(), 0U);  // that step was recorded before
  }
}

TEST_P(Probes, on_points_of_the_grid_are_the_flow_itself) {
  Case resolved = with_probes(yaml_of(Scheme::projection, {7, 6, 9}, all_stretched, walls), {});
  std::vector<Place> places;
  for (const int variable : {0, 1, 2, first_scalar}) {
    Place place{};
    for (int axis = 0; axis < 3; ++axis)
      place[axis] = point_coordinates(resolved, axis, variable).at(4);
    places.push_back(place);
    resolved.output.probes->probes.push_back({"p", place, place, 1});
  }
  const auto simulation = after(resolved, 3);
  const FlowState flow = state_of(*simulation);
  const ProbeRecords records = simulation->take_probes();
  const std::array<std::string_view, 4> names{
      velocity_x_name, velocity_y_name, velocity_z_name, temperature_name};
  const std::vector<ProbeSample> samples = probe_samples(resolved);
  int compared = 0;
  for (std::size_t n = 0; n < samples.size(); ++n) {
    if (samples[n].variable != static_cast<int>(samples[n].probe)) continue;
    const HostField field =
        field_in(flow, names.at(samples[n].probe), {9, 8, 11}, resolved.precision);
    const std::size_t at = (5U * 8 + 5) * 9 + 5;  // with ghost points
    EXPECT_EQ(records.record(3)[n], in_doubles(field).at(at)) << n;
    ++compared;
  }
  EXPECT_EQ(compared, 4);
}

TEST_P(Probes, take_as_much_memory_as_is_said) {
  for (const Scheme scheme : schemes) {
    const Case with =
        with_probes(yaml_of(scheme, {7, 6, 9}, all_stretched, walls), places_everywhere(100));
    Case without = with;
    without.output.probes.reset();
    EXPECT_EQ(make_simulation(without)->take_probes().count(), 0U);
    const std::size_t taken = make_simulation(with)->memory_bytes();
    EXPECT_EQ(needs_of(with).device_bytes, taken);
    EXPECT_GT(taken, make_simulation(without)->memory_bytes());
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Probes, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_probes
