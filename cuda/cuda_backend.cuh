/// The backend that runs on one GPU.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/cuda_error.hpp"
#include "cuda/cuda_facts.hpp"
#include "cuda/cuda_transforms.hpp"
#include "cuda/device_memory.hpp"
#include "cuda/device_transfer.hpp"
#include "cuda/for_each.cuh"
#include "cuda/launch_batches.hpp"
#include "cuda/march_planes.cuh"
#include "cuda/phase_events.hpp"
#include "cuda/piece_relations.cuh"
#include "cuda/reduce.cuh"
#include "cuda/reduce_profiles.cuh"
#include "cuda/several_boxes.cuh"
#include "cuda/side_streams.cuh"
#include "cuda/sort_and_select.hpp"
#include "cuda/streams_and_events.hpp"
#include "cuda/sweep.cuh"
#include "cuda/team.cuh"
#include "solver/core/backend.hpp"
#include "solver/core/communicator.hpp"
#include "solver/core/index.hpp"
#include "solver/core/several_boxes.hpp"

namespace dns {

template <class RealType>
class CudaBackend {
 public:
  using Real = RealType;
  static constexpr bool only_counts = false;
  static constexpr int interleave_width = gpu_piece / sizeof(Real);
  static constexpr std::size_t fills_device = 1 << 20;  // points of a grid
  static constexpr std::size_t merges_passes_below = fills_device;

  struct WorkSpace {
    static constexpr std::size_t of_a_reduction = 128;  // of the largest Reduction
    static constexpr std::size_t at_start = reduction_blocks * of_a_reduction + sizeof(unsigned);
    static constexpr std::size_t of_products =
        CublasProducts::workspace_bytes + CublasProducts::own_bytes;
    static constexpr std::size_t of_several_boxes = WorkLists::bytes;
    /// Relations of pieces, if lines are too long for a block.
    template <class System>
    [[nodiscard]] static std::size_t of_sweeps(Axis axis, Box box, bool /*is_cyclic*/) {
      std::size_t values = 0;
      with_axis(axis, [&]<Axis along>() {
        const int points = box.extents()[axis];
        if (points > longest_never_cut<along, System, Real>)
          values = PiecesInMemory<System, Real>::template of<along>(box).values(
              cut_of_lines<along, System>(points).pieces);
      });
      return values * sizeof(Real);
    }
    /// Reductions at all points and at their parts: sums, and room for a maximum.
    [[nodiscard]] static constexpr std::size_t of_profiles(std::size_t points, int sums) {
      const std::size_t results = points + ProfileShape::most_partial_results(points);
      return results * (sums + 1) * sizeof(double);
    }
    /// One of several interleaved variables by itself.
    [[nodiscard]] static constexpr std::size_t of_copies(Extents points) {
      return interleave_width > 1 ? points.count() * sizeof(Real) : 0;
    }
    [[nodiscard]] static std::size_t of_particles(std::size_t count) {
      return bytes_to_sort(count);
    }
    [[nodiscard]] static std::size_t of_planes(const PlaneTransform& transform,
                                               Strides field,
                                               Strides modes) {
      return CufftPlanes<Real>(transform, field, modes, nullptr).workspace_bytes();
    }
    [[nodiscard]] static std::size_t of_lines(const LineTransform& transform,
                                              Strides from,
                                              Strides to) {
      return CufftLines<Real>(transform, from, to, nullptr).workspace_bytes();
    }
  };

  CudaBackend()
      : stream_(made_stream()),
        batches_(stream_.get()),
        reductions_(allocate<std::byte>(reduction_blocks * WorkSpace::of_a_reduction)),
        reductions_done_(allocate<unsigned>(1)),
        reduction_on_host_(allocate_for_results(WorkSpace::of_a_reduction)) {}

  template <class T>
  DeviceArray<T> allocate(std::size_t count);
  template <class T>
  void enlarge(DeviceArray<T>& array, std::size_t count) {
    if (count <= array.count()) return;
    batches_.submit();
    allocated_bytes_ -= array.count() * sizeof(T);
    array = {};
    array = allocate<T>(count);
  }

