/// cuSPARSE's batched tridiagonal solvers. The library is loaded when it is first needed.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>

namespace dns::bench {

/// The arrays of a batch, on the GPU; the solution replaces the right-hand sides, and the
/// interleaved solver overwrites the others too.
template <class Real>
struct CusparseBatch {
  Real* lower;
  Real* diagonal;
  Real* upper;
  Real* rhs;
  int rows;     // of each system
  int systems;  // their number
};

/// Real: float or double. Requires cusparse_obstacle() to be empty; throws DeviceError.
template <class Real>
class Cusparse {
 public:
  explicit Cusparse(cudaStream_t stream);
  ~Cusparse();
  Cusparse(const Cusparse&) = delete;
  Cusparse& operator=(const Cusparse&) = delete;

  /// gtsv2StridedBatch: systems one after the other.
  [[nodiscard]] std::size_t strided_bytes(const CusparseBatch<Real>& batch) const;
  void solve_strided(const CusparseBatch<Real>& batch, void* memory) const;

  /// gtsvInterleavedBatch: row m of all systems, then row m + 1. Algorithm 0 is that of Thomas,
  /// 1 is LU with pivoting, 2 is QR.
  [[nodiscard]] std::size_t interleaved_bytes(int algorithm,
                                              const CusparseBatch<Real>& batch) const;
  void solve_interleaved(int algorithm, const CusparseBatch<Real>& batch, void* memory) const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace dns::bench
