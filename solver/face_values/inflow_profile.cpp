#include "solver/face_values/inflow_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
#include "solver/core/names.hpp"

namespace dns {

InflowProfile::InflowProfile(const InflowFileCase& given,
                             const std::string& key,
                             const FacePoints& face,
                             int first,
                             std::vector<std::string> columns)
    : face_(face),
      profile_(read_profile(given.file.path, columns)),
      first_(first),
      columns_(std::move(columns)) {
  require_cover(profile_, key, face);
  require_column(profile_, key, columns_);
}

std::vector<double> InflowProfile::at(int variable,
                                      const std::vector<double>& first,
                                      const std::vector<double>& second,
                                      double t) {
  return column_on_face(profile_, columns_.at(variable - first_), face_, first, second, t);
}

void require_cover(const Profile& profile, const std::string& key, const FacePoints& face) {
  for (const int axis : profile.axes()) {
    if (axis != face.normal()) continue;
    throw CaseError(fmt::format(
        "{}: the table has a column {}, but the face lies across that axis", key, axis_name(axis)));
  }
  for (const FaceAxis& along : face.axes) {
    if (profile.covers(along.axis, along.low, along.high)) continue;
    const std::vector<double>& known = profile.coordinates(along.axis);
    throw CaseError(
        fmt::format("{0}: the table reaches from {1} = {2:g} to {3:g}, but the face "
                    "from {4:g} to {5:g}",
                    key,
                    axis_name(along.axis),
                    known.front(),
                    known.back(),
                    along.low,
                    along.high));
  }
}

void require_column(const Profile& profile,
                    const std::string& key,
                    const std::vector<std::string>& names) {
  if (std::ranges::any_of(
          names, [&](const std::string& name) { return profile.column(name).has_value(); })) {
    return;
  }
  throw CaseError(
      fmt::format("{}: the table has none of the columns {}", key, fmt::join(names, ", ")));
}

std::vector<double> column_on_face(const Profile& profile,
                                   const std::string& column,
                                   const FacePoints& face,
                                   const std::vector<double>& first,
                                   const std::vector<double>& second,
                                   double t) {
  std::vector<double> values;
  const std::optional<std::size_t> found = profile.column(column);
  if (!found) {
    values.resize(first.size() * second.size());
    return values;
  }
  values.reserve(first.size() * second.size());
  PerAxis<double> place{};
  for (const double b : second) {
    place[face.axes[1].axis] = b;
    for (const double a : first) {
      place[face.axes[0].axis] = a;
      values.push_back(profile.value(*found, place, t));
    }
  }
  return values;
}

}  // namespace dns