  template <class System>
  void reserve_sweeps(Axis axis, const Box& box, bool is_cyclic) {
    enlarge(relations_, WorkSpace::template of_sweeps<System>(axis, box, is_cyclic));
  }
  void reserve_profiles(std::size_t points, int sums) {
    enlarge(profiles_, WorkSpace::of_profiles(points, sums));
  }
  void reserve_copies(Extents points) { enlarge(field_, WorkSpace::of_copies(points)); }
  void reserve_particles(std::size_t count) { enlarge(sorted_, WorkSpace::of_particles(count)); }
  void reserve_products() {
    if (products_) return;
    products_.emplace(stream_.get(), allocate<std::byte>(CublasProducts::workspace_bytes));
    allocated_bytes_ += CublasProducts::own_bytes;
  }
  void reserve_several_boxes() {
    if (lists_.is_empty()) lists_ = WorkLists(allocate<std::byte>(WorkLists::bytes));
  }

  template <class Kernel>
  void for_each(Box box, const Kernel& kernel) {
    dns::for_each(box, kernel, stream());
  }
  template <class Kernel>
  void for_each(const std::vector<WorkInBox<Kernel>>& works);

  template <class Kernel>
  void for_each_on_boundary(Box box, const BoundaryPlanes& planes, const Kernel& kernel) {
    dns::for_each_on_boundary(box, planes, kernel, stream());
  }

  template <class Kernel>
  void by_team(const Kernel& kernel) {
    dns::by_team(kernel, stream());
  }

  template <class Scheme>
  void march_planes(Extents points, const Scheme& scheme) {
    dns::march_planes(points, scheme, batches_.stream());
  }

  template <Axis axis, class Rows, class Sink>
  void sweep(Box box, const Rows& rows, const Sink& sink) {
    sweep<axis>(box, rows, sink, NoBoundary{});
  }
  template <Axis axis, class Rows, class Sink, class BoundaryToFill>
  BoundaryPlanes sweep(Box box,
                       const Rows& rows,
                       const Sink& sink,
                       const BoundaryToFill& boundary) {
    const bool is_by_itself = side_stream_ == nullptr;
    if (is_by_itself) {
      sweeps_backwards_ = !sweeps_backwards_;
      reserve_sweeps<typename Rows::System>(axis, box, Rows::is_cyclic);
    }
    return dns::sweep<axis>(box,
                            rows,
                            sink,
                            boundary,
                            sweeps_backwards_,
                            reinterpret_cast<Real*>(relations_.data()),
                            stream());
  }

  template <Axis axis, class Rows, class Sink, class Line>
  void sweep_all_but_first_line(Box box, const Rows& rows, const Sink& sink, const Line& line) {
    if constexpr (axis != Axis::x) {
      if (sweep_in_registers<axis, Real>(box, rows, sink, stream(), line)) return;
    }
    by_team(line);
    sweep<axis>(box, rows, sink);
  }

  /// There is one work space, which must have been reserved: sweeps that need it run one after
  /// another.
  template <Axis, class Enqueue>
  void side_by_side(int count, const Enqueue& enqueue) {
    if (count < 2 || relations_.count() > 0 || side_stream_ != nullptr) {
      for (int n = 0; n < count; ++n) enqueue(n);
      return;
    }
    run_beside_each_other(count, enqueue);
  }

  template <class Enqueue>
  static void plane_by_plane(const Enqueue& enqueue) {
    enqueue();
  }

  /// Large grids fill the device by themselves, and find more of a sweep's results in the cache one
  /// after another. Phases that are timed come one after another, too.
  template <class Enqueue>
  void concurrently(int count, Extents points, const Enqueue& enqueue) {
    if (points.count() >= fills_device || phases_.is_timing() || relations_.count() > 0) {
      for (int n = 0; n < count; ++n) enqueue(n);
      return;
    }
    run_beside_each_other(count, enqueue);
  }

