#include <cufft.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include "cuda/cuda_transforms.hpp"
#include "cuda/library_on_demand.hpp"

namespace dns {
namespace {

void check_cufft(cufftResult result, const char* doing) {
  if (result == CUFFT_SUCCESS) return;
  throw DeviceError(std::string("cuFFT failed while ") + doing + ": error " +
                    std::to_string(static_cast<int>(result)));
}

/// The functions of cuFFT that are used. Letters in names are types: R and C of float, D and Z
/// double.
template <class Real>
struct CufftFunctions {
  static constexpr bool is_float = std::is_same_v<Real, float>;
  using Execute = std::conditional_t<is_float, decltype(cufftExecR2C), decltype(cufftExecD2Z)>;
  using ExecuteBack = std::conditional_t<is_float, decltype(cufftExecC2R), decltype(cufftExecZ2D)>;

  LibraryOnDemand library{DNS_CUFFT};
  decltype(cufftCreate)* create = library.function<decltype(cufftCreate)>("cufftCreate");
  decltype(cufftDestroy)* destroy = library.function<decltype(cufftDestroy)>("cufftDestroy");
  decltype(cufftSetStream)* set_stream =
      library.function<decltype(cufftSetStream)>("cufftSetStream");
  decltype(cufftSetAutoAllocation)* set_auto_allocation =
      library.function<decltype(cufftSetAutoAllocation)>("cufftSetAutoAllocation");
  decltype(cufftSetWorkArea)* set_work_area =
      library.function<decltype(cufftSetWorkArea)>("cufftSetWorkArea");
  decltype(cufftMakePlanMany64)* make_plan =
      library.function<decltype(cufftMakePlanMany64)>("cufftMakePlanMany64");
  Execute* execute = library.function<Execute>(is_float ? "cufftExecR2C" : "cufftExecD2Z");
  ExecuteBack* execute_back =
      library.function<ExecuteBack>(is_float ? "cufftExecC2R" : "cufftExecZ2D");
};

/// Strides of the planes of an array for cuFFT, in units of its real or complex numbers.
struct PlaneArray {
  long long row;    // from a row to the next
  long long plane;  // from a plane to the next
};

template <class Real>
class CufftPlan {
 public:
  CufftPlan(const CufftFunctions<Real>& call,
            const PlaneTransform& transform,
            PlaneArray from,
            PlaneArray to,
            cufftType type,
            cudaStream_t stream)
      : call_(call) {
    check_cufft(call_.create(&plan_), "starting");
    try {
      make(transform, from, to, type, stream);
    } catch (...) {
      static_cast<void>(call_.destroy(plan_));
      throw;
    }
  }
  ~CufftPlan() { static_cast<void>(call_.destroy(plan_)); }
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;

  [[nodiscard]] cufftHandle get() const { return plan_; }
  [[nodiscard]] std::size_t workspace_bytes() const { return workspace_bytes_; }

 private:
  void make(const PlaneTransform& transform,
            PlaneArray from,
            PlaneArray to,
            cufftType type,
            cudaStream_t stream) {
    const int rows = transform.points[transform.second];
    const int planes = transform.points[third_axis(Axis::x, transform.second)];
    const bool has_rows = rows > 1;
    long long sizes[2] = {rows, transform.points.nx};
    long long from_rows[2] = {rows, from.row};
    long long to_rows[2] = {rows, to.row};
    const int skipped = has_rows ? 0 : 1;
    check_cufft(call_.set_auto_allocation(plan_, 0), "planning");
    check_cufft(call_.make_plan(plan_,
                                2 - skipped,
                                sizes + skipped,
                                from_rows + skipped,
                                1,
                                from.plane,
                                to_rows + skipped,
                                1,
                                to.plane,
                                type,
                                planes,
                                &workspace_bytes_),
                "planning");
    check_cufft(call_.set_stream(plan_, stream), "planning");
  }

  const CufftFunctions<Real>& call_;
  cufftHandle plan_ = 0;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace

template <class Real>
struct CufftPlanes<Real>::Plans {
  CufftFunctions<Real> call;
  CufftPlan<Real> forward, inverse;
  DeviceArray<std::byte> workspace;

  Plans(const PlaneTransform& transform, PlaneArray field, PlaneArray modes, cudaStream_t stream)
      : forward(call,
                transform,
                field,
                modes,
                CufftFunctions<Real>::is_float ? CUFFT_R2C : CUFFT_D2Z,
                stream),
        inverse(call,
                transform,
                modes,
                field,
                CufftFunctions<Real>::is_float ? CUFFT_C2R : CUFFT_Z2D,
                stream) {}
};

template <class Real>
CufftPlanes<Real>::CufftPlanes(const PlaneTransform& transform,
                               Strides field,
                               Strides modes,
                               cudaStream_t stream) {
  const Axis third = third_axis(Axis::x, transform.second);
  plans_ =
      std::make_unique<Plans>(transform,
                              PlaneArray{field.along(transform.second), field.along(third)},
                              PlaneArray{modes.along(transform.second) / 2, modes.along(third) / 2},
                              stream);
}

template <class Real>
CufftPlanes<Real>::CufftPlanes(CufftPlanes&&) noexcept = default;
template <class Real>
CufftPlanes<Real>& CufftPlanes<Real>::operator=(CufftPlanes&&) noexcept = default;
template <class Real>
CufftPlanes<Real>::~CufftPlanes() = default;

template <class Real>
std::size_t CufftPlanes<Real>::workspace_bytes() const {
  constexpr std::size_t least = 256;  // cuFFT wants some memory even when it needs none
  return std::max({least, plans_->forward.workspace_bytes(), plans_->inverse.workspace_bytes()});
}

template <class Real>
void CufftPlanes<Real>::take_workspace(DeviceArray<std::byte> workspace) {
  plans_->workspace = std::move(workspace);
  for (const auto* plan : {&plans_->forward, &plans_->inverse}) {
    check_cufft(plans_->call.set_work_area(plan->get(), plans_->workspace.data()), "planning");
  }
}

template <class Real>
void CufftPlanes<Real>::forward(const Real* field, Real* modes) const {
  using Complex = std::conditional_t<std::is_same_v<Real, float>, cufftComplex, cufftDoubleComplex>;
  // cuFFT takes no pointers to const; it does not write to the field.
  check_cufft(
      plans_->call.execute(
          plans_->forward.get(), const_cast<Real*>(field), reinterpret_cast<Complex*>(modes)),
      "transforming");
}

template <class Real>
void CufftPlanes<Real>::inverse(Real* modes, Real* field) const {
  using Complex = std::conditional_t<std::is_same_v<Real, float>, cufftComplex, cufftDoubleComplex>;
  check_cufft(
      plans_->call.execute_back(plans_->inverse.get(), reinterpret_cast<Complex*>(modes), field),
      "transforming back");
}

template class CufftPlanes<float>;
template class CufftPlanes<double>;

}  // namespace dns
