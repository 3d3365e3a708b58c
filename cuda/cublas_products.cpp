#include <cublas_v2.h>

#include <string>
#include <type_traits>
#include <utility>

#include "cuda/cuda_transforms.hpp"
#include "cuda/library_on_demand.hpp"

namespace dns {
namespace {

void check_cublas(cublasStatus_t status, const char* doing) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw DeviceError(std::string("cuBLAS failed while ") + doing + ": status " +
                    std::to_string(static_cast<int>(status)));
}

/// The functions of cuBLAS that are used.
struct CublasFunctions {
  LibraryOnDemand library{DNS_CUBLAS};
  decltype(cublasCreate)* create = library.function<decltype(cublasCreate)>("cublasCreate_v2");
  decltype(cublasDestroy)* destroy = library.function<decltype(cublasDestroy)>("cublasDestroy_v2");
  decltype(cublasSetStream)* set_stream =
      library.function<decltype(cublasSetStream)>("cublasSetStream_v2");
  decltype(cublasSetWorkspace)* set_workspace =
      library.function<decltype(cublasSetWorkspace)>("cublasSetWorkspace_v2");
  decltype(cublasSetMathMode)* set_math_mode =
      library.function<decltype(cublasSetMathMode)>("cublasSetMathMode");
  decltype(cublasSetAtomicsMode)* set_atomics_mode =
      library.function<decltype(cublasSetAtomicsMode)>("cublasSetAtomicsMode");
  decltype(cublasSgemmStridedBatched)* multiply_float =
      library.function<decltype(cublasSgemmStridedBatched)>("cublasSgemmStridedBatched");
  decltype(cublasDgemmStridedBatched)* multiply_double =
      library.function<decltype(cublasDgemmStridedBatched)>("cublasDgemmStridedBatched");
};

}  // namespace

struct CublasProducts::Handle {
  CublasFunctions call;
  DeviceArray<std::byte> workspace;
  cublasHandle_t handle = nullptr;

  Handle(cudaStream_t stream, DeviceArray<std::byte> given) : workspace(std::move(given)) {
    check_cublas(call.create(&handle), "starting");
    check_cublas(call.set_stream(handle, stream), "starting");
    check_cublas(call.set_workspace(handle, workspace.data(), workspace_bytes), "starting");
    check_cublas(call.set_math_mode(handle, CUBLAS_DEFAULT_MATH), "starting");
    check_cublas(call.set_atomics_mode(handle, CUBLAS_ATOMICS_NOT_ALLOWED), "starting");
  }
  ~Handle() { static_cast<void>(call.destroy(handle)); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

CublasProducts::CublasProducts(cudaStream_t stream, DeviceArray<std::byte> workspace)
    : handle_(std::make_unique<Handle>(stream, std::move(workspace))) {}
CublasProducts::CublasProducts(CublasProducts&&) noexcept = default;
CublasProducts& CublasProducts::operator=(CublasProducts&&) noexcept = default;
CublasProducts::~CublasProducts() = default;

/// One product per plane. Column-major: x is the first index of a plane, the matrix is transposed.
template <class Real>
void CublasProducts::multiply(Axis axis,
                              Extents points,
                              const Real* matrix,
                              FieldView<const Real> from,
                              FieldView<Real> to) const {
  const Axis second = axis == Axis::x ? Axis::y : axis;
  const Axis across = third_axis(Axis::x, second);
  const Strides from_strides{from.stride_y, from.stride_z};
  const Strides to_strides{to.stride_y, to.stride_z};
  const int n = points[axis];
  const Real one = 1;
  const Real zero = 0;
  struct Factor {
    const Real* values;
    int column;
    long long plane;
  };
  const Factor field{from.origin, from_strides.along(second), from_strides.along(across)};
  const Factor shared{matrix, n, 0};
  const Factor& left = axis == Axis::x ? shared : field;
  const Factor& right = axis == Axis::x ? field : shared;
  const auto call = [&](auto* function) {
    check_cublas(function(handle_->handle,
                          axis == Axis::x ? CUBLAS_OP_T : CUBLAS_OP_N,
                          CUBLAS_OP_N,
                          points.nx,
                          points[second],
                          n,
                          &one,
                          left.values,
                          left.column,
                          left.plane,
                          right.values,
                          right.column,
                          right.plane,
                          &zero,
                          to.origin,
                          to_strides.along(second),
                          to_strides.along(across),
                          points[across]),
                 "multiplying");
  };
  if constexpr (std::is_same_v<Real, float>) {
    call(handle_->call.multiply_float);
  } else {
    call(handle_->call.multiply_double);
  }
}

template void CublasProducts::multiply(
    Axis, Extents, const float*, FieldView<const float>, FieldView<float>) const;
template void CublasProducts::multiply(
    Axis, Extents, const double*, FieldView<const double>, FieldView<double>) const;

}  // namespace dns
