#include "solver/start/plain_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>

#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
#include "solver/grid/case_grid.hpp"

namespace dns {
namespace {

/// The coordinates of one axis of a plain file, with the words of its errors.
class PlainCoordinates {
 public:
  PlainCoordinates(const FlowFile& file, const Case& target, int axis)
      : file_(file), is_periodic_(target.is_periodic(axis)), box_(axis_points(target, axis)) {}

  [[nodiscard]] std::vector<double> centres(const std::string& name) const {
    std::vector<double> found = ascending(name);
    require(found.size() > 0, name, found, "one coordinate at least");
    const double low_gap = found.front() - box_.low;
    const double high_gap = box_.high - found.back();
    require(
        low_gap >= -tolerance() && high_gap >= -tolerance(),
        name,
        found,
        fmt::format("coordinates in the box of the case, from {:g} to {:g}", box_.low, box_.high));
    if (is_periodic_) {
      require(low_gap + high_gap > tolerance(),
              name,
              found,
              fmt::format("less than the period {:g} from the first to the last coordinate: leave "
                          "out the point that repeats the first",
                          box_.high - box_.low));
    }
    if (found.size() > 1) {
      const std::size_t last = found.size() - 1;
      const double low_spacing = found[1] - found[0];
      const double high_spacing = found[last] - found[last - 1];
      const bool reaches_ends =
          is_periodic_
              ? low_gap + high_gap <= low_spacing + high_spacing + tolerance()
              : low_gap <= low_spacing + tolerance() && high_gap <= high_spacing + tolerance();
      require(reaches_ends,
              name,
              found,
              fmt::format("coordinates that reach the ends of the box of the case, {:g} and {:g}, "
                          "up to one spacing",
                          box_.low,
                          box_.high));
    }
    return found;
  }

  [[nodiscard]] std::vector<double> faces(const std::string& name,
                                          const std::vector<double>& centres) const {
    std::vector<double> found = ascending(name);
    require(found.size() == centres.size() + 1,
            name,
            found,
            fmt::format("{} coordinates, one more than there are centres", centres.size() + 1));
    require(
        std::abs(found.front() - box_.low) <= tolerance() &&
            std::abs(found.back() - box_.high) <= tolerance(),
        name,
        found,
        fmt::format(
            "coordinates from {:g} to {:g}, the ends of the box of the case", box_.low, box_.high));
    for (std::size_t n = 0; n < centres.size(); ++n) {
      require(found[n] < centres[n] && centres[n] < found[n + 1],
              name,
              found,
              fmt::format("one face on each side of centre {}", n));
    }
    return found;
  }

 private:
  [[nodiscard]] double tolerance() const { return round_off_of_place * (box_.high - box_.low); }

  [[nodiscard]] std::vector<double> ascending(const std::string& name) const {
    std::vector<double> found = file_.list(name);
    const bool is_finite = std::ranges::all_of(found, [](double x) { return std::isfinite(x); });
    const bool ascends = std::ranges::adjacent_find(found, std::greater_equal{}) == found.end();
    require(is_finite && ascends, name, found, "finite coordinates in ascending order");
    return found;
  }

  void require(bool holds,
               const std::string& name,
               const std::vector<double>& found,
               const std::string& rule) const {
    if (holds) return;
    const std::string range =
        found.empty() ? "" : fmt::format(" from {:g} to {:g}", found.front(), found.back());
    throw CaseError(fmt::format("{}: dataset {}: it has {} coordinates{}, but must have {}",
                                file_.path(),
                                name,
                                found.size(),
                                range,
                                rule));
  }

