/// The devices and libraries of this machine, in words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dns {

/// A library of transforms or linear algebra.
struct LibraryFacts {
  std::string name;
  std::string version;
  std::string obstacle;  // why it cannot be used, with the cure; empty: it can
};

struct GpuFacts {
  std::string name;
  std::string capability;  // "9.0"
  std::size_t memory_bytes = 0;
  std::string obstacle;  // why it cannot be used, with the cure; empty: it can
};

/// What this machine offers to a build with or without CUDA.
struct CudaFacts {
  std::string versions;  // "driver for CUDA 13.0, runtime 13.0"; empty in a build without CUDA
  std::string obstacle;  // why no GPU can be used, with the cure; empty: one can
  std::vector<GpuFacts> gpus;
  std::vector<LibraryFacts> libraries;
};

struct DeviceFacts {
  std::string cpu_obstacle;  // why the CPU cannot be used, with the cure; empty: it can
  std::string vectors;       // what the loops were built for: "AVX-512", "x86-64-v3 (AVX2)"
  std::vector<LibraryFacts> cpu_libraries;
  CudaFacts cuda;
};

/// "a GPU or the CPU", "a GPU", "the CPU"; empty when there is neither.
std::string usable_devices(const DeviceFacts& facts);

}  // namespace dns
