// Stands in for the studies on the GPU in a build without CUDA.
#include "bench/studies/cuda_studies.hpp"
#include "cuda/cuda_facts.hpp"
#include "solver/core/error.hpp"

namespace dns::bench {
namespace {

[[noreturn]] void refuse() {
  throw DeviceError(cuda_obstacle());
}

}  // namespace

std::string cuda_name() {
  refuse();
}
std::size_t cuda_memory() {
  refuse();
}
std::optional<double> cuda_joules() {
  return std::nullopt;
}
std::vector<Measurement> copy_on_cuda(Precision /*precision*/) {
  refuse();
}
std::vector<Measurement> transpose_on_cuda(Precision /*precision*/, const Study& /*study*/) {
  refuse();
}
std::vector<Measurement> transpose_blocks_on_cuda() {
  refuse();
}
std::vector<Measurement> reduce_on_cuda(Precision /*precision*/, const Study& /*study*/) {
  refuse();
}
std::vector<Measurement> stencil_on_cuda(Precision /*precision*/, const Study& /*study*/) {
  refuse();
}
std::vector<Measurement> sweep_on_cuda(Precision /*precision*/, const Study& /*study*/) {
  refuse();
}
std::vector<Measurement> paper_sweeps_on_cuda(Precision /*precision*/, const Study& /*study*/) {
  refuse();
}
std::string cusparse_obstacle() {
  return "this program was built without CUDA";
}

}  // namespace dns::bench