  /// Relations of the ends of lines along z that are pieces of longer lines, and the messages of
  /// ranks about them: see DistributedBackend.
  template <class Rows>
  void find_relations(Box box,
                      const Rows& rows,
                      const std::array<bool, 2>& is_seam,
                      const RelationsOfLines<Real>& values) {
    dns::find_relations<Axis::z>(
        box, rows, {box.extents().nz, 1}, {!is_seam[0], !is_seam[1]}, values, 0, stream());
  }
  /// Any: messages between passes take longer than device memory saves by them.
  [[nodiscard]] static constexpr std::size_t bytes_of_two_passes() {
    return std::numeric_limits<std::size_t>::max();
  }
  void transfer(Communicator& communicator,
                std::span<const SentMessage> sent,
                std::span<const ReceivedMessage> received) {
    transfer_.transfer(communicator, sent, received, submitted());
  }
  /// NCCL needs some 20 us for a message, sweeps of grids that do not fill the device little more;
  /// and what is captured for a batch of launches holds no messages.
  [[nodiscard]] bool hides_messages(Extents points) const {
    return points.count() >= fills_device && transfer_.is_by_nccl() && relations_.count() == 0;
  }
  template <class Messages, class Rest>
  void beside_messages(const Messages& messages, const Rest& rest) {
    batches_.submit();
    run_beside_each_other(2, [&](int n) { n == 0 ? messages() : rest(); });
  }
  /// Chooses the way of messages now, if a transfer has not done so; called by all ranks.
  void connect(Communicator& communicator) { transfer_.connect(communicator); }
  /// Description of the way of messages; empty for a single rank.
  [[nodiscard]] std::string transport() const { return transfer_.words(); }

  template <int sums, int maxima, class Kernel>
  Reduction<double, sums, maxima> reduce(Box box, const Kernel& kernel);

  /// A place in the order of work.
  class Mark {
    friend CudaBackend;
    CudaEvent event_ = made_event(cudaEventDisableTiming);
    std::size_t phases_ = 0;  // that were begun before it
  };
  void set(Mark& mark) {
    check(cudaEventRecord(mark.event_.get(), batches_.submitted()), "recording an event");
    mark.phases_ = phases_.recorded();
  }
  void wait_for(const Mark& mark) {
    transfer_.wait(batches_.submitted(), mark.event_.get());
    phases_.done(mark.phases_);
  }
  [[nodiscard]] static std::shared_ptr<std::byte[]> allocate_results(std::size_t bytes) {
    return allocate_for_results(bytes);
  }
  template <int sums, int maxima, class Kernel>
  void reduce_later(Box box, const Kernel& kernel, double* numbers);
  template <int sums, int maxima, class Kernel>
  void reduce_later(const std::vector<ReductionOfBox<Kernel>>& reductions);

  template <int sums, class Kernel>
  std::vector<Reduction<double, sums, 0>> reduce_profiles(Box box,
                                                          const PerAxis<bool>& summed,
                                                          const Kernel& kernel);
  template <class Kernel>
  void add_profile(Box box, const PerAxis<bool>& summed, const Kernel& kernel, double* numbers);

  using PlaneTransforms = CufftPlanes<Real>;
  using LineTransforms = CufftLines<Real>;
  [[nodiscard]] PlaneTransforms plan_planes(const PlaneTransform& transform,
                                            Strides field,
                                            Strides modes);
  [[nodiscard]] LineTransforms plan_lines(const LineTransform& transform, Strides from, Strides to);
  void multiply(Axis axis,
                Extents points,
                const Real* matrix,
                FieldView<const Real> from,
                FieldView<Real> to);

  void sort_by_key(unsigned* keys, int* order, int count) {
    reserve_particles(count);
    sort_on_device(keys, order, count, sorted_.data(), batches_.submitted());
  }
  int select(const unsigned* flags, int* chosen, int count) {
    reserve_particles(count);
    int* const found = select_on_device(flags, chosen, count, sorted_.data(), batches_.submitted());
    int number = 0;
    download_values(found, &number, 1);
    return number;
  }