  const FlowFile& file_;
  bool is_periodic_;
  AxisPoints box_;
};

bool are_close(const std::vector<double>& some, const std::vector<double>& others, double most) {
  return std::ranges::equal(
      some, others, [most](double a, double b) { return std::abs(a - b) <= most; });
}

bool are_of_axis(const AxisPoints& points, const Case& target, int axis, bool with_faces) {
  const AxisPoints own = axis_points(target, axis);
  const double tolerance = round_off_of_place * (own.high - own.low);
  return are_close(points.centres, own.centres, tolerance) &&
         (!with_faces || are_close(points.faces, own.faces, tolerance));
}

std::string shape_in_words(const Extents& extents, int components) {
  return fmt::format("({}, {}, {}{})",
                     extents.nz,
                     extents.ny,
                     extents.nx,
                     components > 1 ? fmt::format(", {}", components) : "");
}

}  // namespace

PerAxis<AxisPoints> plain_points(const FlowFile& file, const Case& target) {
  const auto has = [&](int axis) { return file.has(axis_name(axis)); };
  const int given = static_cast<int>(has(0)) + static_cast<int>(has(1)) + static_cast<int>(has(2));
  if (given == 1 || given == 2) {
    const int missing = !has(0) ? 0 : !has(1) ? 1 : 2;
    throw CaseError(fmt::format(
        "{} has no dataset {}, but must have all of the coordinates x, y, z or none of them",
        file.path(),
        axis_name(missing)));
  }
  PerAxis<AxisPoints> points;
  for (int axis = 0; axis < 3; ++axis) {
    AxisPoints& along = points[axis];
    along = axis_points(target, axis);
    if (given == 0) continue;
    const PlainCoordinates coordinates(file, target, axis);
    along.centres = coordinates.centres(axis_name(axis));
    const std::string name_of_faces = axis_name(axis) + "_faces";
    if (file.has(name_of_faces)) {
      along.faces = coordinates.faces(name_of_faces, along.centres);
    } else if (!are_of_axis(along, target, axis, false)) {
      along.faces.clear();
    }
  }
  return points;
}

bool are_of_grid(const PerAxis<AxisPoints>& points, const Case& target, bool with_faces) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!are_of_axis(points[axis], target, axis, with_faces)) return false;
  }
  return true;
}

void require_plain_shape(const FlowFile& file,
                         const FlowFile::Dataset& dataset,
                         const SourceLines& lines,
                         int components) {
  Extents expected = stored_extents(lines);
  bool fits = dataset.components == components;
  for (int axis = 0; axis < 3; ++axis) {
    const int found = dataset.extents[axis];
    fits = fits && (found == expected[axis] || found == lines[axis].points);
  }
  if (fits) return;
  const Extents turned{expected.nz, expected.ny, expected.nx};
  const bool is_turned = dataset.extents == turned && dataset.components == components;
  throw CaseError(
      fmt::format("{}: dataset {}: its shape is {}, but must be {}: (nz, ny, nx{}) {}{}",
                  file.path(),
                  dataset.name,
                  shape_in_words(dataset.extents, dataset.components),
                  shape_in_words(expected, components),
                  components > 1 ? fmt::format(", {}", components) : "",
                  file.has("x") ? "by the coordinates of the file"
                                : "by the grid of the case, since the file has no x, y, z",
                  is_turned ? "; transpose it: the first axis is z" : ""));
}

template <class Real>
void require_finite(const FlowFile& file,
                    const FlowFile::Dataset& dataset,
                    int k,
                    const Real* values) {
  const auto [nx, ny, nz] = dataset.extents;
  const std::size_t count = Extents{nx, ny, dataset.components}.count();
  const Real* const bad =
      std::find_if_not(values, values + count, [](Real value) { return std::isfinite(value); });
  if (bad == values + count) return;
  const std::ptrdiff_t point = (bad - values) / dataset.components;
  throw CaseError(fmt::format("{}: dataset {}: its value at [{}, {}, {}] is {}, but must be finite",
                              file.path(),
                              dataset.name,
                              k,
                              point / nx,
                              point % nx,
                              *bad));
}

template void require_finite<float>(const FlowFile&, const FlowFile::Dataset&, int, const float*);
template void require_finite<double>(const FlowFile&, const FlowFile::Dataset&, int, const double*);

}  // namespace dns
