/// The studies on the GPU, for host code that knows nothing of CUDA. All throw DeviceError when the
/// GPU fails or has too little memory, and in a program built without CUDA.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "bench/studies/study.hpp"

namespace dns::bench {

/// "NVIDIA H200"
std::string cuda_name();
/// Free memory [B].
std::size_t cuda_memory();
/// Energy that the GPU has taken so far, in steps of some 0.1 s [J]; none where its driver does not
/// tell (NVML). Never throws.
std::optional<double> cuda_joules();

/// Copies and the triad c = a + s b of arrays of 2 GiB, less where the GPU has less memory.
std::vector<Measurement> copy_on_cuda(Precision precision);

/// x <-> y of a field: to(y, x, z) = from(x, y, z).
std::vector<Measurement> transpose_on_cuda(Precision precision, const Study& study);

/// Sides of the thread blocks that transpose_blocks_on_cuda tries: powers of two, 1 to 1024.
inline constexpr int largest_block_side = 1024;
/// Points of the side of the square matrix it transposes.
inline constexpr int block_study_points = 1024;
/// The naive transpose (coalesced reads) of a square float matrix by blocks of every shape;
/// variant "XxY" is a block of X threads along rows and Y across.
std::vector<Measurement> transpose_blocks_on_cuda();

/// Sum and largest magnitude of a field.
std::vector<Measurement> reduce_on_cuda(Precision precision, const Study& study);

/// The dissipation function of a velocity field.
std::vector<Measurement> stencil_on_cuda(Precision precision, const Study& study);

/// Tridiagonal systems along every axis.
std::vector<Measurement> sweep_on_cuda(Precision precision, const Study& study);
/// Why cuSPARSE is not among them; empty when it is.
std::string cusparse_obstacle();

/// Variants of paper_sweeps_on_cuda.
inline constexpr const char* thread_per_line = "thread per line";
inline constexpr const char* thread_per_line_transposed = "thread per line, transposed";
inline constexpr const char* transposing_levels = "transposing";
/// The sweeps of scheme splitting as the paper does them, one thread per line with the eliminated
/// rows in global memory: one sweep of four variables along z, y, x; one along x on transposed
/// levels; and transposing what 4 local iterations along x read and write. Section "table1".
std::vector<Measurement> paper_sweeps_on_cuda(Precision precision, const Study& study);

}  // namespace dns::bench
