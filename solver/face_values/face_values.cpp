#include "solver/face_values/face_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "solver/config/key_path.hpp"
#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
#include "solver/core/level_view.hpp"
#include "solver/core/names.hpp"
#include "solver/face_values/face_points.hpp"
#include "solver/face_values/face_source.hpp"
#include "solver/face_values/inflow_profile.hpp"
#include "solver/face_values/inflow_turbulence.hpp"
#include "solver/face_values/recorded_inflow.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/grid/values_of_formula.hpp"

namespace dns {
namespace {

class FormulaSource final : public FaceSource {
 public:
  FormulaSource(FaceConditions given, FacePoints face, std::string key)
      : given_(std::move(given)), face_(std::move(face)), key_(std::move(key)) {}

  std::vector<double> at(int variable,
                         const std::vector<double>& first,
                         const std::vector<double>& second,
                         double t) override {
    const Expression& formula = given_[variable].given;
    std::vector<double> values = values_of_formula(formula, face_, first, second, t);
    PerAxis<std::span<const double>> coordinates;
    coordinates[face_.normal()] = {&face_.position, 1};
    coordinates[face_.axes[0].axis] = first;
    coordinates[face_.axes[1].axis] = second;
    require_finite(key_of(variable), formula, coordinates, t, values);
    return values;
  }
  [[nodiscard]] bool is_steady(int variable) const override {
    return !given_[variable].given.depends_on_time();
  }

 private:
  [[nodiscard]] std::string key_of(int variable) const {
    const Condition& condition = given_[variable];
    const bool is_gradient = condition.kind == Condition::Kind::gradient;
    if (is_velocity(variable)) return is_gradient ? joined_path(section_of(key_), "shear") : key_;
    if (is_gradient) return joined_path(key_, "gradient");
    return condition.distance_of_given() > 0 ? joined_path(key_, "outside") : key_;
  }

  FaceConditions given_;
  FacePoints face_;
  std::string key_;
};

/// variable: the first of those that the source is to give.
std::unique_ptr<FaceSource> source_of(const Case& resolved,
                                      const FaceConditions& given,
                                      int variable,
                                      const FacePoints& face) {
  const std::optional<InflowFileCase>& file = given[variable].file;
  const bool is_scalar = !is_velocity(variable);
  const std::string scalar = is_scalar ? resolved.name_of_scalar(variable) : "";
  const bool is_temperature = is_scalar && resolved.is_temperature(variable);
  const std::string key = "boundaries." + face_names[face.face] +
                          (!is_scalar       ? ".velocity"
                           : is_temperature ? ".temperature"
                                            : ".scalars." + scalar);
  if (!file) return std::make_unique<FormulaSource>(given, face, key);
  if (file->kind == InflowFileCase::Kind::planes)
    return std::make_unique<RecordedInflow>(*file, key, face, scalar);
  std::vector<std::string> columns{"u", "v", "w"};
  if (is_scalar) columns = {is_temperature ? "T" : scalar};
  return std::make_unique<InflowProfile>(*file, key, face, variable, std::move(columns));
}

/// Throws CaseError where a file lets fluid through a wall of scheme splitting, which does not know
/// the net flux; scheme projection checks it.
void require_no_flow(const std::vector<double>& normal_velocity, int face, double t) {
  const auto flows = [](double value) { return value != 0; };
  const auto bad = std::ranges::find_if(normal_velocity, flows);
  if (bad == normal_velocity.end()) return;
  throw CaseError(fmt::format(
      "boundaries.{}.velocity: {} across the wall is {:.6g} at t = {:.6g} in the file, but must be "
      "0; in scheme splitting blowing and suction are formulas",
      face_names[face],
      "uvw"[face / 2],
      *bad,
      t));
}

}  // namespace

struct FaceValues::Source {
  /// Values of a variable that stay the same, at the points where they were asked for last.
  struct Steady {
    std::vector<double> first, second, values;
  };

