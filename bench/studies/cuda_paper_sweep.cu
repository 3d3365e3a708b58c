// The sweeps of scheme splitting as the paper does them: one thread per line, eliminated rows in
// global memory, along x directly and through transposed levels.
#include <algorithm>

#include "bench/studies/cuda_studies.hpp"
#include "bench/studies/cuda_sweep_in_memory.cuh"
#include "bench/studies/cuda_transpose.cuh"
#include "bench/studies/splitting_input.hpp"

namespace dns::bench {
namespace {

/// Levels without ghosts, S and N and the relaxed N. With x and y exchanged, a level holds every
/// field transposed, and the velocity components along x and y have exchanged places: a sweep along
/// y of it is a sweep along x of the level it was made of.
template <class Real>
class PaperSweeps {
 public:
  PaperSweeps(const Queue& queue, const Study& study)
      : queue_(queue),
        points_(study.points),
        count_(study.count()),
        host_(study.points),
        levels_(queue, level_count * variables_per_level * count_, 1),
        workspace_(queue, words_of_eliminated_row * count_, 1),
        face_(queue, host_.face.size(), 1) {
    face_.fill(host_.face.data());
    for (int level = 0; level < 2; ++level) {
      check(cudaMemcpyAsync(field(level, 0),
                            host_.levels.set(level),
                            level_bytes(),
                            cudaMemcpyHostToDevice,
                            queue.stream()),
            "copying a level to it");
    }
    queue.wait();
    const double inner = points_ - 2.0;
    trial_.section = "table1";
    trial_.device = Device::cuda;
    trial_.precision = precision_of_type<Real>;
    trial_.points = points_;
    trial_.bytes = words_of_splitting_sweep * inner * inner * inner * sizeof(Real);
    trial_.tolerance = splitting_tolerance<Real>;
    trial_.poison = [this] {
      poison(relaxed);
      poison(relaxed_exchanged);
    };
    trial_.seconds = [this](const Variant& variant) { return queue_.seconds(variant, 1); };
  }

  std::vector<Measurement> measure_all() {
    add_direct<Axis::z>("z");
    add_direct<Axis::y>("y");
    add_direct<Axis::x>("x");
    if (fits_tuned_transpose(points_, sizeof(Real))) {
      add_transposed();
      add_transposing();
    }
    return std::move(results_);
  }

  static std::size_t bytes_needed(std::size_t count) {
    return (level_count * variables_per_level + words_of_eliminated_row) * count * sizeof(Real);
  }

 private:
  static constexpr std::size_t words_of_eliminated_row =
      EliminatedRow<SharedVelocityMatrix, Real, false>::parts;
  static constexpr std::size_t level_count = 6;
  // The levels; from the fourth on with x and y exchanged.
  static constexpr int source = 0;
  static constexpr int nonlinear = 1;
  static constexpr int relaxed = 2;
  static constexpr int exchanged = 3;
  static constexpr int relaxed_exchanged = relaxed + exchanged;

  [[nodiscard]] std::size_t level_bytes() const {
    return variables_per_level * count_ * sizeof(Real);
  }
  [[nodiscard]] Real* field(int level, int variable) const {
    return levels_.set(0) +
           static_cast<std::size_t>(level * variables_per_level + variable) * count_;
  }
  [[nodiscard]] LevelView<Real> view(int level) const {
    return dense_level(field(level, 0), points_);
  }
  void poison(int level) const {
    check(cudaMemsetAsync(field(level, 0), 0xFF, level_bytes(), queue_.stream()), "poisoning");
  }

  template <Axis axis>
  void sweep(int first_level) const {
    sweep_in_memory<axis>(
        inner_nodes(points_),
        study_rows<axis, Real>(view(first_level + source),
                               view(first_level + nonlinear).as_const(),
                               face_.set(0),
                               points_),
        study_sink<Real>(view(first_level + nonlinear).as_const(), view(first_level + relaxed)),
        workspace_.set(0),
        queue_.stream());
  }

  /// Exchanges x and y, either way.
  void exchange(int from, int to) const {
    constexpr int exchanged_variable[variables_per_level] = {1, 0, 2, 3};
    for (int variable = 0; variable < variables_per_level; ++variable) {
      transpose_tuned(
          queue_, field(from, variable), field(to, exchanged_variable[variable]), points_);
    }
  }

  void download_relaxed() const {
    check(cudaMemcpyAsync(host_.levels.set(2),
                          field(relaxed, 0),
                          level_bytes(),
                          cudaMemcpyDeviceToHost,
                          queue_.stream()),
          "copying a level from it");
    queue_.wait();
  }

  /// Error of the relaxed level as the result of a sweep along `axis`.
  template <Axis axis>
  double error() {
    download_relaxed();
    return host_.template error<axis>();
  }

  template <Axis axis>
  void add_direct(const char* direction) {
    trial_.error = [this] { return error<axis>(); };
    results_.push_back(
        measure(trial_, {thread_per_line, direction, 0, [this](int) { sweep<axis>(source); }}));
  }

  void add_transposed() {
    exchange(source, source + exchanged);
    exchange(nonlinear, nonlinear + exchanged);
    trial_.error = [this] {
      exchange(relaxed_exchanged, relaxed);
      return error<Axis::x>();
    };
    results_.push_back(measure(trial_, {thread_per_line_transposed, "x", 0, [this](int) {
                                          sweep<Axis::y>(source + exchanged);
                                        }}));
  }

  /// S and N before the sweep; N and D after it. Checked by their result.
  void add_transposing() {
    constexpr double levels_moved = 4;
    trial_.bytes = 2 * levels_moved * static_cast<double>(level_bytes());
    trial_.tolerance = 0;
    trial_.poison = [this] {
      for (const int level : {relaxed, source + exchanged, nonlinear + exchanged}) poison(level);
    };
    trial_.error = [this] {
      download_relaxed();
      return largest_error(host_.levels.count(), [this](std::size_t n) {
        return host_.levels.set(2)[n] == host_.levels.set(1)[n] ? 0.0 : 1.0;
      });
    };
    results_.push_back(measure(trial_, {transposing_levels, "x", 0, [this](int) {
                                          exchange(source, source + exchanged);
                                          exchange(nonlinear, nonlinear + exchanged);
                                          exchange(source + exchanged, relaxed);
                                          exchange(nonlinear + exchanged, relaxed);
                                        }}));
  }

  const Queue& queue_;
  int points_;
  std::size_t count_;
  StudyLevels<Real> host_;  // what comes back in the place of the relaxed level
  DeviceBuffers<Real> levels_, workspace_, face_;
  Trial trial_;
  std::vector<Measurement> results_;
};

template <class Real>
std::vector<Measurement> paper_sweeps(const Study& study) {
  require_memory(
      12 * study.count() * sizeof(Real), study.memory, "sweeps of four variables on the host");
  require_memory(PaperSweeps<Real>::bytes_needed(study.count()),
                 Queue::free_bytes(),
                 "sweeps of four variables on the GPU");
  const Queue queue;
  return PaperSweeps<Real>(queue, study).measure_all();
}

}  // namespace

std::vector<Measurement> paper_sweeps_on_cuda(Precision precision, const Study& study) {
  return precision == Precision::single_precision ? paper_sweeps<float>(study)
                                                  : paper_sweeps<double>(study);
}

}  // namespace dns::bench
