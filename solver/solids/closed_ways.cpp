#include "solver/solids/closed_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/index.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/solids/point_places.hpp"

namespace dns {
namespace {

using Label = std::int32_t;
using Periods = PerAxis<std::int16_t>;  // how often a way has gone round each axis

constexpr Label none = -1;

Periods sum(const Periods& a, const Periods& b, int sign = 1) {
  Periods result{};
  for (int axis = 0; axis < 3; ++axis)
    result[axis] = static_cast<std::int16_t>(a[axis] + sign * b[axis]);
  return result;
}

/// Where a body ends a part of the fluid.
struct Obstacle {
  std::int16_t body = no_body;
  int depth = -1;  // how far towards that end of the axis, in cells
  PerAxis<double> at{};
};

/// Fluid cells that faces outside of bodies connect.
struct Region {
  PerAxis<bool> goes_round{};  // a way in it leads round the periodic axis
  bool has_outflow = false;
  PerFace<bool> has_inflow{};     // from which faces
  double net = 0, gross = 0;      // of the inflow through formulas, magnitudes for gross [U L^2]
  bool has_other_inflow = false;  // of a profile or turbulence
  PerFace<Obstacle> ends{};       // the farthest towards each face of the box

  void add(const Region& other) {
    for (int axis = 0; axis < 3; ++axis)
      goes_round[axis] = goes_round[axis] || other.goes_round[axis];
    for (int face = 0; face < 6; ++face) {
      has_inflow[face] = has_inflow[face] || other.has_inflow[face];
      if (other.ends[face].depth > ends[face].depth) ends[face] = other.ends[face];
    }
    has_outflow = has_outflow || other.has_outflow;
    net += other.net;
    gross += other.gross;
    has_other_inflow = has_other_inflow || other.has_other_inflow;
  }
  void note_loop(const Periods& difference) {
    for (int axis = 0; axis < 3; ++axis)
      goes_round[axis] = goes_round[axis] || difference[axis] != 0;
  }
};

/// A region of this rank beside one of the rank below.
struct Seam {
  Label below = 0, here = 0;                      // counted through all ranks
  Periods periods{};                              // of the latter where the former has none
  auto operator<=>(const Seam&) const = default;  // NOLINT(modernize-use-nullptr): clang 14
};

template <class T>
std::vector<T> of_all_ranks(Communicator& communicator, const std::vector<T>& own) {
  std::vector<T> all;
  const std::string bytes(reinterpret_cast<const char*>(own.data()), own.size() * sizeof(T));
  for (const std::string& of_rank : gathered_texts(communicator, bytes)) {
    const std::size_t before = all.size();
    all.resize(before + of_rank.size() / sizeof(T));
    if (!of_rank.empty()) std::memcpy(&all[before], of_rank.data(), of_rank.size());
  }
  return all;
}

/// Fills the fluid of a part, region by region.
class Fill {
 public:
  Fill(const PerAxis<const SolidPoints*>& velocity, const Case& resolved, const Subdomain& part)
      : velocity_(velocity),
        case_(resolved),
        conditions_(conditions_of(resolved)),
        part_(part),
        n_(part.points()),
        centres_(resolved, part, first_scalar),
        labels_(n_.count(), none),
        periods_(n_.count()) {
    for (int axis = 0; axis < 3; ++axis) faces_[axis] = face_coordinates(resolved.grid, axis);
    for_each_point({{}, {n_.nx, n_.ny, n_.nz}}, [&](Index3 c) {
      if (labels_[place(c)] == none && has_way(c)) fill_from(c);
    });
  }

  [[nodiscard]] const std::vector<Region>& regions() const { return regions_; }

