/// Sweeps that are done plane after plane, so that each finds in the caches what the one before it
/// has left there.
#pragma once

#include <omp.h>

#include <chrono>
#include <functional>
#include <vector>

#include "cpu/denormals.hpp"
#include "cpu/sweep.hpp"
#include "solver/core/backend.hpp"
#include "solver/core/seconds.hpp"

namespace dns {

/// Records sweeps along x and y. run() does all of them in one plane across z, then in the next
/// plane, and so on.
template <class Real>
class SweepsByPlanes {
 public:
  template <Axis axis, class Rows, class Sink>
  void add(Phase phase, Box box, const Rows& rows, const Sink& sink) {
    static_assert(outer_of<axis> == Axis::z);
    all_ = joint_box(all_, box);
    sweeps_.push_back({phase, box, [=](int plane, ThreadScratch& own) {
                         sweep_plane<axis, Real>(box, plane, rows, sink, own);
                       }});
  }

  /// count(phase, seconds) receives the time of each sweep.
  template <class Count>
  void run(ThreadScratches& scratch, const Count& count) {
    const auto start = Clock::now();
#pragma omp parallel num_threads(scratch.threads())
    {
      const DenormalsAreZero in_this_thread;
#pragma omp for schedule(static)
      for (int plane = all_.begin.k; plane < all_.end.k; ++plane) {
        for (Sweep& sweep : sweeps_) {
          if (plane < sweep.box.begin.k || plane >= sweep.box.end.k) continue;
          const auto before = Clock::now();
          sweep.in_plane(plane, scratch.own());
          if (omp_get_thread_num() == 0) sweep.seconds += seconds_between(before, Clock::now());
        }
      }
    }
    const double whole = seconds_between(start, Clock::now());
    double of_first_thread = 0;
    for (const Sweep& sweep : sweeps_) of_first_thread += sweep.seconds;
    for (const Sweep& sweep : sweeps_)
      if (of_first_thread > 0) count(sweep.phase, whole * sweep.seconds / of_first_thread);
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct Sweep {
    Phase phase;
    Box box;
    std::function<void(int plane, ThreadScratch& own)> in_plane;
    double seconds = 0;  // of the first thread
  };

  Box all_{};
  std::vector<Sweep> sweeps_;
};

}  // namespace dns