  [[nodiscard]] FaceSource* of(int variable) const {
    if (is_velocity(variable)) return velocity.get();
    const std::size_t n = variable - first_scalar;
    return n < scalars.size() ? scalars[n].get() : nullptr;
  }
  [[nodiscard]] std::vector<double> base_at(int variable,
                                            const std::vector<double>& first,
                                            const std::vector<double>& second,
                                            double t) {
    FaceSource& base = *of(variable);
    if (!base.is_steady(variable)) return base.at(variable, first, second, t);
    Steady& known = steady.at(variable);
    if (known.first != first || known.second != second)
      known = {first, second, base.at(variable, first, second, t)};
    return known.values;
  }

  std::unique_ptr<FaceSource> velocity;  // none: 0, as of the scalars
  std::vector<std::unique_ptr<FaceSource>> scalars;
  std::unique_ptr<InflowTurbulence> turbulence;
  std::vector<Steady> steady;
  bool must_be_tight = false;      // nothing may flow through
  std::vector<double> references;  // that the values of each variable are given without
};

FaceValues::FaceValues(const Case& resolved) {
  for (int face = 0; face < resolved.faces.size(); ++face) {
    Source& source = sources_.emplace_back();
    const FaceConditions given(resolved, face);
    if (given.is_periodic()) continue;
    const FacePoints points = face_points(resolved, face);
    if (given[0].is_given) source.velocity = source_of(resolved, given, 0, points);
    source.must_be_tight =
        resolved.scheme == Scheme::splitting && given.is_wall() && given[0].file.has_value();
    for (int n = 0; n < resolved.scalar_count(); ++n) {
      const int variable = first_scalar + n;
      auto& scalar = source.scalars.emplace_back();
      if (given[variable].is_given) scalar = source_of(resolved, given, variable, points);
    }
    source.steady.resize(first_scalar + source.scalars.size());
    source.references.resize(source.steady.size());
    for (std::size_t n = 0; n < source.scalars.size(); ++n) {
      const ScalarAtFace& scalar = resolved.faces[face].scalars.at(n);
      if (scalar.file) source.references[first_scalar + n] = scalar.reference;
    }
    if (const auto& turbulence = resolved.faces[face].turbulence)
      source.turbulence = std::make_unique<InflowTurbulence>(
          *turbulence, "boundaries." + face_names[face] + ".turbulence", points, *source.velocity);
  }
}

FaceValues::FaceValues() = default;
FaceValues::FaceValues(FaceValues&& other) noexcept = default;
FaceValues& FaceValues::operator=(FaceValues&& other) noexcept = default;
FaceValues::~FaceValues() = default;

std::vector<double> FaceValues::at(int face,
                                   int variable,
                                   const std::vector<double>& first,
                                   const std::vector<double>& second,
                                   double t) {
  Source& source = sources_.at(face);
  if (source.of(variable) == nullptr) return std::vector<double>(first.size() * second.size());
  std::vector<double> values = source.base_at(variable, first, second, t);
  if (source.must_be_tight && variable == face / 2) require_no_flow(values, face, t);
  if (source.turbulence && is_velocity(variable))
    source.turbulence->add(variable, first, second, t, values);
  const double reference = source.references.at(variable);
  if (reference == 0) return values;
  for (double& value : values) value -= reference;
  return values;
}

void FaceValues::prepare(double t) {
  for (const Source& source : sources_) {
    if (source.velocity) source.velocity->prepare(t);
    for (const auto& scalar : source.scalars) {
      if (scalar) scalar->prepare(t);
    }
    if (source.turbulence) source.turbulence->prepare(t);
  }
}

double FaceValues::end() const {
  double end = std::numeric_limits<double>::infinity();
  for (const Source& source : sources_) {
    if (source.velocity) end = std::min(end, source.velocity->end());
    for (const auto& scalar : source.scalars) {
      if (scalar) end = std::min(end, scalar->end());
    }
  }
  return end;
}

}  // namespace dns