  struct AtSeam {
    Label label;
    Periods periods;
  };
  /// Labels and periods of the cells of a plane across z.
  [[nodiscard]] std::vector<AtSeam> plane(int k) const {
    std::vector<AtSeam> plane;
    for_each_point({{0, 0, k}, {n_.nx, n_.ny, k + 1}}, [&](Index3 c) {
      plane.push_back({labels_[place(c)], periods_[place(c)]});
    });
    return plane;
  }
  /// Whether the face between a cell and its neighbour on the low side along an axis is open.
  [[nodiscard]] bool is_open(Index3 face, int axis) const {
    const int body = velocity_[axis]->body_at(face);
    return body == no_body || case_.solids[body].moves();
  }

 private:
  [[nodiscard]] std::size_t place(Index3 c) const { return n_.place(c); }

  /// Cells without one, as those in bodies are, belong to no region.
  [[nodiscard]] bool has_way(Index3 cell) const {
    for (int axis = 0; axis < 3; ++axis) {
      for (const bool is_high : {false, true}) {
        Index3 face = cell;
        face[axis] += is_high ? 1 : 0;
        const bool is_at_end = cell[axis] == (is_high ? n_[axis] - 1 : 0);
        const bool is_shut = is_at_end && part_.is_boundary(axis, is_high) &&
                             !conditions_[face_index(axis, is_high)].is_opening();
        if (!is_shut && is_open(face, axis)) return true;
      }
    }
    return false;
  }

  void fill_from(Index3 start) {
    const auto label = static_cast<Label>(regions_.size());
    Region& region = regions_.emplace_back();
    labels_[place(start)] = label;
    std::vector<Index3> waiting{start};
    while (!waiting.empty()) {
      const Index3 cell = waiting.back();
      waiting.pop_back();
      for (int axis = 0; axis < 3; ++axis) {
        for (const bool is_high : {false, true}) visit(cell, axis, is_high, region, waiting);
      }
    }
  }

  void visit(Index3 cell, int axis, bool is_high, Region& region, std::vector<Index3>& waiting) {
    Index3 face = cell;
    face[axis] += is_high ? 1 : 0;
    if (!is_open(face, axis)) return note_obstacle(cell, face, axis, is_high, region);
    Index3 next = cell;
    next[axis] += is_high ? 1 : -1;
    Periods periods = periods_[place(cell)];
    if (next[axis] < 0 || next[axis] == n_[axis]) {
      if (part_.is_boundary(axis, is_high)) return note_opening(cell, axis, is_high, region);
      if (!part_.is_periodic(axis)) return;  // a seam
      next[axis] = is_high ? 0 : n_[axis] - 1;
      Periods round{};
      round[axis] = 1;
      periods = sum(periods, round, is_high ? 1 : -1);
    }
    Label& label = labels_[place(next)];
    if (label != none) return region.note_loop(sum(periods, periods_[place(next)], -1));
    label = labels_[place(cell)];
    periods_[place(next)] = periods;
    waiting.push_back(next);
  }

  void note_obstacle(Index3 cell, Index3 face, int axis, bool is_high, Region& region) const {
    Obstacle& farthest = region.ends[face_index(axis, is_high)];
    const int index = part_.first(axis) + cell[axis];
    const int depth = is_high ? index : part_.whole[axis] - 1 - index;
    if (depth <= farthest.depth) return;
    farthest.body = static_cast<std::int16_t>(velocity_[axis]->body_at(face));
    farthest.depth = depth;
    farthest.at = centres_.at(cell);
    farthest.at[axis] = faces_[axis][index + (is_high ? 1 : 0)];
  }

  void note_opening(Index3 cell, int axis, bool is_high, Region& region) const {
    const int face = face_index(axis, is_high);
    if (conditions_[face].is_outflow()) region.has_outflow = true;
    if (!conditions_[face].is_inflow()) return;
    const Condition& normal = conditions_[face][axis];
    region.has_inflow[face] = true;
    if (!normal.has_formula()) {
      region.has_other_inflow = true;
      return;
    }
    double area = 1;
    for (int other = 0; other < 3; ++other) {
      if (other == axis) continue;
      const std::vector<double>& faces = faces_[other];
      const auto low = faces.begin() + part_.first(other) + cell[other];
      area *= low[1] - low[0];
    }
    PerAxis<double> x = centres_.at(cell);
    const std::vector<double>& across = faces_[axis];
    x[axis] = is_high ? across.back() : across.front();
    const double flux = area * normal.given(x[0], x[1], x[2], 0);
    region.net += is_high ? -flux : flux;
    region.gross += std::abs(flux);
  }

