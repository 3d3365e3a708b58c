/// How a CPU makes each interpolation of a scheme (solver/numerics/stage_march.hpp) about once: a
/// thread takes tiles of the points. Packs lie along x. Along y and z a run of packs is summed with
/// a window of values and the sums of the run in registers; along x, the fluxes of a row are stored
/// in the cache. The velocities at edges, which advect two components, are stored for the tile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "cpu/denormals.hpp"
#include "cpu/lines_in_packs.hpp"
#include "cpu/pack.hpp"
#include "cpu/sweep.hpp"
#include "solver/core/field_view.hpp"

namespace dns {

/// Calls body.operator()<n>() for n = 0 .. count - 1 while it returns true.
template <int count, class Body>
[[gnu::always_inline]] inline void unroll_while(const Body& body) {
  [&]<int... n>(std::integer_sequence<int, n...>) __attribute__((always_inline)) {
    static_cast<void>((body.template operator()<n>() && ...));
  }
  (std::make_integer_sequence<int, count>{});
}

template <class Scheme>
class TileMarch {
 public:
  using Real = typename Scheme::Number;
  static constexpr int width = pack_width<Real>;

  // Points of a tile, in runs along y and z. Rows are whole where they may be: the hardware sees
  // the next pack of a row coming, but not the next row.
  static constexpr int run = 8;
  static constexpr int most_x = 4096 / sizeof(Real), most_y = 2 * run, most_z = run;
  static_assert(most_x % width == 0);

  /// All fields of the scheme have the same strides, and order - 1 ghost points along each axis.
  TileMarch(const Scheme& scheme, ThreadScratch& scratch)
      : scheme_(scheme),
        rows_(scheme.rows()),
        memory_(scratch.objects<Real>(numbers)),
        stride_y_(scheme.field(0).stride_y),
        stride_z_(scheme.field(0).stride_z) {}

  /// Finishes the scheme at the points of a box, no larger than a tile. Packs reach beyond its end
  /// along x, where values are read but not used: into the padding of rows and into next rows.
  template <class SinkPoint>
  void finish(Box box) {
    box_ = box;
    sum_along_z();
    carry_along_z();
    for (int k = box.begin.k; k < box.end.k; ++k) {
      sum_along_y(k);
      for (int j = box.begin.j; j < box.end.j; ++j) finish_row<SinkPoint>(j, k);
    }
  }

 private:
  using Value = Pack<Real, width>;
  using Point = PackPoint<width>;
  static constexpr int order_x = Scheme::template order<Axis::x>();
  static constexpr int order_y = Scheme::template order<Axis::y>();
  static constexpr int order_z = Scheme::template order<Axis::z>();
  // The first face that results need, this far below their first point.
  static constexpr int low_x = order_x / 2 - 1, low_y = order_y / 2 - 1, low_z = order_z / 2 - 1;

  // Work space, in rows of `pitch` numbers, which packs may exceed: sums of three components in the
  // tile; I_x w and I_y w at faces across z, and in the same place later I_z v at faces across y
  // and I_z u at faces across x; of a plane, I_x v at faces across y and I_y u at faces across x;
  // of a row, F and G.
  static constexpr int pitch = (most_x + order_x + 2 * width) / width * width;
  static constexpr int plane = most_y * pitch;
  static constexpr int faces_y = most_y + order_y - 1, faces_z = most_z + order_z - 1;
  static constexpr int w_along_x = 3 * most_z * plane;
  static constexpr int w_along_y = w_along_x + faces_z * plane;
  static constexpr int v_along_z = w_along_x;
  static constexpr int u_along_z = v_along_z + most_z * faces_y * pitch;
  static constexpr int v_along_x =
      std::max(w_along_y + faces_z * plane, u_along_z + most_z * plane);
  static constexpr int u_along_y = v_along_x + faces_y * pitch;
  static constexpr int differenced = u_along_y + plane;
  static constexpr int averaged = differenced + 3 * pitch;
  static constexpr int seconds = averaged + 4 * pitch;  // L_y of three components in a plane
  static constexpr std::size_t numbers = seconds + (Scheme::has_second ? 3 * plane : 0);

