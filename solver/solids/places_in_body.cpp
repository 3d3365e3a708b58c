#include "solver/solids/places_in_body.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "solver/core/index.hpp"

namespace dns {

PlacesInBody::PlacesInBody(const Triangles& surface, const std::vector<Place>& images)
    : surface_(surface), bounds_(bounds_of(surface)) {
  constexpr double part_of_size = 1e-6;
  constexpr int most_bins = 256;
  double size = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const Bounds of_one = bounds_;
    size = std::max(size, of_one.high[axis] - of_one.low[axis]);
    for (const Place& image : images) {
      bounds_.low[axis] = std::min(bounds_.low[axis], of_one.low[axis] + image[axis]);
      bounds_.high[axis] = std::max(bounds_.high[axis], of_one.high[axis] + image[axis]);
    }
  }
  beside_ = std::max(4 * surface.tolerance, part_of_size * size);
  for (std::size_t image = 0; image < images.size(); ++image) {
    for (std::size_t shell = 0; shell < surface.shells.size(); ++shell) {
      for (std::size_t n = surface.shells[shell].begin; n < surface.shells[shell].end; ++n)
        placed_.push_back({image, shell, triangle_of(surface, n, images[image])});
    }
  }
  bins_ = std::clamp(
      static_cast<int>(std::sqrt(static_cast<double>(placed_.size()) / 2)), 1, most_bins);
  numbers_.resize(static_cast<std::size_t>(bins_) * bins_);
  for (std::uint32_t n = 0; n < placed_.size(); ++n) {
    const auto& [a, b, c] = placed_[n].corners;
    const auto [low_y, high_y] = std::minmax({a[1], b[1], c[1]});
    const auto [low_z, high_z] = std::minmax({a[2], b[2], c[2]});
    for (int k = bin_along(2, low_z); k <= bin_along(2, high_z); ++k) {
      for (int j = bin_along(1, low_y); j <= bin_along(1, high_y); ++j)
        numbers_[static_cast<std::size_t>(k) * bins_ + j].push_back(n);
    }
  }
}

int PlacesInBody::bin_along(int axis, double x) const {
  const double length = bounds_.high[axis] - bounds_.low[axis];
  const double part = length > 0 ? (x - bounds_.low[axis]) / length : 0;
  return std::clamp(static_cast<int>(std::floor(bins_ * part)), 0, bins_ - 1);
}

bool PlacesInBody::holds(const Place& x) const {
  std::map<std::pair<std::size_t, std::size_t>, int> turns;  // of each shell around x, by image
  for (const std::uint32_t n :
       numbers_[static_cast<std::size_t>(bin_along(2, x[2])) * bins_ + bin_along(1, x[1])]) {
    double crossing = 0;
    const int turn = crosses_line(placed_[n].corners, 0, x, crossing);
    if (turn != 0 && crossing > x[0]) turns[{placed_[n].image, placed_[n].shell}] += turn;
  }
  std::map<std::size_t, int> depth;  // of each image
  for (const auto& [of, sum] : turns) {
    const Shell& shell = surface_.shells[of.second];
    const bool is_in = shell.is_oriented ? sum != 0 : sum % 2 != 0;
    if (is_in) depth[of.first] += shell.is_cavity ? -1 : 1;
  }
  return std::ranges::any_of(depth, [](const auto& image) { return image.second > 0; });
}

bool PlacesInBody::hold_both_sides(const Place& x, const Place& normal) const {
  return std::ranges::all_of(std::array{-beside_, beside_}, [&](double way) {
    Place side = x;
    for (int axis = 0; axis < 3; ++axis) side[axis] += way * normal[axis];
    return holds(side);
  });
}

}  // namespace dns