  PerAxis<const SolidPoints*> velocity_;
  const Case& case_;
  Conditions conditions_;
  const Subdomain& part_;
  Extents n_;
  PointPlaces centres_;
  PerAxis<std::vector<double>> faces_;  // of the cells of the box [L]
  std::vector<Label> labels_;
  std::vector<Periods> periods_;  // since the start of the region
  std::vector<Region> regions_;
};

/// Where regions of this rank touch those of the rank below it, which may be the last one beyond a
/// periodic end.
std::vector<Seam> seams_below(const Fill& fill,
                              const std::vector<std::size_t>& regions_of_ranks,
                              const Subdomain& part,
                              Communicator& communicator) {
  std::vector<Seam> seams;
  const int ranks = communicator.size();
  if (ranks == 1) return seams;
  const int below = (communicator.rank() + ranks - 1) % ranks;
  const int above = (communicator.rank() + 1) % ranks;
  const std::vector<Fill::AtSeam> top = fill.plane(part.points().nz - 1);
  std::vector<Fill::AtSeam> received(top.size());
  const std::size_t bytes = top.size() * sizeof(top[0]);
  std::vector<SentMessage> sent;
  std::vector<ReceivedMessage> awaited;
  if (part.ends[2][1] == End::neighbour) sent.push_back({above, top.data(), bytes});
  if (part.ends[2][0] == End::neighbour) awaited.push_back({below, received.data(), bytes});
  communicator.transfer(sent, awaited);
  if (awaited.empty()) return seams;
  const auto first_label = [&](int rank) {
    std::size_t first = 0;
    for (int before = 0; before < rank; ++before) first += regions_of_ranks[before];
    return static_cast<Label>(first);
  };
  const std::vector<Fill::AtSeam> bottom = fill.plane(0);
  const std::int16_t rounds = below > communicator.rank() ? 1 : 0;
  std::size_t n = 0;
  for_each_point({{}, {part.points().nx, part.points().ny, 1}}, [&](Index3 c) {
    const Fill::AtSeam& here = bottom[n];
    const Fill::AtSeam& there = received[n++];
    if (!fill.is_open(c, 2)) return;
    seams.push_back({first_label(below) + there.label,
                     first_label(communicator.rank()) + here.label,
                     sum(sum(there.periods, {0, 0, rounds}), here.periods, -1)});
  });
  std::ranges::sort(seams);
  seams.erase(std::unique(seams.begin(), seams.end()), seams.end());
  return seams;
}

/// Joins regions along seams: a forest whose nodes know how often the way from their root goes
/// round each axis.
class Joined {
 public:
  explicit Joined(std::vector<Region> regions)
      : regions_(std::move(regions)), parent_(regions_.size()), periods_(regions_.size()) {
    for (std::size_t n = 0; n < parent_.size(); ++n) parent_[n] = n;
  }
  void join(const Seam& seam) {
    const auto [root, to_below] = root_of(seam.below);
    const auto [other, to_here] = root_of(seam.here);
    const Periods difference = sum(sum(to_below, seam.periods), to_here, -1);
    if (root == other) return regions_[root].note_loop(difference);
    regions_[root].add(regions_[other]);
    parent_[other] = root;
    periods_[other] = difference;
  }
  [[nodiscard]] std::vector<Region> roots() const {
    std::vector<Region> roots;
    for (std::size_t n = 0; n < parent_.size(); ++n) {
      if (parent_[n] == n) roots.push_back(regions_[n]);
    }
    return roots;
  }

