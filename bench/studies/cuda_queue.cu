#include <algorithm>
#include <cmath>

#include "bench/studies/cuda_queue.cuh"
#include "bench/studies/cuda_studies.hpp"

namespace dns::bench {

Queue::Queue() {
  int device = 0;
  check(cudaGetDevice(&device), "asking for its number");
  check(cudaGetDeviceProperties(&properties_, device), "asking for its properties");
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  stream_.reset(stream);
  for (Owned<cudaEvent_t>* event : {&before_, &after_}) {
    cudaEvent_t created = nullptr;
    check(cudaEventCreate(&created), "creating an event");
    event->reset(created);
  }
}

std::size_t Queue::free_bytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for its free memory");
  return free;
}

template <class Execute>
double Queue::elapsed(const Execute& execute) const {
  check(cudaEventRecord(before_.get(), stream()), "recording an event");
  execute();
  check(cudaEventRecord(after_.get(), stream()), "recording an event");
  check(cudaEventSynchronize(after_.get()), "computing");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, before_.get(), after_.get()), "reading an event");
  return 1e-3 * static_cast<double>(milliseconds);
}

double Queue::seconds_one_by_one(const Variant& variant, int sets) const {
  constexpr int repetitions = 9;
  std::vector<double> samples;
  for (int repetition = 0; repetition <= repetitions; ++repetition) {
    const int set = repetition % sets;
    variant.restore(set);
    const double once = elapsed([&] { variant.work(set); });
    if (repetition > 0) samples.push_back(once);  // the first one warms up
  }
  return median(samples);
}

Queue::Owned<cudaGraphExec_t> Queue::graph_of(const Variant& variant,
                                              int sets,
                                              int executions) const {
  check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeRelaxed), "recording a graph");
  for (int n = 0; n < executions; ++n) variant.work(n % sets);
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream(), &graph), "recording a graph");
  cudaGraphExec_t executable = nullptr;
  const cudaError_t status = cudaGraphInstantiate(&executable, graph, 0);
  static_cast<void>(cudaGraphDestroy(graph));
  check(status, "making a graph");
  return Owned<cudaGraphExec_t>(executable);
}

double Queue::seconds(const Variant& variant, int sets) const {
  if (variant.restore) return seconds_one_by_one(variant, sets);
  constexpr int warm_ups = 4;
  constexpr double sample_seconds = 5e-4;
  constexpr double short_seconds = 1e-4;
  constexpr double all_seconds = 0.05;
  const auto execute = [&](int executions) {
    for (int n = 0; n < executions; ++n) variant.work(n % sets);
  };
  execute(warm_ups);
  const double estimate = std::max(elapsed([&] { execute(warm_ups); }) / warm_ups, 1e-6);
  // Whole rounds through the sets, so that no set is met twice in a row.
  const int wanted = std::clamp(static_cast<int>(std::ceil(sample_seconds / estimate)), 1, 128);
  const int executions = (wanted + sets - 1) / sets * sets;
  const int repetitions =
      std::clamp(static_cast<int>(all_seconds / (estimate * executions)), 5, 51);
  Owned<cudaGraphExec_t> graph;
  if (estimate < short_seconds) graph = graph_of(variant, sets, executions);
  const auto sample = [&] {
    if (graph) {
      check(cudaGraphLaunch(graph.get(), stream()), "launching a graph");
    } else {
      execute(executions);
    }
  };
  sample();
  std::vector<double> samples;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    samples.push_back(elapsed(sample) / executions);
  }
  return median(samples);
}

std::string cuda_name() {
  int device = 0;
  check(cudaGetDevice(&device), "asking for its number");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "asking for its name");
  return properties.name;
}

std::size_t cuda_memory() {
  return Queue::free_bytes();
}

}  // namespace dns::bench
