#include "cuda/cuda_solver.cuh"

namespace dns {

template std::unique_ptr<Simulation> make_cuda_solver<Scheme::projection, float>(const Case&);

}  // namespace dns
