#include "cuda/cuda_solver.cuh"

namespace dns {

template std::unique_ptr<Simulation> make_cuda_solver<Scheme::projection, double>(const Case&);

}  // namespace dns
