#include "solver/core/device_facts.hpp"

#include "cpu/cpu_facts.hpp"
#include "cuda/cuda_facts.hpp"
#include "solver/time/simulation.hpp"

namespace dns {

DeviceFacts device_facts() {
  return {cpu_obstacle(), vectors_in_words(), cpu_libraries(), cuda_facts()};
}

}  // namespace dns
