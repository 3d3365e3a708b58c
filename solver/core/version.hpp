/// Version and options of this build.
#pragma once

#include <string_view>

namespace dns {

/// "0.1.0 (commit abc1234, GNU 12.2.0, CUDA 13.0.88)"
std::string_view version();

/// GPU architectures that the program has code for, as CMake names them: "80-real 90"; empty
/// without CUDA.
std::string_view cuda_architectures();

/// Whether the program was built with its CUDA backend.
bool has_cuda();

}  // namespace dns