 private:
  struct Root {
    std::size_t root;
    Periods periods;
  };
  Root root_of(std::size_t node) {
    Periods periods{};
    for (; parent_[node] != node; node = parent_[node]) periods = sum(periods, periods_[node]);
    return {node, periods};
  }

  std::vector<Region> regions_;
  std::vector<std::size_t> parent_;
  std::vector<Periods> periods_;
};

[[noreturn]] void refuse(const Case& resolved,
                         const Obstacle& obstacle,
                         const std::string& what,
                         const std::string& why) {
  const std::string name =
      obstacle.body == no_body ? "solids" : resolved.solids[obstacle.body].path();
  throw CaseError(fmt::format("{}: closes {} at ({:.6g}, {:.6g}, {:.6g}): {}",
                              name,
                              what,
                              obstacle.at[0],
                              obstacle.at[1],
                              obstacle.at[2],
                              why));
}

/// The farthest obstacle on the way from a face; else any.
Obstacle obstacle_beyond(const Region& region, int face) {
  const Obstacle& across = region.ends[face % 2 == 0 ? face + 1 : face - 1];
  if (across.body != no_body) return across;
  const auto* const found = std::ranges::find_if(
      region.ends, [](const Obstacle& obstacle) { return obstacle.body != no_body; });
  return found == region.ends.end() ? Obstacle{} : *found;
}

void require_ways_out(const std::vector<Region>& regions, const Case& resolved) {
  constexpr double most_imbalance = 0.1;  // as of the whole box
  for (const Region& region : regions) {
    if (region.has_outflow) continue;
    const bool takes_in = std::abs(region.net) > most_imbalance * region.gross;
    const auto inflows = std::ranges::count(region.has_inflow, true);
    if (!takes_in && !(region.has_other_inflow && inflows == 1)) continue;
    const auto face =
        static_cast<int>(std::ranges::find(region.has_inflow, true) - region.has_inflow.begin());
    refuse(resolved,
           obstacle_beyond(region, face),
           fmt::format("the way from boundaries.{}, of type inflow,", face_names[face]),
           "what flows in there cannot flow out");
  }
}

void require_ways_round(const std::vector<Region>& regions, const Case& resolved) {
  for (int axis = 0; axis < 3; ++axis) {
    if (resolved.forcing.value[axis] == 0 || !resolved.is_periodic(axis)) continue;
    Region all;
    for (const Region& region : regions) all.add(region);
    if (all.goes_round[axis]) continue;
    refuse(resolved,
           all.ends[2 * axis + 1],
           fmt::format("the box along {}", axis_names[axis]),
           fmt::format("no flow goes round that periodic axis, so that none has the bulk velocity "
                       "of {:g} of forcing.value",
                       resolved.forcing.value[axis]));
  }
}

}  // namespace

void refuse_closed_ways(const PerAxis<const SolidPoints*>& velocity,
                        const Case& resolved,
                        const Subdomain& part,
                        Communicator& communicator) {
  const bool holds_velocity = resolved.forcing.kind == ForcingCase::Kind::bulk_velocity;
  const bool has_inflow = std::ranges::any_of(conditions_of(resolved), &FaceConditions::is_inflow);
  if (!holds_velocity && !has_inflow) return;
  const Fill fill(velocity, resolved, part);
  const std::vector<std::size_t> regions_of_ranks = communicator.gathered(fill.regions().size());
  const std::vector<Seam> own_seams = seams_below(fill, regions_of_ranks, part, communicator);
  Joined joined(of_all_ranks(communicator, fill.regions()));
  for (const Seam& seam : of_all_ranks(communicator, own_seams)) joined.join(seam);
  const std::vector<Region> regions = joined.roots();
  if (has_inflow) require_ways_out(regions, resolved);
  if (holds_velocity) require_ways_round(regions, resolved);
}

}  // namespace dns
