#include "bench/studies/cuda_engine_sweep.hpp"
#include "bench/studies/cuda_queue.cuh"
#include "bench/studies/engine_sweeps.hpp"
#include "cuda/cuda_backend.cuh"

namespace dns::bench {

template <class Real>
std::vector<Measurement> engine_sweeps_on_cuda(const Study& study) {
  CudaBackend<Real> backend;
  const Queue queue;
  return engine_sweeps(backend,
                       {Device::cuda, 0, study.points, queue.cache_bytes(), Queue::free_bytes()});
}

template std::vector<Measurement> engine_sweeps_on_cuda<float>(const Study&);
template std::vector<Measurement> engine_sweeps_on_cuda<double>(const Study&);

}  // namespace dns::bench