  void copy(const Real* from, Real* to, std::size_t count) {
    copy_bytes(from, to, count * sizeof(Real), cudaMemcpyDeviceToDevice);
  }
  template <class T>
  void upload_values(const T* from, T* to, std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (!lists_.is_empty() && bytes <= WorkLists::bytes / 4)
      return send(from, bytes, room_for(bytes).host, to);
    copy_bytes(from, to, bytes, cudaMemcpyHostToDevice);
    wait();
  }
  template <class T>
  void download_values(const T* from, T* to, std::size_t count) {
    wait();  // not in the copy, which cannot tell that a message never comes
    copy_bytes(from, to, count * sizeof(T), cudaMemcpyDeviceToHost);
    wait();
  }
  void upload(const Real* from, StridedField<Real> to, Extents extents);
  void download(StridedField<const Real> from, Extents extents, Real* to);

  /// Page-locked, so that copies run at the speed of the bus.
  [[nodiscard]] static std::shared_ptr<std::byte[]> allocate_host(std::size_t bytes) {
    return allocate_page_locked(bytes);
  }

  void synchronize() {
    wait();
    phases_.collect();
  }
  /// Waits for all streams of the device, those of other libraries included.
  static void wait_for_device() { check(cudaDeviceSynchronize(), "waiting for the device"); }
  /// Steps whose phases are timed are launched kernel by kernel, and those whose kernels take
  /// longer than launches: where the host waits, the first kernel then starts sooner.
  void begin_step(Extents points) {
    phases_.begin_step();
    if (!phases_.is_sampling() && points.count() < fills_device) batches_.begin_step();
  }
  void end_step() { batches_.end_step(); }
  void enter(Phase phase) {
    phases_.enter(phase, [this] { return batches_.submitted(); });
  }
  [[nodiscard]] std::vector<double> phase_seconds() const { return phases_.seconds(); }

  [[nodiscard]] std::string device_name() const;
  [[nodiscard]] static int device_number() {
    int device = 0;
    check(cudaGetDevice(&device), "asking for its number");
    return device;
  }
  [[nodiscard]] std::size_t allocated_bytes() const { return allocated_bytes_; }
  [[nodiscard]] static std::size_t last_level_cache();

 private:
  /// Where kernels go now.
  [[nodiscard]] cudaStream_t stream() {
    return side_stream_ != nullptr ? side_stream_ : batches_.stream();
  }
  /// Where all else goes now: what was put there before has been handed over.
  [[nodiscard]] cudaStream_t submitted() {
    return side_stream_ != nullptr ? side_stream_ : batches_.submitted();
  }
  template <class Enqueue>
  void run_beside_each_other(int count, const Enqueue& enqueue) {
    sweeps_backwards_ = !sweeps_backwards_;
    side_streams_.run(count, batches_.stream(), [&](int n, cudaStream_t stream) {
      side_stream_ = stream;
      enqueue(n);
    });
    side_stream_ = nullptr;
  }
  void wait() {
    transfer_.wait(batches_.submitted());
    phases_.done(phases_.recorded());
  }
  void copy_bytes(const void* from, void* to, std::size_t bytes, cudaMemcpyKind kind) {
    const bool is_within_device = kind == cudaMemcpyDeviceToDevice;
    const cudaStream_t stream = is_within_device ? batches_.stream() : batches_.submitted();
    check(cudaMemcpyAsync(to, from, bytes, kind, stream), "copying");
  }
  StridedField<Real> field_by_itself(Extents extents);
  /// A list on the device, and behind it `more` bytes of room.
  template <class Item>
  [[nodiscard]] Item* listed(std::span<const Item> list, std::size_t more = 0) {
    static_assert(std::is_trivially_copyable_v<Item>, "kernels are copied to the device by value");
    const WorkLists::Room room = room_for(list.size_bytes() + more);
    send(list.data(), list.size_bytes(), room.host, room.device);
    return reinterpret_cast<Item*>(room.device);
  }
  [[nodiscard]] WorkLists::Room room_for(std::size_t bytes) {
    return lists_.room(bytes, [this] { wait(); });
  }
  /// Copies to the device by way of page-locked memory, without waiting.
  void send(const void* from, std::size_t bytes, std::byte* by_way_of, void* to) {
    std::memcpy(by_way_of, from, bytes);
    check(cudaMemcpyAsync(to, by_way_of, bytes, cudaMemcpyHostToDevice, submitted()),
          "copying a list");
  }

