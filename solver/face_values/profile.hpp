/// Profiles from text files: values at the points of one or two coordinates.
///
///   # channel, half-height 1                  y z u T
///   y, uu,    vv,    ww,    uv                0 0 0 1
///   0, 0,     0,     0,     0                 0 1 0 1
///   1, 0.002, 0.001, 0.001, -0.001            2 0 1 1.5
///                                             2 1 1 1.5
///
/// The first line names the columns: one or two of x, y, z, then values, of u, v, w, T, scalars and
/// the stresses uu, vv, ww, uv, uw, vw. Blanks or commas are between them; '#' starts a comment.
/// Before or between the coordinates may stand a column t: every time then has the same points, and
/// the coordinates may be missing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "solver/core/index.hpp"

namespace dns {

class Profile {
 public:
  /// points: ascending along each of `axes`, those of the other axes empty; values: of each name,
  /// the first of the axes fastest, the times slowest; times: ascending, empty if there are none.
  Profile(std::vector<int> axes,
          PerAxis<std::vector<double>> points,
          std::vector<std::string> names,
          std::vector<std::vector<double>> values,
          std::vector<double> times = {});

  [[nodiscard]] const std::vector<int>& axes() const { return axes_; }  // in the file's order
  /// [L]; empty along an axis on which the profile does not depend.
  [[nodiscard]] const std::vector<double>& coordinates(int axis) const;
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// The number of a column of values; none where no column has the name.
  [[nodiscard]] std::optional<std::size_t> column(const std::string& name) const;

  /// Ascending [L/U]; empty where values do not change.
  [[nodiscard]] const std::vector<double>& times() const { return times_; }

  /// The value of a column at place (x, y, z) [L] and time t [L/U], linear between points along
  /// each axis and between times; beyond them it is that of the nearest end.
  [[nodiscard]] double value(std::size_t column, const PerAxis<double>& place, double t = 0) const;

  /// Whether points reach from `low` to `high` [L] along an axis, but for round-off; along an axis
  /// without coordinates they do.
  [[nodiscard]] bool covers(int axis, double low, double high) const;

 private:
  /// At time number `moment`.
  [[nodiscard]] double value_at(std::size_t column,
                                const PerAxis<double>& place,
                                std::size_t moment) const;

  std::vector<int> axes_;
  PerAxis<std::vector<double>> points_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> values_;
  std::vector<double> times_;
};

/// Rows of one coordinate must ascend; those of two are all pairs of the coordinates that occur, in
/// any order. scalars: names that columns of values may have besides those above. Throws IoError
/// when the file cannot be read, CaseError "PATH:LINE: ..." when it is no such table.
[[nodiscard]] Profile read_profile(const std::string& path,
                                   const std::vector<std::string>& scalars = {});

}  // namespace dns
