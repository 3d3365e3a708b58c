/// The launches of a step, handed to the GPU together.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/cuda_error.hpp"

namespace dns {

/// Captures what is launched in a stream between two places where the host waits or measures, and
/// launches it there as one graph. A launch by itself takes the CPU 2.5 us or more, longer than
/// many kernels on small grids take; captured, passed to the graph of the step before and launched
/// with it, 0.6 us (H200, CUDA 13).
///
/// A graph is kept for each of these parts of a step. If a step has another structure than the one
/// before it, a new one is made, in some 60 us.
class LaunchBatches {
 public:
  explicit LaunchBatches(cudaStream_t stream) : stream_(stream) {}

  /// From here on launches are captured.
  void begin_step() {
    submit();
    is_in_step_ = are_possible();
    part_ = 0;
  }
  /// Hands over the rest of the step. What follows is launched at once.
  void end_step() {
    submit();
    is_in_step_ = false;
  }

  /// The stream, for kernels and copies within the device.
  [[nodiscard]] cudaStream_t stream() {
    if (is_in_step_ && !captured_) {
      check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), "capturing a step");
      captured_.reset(stream_);
    }
    return stream_;
  }
  /// Hands over what was captured.
  void submit() {
    if (!captured_) return;
    cudaGraph_t captured = nullptr;
    check(cudaStreamEndCapture(captured_.release(), &captured), "capturing a step");
    const Graph graph(captured);
    std::size_t nodes = 0;
    check(cudaGraphGetNodes(graph.get(), nullptr, &nodes), "capturing a step");
    if (part_ == parts_.size()) parts_.emplace_back();
    std::vector<Executable>& kept = parts_[part_++];
    auto same = std::ranges::find(kept, nodes, &Executable::nodes);
    if (same == kept.end()) same = kept.insert(same, Executable{nodes, nullptr});
    cudaGraphExecUpdateResultInfo result{};
    if (!same->graph ||
        cudaGraphExecUpdate(same->graph.get(), graph.get(), &result) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // of another structure
      cudaGraphExec_t made = nullptr;
      check(cudaGraphInstantiate(&made, graph.get(), 0), "preparing a step");
      same->graph.reset(made);
    }
    check(cudaGraphLaunch(same->graph.get(), stream_), "launching a step");
  }
  /// The stream, for all else: what was put there before has been handed over.
  [[nodiscard]] cudaStream_t submitted() {
    submit();
    return stream_;
  }

 private:
  struct EndCapture {
    void operator()(cudaStream_t stream) const {
      cudaGraph_t graph = nullptr;
      if (cudaStreamEndCapture(stream, &graph) == cudaSuccess)
        static_cast<void>(cudaGraphDestroy(graph));
    }
  };
  struct DestroyGraph {
    void operator()(cudaGraph_t graph) const { static_cast<void>(cudaGraphDestroy(graph)); }
    void operator()(cudaGraphExec_t graph) const { static_cast<void>(cudaGraphExecDestroy(graph)); }
  };
  using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyGraph>;
  struct Executable {
    std::size_t nodes = 0;
    std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyGraph> graph;
  };

  /// Whether graphs can hold launches that overlap (launch.cuh).
  [[nodiscard]] static bool are_possible() {
    static const bool are = [] {
      constexpr int least_version = 12040;
      int driver = 0;
      check(cudaDriverGetVersion(&driver), "asking for the version of the driver");
      return CUDART_VERSION >= least_version && driver >= least_version;
    }();
    return are;
  }

  cudaStream_t stream_;
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, EndCapture> captured_;  // while capturing
  bool is_in_step_ = false;
  std::size_t part_ = 0;                        // of the step, to be submitted next
  std::vector<std::vector<Executable>> parts_;  // graphs of each, by their numbers of nodes
};

}  // namespace dns
