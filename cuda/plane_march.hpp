/// How a block of threads marches through the planes across z of a staggered flow, so that each
/// value is read once and each interpolation is made once.
///
/// The block has one thread per point of a tile in a plane. A thread keeps a column of values along
/// z in registers, and the sums that its next results along z need. Along x and y the threads share
/// the plane in shared memory: each takes a run of neighbouring points of one line, keeps a window
/// of values and the sums of its run in registers, and stores the sums for the threads of those
/// points. Half points belong to faces where the values are at centres, and to centres where the
/// values are at faces; line t = 0 .. order - 1 of values is around a half point.
///
/// The scheme (solver/numerics/stage_march.hpp) gives orders, means, differences and fluxes. Plain
/// C++, so that tests run it on a CPU; a Block is the threads of a block and what they do together:
///
///   thread()                 number of this thread
///   barrier()                waits until all threads are here; shared memory is then as they left
///   copy(to, from)           begins to copy a number to shared memory
///   wait_for_copies()        waits for the copies that this thread began
///   prefetch(from)           brings a number near
#pragma once

#include <cstddef>

#include "solver/core/field_view.hpp"
#include "solver/core/index.hpp"

namespace dns {

/// What a block shares: sizes in numbers.
template <class Scheme, int points_x, int points_y>
struct MarchTile {
  using Real = typename Scheme::Number;
  static constexpr int order_x = Scheme::template order<Axis::x>();
  static constexpr int order_y = Scheme::template order<Axis::y>();
  static constexpr int nx = points_x, ny = points_y;
  static constexpr int threads = nx * ny;

  // A plane of a component reaches order - 1 points beyond the tile. Odd pitches, here and below:
  // threads that lie along y read different banks.
  static constexpr int beyond_x = order_x - 1, beyond_y = order_y - 1;
  static constexpr int width = nx + 2 * beyond_x, height = ny + 2 * beyond_y;
  static constexpr int pitch = width | 1;
  static constexpr int plane = pitch * height;
  static constexpr int around = width * height - threads;

  // Faces across x, y next to the tile that its results need, from face -low on.
  static constexpr int low_x = order_x / 2 - 1, low_y = order_y / 2 - 1;
  static constexpr int faces_x = nx + order_x - 1, faces_y = ny + order_y - 1;
  static constexpr int pitch_x = faces_x | 1, pitch_y = nx | 1;
  static constexpr int across_x = pitch_x * ny, across_y = pitch_y * faces_y;
  static constexpr int beside_x = (order_x - 1) * ny, beside_y = (order_y - 1) * nx;

  static constexpr int pitch_results = nx | 1;
  static constexpr int results = pitch_results * ny;

  // Places.
  static constexpr int u_along_z = 6 * plane;                 // two planes of components before
  static constexpr int v_along_z = u_along_z + 2 * across_x;  // I_z u, I_z v of two planes
  static constexpr int u_along_y = v_along_z + 2 * across_y;  // I_y u
  static constexpr int v_along_x = u_along_y + across_x;      // I_x v
  static constexpr int sums_x = v_along_x + across_y;         // of three components
  static constexpr int sums_y = sums_x + 3 * results;
  static constexpr int w_along_x = sums_y + 3 * results;  // I_x w
  static constexpr int w_along_y = w_along_x + results;   // I_y w
  static constexpr int before = w_along_y + results;      // of three components, twice
  static constexpr int seconds = before + 6 * threads;    // of planes that are not finished
  static constexpr int open_planes =
      Scheme::has_second ? Scheme::template order<Axis::z>() / 2 + 1 : 0;
  // Arrays of the scheme along y, from `beyond_rows` rows before the tile on.
  static constexpr int beyond_rows = order_y / 2;
  static constexpr int rows = ny + 2 * beyond_rows;
  static constexpr int row_arrays = seconds + 3 * results * open_planes;
  static constexpr int places =
      row_arrays + (rows * Scheme::row_arrays + 1) / 2 * 2;  // pairs of int
  static constexpr int numbers = places + (around + beside_x + beside_y) * 8 / bytes_per<Real>;
  static constexpr std::size_t bytes = numbers * sizeof(Real);
};

/// The part of the points that a block computes: the tile from (i, j), planes k to end_k.
struct MarchPart {
  Extents points;  // of the whole field
  int i, j, k, end_k;
};

/// A line along z in registers: `order` values, and sums of results that are not complete.
template <class Real, int order>
struct MarchColumn {
  Real values[order], sums[order];

