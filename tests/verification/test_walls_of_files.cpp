/// Walls that tables over time move, blow through and heat: the flows are those of the formulas.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/message_of.hpp"
#include "tests/verification/staggered_fields.hpp"

namespace dns::testing::test_walls_of_files {
namespace {

class WallsOfFiles : public OnEveryTarget {
 protected:
  /// A table of the columns t, x and others that are linear in t and in x, so that interpolation is
  /// exact: (a + b x) (1 + c t) of each.
  struct Column {
    const char* name;
    double a, b, c;
    [[nodiscard]] double at(double t, double x) const { return (a + b * x) * (1 + c * t); }
    [[nodiscard]] std::string formula() const {
      return fmt::format("\"({} + {}*x)*(1 + {}*t)\"", a, b, c);
    }
  };
  [[nodiscard]] static std::string file(const std::string& name,
                                        const std::vector<Column>& columns) {
    const auto folder = std::filesystem::path(::testing::TempDir()) /
                        fmt::format("dns_walls_of_files_{}", name_of_target({GetParam(), 0}));
    std::filesystem::create_directories(folder);
    std::ofstream out(folder / name);
    out << "t x";
    for (const Column& column : columns) out << " " << column.name;
    for (const double t : {0.0, 1.0}) {
      for (const double x : {0.0, 2.0}) {
        out << fmt::format("\n{} {}", t, x);
        for (const Column& column : columns) out << fmt::format(" {}", column.at(t, x));
      }
    }
    out << "\n";
    return fmt::format("{{profile: {}}}", (folder / name).string());
  }

  /// Odd, unequal extents; lids that move and blow where the scheme and the test have it.
  [[nodiscard]] static Case box(const std::string& scheme,
                                const std::string& time_scheme,
                                const std::string& low,
                                const std::string& high) {
    return case_of(fmt::format(R"yaml(scheme: {0}
grid: {{points: [9, 12, 7], length: [2, 1, 1.5]}}
fluid: {{reynolds: 50, prandtl: 0.7}}
boundaries:
  x_min: {{type: wall, temperature: 0}}
  x_max: {{type: wall, temperature: 0}}
  y_min: {{type: wall, {2}}}
  y_max: {{type: wall, {3}}}
  z: periodic
time: {{step: 0.02, steps: 100{1}}}
)yaml",
                               scheme,
                               time_scheme.empty() ? "" : ", scheme: " + time_scheme,
                               low,
                               high));
  }
  static void expect_alike(const Case& by_files, const Case& by_formulas, const std::string& what) {
    const auto one = after(by_files, 7);
    const auto other = after(by_formulas, 7);
    const FlowState found = viewing_copy(*one);
    double largest = 0;
    for (const HostField& field : viewing_copy(*other).fields) {
      const std::vector<double> expected = in_doubles(field);
      const std::vector<double> values = values_of(found, field.name());
      for (std::size_t n = 0; n < expected.size(); ++n) {
        ASSERT_NEAR(values[n], expected[n], 1e3 * epsilon()) << what << " " << field.name() << n;
        largest = std::max(largest, std::abs(expected[n]));
      }
    }
    EXPECT_GT(largest, 0.5);
  }

  static constexpr Column u{"u", 1, -0.3, 0.5}, w{"w", 0.4, 0.1, -2}, T{"T", 0.5, 0.2, 3};
  static constexpr Column v{"v", 0.25, -0.25, 4};  // blown and sucked, as much of both
};

TEST_P(WallsOfFiles, move_blow_and_heat_like_formulas_at_every_stage) {
  const std::string cold = "temperature: \"0.1*x\"";
  const std::string by_formulas = fmt::format("velocity: [{}, {}, {}], temperature: {}",
                                              u.formula(),
                                              v.formula(),
                                              w.formula(),
                                              T.formula());
  const std::string by_files = fmt::format(
      "velocity: {}, temperature: {}", file("lid.csv", {u, v, w}), file("warm.csv", {T}));
  for (const std::string scheme : {"implicit", "runge_kutta"}) {
    const Case read = box("projection", scheme, cold, by_files);
    expect_alike(read, box("projection", scheme, cold, by_formulas), scheme);
    // Conduction alone, which a Nusselt number compares with, is known of formulas.
    const std::vector<std::string> names = started(read)->diagnostic_names();
    for (const char* const name : {"heat_flux_y_min", "heat_flux_y_max"})
      EXPECT_EQ(std::ranges::count(names, name), 1) << name;
    EXPECT_EQ(std::ranges::count(names, "nusselt_y_min"), 0);
  }
}

TEST_P(WallsOfFiles, move_and_heat_like_formulas_in_scheme_splitting) {
  const std::string cold = "temperature: \"0.1*x\"";
  const std::string by_formulas =
      fmt::format("velocity: [{}, 0, {}], temperature: {}", u.formula(), w.formula(), T.formula());
  const std::string by_files = fmt::format(
      "velocity: {}, temperature: {}", file("tight.csv", {u, w}), file("warm_tight.csv", {T}));
  expect_alike(box("splitting", "", cold, by_files), box("splitting", "", cold, by_formulas), "");
}

TEST_P(WallsOfFiles, that_blow_more_than_they_suck_are_refused) {
  const std::string lid = file("blown.csv", {Column{"v", 0.25, 0, 4}});
  const std::string message = message_of<CaseError>([&] {
    started(box("projection", "implicit", "temperature: 0", "temperature: 0, velocity: " + lid));
  });
  EXPECT_NE(message.find("boundaries.y_max.velocity: what is blown and sucked"), std::string::npos)
      << message;
}

INSTANTIATE_TEST_SUITE_P(targets, WallsOfFiles, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_walls_of_files
