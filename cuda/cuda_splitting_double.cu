#include "cuda/cuda_splitting.cuh"

namespace dns {

template std::unique_ptr<Simulation> make_cuda_splitting<double>(const Case& resolved);

}  // namespace dns