  DNS_HD void push(Real next) {
    DNS_UNROLLED
    for (int t = 0; t + 1 < order; ++t) values[t] = values[t + 1];
    values[order - 1] = next;
  }
  /// Adds what the half point in the middle of the values gives.
  template <class Scheme, class Flux>
  DNS_HD void add(const Flux& flux) {
    DNS_UNROLLED
    for (int m = 0; m < order; ++m) {
      // Two statements: each is one operation.
      sums[m] += Scheme::template difference_weight<Axis::z>(order - 1 - m) * flux.differenced;
      sums[m] += Scheme::template mean_weight<Axis::z>(order - 1 - m) * flux.averaged;
    }
  }
  DNS_HD Real pop() {
    const Real first = sums[0];
    DNS_UNROLLED
    for (int t = 0; t + 1 < order; ++t) sums[t] = sums[t + 1];
    sums[order - 1] = 0;
    return first;
  }
};

template <class Scheme, class Tile, class Block>
class PlaneMarch {
 public:
  using Real = typename Scheme::Number;

  /// shared: memory of Tile::bytes, which starts at a multiple of 8 bytes. All fields of the scheme
  /// have the same strides, and ghost points: order - 1 along each axis.
  DNS_HD PlaneMarch(const Scheme& scheme, const Block& block, const MarchPart& part, Real* shared)
      : scheme_(scheme),
        block_(block),
        part_(part),
        shared_(shared),
        thread_(block.thread()),
        x_(thread_ % Tile::nx),
        y_(thread_ / Tile::nx),
        stride_y_(scheme.field(0).stride_y),
        stride_z_(scheme.field(0).stride_z),
        own_(place_of(x_, y_)),
        rows_(near_rows()) {}

  DNS_HD void run() const {
    list_places();
    MarchColumn<Real, order_z> column[3];
    Real next[3];
    const int first = part_.k - order_z / 2;
    const int last = part_.end_k - 1 + order_z / 2;
    DNS_UNROLLED
    for (int q = 0; q < 3; ++q) {
      column[q].sums[0] = 0;
      column[q].values[0] = 0;
      DNS_UNROLLED
      for (int t = 1; t < order_z; ++t) {
        column[q].sums[t] = 0;
        column[q].values[t] = value(q, first - order_z / 2 - 1 + t + on_face(q));
      }
      next[q] = value(q, first + order_z / 2 - 1 + on_face(q));
    }
    copy_around(first);  // of places that the thread itself has listed
    copy_before(first);
    DNS_ROLLED
    for (int c = first; c <= last; ++c) advance(c, c < last, column, next);
  }

 private:
  static constexpr int order_x = Tile::order_x, order_y = Tile::order_y;
  static constexpr int order_z = Scheme::template order<Axis::z>();
  struct Place {
    int from, to;  // in a plane of the field, in shared memory
  };

  [[nodiscard]] DNS_HD static constexpr int on_face(int component) {
    return component == 2 ? 1 : 0;
  }
  /// Whether the thread has a point.
  [[nodiscard]] DNS_HD bool is_inside() const {
    return part_.i + x_ < part_.points.nx && part_.j + y_ < part_.points.ny;
  }
  /// Whether results of plane c are wanted.
  [[nodiscard]] DNS_HD bool is_full(int c) const { return c >= part_.k && c < part_.end_k; }
  /// Offset of a point of the tile, or near it, in its plane; of the last ghost point where it is
  /// beyond.
  [[nodiscard]] DNS_HD int place_of(int x, int y) const {
    const int i = part_.i + x, j = part_.j + y;
    const int last_i = part_.points.nx + order_x - 2, last_j = part_.points.ny + order_y - 2;
    return (i < last_i ? i : last_i) + (j < last_j ? j : last_j) * stride_y_;
  }
  [[nodiscard]] DNS_HD std::ptrdiff_t plane_at(int k) const {
    return static_cast<std::ptrdiff_t>(k) * stride_z_;
  }
  /// Value of a component in the thread's own column at plane k; in the last ghost plane where k is
  /// beyond.
  [[nodiscard]] DNS_HD Real value(int component, int k) const {
    const int low = 1 - order_z, high = part_.points.nz + order_z - 2;
    const int level = k < low ? low : k > high ? high : k;
    return read_only(scheme_.field(component).origin + (plane_at(level) + own_));
  }
  /// Where list_places() copies the arrays along y.
  [[nodiscard]] DNS_HD typename Scheme::Rows near_rows() const {
    typename Scheme::Rows near{};
    DNS_UNROLLED
    for (int n = 0; n < Scheme::row_arrays; ++n)
      near.values[n] = shared_ + (Tile::row_arrays + n * Tile::rows + Tile::beyond_rows - part_.j);
    return near;
  }
  [[nodiscard]] DNS_HD Real* plane_of(int c) const { return shared_ + (c & 1) * 3 * Tile::plane; }
  [[nodiscard]] DNS_HD Real* u_along_z(int c) const {
    return shared_ + Tile::u_along_z + (c & 1) * Tile::across_x;
  }
  [[nodiscard]] DNS_HD Real* v_along_z(int c) const {
    return shared_ + Tile::v_along_z + (c & 1) * Tile::across_y;
  }
  [[nodiscard]] DNS_HD Place* places() const {
    return reinterpret_cast<Place*>(shared_ + Tile::places);
  }
  /// L_y of three components in plane c.
  [[nodiscard]] DNS_HD Real* seconds(int c) const {
    return shared_ + (Tile::seconds + c % Tile::open_planes * 3 * Tile::results);
  }
  [[nodiscard]] DNS_HD Real* before(int c) const {
    return shared_ + Tile::before + ((c & 1) * 3 * Tile::threads + thread_);
  }

