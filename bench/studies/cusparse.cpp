#include "bench/studies/cusparse.hpp"

#include "bench/studies/cuda_studies.hpp"
#include "solver/core/error.hpp"

#ifdef DNS_CUSPARSE

#include <cusparse.h>
#include <dlfcn.h>

#include <type_traits>

namespace dns::bench {
namespace {

/// The open library; it stays open.
void* library() {
  static void* const opened = dlopen(DNS_CUSPARSE, RTLD_LAZY | RTLD_LOCAL);
  return opened;
}

void check_status(cusparseStatus_t status, const char* doing) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw DeviceError(std::string("cuSPARSE failed while ") + doing + ": status " +
                    std::to_string(static_cast<int>(status)));
}

/// A function of the library by its name; `Declared` is its type in the header.
template <class Declared>
Declared* function(const char* name) {
  void* const found = library() == nullptr ? nullptr : dlsym(library(), name);
  if (found == nullptr) throw DeviceError(std::string("cuSPARSE has no function ") + name);
  return reinterpret_cast<Declared*>(found);
}

/// The functions for one precision. Those for float and double differ in a letter of their names.
template <class Real>
struct Functions {
  static constexpr bool is_float = std::is_same_v<Real, float>;
  using StridedBytes = std::conditional_t<is_float,
                                          decltype(cusparseSgtsv2StridedBatch_bufferSizeExt),
                                          decltype(cusparseDgtsv2StridedBatch_bufferSizeExt)>;
  using Strided = std::conditional_t<is_float,
                                     decltype(cusparseSgtsv2StridedBatch),
                                     decltype(cusparseDgtsv2StridedBatch)>;
  using InterleavedBytes =
      std::conditional_t<is_float,
                         decltype(cusparseSgtsvInterleavedBatch_bufferSizeExt),
                         decltype(cusparseDgtsvInterleavedBatch_bufferSizeExt)>;
  using Interleaved = std::conditional_t<is_float,
                                         decltype(cusparseSgtsvInterleavedBatch),
                                         decltype(cusparseDgtsvInterleavedBatch)>;

  static std::string name(const std::string& rest) {
    return (is_float ? "cusparseS" : "cusparseD") + rest;
  }
  StridedBytes* strided_bytes =
      function<StridedBytes>(name("gtsv2StridedBatch_bufferSizeExt").c_str());
  Strided* strided = function<Strided>(name("gtsv2StridedBatch").c_str());
  InterleavedBytes* interleaved_bytes =
      function<InterleavedBytes>(name("gtsvInterleavedBatch_bufferSizeExt").c_str());
  Interleaved* interleaved = function<Interleaved>(name("gtsvInterleavedBatch").c_str());
};

}  // namespace

std::string cusparse_obstacle() {
  if (library() != nullptr) return {};
  const char* const reason = dlerror();
  return std::string("cuSPARSE cannot be opened: ") + (reason == nullptr ? DNS_CUSPARSE : reason);
}

template <class Real>
struct Cusparse<Real>::Handle {
  Functions<Real> call;
  cusparseHandle_t handle = nullptr;

  Handle() {
    const auto create = function<decltype(cusparseCreate)>("cusparseCreate");
    check_status(create(&handle), "starting");
  }
  ~Handle() { function<decltype(cusparseDestroy)>("cusparseDestroy")(handle); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

template <class Real>
Cusparse<Real>::Cusparse(cudaStream_t stream) : handle_(std::make_unique<Handle>()) {
  const auto set_stream = function<decltype(cusparseSetStream)>("cusparseSetStream");
  check_status(set_stream(handle_->handle, stream), "taking a stream");
}

template <class Real>
Cusparse<Real>::~Cusparse() = default;

template <class Real>
std::size_t Cusparse<Real>::strided_bytes(const CusparseBatch<Real>& batch) const {
  std::size_t bytes = 0;
  check_status(handle_->call.strided_bytes(handle_->handle,
                                           batch.rows,
                                           batch.lower,
                                           batch.diagonal,
                                           batch.upper,
                                           batch.rhs,
                                           batch.systems,
                                           batch.rows,
                                           &bytes),
               "sizing gtsv2StridedBatch");
  return bytes;
}

template <class Real>
void Cusparse<Real>::solve_strided(const CusparseBatch<Real>& batch, void* memory) const {
  check_status(handle_->call.strided(handle_->handle,
                                     batch.rows,
                                     batch.lower,
                                     batch.diagonal,
                                     batch.upper,
                                     batch.rhs,
                                     batch.systems,
                                     batch.rows,
                                     memory),
               "solving by gtsv2StridedBatch");
}

template <class Real>
std::size_t Cusparse<Real>::interleaved_bytes(int algorithm,
                                              const CusparseBatch<Real>& batch) const {
  std::size_t bytes = 0;
  check_status(handle_->call.interleaved_bytes(handle_->handle,
                                               algorithm,
                                               batch.rows,
                                               batch.lower,
                                               batch.diagonal,
                                               batch.upper,
                                               batch.rhs,
                                               batch.systems,
                                               &bytes),
               "sizing gtsvInterleavedBatch");
  return bytes;
}

template <class Real>
void Cusparse<Real>::solve_interleaved(int algorithm,
                                       const CusparseBatch<Real>& batch,
                                       void* memory) const {
  check_status(handle_->call.interleaved(handle_->handle,
                                         algorithm,
                                         batch.rows,
                                         batch.lower,
                                         batch.diagonal,
                                         batch.upper,
                                         batch.rhs,
                                         batch.systems,
                                         memory),
               "solving by gtsvInterleavedBatch");
}

#else

namespace dns::bench {

std::string cusparse_obstacle() {
  return "the CUDA Toolkit that this program was built with has no cuSPARSE";
}

template <class Real>
struct Cusparse<Real>::Handle {};

template <class Real>
Cusparse<Real>::Cusparse(cudaStream_t /*stream*/) {
  throw DeviceError(cusparse_obstacle());
}
template <class Real>
Cusparse<Real>::~Cusparse() = default;
template <class Real>
std::size_t Cusparse<Real>::strided_bytes(const CusparseBatch<Real>& /*batch*/) const {
  return 0;
}
template <class Real>
void Cusparse<Real>::solve_strided(const CusparseBatch<Real>& /*batch*/, void* /*memory*/) const {}
template <class Real>
std::size_t Cusparse<Real>::interleaved_bytes(int /*algorithm*/,
                                              const CusparseBatch<Real>& /*batch*/) const {
  return 0;
}
template <class Real>
void Cusparse<Real>::solve_interleaved(int /*algorithm*/,
                                       const CusparseBatch<Real>& /*batch*/,
                                       void* /*memory*/) const {}

#endif

template class Cusparse<float>;
template class Cusparse<double>;

}  // namespace dns::bench
