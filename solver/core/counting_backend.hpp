/// The backend that counts the memory of a run and has none.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/core/transforms.hpp"

namespace dns {

/// Memory that is not there: values at an address that nobody reads.
template <class T>
struct CountedArray : std::span<T> {
  CountedArray() = default;
  explicit CountedArray(std::size_t count) : std::span<T>(reinterpret_cast<T*>(nowhere), count) {}
  alignas(64) static inline std::byte nowhere[64];
};

/// What solvers are constructed on to find what they allocate on a backend, `Counted`: arrays as it
/// has them, what it keeps for itself (Counted::WorkSpace), and loops that do nothing.
template <class Counted>
class CountingBackend {
 public:
  using Real = typename Counted::Real;
  using WorkSpace = typename Counted::WorkSpace;
  static constexpr bool only_counts = true;
  static constexpr std::size_t merges_passes_below = 0;
  static constexpr int interleave_width = Counted::interleave_width;

  template <class T>
  CountedArray<T> allocate(std::size_t count) {
    allocated_bytes_ += count * sizeof(T);
    return CountedArray<T>(count);
  }
  template <class T>
  void enlarge(CountedArray<T>& array, std::size_t count) {
    if (count <= array.size()) return;
    allocated_bytes_ -= array.size_bytes();
    array = allocate<T>(count);
  }
  static std::shared_ptr<std::byte[]> allocate_host(std::size_t /*bytes*/) { return nullptr; }
  static std::shared_ptr<std::byte[]> allocate_results(std::size_t /*bytes*/) { return nullptr; }

  template <class System>
  void reserve_sweeps(Axis axis, const Box& box, bool is_cyclic) {
    enlarge(of_sweeps_, WorkSpace::template of_sweeps<System>(axis, box, is_cyclic));
  }
  void reserve_profiles(std::size_t points, int sums) {
    enlarge(of_profiles_, WorkSpace::of_profiles(points, sums));
  }
  void reserve_copies(Extents points) { enlarge(of_copies_, WorkSpace::of_copies(points)); }
  void reserve_particles(std::size_t count) {
    enlarge(of_particles_, WorkSpace::of_particles(count));
  }
  void reserve_products() { enlarge(of_products_, WorkSpace::of_products); }
  void reserve_several_boxes() { enlarge(of_several_boxes_, WorkSpace::of_several_boxes); }

  struct Transforms {
    static constexpr Axis left_out(const PlaneTransform& transform) {
      return Counted::PlaneTransforms::left_out(transform);
    }
    static bool pays(const LineTransform& transform) {
      return Counted::LineTransforms::pays(transform);
    }
    static constexpr bool prefers_waves(const LineTransform& transform) {
      return Counted::LineTransforms::prefers_waves(transform);
    }
    static constexpr bool pairs_rows(const LineTransform& transform) {
      return Counted::LineTransforms::pairs_rows(transform);
    }
    static void forward(const auto&...) {}
    static void inverse(const auto&...) {}
  };
  using PlaneTransforms = Transforms;
  using LineTransforms = Transforms;
  PlaneTransforms plan_planes(const PlaneTransform& transform, Strides field, Strides modes) {
    allocated_bytes_ += WorkSpace::of_planes(transform, field, modes);
    return {};
  }
  LineTransforms plan_lines(const LineTransform& transform, Strides from, Strides to) {
    allocated_bytes_ += WorkSpace::of_lines(transform, from, to);
    return {};
  }

  static void for_each(const auto&...) {}
  static void for_each_on_boundary(const auto&...) {}
  static void by_team(const auto&...) {}
  static void plane_by_plane(const auto&...) {}
  static void concurrently(const auto&...) {}
  template <Axis>
  static void side_by_side(const auto&...) {}
  template <Axis>
  static void sweep_all_but_first_line(const auto&...) {}
  template <Axis>
  static BoundaryPlanes sweep(const auto&...) {
    return {};
  }
  static void find_relations(const auto&...) {}
  static bool hides_messages(Extents /*points*/) { return false; }
  static void beside_messages(const auto&...) {}
  static void multiply(const auto&...) {}
  template <int sums, int maxima>
  static Reduction<double, sums, maxima> reduce(const auto&...) {
    return {};
  }
  template <int, int>
  static void reduce_later(const auto&...) {}
  template <int sums>
  static std::vector<Reduction<double, sums, 0>> reduce_profiles(const auto&...) {
    return {};
  }
  static void add_profile(const auto&...) {}
  static void copy(const auto&...) {}
  static void upload_values(const auto&...) {}
  static void download_values(const auto&...) {}
  static void sort_by_key(const auto&...) {}
  static int select(const auto&...) { return 0; }
  static void upload(const Real* /*from*/, StridedField<Real> /*to*/, Extents /*extents*/) {}
  static void download(StridedField<const Real> /*from*/, Extents /*extents*/, Real* /*to*/) {}
  static std::size_t bytes_of_two_passes() { return Counted::bytes_of_two_passes(); }
  static void transfer(const auto&...) {}
  static void connect(const auto&...) {}
  static std::string transport() { return {}; }

  struct Mark {};
  static void set(const Mark& /*mark*/) {}
  static void wait_for(const Mark& /*mark*/) {}
  static void synchronize() {}
  static void wait_for_device() {}
  static int device_number() { return -1; }
  static void begin_step(Extents /*points*/) {}
  static void end_step() {}
  static void enter(Phase /*phase*/) {}
  static std::vector<double> phase_seconds() { return {}; }
  static std::string device_name() { return {}; }
  [[nodiscard]] std::size_t allocated_bytes() const { return allocated_bytes_; }
  static std::size_t last_level_cache() { return Counted::last_level_cache(); }

 private:
  std::size_t allocated_bytes_ = WorkSpace::at_start;
  CountedArray<std::byte> of_sweeps_, of_profiles_, of_copies_, of_products_, of_several_boxes_,
      of_particles_;
};

}  // namespace dns