  /// The last `order` values along an axis, in registers.
  template <int order>
  class Window {
   public:
    /// Loads all values but one, from `first` on.
    [[gnu::always_inline]] Window(const Real* first, std::ptrdiff_t step) {
      unroll_while<order - 1>([&]<int t>() __attribute__((always_inline)) {
        values_[t + 1] = load_from(first + t * step);
        return true;
      });
    }
    [[gnu::always_inline]] void push(Value value) {
      unroll_while<order - 1>([&]<int t>() __attribute__((always_inline)) {
        values_[t] = values_[t + 1];
        return true;
      });
      values_[order - 1] = value;
    }
    [[gnu::always_inline]] Value operator()(int t) const { return values_[t]; }

   private:
    Value values_[order];
  };

  [[nodiscard]] static Value load_from(const Real* from) { return load(from, Point{}); }
  static void store_to(Real* to, Value value) { store(to, value, Point{}); }
  [[nodiscard]] const Real* field(int component, int i, int j, int k) const {
    return scheme_.field(component).address({i, j, k});
  }
  /// Where the sums of a row begin.
  [[nodiscard]] Real* sums(int component, int j, int k) const {
    const int level = component * most_z + (k - box_.begin.k);
    return memory_ + (level * most_y + (j - box_.begin.j)) * pitch;
  }
  [[nodiscard]] Real* seconds_of(int component, int j) const {
    return memory_ + (seconds + component * plane + (j - box_.begin.j) * pitch);
  }
  /// Rows of the tile are short pieces of memory, which the hardware does not see coming.
  template <bool is_to_be_written>
  void prefetch_row(const Real* from) const {
    constexpr int cache_line = 64 / sizeof(Real);
    for (int n = 0; n < box_.end.i - box_.begin.i; n += cache_line)
      __builtin_prefetch(from + n, is_to_be_written ? 1 : 0, 2);
  }
  /// visit(i) for the first point of each pack of the box.
  template <class Visit>
  void for_each_pack(const Visit& visit) const {
    for (int i = box_.begin.i; i < box_.end.i; i += width) visit(i);
  }

  /// The advecting velocities at the faces across x of a pack. from: the value at the first one.
  [[nodiscard]] Value advecting_along_x(const Real* from, int face) const {
    return scheme_.template advecting_velocity<Axis::x>(
        rows_,
        [&](int t) __attribute__((always_inline)) { return load_from(from + (t - order_x / 2)); },
        Point{{face}});
  }
  /// Stores the advecting velocities at `faces` faces across y or z, no more than a tile has points
  /// along that axis, from number `first` on. from: the value at the first one.
  template <Axis axis>
  void carry_run(int first, int faces, const Real* from, Real* to, std::ptrdiff_t to_step) const {
    constexpr int order = Scheme::template order<axis>();
    const std::ptrdiff_t step = axis == Axis::y ? stride_y_ : stride_z_;
    const Real* next = from - order / 2 * step;
    Window<order> values(next, step);
    unroll_while<axis == Axis::y ? most_y : most_z>([&]<int n>() __attribute__((always_inline)) {
      values.push(load_from(next + (order - 1 + n) * step));
      store_to(to + n * to_step,
               scheme_.template advecting_velocity<axis>(rows_, values, first + n));
      return n + 1 < faces;
    });
  }
  template <Axis axis, bool is_face, class Take>
  void sum_run(int first,
               int points,
               const Real* q,
               const Real* advecting,
               std::ptrdiff_t advecting_step,
               const Take& take) const;
  void sum_along_z();
  void carry_along_z();
  void sum_along_y(int k);
  template <class SinkPoint>
  void finish_row(int j, int k);
  template <int component>
  void find_fluxes(int j, int k, const Real* advecting);
  template <int component, class SinkPoint>
  void finish_component(int j, int k);