  DNS_HD void list_places() const;
  DNS_HD void copy_around(int c) const;
  DNS_HD void copy_before(int c) const;
  DNS_HD void find_beside(int c) const;
  DNS_HD void find_at_edges(int c) const;
  DNS_HD void sum_lines(int c) const;
  template <Axis axis>
  DNS_HD void sum_line(
      int first, const Real* q, const Real* advecting, Real* sums, Real* means) const;
  DNS_HD void find_seconds(int component, int first, const Real* q, Real* seconds) const;
  DNS_HD void advance(int c,
                      bool is_followed,
                      MarchColumn<Real, order_z> (&column)[3],
                      Real (&next)[3]) const;
  template <int component>
  DNS_HD void finish(int c,
                     Real advecting_here,
                     Real mean,
                     Real in_plane,
                     MarchColumn<Real, order_z>& column) const;

  const Scheme& scheme_;
  const Block& block_;
  const MarchPart& part_;
  Real* shared_;
  int thread_, x_, y_;
  int stride_y_, stride_z_;
  int own_;
  typename Scheme::Rows rows_;
};

/// Lists where the numbers around the tile come from and go to: finding out takes divisions. Copies
/// the arrays along y.
template <class Scheme, class Tile, class Block>
DNS_HD void PlaneMarch<Scheme, Tile, Block>::list_places() const {
  if constexpr (Scheme::row_arrays > 0) {
    const typename Scheme::Rows of_scheme = scheme_.rows();
    DNS_UNROLLED
    for (int n = 0; n < Scheme::row_arrays; ++n) {
      DNS_ROLLED
      for (int row = thread_; row < Tile::rows; row += Tile::threads) {
        shared_[Tile::row_arrays + n * Tile::rows + row] =
            read_only(of_scheme.values[n] + (part_.j - Tile::beyond_rows + row));
      }
    }
  }
  constexpr int below = Tile::beyond_y * Tile::width;
  DNS_ROLLED
  for (int n = thread_; n < Tile::around; n += Tile::threads) {
    int x, y;
    if (n < 2 * below) {
      x = n % Tile::width;
      y = n / Tile::width;
      if (y >= Tile::beyond_y) y += Tile::ny;
    } else {
      x = (n - 2 * below) % (2 * Tile::beyond_x);
      y = (n - 2 * below) / (2 * Tile::beyond_x) + Tile::beyond_y;
      if (x >= Tile::beyond_x) x += Tile::nx;
    }
    places()[n] = {place_of(x - Tile::beyond_x, y - Tile::beyond_y), y * Tile::pitch + x};
  }
  DNS_ROLLED
  for (int n = thread_; n < Tile::beside_x; n += Tile::threads) {
    const int face = n % (order_x - 1), y = n / (order_x - 1);
    const int x = face < Tile::low_x ? face - Tile::low_x : face - Tile::low_x + Tile::nx;
    places()[Tile::around + n] = {place_of(x, y), y * Tile::pitch_x + x + Tile::low_x};
  }
  DNS_ROLLED
  for (int n = thread_; n < Tile::beside_y; n += Tile::threads) {
    const int x = n % Tile::nx, face = n / Tile::nx;
    const int y = face < Tile::low_y ? face - Tile::low_y : face - Tile::low_y + Tile::ny;
    places()[Tile::around + Tile::beside_x + n] = {place_of(x, y),
                                                   (y + Tile::low_y) * Tile::pitch_y + x};
  }
}

/// Begins to copy the values of plane c around the tile. Where no results are wanted, only w is
/// interpolated in the plane.
template <class Scheme, class Tile, class Block>
DNS_HD void PlaneMarch<Scheme, Tile, Block>::copy_around(int c) const {
  const Real* u = scheme_.field(0).origin + plane_at(c);
  const Real* v = scheme_.field(1).origin + plane_at(c);
  const Real* w = scheme_.field(2).origin + plane_at(c);
  Real* to = plane_of(c);
  const bool copies_all = is_full(c);
  DNS_ROLLED
  for (int n = thread_; n < Tile::around; n += Tile::threads) {
    const Place place = places()[n];
    if (copies_all) {
      block_.copy(to + place.to, u + place.from);
      block_.copy(to + (Tile::plane + place.to), v + place.from);
    }
    block_.copy(to + (2 * Tile::plane + place.to), w + place.from);
  }
}

/// Begins to copy what the results that plane c completes were before; only this thread reads it.
template <class Scheme, class Tile, class Block>
DNS_HD void PlaneMarch<Scheme, Tile, Block>::copy_before(int c) const {
  if (!scheme_.reads_before() || !is_inside()) return;
  DNS_UNROLLED
  for (int q = 0; q < 3; ++q) {
    const int k = c - order_z / 2 + on_face(q);
    if (is_full(k)) {
      block_.copy(before(c) + q * Tile::threads, scheme_.before(q).origin + (plane_at(k) + own_));
    }
  }
}

/// I_z u and I_z v of plane c beside the tile.
template <class Scheme, class Tile, class Block>
DNS_HD void PlaneMarch<Scheme, Tile, Block>::find_beside(int c) const {
  const auto find = [&](int component, Place place, Real* to) {
    const Real* q = scheme_.field(component).origin + (plane_at(c - order_z / 2) + place.from);
    block_.prefetch(q + order_z * static_cast<std::ptrdiff_t>(stride_z_));
    to[place.to] = scheme_.template advecting_velocity<Axis::z>(
        rows_, [&](int t) { return read_only(q + t * static_cast<std::ptrdiff_t>(stride_z_)); }, c);
  };
  // From the last thread on: the first ones sum lines.
  DNS_ROLLED
  for (int n = Tile::threads - 1 - thread_; n < Tile::beside_x + Tile::beside_y;
       n += Tile::threads) {
    const bool is_u = n < Tile::beside_x;
    find(is_u ? 0 : 1, places()[Tile::around + n], is_u ? u_along_z(c) : v_along_z(c));
  }
}

/// I_y u and I_x v at the edges of plane c, a few at once.
template <class Scheme, class Tile, class Block>
DNS_HD void PlaneMarch<Scheme, Tile, Block>::find_at_edges(int c) const {
  constexpr int at_once = 4;
  static_assert(Tile::nx % at_once == 0 && Tile::ny % at_once == 0);
  constexpr int of_u = Tile::faces_x * (Tile::ny / at_once);
  constexpr int first_of_v = (of_u + 31) / 32 * 32;  // with a warp of its own
  constexpr int end = first_of_v + Tile::faces_y * (Tile::nx / at_once);
  DNS_ROLLED
  for (int n = thread_; n < end; n += Tile::threads) {
    if (n < of_u) {
      const int face = n % Tile::faces_x, y = n / Tile::faces_x * at_once;
      const Real* u = plane_of(c) + ((y + Tile::beyond_y - order_y / 2) * Tile::pitch + face -
                                     Tile::low_x + Tile::beyond_x);
      Real* to = shared_ + Tile::u_along_y + (y * Tile::pitch_x + face);
      Real values[at_once + order_y - 1];
      DNS_UNROLLED
      for (int t = 0; t < at_once + order_y - 1; ++t) values[t] = u[t * Tile::pitch];
      DNS_UNROLLED
      for (int m = 0; m < at_once; ++m) {
        to[m * Tile::pitch_x] = scheme_.template advecting_velocity<Axis::y>(
            rows_, [&](int t) { return values[m + t]; }, part_.j + y + m);
      }
    } else if (n >= first_of_v) {
      const int face = (n - first_of_v) % Tile::faces_y;
      const int x = (n - first_of_v) / Tile::faces_y * at_once;
      const Real* v =
          plane_of(c) + Tile::plane +
          ((face - Tile::low_y + Tile::beyond_y) * Tile::pitch + x + Tile::beyond_x - order_x / 2);
      Real* to = shared_ + Tile::v_along_x + (face * Tile::pitch_y + x);
      Real values[at_once + order_x - 1];
      DNS_UNROLLED
      for (int t = 0; t < at_once + order_x - 1; ++t) values[t] = v[t];
      DNS_UNROLLED
      for (int m = 0; m < at_once; ++m) {
        to[m] = scheme_.template advecting_velocity<Axis::x>(
            rows_, [&](int t) { return values[m + t]; }, part_.i + x + m);
      }
    }
  }
}

/// Points of a line that a thread takes.
inline constexpr int march_run = 8;

/// The sums of a run of points along x or y, from the values of its line from `order - 1` points
/// before it on. advecting: at the faces from `low` before the run on; if null, the means of the
/// values carry. means: null, or room for I q at the faces of the run. first: number of the first.
template <class Scheme, class Tile, class Block>
template <Axis axis>
DNS_HD void PlaneMarch<Scheme, Tile, Block>::sum_line(
    int first, const Real* q, const Real* advecting, Real* sums, Real* means) const {
  constexpr bool is_x = axis == Axis::x;
  constexpr int order = is_x ? order_x : order_y;
  constexpr int low = order / 2 - 1;
  constexpr int step = is_x ? 1 : Tile::pitch;
  constexpr int step_of_advecting = is_x ? 1 : Tile::pitch_y;
  constexpr int step_of_results = is_x ? 1 : Tile::pitch_results;
  Real values[order], run[march_run];
  DNS_UNROLLED
  for (int t = 0; t < march_run; ++t) run[t] = 0;
  DNS_UNROLLED
  for (int t = 0; t + 1 < order; ++t) values[t + 1] = q[t * step];
  DNS_UNROLLED
  for (int h = 0; h < march_run + order - 1; ++h) {
    DNS_UNROLLED
    for (int t = 0; t + 1 < order; ++t) values[t] = values[t + 1];
    values[order - 1] = q[(h + order - 1) * step];
    const auto at = [&](int t) { return values[t]; };
    const Real mean = Scheme::template mean<axis>(at);
    const Real advecting_here = advecting != nullptr ? advecting[h * step_of_advecting] : mean;
    if (means != nullptr && h >= low && h < low + march_run) {
      means[(h - low) * step_of_results] =
          scheme_.template advecting_from_mean<axis>(rows_, mean, at, first + h - low);
    }
    const auto flux =
        scheme_.template flux<axis>(advecting_here, mean, Scheme::template difference<axis>(at));
    DNS_UNROLLED
    for (int r = 0; r < march_run; ++r) {
      if (h - r >= 0 && h - r < order) {
        run[r] += Scheme::template difference_weight<axis>(h - r) * flux.differenced;
        run[r] += Scheme::template mean_weight<axis>(h - r) * flux.averaged;
      }
    }
    if (h >= order - 1) {
      const int r = h - (order - 1);
      sums[r * step_of_results] = run[r];
    }
  }
}

/// L_y q at a run of points along y, but for the volume there; arguments as sum_line() has them.
template <class Scheme, class Tile, class Block>
DNS_HD void PlaneMarch<Scheme, Tile, Block>::find_seconds(int component,
                                                          int first,
                                                          const Real* q,
                                                          Real* seconds) const {
  const bool is_face = component == velocity_along(Axis::y);
  const int first_half_point = first - order_y / 2 + (is_face ? 0 : 1);
  Real values[order_y], slopes[order_y];
  DNS_UNROLLED
  for (int t = 0; t + 1 < order_y; ++t) {
    values[t + 1] = q[t * Tile::pitch];
    slopes[t + 1] = 0;
  }
  DNS_UNROLLED
  for (int h = 0; h < march_run + order_y - 1; ++h) {
    DNS_UNROLLED
    for (int t = 0; t + 1 < order_y; ++t) {
      values[t] = values[t + 1];
      slopes[t] = slopes[t + 1];
    }
    values[order_y - 1] = q[(h + order_y - 1) * Tile::pitch];
    slopes[order_y - 1] = scheme_.template scaled<Axis::y>(
        rows_,
        !is_face,
        Scheme::template difference<Axis::y>([&](int t) { return values[t]; }),
        first_half_point + h);
    if (h >= order_y - 1) {
      seconds[(h - (order_y - 1)) * Tile::pitch_results] =
          Scheme::template difference<Axis::y>([&](int t) { return slopes[t]; });
    }
  }
}

/// The sums along x and y of the tile in plane c; I_x w and I_y w.
template <class Scheme, class Tile, class Block>
DNS_HD void PlaneMarch<Scheme, Tile, Block>::sum_lines(int c) const {
  static_assert(Tile::nx % march_run == 0 && Tile::ny % march_run == 0);
  constexpr int runs_x = Tile::nx / march_run, runs_y = Tile::ny / march_run;
  constexpr int along_x = 3 * Tile::ny * runs_x;
  constexpr int first_along_y = (along_x + 31) / 32 * 32;
  constexpr int end = first_along_y + 3 * Tile::nx * runs_y;
  DNS_ROLLED
  for (int n = thread_; n < end; n += Tile::threads) {
    if (n < along_x) {
      const int y = n % Tile::ny, q = n / (Tile::ny * runs_x);
      int run = n / Tile::ny % runs_x;
      // The runs of a warp in float: half of the banks apart.
      if (sizeof(Real) == 4 && Tile::ny == 16) run = run % 2 * (runs_x / 2) + run / 2;
      const int x = run * march_run;
      const Real* advecting = q == 1 ? shared_ + Tile::u_along_y : u_along_z(c);
      const int at = y * Tile::pitch_results + x;
      sum_line<Axis::x>(part_.i + x,
                        plane_of(c) + (q * Tile::plane + (y + Tile::beyond_y) * Tile::pitch + x),
                        q == 0 ? nullptr : advecting + (y * Tile::pitch_x + x),
                        shared_ + (Tile::sums_x + q * Tile::results + at),
                        q == 2 ? shared_ + (Tile::w_along_x + at) : nullptr);
    } else if (n >= first_along_y) {
      const int m = n - first_along_y;
      const int x = m % Tile::nx, y = m / Tile::nx % runs_y * march_run;
      const int q = m / (Tile::nx * runs_y);
      const Real* advecting = q == 0 ? shared_ + Tile::v_along_x : v_along_z(c);
      const int at = y * Tile::pitch_results + x;
      sum_line<Axis::y>(part_.j + y,
                        plane_of(c) + (q * Tile::plane + y * Tile::pitch + x + Tile::beyond_x),
                        q == 1 ? nullptr : advecting + (y * Tile::pitch_y + x),
                        shared_ + (Tile::sums_y + q * Tile::results + at),
                        q == 2 ? shared_ + (Tile::w_along_y + at) : nullptr);
    }
  }
  if constexpr (Scheme::has_second) {
    // By the threads that sum no line.
    static_assert(end < Tile::threads);
    DNS_ROLLED
    for (int n = thread_ - end; n >= 0 && n < 3 * Tile::nx * runs_y; n += Tile::threads - end) {
      const int x = n % Tile::nx, y = n / Tile::nx % runs_y * march_run;
      const int q = n / (Tile::nx * runs_y);
      find_seconds(q,
                   part_.j + y,
                   plane_of(c) + (q * Tile::plane + y * Tile::pitch + x + Tile::beyond_x),
                   seconds(c) + (q * Tile::results + y * Tile::pitch_results + x));
    }
  }
}

/// Adds the flux along z at half point c, and finishes the result that it completes.
template <class Scheme, class Tile, class Block>
template <int component>
DNS_HD void PlaneMarch<Scheme, Tile, Block>::finish(int c,
                                                    Real advecting_here,
                                                    Real mean,
                                                    Real in_plane,
                                                    MarchColumn<Real, order_z>& column) const {
  constexpr bool is_face = component == 2;
  const Real difference =
      Scheme::template difference<Axis::z>([&](int t) { return column.values[t]; });
  column.template add<Scheme>(scheme_.template flux<Axis::z>(advecting_here, mean, difference));
  if (is_full(c)) {
    column.sums[order_z / 2 - (is_face ? 1 : 0)] +=
        scheme_.template unscaled<Axis::z>(is_face, in_plane, c);
  }
  const int k = c - order_z / 2 + (is_face ? 1 : 0);
  const Real sum = scheme_.template scaled<Axis::z>(rows_, is_face, column.pop(), k);
  if (!is_inside() || !is_full(k)) return;
  const Spot<Index3> point{
      {part_.i + x_, part_.j + y_, k}, plane_at(k) + own_, stride_y_, stride_z_};
  Real own = column.values[0];
  if constexpr (Scheme::has_second)
    own = scheme_.template scaled<Axis::y>(
        rows_,
        component == velocity_along(Axis::y),
        seconds(k)[component * Tile::results + y_ * Tile::pitch_results + x_],
        part_.j + y_);
  scheme_.template finish<component>(
      point, own, sum, scheme_.reads_before() ? before(c)[component * Tile::threads] : Real(0));
}

/// Half points of number c along z, and plane c.
template <class Scheme, class Tile, class Block>
DNS_HD void PlaneMarch<Scheme, Tile, Block>::advance(int c,
                                                     bool is_followed,
                                                     MarchColumn<Real, order_z> (&column)[3],
                                                     Real (&next)[3]) const {
  Real mean[3];
  DNS_UNROLLED
  for (int q = 0; q < 3; ++q) {
    column[q].push(next[q]);
    const auto at = [&](int t) { return column[q].values[t]; };
    plane_of(c)[q * Tile::plane + (y_ + Tile::beyond_y) * Tile::pitch + x_ + Tile::beyond_x] =
        column[q].values[order_z / 2 - on_face(q)];
    if (q < 2) mean[q] = Scheme::template mean<Axis::z>(at);
    if (q == 0) {
      u_along_z(c)[y_ * Tile::pitch_x + x_ + Tile::low_x] =
          scheme_.template advecting_from_mean<Axis::z>(rows_, mean[q], at, c);
    }
    if (q == 1) {
      v_along_z(c)[(y_ + Tile::low_y) * Tile::pitch_y + x_] =
          scheme_.template advecting_from_mean<Axis::z>(rows_, mean[q], at, c);
    }
  }
  block_.wait_for_copies();
  block_.barrier();
  if (is_followed) {
    copy_around(c + 1);
    copy_before(c + 1);
    DNS_UNROLLED
    for (int q = 0; q < 3; ++q) next[q] = value(q, c + order_z / 2 + on_face(q));
  }
  Real in_plane[3] = {0, 0, 0};
  Real w_along_x, w_along_y;
  if (is_full(c)) {
    find_at_edges(c);
    block_.barrier();
    sum_lines(c);
    if (is_full(c + 1)) find_beside(c + 1);
    block_.barrier();
    const Real* at = shared_ + (y_ * Tile::pitch_results + x_);
    DNS_UNROLLED
    for (int q = 0; q < 3; ++q) {
      in_plane[q] = scheme_.template scaled<Axis::x>(
                        rows_, q == 0, at[Tile::sums_x + q * Tile::results], part_.i + x_) +
                    scheme_.template scaled<Axis::y>(
                        rows_, q == 1, at[Tile::sums_y + q * Tile::results], part_.j + y_);
    }
    w_along_x = at[Tile::w_along_x];
    w_along_y = at[Tile::w_along_y];
  } else {
    const Real* w =
        plane_of(c) + (2 * Tile::plane + (y_ + Tile::beyond_y) * Tile::pitch + x_ + Tile::beyond_x);
    w_along_x = scheme_.template advecting_velocity<Axis::x>(
        rows_, [&](int t) { return w[t - order_x / 2]; }, part_.i + x_);
    w_along_y = scheme_.template advecting_velocity<Axis::y>(
        rows_, [&](int t) { return w[(t - order_y / 2) * Tile::pitch]; }, part_.j + y_);
    if (is_full(c + 1)) find_beside(c + 1);
  }
  // Not before: they need registers.
  mean[2] = Scheme::template mean<Axis::z>([&](int t) { return column[2].values[t]; });
  finish<0>(c, w_along_x, mean[0], in_plane[0], column[0]);
  finish<1>(c, w_along_y, mean[1], in_plane[1], column[1]);
  finish<2>(c, mean[2], mean[2], in_plane[2], column[2]);
}

}  // namespace dns
