#include "cuda/cuda_projection.cuh"

namespace dns {

template std::unique_ptr<Simulation> make_cuda_projection<double>(const Case& resolved);

}  // namespace dns