  const Scheme& scheme_;
  const typename Scheme::Rows rows_;
  Real* memory_;
  std::ptrdiff_t stride_y_, stride_z_;
  Box box_;
};

/// The sums along y or z at `points` points, at most `run`, from number `first` on: take(r, sum,
/// L q), the last of them 0 but along y where the scheme has it. q: the value at the first one;
/// advecting: at the first face that they need, not read if is_face.
template <class Scheme>
template <Axis axis, bool is_face, class Take>
void TileMarch<Scheme>::sum_run(int first,
                                int points,
                                const Real* q,
                                const Real* advecting,
                                std::ptrdiff_t advecting_step,
                                const Take& take) const {
  constexpr int order = Scheme::template order<axis>();
  const std::ptrdiff_t step = axis == Axis::y ? stride_y_ : stride_z_;
  const int last = points + order - 2;  // half point
  const Real* next = q - (order - 1) * step;
  Window<order> values(next, step);
  constexpr bool has_second = Scheme::has_second && axis == Axis::y;
  Value sum[run];
  [[maybe_unused]] Value slope[run + order - 1];
  unroll_while<run + order - 1>([&]<int h>() __attribute__((always_inline)) {
    values.push(load_from(next + (order - 1 + h) * step));
    const Value mean = Scheme::template mean<axis>(values);
    Value advecting_here = mean;
    if constexpr (!is_face) advecting_here = load_from(advecting + h * advecting_step);
    const Value difference = Scheme::template difference<axis>(values);
    const auto flux = scheme_.template flux<axis>(advecting_here, mean, difference);
    if constexpr (has_second) {
      const int half_point = first + h - order / 2 + (is_face ? 0 : 1);
      slope[h] = scheme_.template scaled<axis>(rows_, !is_face, difference, half_point);
    }
    unroll_while<run>([&]<int r>() __attribute__((always_inline)) {
      if constexpr (h == r) sum[r] = Value(Real(0));
      if constexpr (h >= r && h - r < order) {
        sum[r] += Scheme::template difference_weight<axis>(h - r) * flux.differenced;
        sum[r] += Scheme::template mean_weight<axis>(h - r) * flux.averaged;
      }
      return true;
    });
    if constexpr (h >= order - 1) {
      constexpr int r = h - (order - 1);
      Value second(Real(0));
      if constexpr (has_second) {
        second = scheme_.template scaled<axis>(
            rows_,
            is_face,
            Scheme::template difference<axis>([&](int t) __attribute__((always_inline)) {
              return slope[r + t];
            }),
            first + r);
      }
      take(r, scheme_.template scaled<axis>(rows_, is_face, sum[r], first + r), second);
    }
    return h < last;
  });
}

template <class Scheme>
void TileMarch<Scheme>::sum_along_z() {
  const auto [i0, j0, k0] = box_.begin;
  const int levels = box_.end.k - k0;
  for (int face = 0; face < levels + order_z - 1; ++face) {
    for (int j = j0; j < box_.end.j; ++j) {
      const Real* w = field(2, i0, j, k0 - low_z + face);
      Real* along_x = memory_ + (w_along_x + face * plane + (j - j0) * pitch);
      for_each_pack(
          [&](int i) { store_to(along_x + (i - i0), advecting_along_x(w + (i - i0), i)); });
    }
    const Real* w = field(2, i0, j0, k0 - low_z + face);
    Real* along_y = memory_ + (w_along_y + face * plane);
    for_each_pack([&](int i) {
      carry_run<Axis::y>(j0, box_.end.j - j0, w + (i - i0), along_y + (i - i0), pitch);
    });
  }
  const auto sum = [&]<int component>(int j, const Real* advecting) {
    const Real* q = field(component, i0, j, k0);
    Real* to = sums(component, j, k0);
    for_each_pack([&](int i) {
      sum_run<Axis::z, component == 2>(
          k0,
          levels,
          q + (i - i0),
          advecting + ((j - j0) * pitch + (i - i0)),
          plane,
          [&](int r, Value value, Value /*second*/)
              __attribute__((always_inline)) { store_to(to + (r * plane + (i - i0)), value); });
    });
  };
  for (int j = j0; j < box_.end.j; ++j) {
    sum.template operator()<0>(j, memory_ + w_along_x);
    sum.template operator()<1>(j, memory_ + w_along_y);
    sum.template operator()<2>(j, memory_);
  }
}

/// The means along z of v and u, which advect w along y and x.
template <class Scheme>
void TileMarch<Scheme>::carry_along_z() {
  const auto [i0, j0, k0] = box_.begin;
  const int levels = box_.end.k - k0;
  for (int face = 0; face < box_.end.j - j0 + order_y - 1; ++face) {
    const Real* v = field(1, i0, j0 - low_y + face, k0);
    Real* along_z = memory_ + (v_along_z + face * pitch);
    for_each_pack([&](int i) {
      carry_run<Axis::z>(k0, levels, v + (i - i0), along_z + (i - i0), faces_y * pitch);
    });
  }
  for (int j = j0; j < box_.end.j; ++j) {
    const Real* u = field(0, i0 - low_x, j, k0);
    Real* along_z = memory_ + (u_along_z + (j - j0) * pitch);
    for (int n = 0; n < box_.end.i - i0 + order_x - 1; n += width)
      carry_run<Axis::z>(k0, levels, u + n, along_z + n, plane);
  }
}

/// Adds the sums along y in plane k.
template <class Scheme>
void TileMarch<Scheme>::sum_along_y(int k) {
  const auto [i0, j0, k0] = box_.begin;
  for (int face = 0; face < box_.end.j - j0 + order_y - 1; ++face) {
    const Real* v = field(1, i0, j0 - low_y + face, k);
    Real* along_x = memory_ + (v_along_x + face * pitch);
    for_each_pack([&](int i) { store_to(along_x + (i - i0), advecting_along_x(v + (i - i0), i)); });
  }
  const Real* u = field(0, i0 - low_x, j0, k);
  for (int n = 0; n < box_.end.i - i0 + order_x - 1; n += width)
    carry_run<Axis::y>(j0, box_.end.j - j0, u + n, memory_ + (u_along_y + n), pitch);
  const auto sum = [&]<int component>(int j, const Real* advecting) {
    const Real* q = field(component, i0, j, k);
    Real* to = sums(component, j, k);
    for_each_pack([&](int i) {
      sum_run<Axis::y, component == 1>(
          j,
          std::min(run, box_.end.j - j),
          q + (i - i0),
          advecting + ((j - j0) * pitch + (i - i0)),
          pitch,
          [&](int r, Value value, [[maybe_unused]] Value second) __attribute__((always_inline)) {
            const int place = r * pitch + (i - i0);
            store_to(to + place, load_from(to + place) + value);
            if constexpr (Scheme::has_second) store_to(seconds_of(component, j) + place, second);
          });
    });
  };
  for (int j = j0; j < box_.end.j; j += run) {
    sum.template operator()<0>(j, memory_ + v_along_x);
    sum.template operator()<1>(j, memory_);
    sum.template operator()<2>(j, memory_ + (v_along_z + (k - k0) * faces_y * pitch));
  }
}

/// Adds the sums along x in a row, and stores the results.
template <class Scheme>
template <class SinkPoint>
void TileMarch<Scheme>::finish_row(int j, int k) {
  for (int q = 0; q < 3; ++q) {
    // For the next plane of this tile, and for the next tile.
    prefetch_row<true>(scheme_.before(q).address({box_.begin.i, j, k + 1}));
    prefetch_row<false>(field(q, box_.begin.i, j, k + most_z + order_z - 1));
  }
  // All stores before the first load: loads of what two stores have written wait for both.
  find_fluxes<0>(j, k, memory_);
  find_fluxes<1>(j, k, memory_ + (u_along_y + (j - box_.begin.j) * pitch));
  find_fluxes<2>(
      j, k, memory_ + (u_along_z + (k - box_.begin.k) * plane + (j - box_.begin.j) * pitch));
  finish_component<0, SinkPoint>(j, k);
  finish_component<1, SinkPoint>(j, k);
  finish_component<2, SinkPoint>(j, k);
}

/// F and G of a row along x.
template <class Scheme>
template <int component>
void TileMarch<Scheme>::find_fluxes(int j, int k, const Real* advecting) {
  Real* const f = memory_ + (differenced + component * pitch);
  Real* const g = memory_ + (averaged + component * pitch);
  const Real* q = field(component, box_.begin.i - (order_x - 1), j, k);
  for (int n = 0; n < box_.end.i - box_.begin.i + order_x - 1; n += width) {
    const auto at = [&](int t) __attribute__((always_inline)) {
      return load_from(q + (n + t));
    };
    const Value mean = Scheme::template mean<Axis::x>(at);
    Value advecting_here = mean;
    if constexpr (component != 0) advecting_here = load_from(advecting + n);
    const auto flux = scheme_.template flux<Axis::x>(
        advecting_here, mean, Scheme::template difference<Axis::x>(at));
    store_to(f + n, flux.differenced);
    store_to(g + n, flux.averaged);
  }
}

template <class Scheme>
template <int component, class SinkPoint>
void TileMarch<Scheme>::finish_component(int j, int k) {
  constexpr bool is_face = component == 0;
  const int i0 = box_.begin.i;
  const Real* const f = memory_ + (differenced + component * pitch);
  const Real* const g = memory_ + (averaged + component * pitch);
  Real* const sum = sums(component, j, k);
  const auto& velocity = scheme_.field(component);
  const auto sum_at = [&](int n) __attribute__((always_inline)) {
    Value along_x = Scheme::template difference<Axis::x>([&](int t) __attribute__((always_inline)) {
      return load_from(f + (n + t));
    });
    along_x += Scheme::template mean<Axis::x>([&](int t) __attribute__((always_inline)) {
      return load_from(g + (n + t));
    });
    return load_from(sum + n) +
           scheme_.template scaled<Axis::x>(rows_, is_face, along_x, Point{{i0 + n}});
  };
  const auto finish_at = [&](auto c, auto total) __attribute__((always_inline)) {
    const auto spot = velocity.spot(c);
    decltype(total) before(Real(0));
    if (scheme_.reads_before()) before = scheme_.before(component)(spot);
    if constexpr (Scheme::has_second) {
      const auto second = load(seconds_of(component, j) + (c.i - i0), c);
      scheme_.template finish<component>(spot, second, total, before);
    } else {
      scheme_.template finish<component>(spot, velocity(spot), total, before);
    }
  };
  int i = i0;
  for (; i + width <= box_.end.i; i += width) finish_at(SinkPoint{{i, j, k}}, sum_at(i - i0));
  if (i == box_.end.i) return;
  store_to(sum + (i - i0), sum_at(i - i0));
  for (; i < box_.end.i; ++i) finish_at(Index3{i, j, k}, sum[i - i0]);
}

/// Finishes the scheme at all points of its fields.
template <class Scheme>
void march_planes(Extents points, const Scheme& scheme, ThreadScratches& scratch) {
  using Real = typename Scheme::Number;
  using March = TileMarch<Scheme>;
  const auto tiles = [](int count, int most) { return (count + most - 1) / most; };
  const int tiles_x = tiles(points.nx, March::most_x);
  const int size_x = tiles(tiles(points.nx, tiles_x), March::width) * March::width;
  const int tiles_y = tiles(points.ny, March::most_y);
  const int tiles_z = tiles(points.nz, March::most_z);
  const bool is_large = outgrow_caches(points.count() * sizeof(Real));
#pragma omp parallel num_threads(scratch.threads())
  {
    const DenormalsAreZero in_this_thread;
    March march(scheme, scratch.own());
#pragma omp for collapse(3) schedule(static)
    for (int column = 0; column < tiles_y; ++column) {
      for (int row = 0; row < tiles_x; ++row) {
        for (int level = 0; level < tiles_z; ++level) {
          const Index3 first{row * size_x, column * March::most_y, level * March::most_z};
          const Box box{first,
                        {std::min(first.i + size_x, points.nx),
                         std::min(first.j + March::most_y, points.ny),
                         std::min(first.k + March::most_z, points.nz)}};
          if (is_large) {
            march.template finish<StreamedPackPoint<March::width>>(box);
          } else {
            march.template finish<PackPoint<March::width>>(box);
          }
        }
      }
    }
    finish_streaming();
  }
}

}  // namespace dns