  CudaStream stream_;
  LaunchBatches batches_;
  std::size_t allocated_bytes_ = 0;
  SideStreams side_streams_;
  cudaStream_t side_stream_ = nullptr;  // set while work runs side by side, else null
  DeviceArray<std::byte> relations_;    // of the pieces of lines too long for a block
  bool sweeps_backwards_ = false;  // alternates: the cache holds what the last sweep ended with
  WorkLists lists_;
  DeviceArray<std::byte> reductions_;      // one per block
  DeviceArray<unsigned> reductions_done_;  // how many of them are done
  std::shared_ptr<std::byte[]> reduction_on_host_;
  DeviceArray<std::byte> profiles_;  // of reduce_profiles
  DeviceArray<std::byte> field_;     // for copies of interleaved variables
  DeviceArray<std::byte> sorted_;    // room of sort_by_key and select
  PhaseEvents phases_;
  std::optional<CublasProducts> products_;
  DeviceTransfer transfer_;
};

template <class Real>
template <class T>
DeviceArray<T> CudaBackend<Real>::allocate(std::size_t count) {
  DeviceArray<T> array(count);
  check(cudaMemsetAsync(array.data(), 0, count * sizeof(T), submitted()), "clearing memory");
  allocated_bytes_ += count * sizeof(T);
  return array;
}

template <class Real>
template <int sums, int maxima, class Kernel>
Reduction<double, sums, maxima> CudaBackend<Real>::reduce(Box box, const Kernel& kernel) {
  if (box.extents().count() == 0) return {};
  auto* const numbers = reinterpret_cast<double*>(reduction_on_host_.get());
  reduce_later<sums, maxima>(box, kernel, numbers);
  wait();
  return *reinterpret_cast<const Reduction<double, sums, maxima>*>(numbers);
}

template <class Real>
template <class Kernel>
void CudaBackend<Real>::for_each(const std::vector<WorkInBox<Kernel>>& works) {
  if (works.size() < WorkLists::fewest) {
    for (const auto& [box, kernel] : works) for_each(box, kernel);
    return;
  }
  reserve_several_boxes();
  constexpr std::size_t most = WorkLists::bytes / sizeof(WorkInBox<Kernel>);
  for (std::size_t first = 0; first < works.size(); first += most) {
    const auto some = std::span(works).subspan(first, std::min(most, works.size() - first));
    std::size_t points = 0;
    for (const auto& work : some) points = std::max(points, work.box.extents().count());
    if (points == 0) continue;
    const WorkInBox<Kernel>* const list = listed(some);
    launch("launching work in several boxes",
           for_each_in_boxes_kernel<Kernel>,
           {dim3(divide_up(static_cast<int>(points), threads_of_points),
                 static_cast<unsigned>(some.size())),
            threads_of_points},
           stream(),
           list);
  }
}

/// The last block of the kernel writes to the memory of the host.
template <class Real>
template <int sums, int maxima, class Kernel>
void CudaBackend<Real>::reduce_later(Box box, const Kernel& kernel, double* numbers) {
  using Result = Reduction<double, sums, maxima>;
  static_assert(sizeof(Result) <= WorkSpace::of_a_reduction);
  auto* const total = reinterpret_cast<Result*>(numbers);
  if (box.extents().count() == 0) {
    *total = {};
    return;
  }
  const ReductionShape shape = ReductionShape::of(box, reduction_blocks_at_once<Kernel>);
  launch("launching a reduction",
         reduce_kernel<Result, Kernel>,
         {static_cast<unsigned>(shape.blocks), reduction_threads},
         stream(),
         box,
         shape,
         kernel,
         reinterpret_cast<Result*>(reductions_.data()),
         reductions_done_.data(),
         total);
}

/// Each is shared among blocks as it is by itself, for the same bits.
template <class Real>
template <int sums, int maxima, class Kernel>
void CudaBackend<Real>::reduce_later(const std::vector<ReductionOfBox<Kernel>>& reductions) {
  using Result = Reduction<double, sums, maxima>;
  using Listed = ListedReduction<Kernel>;
  if (reductions.size() < WorkLists::fewest) {
    for (const auto& [box, kernel, numbers] : reductions)
      reduce_later<sums, maxima>(box, kernel, numbers);
    return;
  }
  reserve_several_boxes();
  std::vector<Listed> list;
  std::vector<int> first;
  int blocks = 0;
  const auto begin = [&] {
    if (list.empty()) return;
    const int* const first_on_device = listed(std::span<const int>(first));
    Listed* const all =
        listed(std::span<const Listed>(list), static_cast<std::size_t>(blocks) * sizeof(Result));
    launch("launching several reductions",
           reduce_boxes_kernel<Result, Kernel>,
           {static_cast<unsigned>(blocks), reduction_threads},
           stream(),
           all,
           first_on_device,
           static_cast<int>(list.size()),
           reinterpret_cast<Result*>(all + list.size()));
    list.clear();
    first.clear();
    blocks = 0;
  };
  for (const ReductionOfBox<Kernel>& of : reductions) {
    if (of.box.extents().count() == 0) {
      *reinterpret_cast<Result*>(of.numbers) = {};
      continue;
    }
    const ReductionShape shape = ReductionShape::of(of.box, reduction_blocks_at_once<Kernel>);
    const std::size_t needed = (list.size() + 1) * sizeof(Listed) +
                               static_cast<std::size_t>(blocks + shape.blocks) * sizeof(Result);
    if (needed > WorkLists::bytes / 4) begin();  // so that `first` stays beside it
    list.push_back({of, shape});
    first.push_back(blocks);
    blocks += shape.blocks;
  }
  begin();
}

template <class Real>
template <int sums, class Kernel>
std::vector<Reduction<double, sums, 0>> CudaBackend<Real>::reduce_profiles(
    Box box, const PerAxis<bool>& summed, const Kernel& kernel) {
  using Result = Reduction<double, sums, 0>;
  const Profile profile{box, summed[0], summed[1], summed[2]};
  if (profile.kept().count() == 0) return {};
  const auto shape = ProfileShape::of(profile);
  static_assert(sizeof(Result) == (sums + 1) * sizeof(double));
  reserve_profiles(profile.kept().count(), sums);
  auto* const total = reinterpret_cast<Result*>(profiles_.data());
  Result* const partial = total + shape.points;
  reduce_parts_of_profiles(profile, shape, kernel, partial, batches_.stream());
  launch("launching the end of a reduction of profiles",
         merge_profiles_kernel<Result>,
         {divide_up(shape.points, profile_threads), profile_threads},
         batches_.stream(),
         shape,
         partial,
         total);
  std::vector<Result> on_host(profile.kept().count());
  wait();  // not in the copy, which cannot tell that a message never comes
  check(cudaMemcpyAsync(on_host.data(),
                        total,
                        on_host.size() * sizeof(Result),
                        cudaMemcpyDeviceToHost,
                        stream_.get()),
        "copying a reduction of profiles");
  wait();
  return on_host;
}

template <class Real>
template <class Kernel>
void CudaBackend<Real>::add_profile(Box box,
                                    const PerAxis<bool>& summed,
                                    const Kernel& kernel,
                                    double* numbers) {
  using Result = Reduction<double, 1, 0>;
  const Profile profile{box, summed[0], summed[1], summed[2]};
  if (box.extents().count() == 0) return;
  const auto shape = ProfileShape::of(profile);
  reserve_profiles(profile.kept().count(), 1);
  auto* const partial = reinterpret_cast<Result*>(profiles_.data());
  reduce_parts_of_profiles(profile, shape, kernel, partial, batches_.stream());
  launch("launching the sum of profiles",
         add_profiles_kernel<Result>,
         {divide_up(shape.points, profile_threads), profile_threads},
         batches_.stream(),
         shape,
         partial,
         numbers);
}

template <class Real>
CufftPlanes<Real> CudaBackend<Real>::plan_planes(const PlaneTransform& transform,
                                                 Strides field,
                                                 Strides modes) {
  CufftPlanes<Real> planes(transform, field, modes, stream_.get());
  planes.take_workspace(allocate<std::byte>(planes.workspace_bytes()));
  return planes;
}

template <class Real>
CufftLines<Real> CudaBackend<Real>::plan_lines(const LineTransform& transform,
                                               Strides from,
                                               Strides to) {
  CufftLines<Real> lines(transform, from, to, stream_.get());
  lines.take_workspace(allocate<std::byte>(lines.workspace_bytes()));
  return lines;
}

template <class Real>
void CudaBackend<Real>::multiply(
    Axis axis, Extents points, const Real* matrix, FieldView<const Real> from, FieldView<Real> to) {
  if (points.count() == 0) return;  // a rank's share, which cuBLAS refuses
  reserve_products();
  products_->multiply(axis, points, matrix, from, to);
}

/// A field in memory of the device or the host, for copies of whole rows. Requires stride_x = 1.
template <class Real>
cudaPitchedPtr pitched(StridedField<const Real> field) {
  return make_cudaPitchedPtr(const_cast<Real*>(field.origin),
                             field.stride_y * sizeof(Real),
                             field.stride_y * sizeof(Real),
                             field.stride_z / field.stride_y);
}

template <class Real>
void copy_field(StridedField<const Real> from,
                StridedField<const Real> to,
                Extents extents,
                cudaMemcpyKind kind,
                cudaStream_t stream) {
  cudaMemcpy3DParms parameters{};
  parameters.srcPtr = pitched(from);
  parameters.dstPtr = pitched(to);
  parameters.extent = make_cudaExtent(extents.nx * sizeof(Real), extents.ny, extents.nz);
  parameters.kind = kind;
  check(cudaMemcpy3DAsync(&parameters, stream), "copying a field");
}

/// Copies one of several interleaved variables to or from a field by itself.
template <class Real>
struct CopyPoints {
  StridedField<const Real> from;
  StridedField<Real> to;

