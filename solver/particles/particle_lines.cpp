#include "solver/particles/particle_lines.hpp"

#include <algorithm>
#include <cstddef>

namespace dns {
namespace {

ParticleEnd end_of(FaceKind kind, SpeciesCase::Walls walls) {
  switch (kind) {
    case FaceKind::periodic:
      return ParticleEnd::periodic;
    case FaceKind::symmetry:
      return ParticleEnd::mirror;
    case FaceKind::wall:
      return walls == SpeciesCase::Walls::absorb ? ParticleEnd::absorbing_wall : ParticleEnd::wall;
    default:
      return ParticleEnd::opening;
  }
}

/// The points of one axis where a component lies, numbered as its values are.
class PointsOfAxis {
 public:
  PointsOfAxis(const StaggeredAxis& axis, std::array<ParticleEnd, 2> ends, bool is_at_faces)
      : axis_(axis), ends_(ends), is_at_faces_(is_at_faces) {}

  /// The polynomial through the two points on each side, of which `below` is the last one below.
  [[nodiscard]] ParticleInterval interval(int below) const {
    ParticleInterval interval{};
    const int first = first_point(below);
    double signs[4];
    for (int m = 0; m < 4; ++m) {
      const Point point = at(first + m);
      interval.place[m] = point.place;
      interval.index[m] = point.index;
      signs[m] = point.sign;
    }
    if (is_closed(0) && first == (is_at_faces_ ? 0 : -1))
      interval.ends |= is_at_faces_ ? ClosedEnds::low_plane : ClosedEnds::low_pair;
    if (is_closed(1) && first + 3 == n())
      interval.ends |= is_at_faces_ ? ClosedEnds::high_plane : ClosedEnds::high_pair;
    for (int m = 0; m < 4; ++m) {
      double product = signs[m];
      for (int other = 0; other < 4; ++other)
        if (other != m) product *= interval.place[m] - interval.place[other];
      interval.inverse[m] = 1 / product;
    }
    return interval;
  }

 private:
  struct Point {
    double place = 0;
    int index = 0;
    double sign = 1;
  };

  [[nodiscard]] int n() const { return axis_.cells(); }
  [[nodiscard]] bool is_closed(int end) const {
    return ends_[end] != ParticleEnd::periodic && ends_[end] != ParticleEnd::mirror;
  }
  /// Between closed ends points are the faces, or the planes of the ends and the centres.
  [[nodiscard]] int first_point(int below) const {
    int first = below - 1;
    if (is_closed(1)) first = std::min(first, n() - 3);
    if (is_closed(0)) first = std::max(first, is_at_faces_ ? 0 : -1);
    return first;
  }
  [[nodiscard]] double inside(int p) const {
    return is_at_faces_ ? axis_.face(p) : axis_.centre(p);
  }
  [[nodiscard]] Point at(int p) const {
    const double low = axis_.faces.front();
    const double high = axis_.faces.back();
    const int last = is_at_faces_ ? n() : n() - 1;
    if (ends_[0] == ParticleEnd::periodic) {
      const int periods = (p >= 0 ? p : p - n() + 1) / n();
      const int index = p - periods * n();
      return {inside(index) + periods * (high - low), index, 1};
    }
    if (p < 0) {
      if (ends_[0] != ParticleEnd::mirror) return {low, -1, 1};
      const int image = is_at_faces_ ? -p : -1 - p;
      return {2 * low - inside(image), image, is_at_faces_ ? -1.0 : 1.0};
    }
    if (p > last) {
      if (ends_[1] != ParticleEnd::mirror) return {high, n(), 1};
      const int image = is_at_faces_ ? 2 * n() - p : 2 * n() - 1 - p;
      return {2 * high - inside(image), image, is_at_faces_ ? -1.0 : 1.0};
    }
    return {inside(p), p, 1};
  }

  const StaggeredAxis& axis_;
  std::array<ParticleEnd, 2> ends_;
  bool is_at_faces_;
};

}  // namespace

std::array<ParticleEnd, 2> particle_ends(const Case& resolved,
                                         const SpeciesCase& species,
                                         int axis) {
  return {end_of(resolved.faces[face_index(axis, false)].kind, species.walls),
          end_of(resolved.faces[face_index(axis, true)].kind, species.walls)};
}

ParticleLines::ParticleLines(const Case& resolved, const StaggeredAxis& axis, int number)
    : faces(axis.faces), divergence_free(axis, divergence_free_ends(resolved, number)) {
  constexpr int buckets_of_cell = 4;
  const std::array<ParticleEnd, 2> ends = particle_ends(resolved, {}, number);
  const int cells = axis.cells();
  for (int i = 0; i < cells; ++i) centres.push_back(axis.centre(i));
  const PointsOfAxis of_faces(axis, ends, true);
  const PointsOfAxis of_centres(axis, ends, false);
  for (int i = 0; i < cells; ++i) at_faces.push_back(of_faces.interval(i));
  for (int i = 0; i <= cells; ++i) at_centres.push_back(of_centres.interval(i - 1));
  const int count = buckets_of_cell * cells;
  buckets_per_length = count / axis.length();
  int cell = 0;
  for (int bucket = 0; bucket < count; ++bucket) {
    const double low = faces.front() + bucket / buckets_per_length;
    while (cell + 1 < cells && faces[cell + 1] <= low) ++cell;
    buckets.push_back(cell);
  }
}

ParticleAxis ParticleLines::on_host(const std::array<ParticleEnd, 2>& ends) const {
  return {.faces = faces.data(),
          .centres = centres.data(),
          .at_faces = at_faces.data(),
          .at_centres = at_centres.data(),
          .divergence_free = {.numbers = divergence_free.numbers.data(),
                              .indices = divergence_free.indices.data()},
          .buckets = buckets.data(),
          .bucket_count = static_cast<int>(buckets.size()),
          .buckets_per_length = buckets_per_length,
          .cells = static_cast<int>(centres.size()),
          .ends = {ends[0], ends[1]}};
}

}  // namespace dns
