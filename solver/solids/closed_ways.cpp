#include "solver/solids/closed_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
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

/// Adds axes to others.
void include(PerAxis<bool>& axes, const PerAxis<bool>& more) {
  for (int axis = 0; axis < 3; ++axis) axes[axis] = axes[axis] || more[axis];
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
    include(goes_round, other.goes_round);
    for (int face = 0; face < 6; ++face) {
      has_inflow[face] = has_inflow[face] || other.has_inflow[face];
      if (other.ends[face].depth > ends[face].depth) ends[face] = other.ends[face];
    }
    has_outflow = has_outflow || other.has_outflow;
    net += other.net;
    gross += other.gross;
    has_other_inflow = has_other_inflow || other.has_other_inflow;
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

/// Trees of nodes that are joined by ways. Each node knows how often the way from its root to it
/// goes round each axis.
class Forest {
 public:
  explicit Forest(std::size_t nodes) : parent_(nodes), periods_(nodes), goes_round_(nodes) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  struct Place {
    std::size_t root;
    Periods periods;
  };
  [[nodiscard]] Place place_of(std::size_t node) {
    Place place{node, {}};
    for (; parent_[place.root] != place.root; place.root = parent_[place.root])
      place.periods = sum(place.periods, periods_[place.root]);
    for (Periods rest = place.periods; parent_[node] != node;) {  // the next search is short
      const std::size_t before = parent_[node];
      const Periods beyond = sum(rest, periods_[node], -1);
      parent_[node] = place.root;
      periods_[node] = rest;
      node = before;
      rest = beyond;
    }
    return place;
  }
  /// Adds a way from node a to node b, which goes round each axis `periods` times.
  void join(std::size_t a, std::size_t b, const Periods& periods) {
    const Place at_a = place_of(a);
    const Place at_b = place_of(b);
    const Periods difference = sum(sum(at_a.periods, periods), at_b.periods, -1);
    if (at_a.root == at_b.root) {
      include(goes_round_[at_a.root], {difference[0] != 0, difference[1] != 0, difference[2] != 0});
      return;
    }
    parent_[at_b.root] = at_a.root;
    periods_[at_b.root] = difference;
    include(goes_round_[at_a.root], goes_round_[at_b.root]);
  }
  /// The axes round which a way in the tree of a root leads.
  [[nodiscard]] const PerAxis<bool>& goes_round(std::size_t root) const {
    return goes_round_[root];
  }

 private:
  std::vector<std::size_t> parent_;
  std::vector<Periods> periods_;
  std::vector<PerAxis<bool>> goes_round_;  // of roots
};

/// The regions of a part. Each row along x is cut into runs, cells that open faces connect. Two
/// runs of neighbouring rows belong to one region where a face between them is open.
class Fill {
 public:
  Fill(const PerAxis<const SolidPoints*>& velocity, const Case& resolved, const Subdomain& part)
      : velocity_(velocity),
        case_(resolved),
        conditions_(conditions_of(resolved)),
        part_(part),
        n_(part.points()),
        centres_(resolved, part, first_scalar) {
    for (int axis = 0; axis < 3; ++axis) faces_[axis] = face_coordinates(resolved.grid, axis);
    for_each_row([&](Index3 row) { add_runs_of(row); });
    first_.push_back(runs_.size());
    Forest forest(runs_.size());
    for_each_row([&](Index3 row) {
      if (part_.is_periodic(0)) join_ends(row, forest);
      for (const int axis : {1, 2}) join_to_row_below(row, axis, forest);
    });
    number_regions(forest);
    for_each_row([&](Index3 row) { note_ends(row); });
  }

  [[nodiscard]] const std::vector<Region>& regions() const { return regions_; }

  struct AtSeam {
    Label label = none;
    Periods periods{};
  };
  /// Labels and periods of the cells of a plane across z.
  [[nodiscard]] std::vector<AtSeam> plane(int k) const {
    std::vector<AtSeam> plane(static_cast<std::size_t>(n_.nx) * n_.ny);
    for (int j = 0; j < n_.ny; ++j) {
      for (const Run& run : runs_of({0, j, k})) {
        for (int i = run.begin; i < run.end; ++i)
          plane[static_cast<std::size_t>(j) * n_.nx + i] = {run.label, run.periods};
      }
    }
    return plane;
  }
  /// Whether the face between a cell and its neighbour on the low side along an axis is open.
  [[nodiscard]] bool is_open(Index3 face, int axis) const {
    return is_open(velocity_[axis]->body_at(face));
  }

 private:
  struct Run {
    int begin, end;  // cells along x
    Label label = none;
    Periods periods{};  // since the first run of the region
  };

  [[nodiscard]] bool is_open(int body) const {
    return body == no_body || case_.solids[body].moves();
  }
  template <class Visit>
  void for_each_row(const Visit& visit) const {
    for_each_point({{}, {1, n_.ny, n_.nz}}, visit);
  }
  [[nodiscard]] std::size_t number(Index3 row) const {
    return static_cast<std::size_t>(row.k) * n_.ny + row.j;
  }
  [[nodiscard]] std::span<const Run> runs_of(Index3 row) const {
    return std::span(runs_).subspan(first_[number(row)],
                                    first_[number(row) + 1] - first_[number(row)]);
  }
  /// Bodies at the faces across an axis, one after the other along x, from the face on the low side
  /// of a cell on.
  [[nodiscard]] const std::int16_t* faces_of(Index3 cell, int axis) const {
    return &velocity_[axis]->body[velocity_[axis]->place(cell)];
  }
  [[nodiscard]] static Index3 beside(Index3 c, int axis, int by) {
    c[axis] += by;
    return c;
  }

  void add_runs_of(Index3 row) {
    first_.push_back(runs_.size());
    const std::int16_t* const faces = faces_of(row, 0);
    for (Run run{0, 1}; run.begin < n_.nx; run = {run.end, run.end + 1}) {
      while (run.end < n_.nx && is_open(faces[run.end])) ++run.end;
      if (run.end - run.begin > 1 || has_way({run.begin, row.j, row.k})) runs_.push_back(run);
    }
  }
  /// Cells without one, as those in bodies are, belong to no region.
  [[nodiscard]] bool has_way(Index3 cell) const {
    for (int axis = 0; axis < 3; ++axis) {
      for (const bool is_high : {false, true}) {
        const bool is_at_end = cell[axis] == (is_high ? n_[axis] - 1 : 0);
        const bool is_shut = is_at_end && part_.is_boundary(axis, is_high) &&
                             !conditions_[face_index(axis, is_high)].is_opening();
        if (!is_shut && is_open(beside(cell, axis, is_high ? 1 : 0), axis)) return true;
      }
    }
    return false;
  }

  /// Joins a row's last run to its first, round a periodic axis x.
  void join_ends(Index3 row, Forest& forest) const {
    if (!is_open(row, 0)) return;
    const std::size_t first = first_[number(row)];
    forest.join(first_[number(row) + 1] - 1, first, {1, 0, 0});
  }
  /// Joins the runs of a row to those of the row before it. On a periodic axis the last row
  /// counts as the one before the first.
  void join_to_row_below(Index3 row, int axis, Forest& forest) const {
    Index3 below = beside(row, axis, -1);
    Periods periods{};
    if (row[axis] == 0) {
      if (!part_.is_periodic(axis)) return;  // the end of the box, or a seam
      below[axis] = n_[axis] - 1;
      periods[axis] = 1;
    }
    const std::int16_t* const faces = faces_of(row, axis);
    std::size_t a = first_[number(below)];
    std::size_t b = first_[number(row)];
    while (a < first_[number(below) + 1] && b < first_[number(row) + 1]) {
      const int end = std::min(runs_[a].end, runs_[b].end);
      for (int i = std::max(runs_[a].begin, runs_[b].begin); i < end; ++i) {
        if (!is_open(faces[i])) continue;
        forest.join(a, b, periods);
        break;
      }
      (runs_[a].end == end ? a : b)++;
    }
  }
  void number_regions(Forest& forest) {
    std::vector<Label> labels(runs_.size(), none);
    for (std::size_t n = 0; n < runs_.size(); ++n) {
      const Forest::Place place = forest.place_of(n);
      if (labels[place.root] == none) {
        labels[place.root] = static_cast<Label>(regions_.size());
        regions_.emplace_back().goes_round = forest.goes_round(place.root);
      }
      runs_[n].label = labels[place.root];
      runs_[n].periods = place.periods;
    }
  }

  /// Notes the bodies and the openings of the box that end the runs of a row.
  void note_ends(Index3 row) {
    for (const Run& run : runs_of(row)) {
      for (int axis = 0; axis < 3; ++axis) {
        for (const bool is_high : {false, true}) note_end(row, run, axis, is_high);
      }
    }
  }
  /// Notes what ends a run on one side. Along x that is at its last cell on that side alone.
  void note_end(Index3 row, const Run& run, int axis, bool is_high) {
    const int begin = axis == 0 && is_high ? run.end - 1 : run.begin;
    const int end = axis == 0 && !is_high ? run.begin + 1 : run.end;
    const std::int16_t* const bodies = faces_of(beside(row, axis, is_high ? 1 : 0), axis);
    for (int i = begin; i < end; ++i) {
      const Index3 cell{i, row.j, row.k};
      const bool is_at_end = cell[axis] == (is_high ? n_[axis] - 1 : 0);
      if (!is_open(bodies[i])) {
        note_obstacle(cell, bodies[i], axis, is_high, regions_[run.label]);
      } else if (is_at_end && part_.is_boundary(axis, is_high)) {
        note_opening(cell, axis, is_high, regions_[run.label]);
      }
    }
  }

  void note_obstacle(Index3 cell, std::int16_t body, int axis, bool is_high, Region& region) const {
    Obstacle& farthest = region.ends[face_index(axis, is_high)];
    const int index = part_.first(axis) + cell[axis];
    const int depth = is_high ? index : part_.whole[axis] - 1 - index;
    if (depth <= farthest.depth) return;
    farthest.body = body;
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
  std::vector<Run> runs_;               // row by row
  std::vector<std::size_t> first_;      // runs of rows, and the end
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

/// The regions of the whole box, from those of all ranks and the seams between them.
std::vector<Region> joined(const std::vector<Region>& of_ranks, const std::vector<Seam>& seams) {
  Forest forest(of_ranks.size());
  for (const Seam& seam : seams) forest.join(seam.below, seam.here, seam.periods);
  std::vector<Region> regions(of_ranks.size());
  for (std::size_t n = 0; n < of_ranks.size(); ++n)
    regions[forest.place_of(n).root].add(of_ranks[n]);
  for (std::size_t n = 0; n < of_ranks.size(); ++n)
    include(regions[n].goes_round, forest.goes_round(n));
  return regions;
}

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
  const std::vector<Region> regions =
      joined(of_all_ranks(communicator, fill.regions()), of_all_ranks(communicator, own_seams));
  if (has_inflow) require_ways_out(regions, resolved);
  if (holds_velocity) require_ways_round(regions, resolved);
}

}  // namespace dns
