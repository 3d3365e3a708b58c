/// Runs that start from the flow of another one, on its grid or on others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "solver/config/load_case.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/snapshot.hpp"
#include "tests/output/output_testing.hpp"
#include "tests/verification/slabs.hpp"

namespace dns::testing::test_starts_on_other_grids {
namespace {

class StartsOnOtherGrids : public OnEveryTarget {
 protected:
  void SetUp() override {
    OnEveryTarget::SetUp();
    if (IsSkipped()) return;
    std::string pattern = (std::filesystem::temp_directory_path() / "dns_starts_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  static Case channel(const std::string& scheme,
                      const std::string& points,
                      const std::string& more = "") {
    const bool is_projection = scheme == "projection";
    return case_of(fmt::format(R"yaml(
scheme: {}
grid: {{points: {}, length: [3, 2, 1.5]{}}}
fluid: {{reynolds: 100, prandtl: 0.7}}
boundaries:
  x: periodic
  y_min: {{type: wall, temperature: 1}}
  y_max: {{type: wall, velocity: [0.5, 0, -0.25], temperature: 0.5}}
  z: periodic
time: {{step: 0.01, steps: 6}}
output: {{fields: {{precision: double}}}}
{})yaml",
                               scheme,
                               points,
                               is_projection ? ", stretching: {y: {factor: 1.5}}" : "",
                               more));
  }

  /// A disturbed flow after three steps, in a checkpoint and in a snapshot.
  void make_source(const std::string& scheme) {
    Case source =
        channel(scheme,
                "[13, 14, 11]",
                R"yaml(initial: {velocity: ["0.25*y+y*(2-y)*(1+0.3*sin(2*pi*x/3)*cos(4*pi*z/3))",
                     "0.2*y^2*(2-y)^2*cos(2*pi*x/3)", "-0.125*y+0.2*y*(2-y)*sin(2*pi*x/3)"],
           temperature: "1-y/4"}
)yaml");
    std::erase(source.output.fields.variables, pressure_name);
    const auto simulation = after(source, 3);
    source_ = simulation->diagnostics();
    write_checkpoint(folder_, state_of(*simulation), to_yaml(source), 1);
    FlowState view = simulation->allocate_state(CopyPurpose::viewing);
    simulation->copy_state(view, CopyPurpose::viewing);
    write_snapshot(folder_, view, source, "a device", to_yaml(source));
  }
  [[nodiscard]] Case from(Case target, const std::string& name) const {
    target.initial.file = folder_ + "/" + name;
    return target;
  }

  std::string folder_;
  FlowDiagnostics source_;
};

TEST_P(StartsOnOtherGrids, have_no_divergence_and_keep_the_flow) {
  for (const std::string scheme : {"projection", "splitting"}) {
    make_source(scheme);
    for (const char* const name : {"checkpoint_00000003.h5", "fields_00000003.h5"}) {
      SCOPED_TRACE(scheme + " " + name);
      Case target = channel("projection", "[17, 22, 12]");
      target.grid.stretching[1].factor = 2;
      const auto simulation = started(from(target, name));
      const FlowDiagnostics start = simulation->diagnostics();
      // Velocities of about 1 in cells of about 0.02: an ulp of the one over the other.
      EXPECT_LT(start.divergence_max, is_double() ? 1e-12 : 5e-4);
      // Sums over so few nodes or cells are themselves off by a percent.
      EXPECT_NEAR(start.kinetic_energy, source_.kinetic_energy, 0.02 * source_.kinetic_energy);
      EXPECT_EQ(simulation->step(), 0);
      for (int n = 0; n < 3; ++n) simulation->advance();
      EXPECT_NEAR(simulation->diagnostics().kinetic_energy,
                  source_.kinetic_energy,
                  0.03 * source_.kinetic_energy);
    }
  }
}

TEST_P(StartsOnOtherGrids, goes_on_with_nodes) {
  for (const std::string scheme : {"projection", "splitting"}) {
    make_source(scheme);
    const auto simulation =
        after(from(channel("splitting", "[16, 23, 14]"), "checkpoint_00000003.h5"), 3);
    EXPECT_NEAR(simulation->diagnostics().kinetic_energy,
                source_.kinetic_energy,
                0.03 * source_.kinetic_energy)
        << scheme;
  }
}

TEST_P(StartsOnOtherGrids, flows_around_bodies_that_the_source_lacks) {
  make_source("projection");
  const Case target = channel("projection",
                              "[18, 20, 14]",
                              "solids: {ball: {shape: sphere, center: [1, 1, 0.7], radius: 0.3, "
                              "temperature: 1}}\n");
  const auto simulation = started(from(target, "checkpoint_00000003.h5"));
  const FlowDiagnostics start = simulation->diagnostics();
  EXPECT_LT(start.divergence_max, is_double() ? 1e-11 : 2e-3);
  simulation->advance();
  EXPECT_TRUE(std::isfinite(simulation->diagnostics().kinetic_energy));
}

TEST_P(StartsOnOtherGrids, are_the_same_on_several_ranks) {
  make_source("projection");
  for (const Case& target :
       {channel("projection", "[12, 13, 25]"), channel("splitting", "[12, 13, 25]")}) {
    const Case resolved = from(target, "fields_00000003.h5");
    const RanksResult one = run_on_ranks(resolved, 1, 2);
    for (const int ranks : {2, 3}) {
      EXPECT_TRUE(same_within(
          is_double() ? 1e-11 : 1e-3, run_on_ranks(resolved, ranks, 2).viewing, one.viewing));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(on, StartsOnOtherGrids, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_starts_on_other_grids
