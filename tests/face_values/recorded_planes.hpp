/// Files of recorded planes with known values.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/config/load_case.hpp"
#include "solver/files/plane_piece.hpp"
#include "solver/files/plane_series.hpp"
#include "solver/grid/plane_points.hpp"

namespace dns {

/// A variable at two coordinates of a plane and a time.
using PlaneFunction = std::function<double(int variable, double first, double second, double t)>;

/// Writes planes_inlet.h5 in a folder: the plane x = 0.5 of a case of scheme projection at some
/// times, two records a piece. Returns its path.
inline std::string write_planes(const std::string& folder,
                                const Case& resolved,
                                const std::vector<double>& times,
                                const PlaneFunction& function) {
  const PlaneGrid grid = plane_grid(resolved, resolved.output.planes->planes.front());
  std::vector<PlaneRecord> records;
  for (std::size_t n = 0; n < times.size(); ++n) {
    PlaneRecord record{.step = static_cast<std::int64_t>(10 * n), .time = times[n], .planes = {}};
    PlaneValues& values = record.planes.emplace_back(solved_variables(resolved).size());
    for (int variable = 0; variable < std::ssize(values); ++variable) {
      const auto points = [&](std::size_t which) -> const std::vector<double>& {
        const PlaneGrid::Along& along = grid.along.at(which);
        return variable == along.axis ? along.faces : along.points;
      };
      for (const double second : points(1)) {
        for (const double first : points(0))
          values.at(variable).push_back(function(variable, first, second, times[n]));
      }
    }
    records.push_back(record);
    if (records.size() < 2 && n + 1 < times.size()) continue;
    write_plane_piece(folder, grid, records, 0, to_yaml(resolved));
    records.clear();
  }
  PlaneSeries(folder, grid.name).write(static_cast<std::int64_t>(10 * times.size()));
  return folder + "/planes_inlet.h5";
}

}  // namespace dns