  DNS_HD void operator()(Index3 c) const { *to.address(c) = *from.address(c); }
};

/// A field without gaps.
template <class Real>
StridedField<Real> dense_field(Real* values, Extents extents) {
  return {values, 1, extents.nx, extents.nx * extents.ny};
}
inline Box all_of(Extents extents) {
  return {{}, {extents.nx, extents.ny, extents.nz}};
}

template <class Real>
StridedField<Real> CudaBackend<Real>::field_by_itself(Extents extents) {
  reserve_copies(extents);
  return dense_field(reinterpret_cast<Real*>(field_.data()), extents);
}

template <class Real>
void CudaBackend<Real>::upload(const Real* from, StridedField<Real> to, Extents extents) {
  const StridedField<const Real> host = dense_field(from, extents);
  if (to.stride_x == 1) {
    copy_field<Real>(host, to.as_const(), extents, cudaMemcpyHostToDevice, batches_.submitted());
    return;
  }
  const StridedField<Real> between = field_by_itself(extents);
  copy_field<Real>(host, between.as_const(), extents, cudaMemcpyHostToDevice, batches_.submitted());
  for_each(all_of(extents), CopyPoints<Real>{between.as_const(), to});
}

template <class Real>
void CudaBackend<Real>::download(StridedField<const Real> from, Extents extents, Real* to) {
  const StridedField<const Real> host = dense_field(to, extents).as_const();
  if (from.stride_x == 1) {
    copy_field<Real>(from, host, extents, cudaMemcpyDeviceToHost, batches_.submitted());
    return;
  }
  const StridedField<Real> between = field_by_itself(extents);
  for_each(all_of(extents), CopyPoints<Real>{from, between});
  copy_field<Real>(between.as_const(), host, extents, cudaMemcpyDeviceToHost, batches_.submitted());
}

template <class Real>
std::string CudaBackend<Real>::device_name() const {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device_number()), "asking for its name");
  return properties.name;
}

template <class Real>
std::size_t CudaBackend<Real>::last_level_cache() {
  int device = 0;
  check(cudaGetDevice(&device), "asking for its number");
  int bytes = 0;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "asking for its cache");
  return bytes;
}

}  // namespace dns
