#include "solver/face_values/inflow_turbulence.hpp"

#include <fmt/format.h>

#include <array>

#include "solver/core/error.hpp"
#include "solver/core/names.hpp"
#include "solver/face_values/inflow_profile.hpp"

namespace dns {
namespace {

/// Into the box [U].
double mean_velocity(const std::string& key, const FacePoints& face, FaceSource& mean) {
  const std::vector<double> normal =
      mean.at(face.normal(), face.axes[0].points, face.axes[1].points, 0);
  const double inwards = (face.face % 2 == 0 ? 1 : -1) * face.mean(normal);
  if (inwards > 0) return inwards;
  throw CaseError(fmt::format(
      "{}: nothing carries eddies in: the mean velocity into the box is {:g}", key, inwards));
}

EddySettings settings_of(const InflowTurbulenceCase& given, const FacePoints& face) {
  EddySettings settings;
  settings.normal = static_cast<Axis>(face.normal());
  for (const FaceAxis& along : face.axes) {
    const std::size_t axis = along.axis;
    settings.low[axis] = along.low;
    settings.high[axis] = along.high;
    settings.is_periodic[axis] = along.is_periodic;
  }
  settings.length = given.lengths;
  settings.seed = given.seed;
  return settings;
}

/// The table of stresses, found to fit the face.
Profile stresses_of(const InflowTurbulenceCase& given,
                    const std::string& key,
                    const FacePoints& face) {
  Profile profile = read_profile(given.stresses.path);
  if (!profile.times().empty())
    throw CaseError(key + ".stresses: stresses do not change with time; leave out the column t");
  require_cover(profile, key + ".stresses", face);
  require_column(profile, key + ".stresses", {"uu", "vv", "ww"});
  return profile;
}

}  // namespace

InflowTurbulence::InflowTurbulence(const InflowTurbulenceCase& given,
                                   const std::string& key,
                                   const FacePoints& face,
                                   FaceSource& mean)
    : key_(key),
      face_(face),
      profile_(stresses_of(given, key, face)),
      turbulence_(turbulence_of(given, mean)) {}

PlaneTurbulence InflowTurbulence::turbulence_of(const InflowTurbulenceCase& given,
                                                FaceSource& mean) const {
  EddySettings settings = settings_of(given, face_);
  settings.convection_speed = mean_velocity(key_, face_, mean);
  const auto& [a, b] = face_.axes;
  try {
    return {settings, with_stresses(a.points, b.points), a.lengths, b.lengths};
  } catch (const CaseError& error) {
    throw CaseError(fmt::format("{}: {}", key_, error.what()));
  }
}

PlanePoints InflowTurbulence::with_stresses(const std::vector<double>& first,
                                            const std::vector<double>& second) const {
  constexpr std::array<const char*, 6> names{"uu", "vv", "ww", "uv", "uw", "vw"};
  std::array<std::vector<double>, 6> stresses;
  for (std::size_t n = 0; n < names.size(); ++n)
    stresses.at(n) = column_on_face(profile_, names.at(n), face_, first, second);
  const auto& [uu, vv, ww, uv, uw, vw] = stresses;
  PlanePoints points{first, second, {}};
  points.factors.reserve(uu.size());
  for (std::size_t n = 0; n < uu.size(); ++n) {
    try {
      points.factors.push_back(cholesky_factor({uu[n], vv[n], ww[n], uv[n], uw[n], vw[n]}));
    } catch (const CaseError& error) {
      throw CaseError(fmt::format("stresses at {} = {:g}, {} = {:g}: {}",
                                  axis_name(face_.axes[0].axis),
                                  first[n % first.size()],
                                  axis_name(face_.axes[1].axis),
                                  second[n / first.size()],
                                  error.what()));
    }
  }
  return points;
}

void InflowTurbulence::add(int component,
                           const std::vector<double>& first,
                           const std::vector<double>& second,
                           double t,
                           std::vector<double>& values) {
  PassingVelocity& velocity = recent_.get(
      [&](const PassingVelocity& one) {
        return one.component == component && one.points.a == first && one.points.b == second;
      },
      [&] {
        return PassingVelocity{component, with_stresses(first, second), {}, {}};
      });
  turbulence_.add(velocity, t, values);
}

void InflowTurbulence::prepare(double t) {
  for (PassingVelocity& velocity : recent_) turbulence_.prepare(velocity, t);
}

}  // namespace dns
