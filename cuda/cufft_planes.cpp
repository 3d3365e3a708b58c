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
  using ExecuteComplex =
      std::conditional_t<is_float, decltype(cufftExecC2C), decltype(cufftExecZ2Z)>;

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
  ExecuteComplex* execute_complex =
      library.function<ExecuteComplex>(is_float ? "cufftExecC2C" : "cufftExecZ2Z");
};

constexpr std::size_t least_workspace = 256;  // cuFFT wants some even when it needs none

template <class Real>
using Complex = std::conditional_t<std::is_same_v<Real, float>, cufftComplex, cufftDoubleComplex>;

/// Where an array of transforms lies, in units of its real or complex numbers.
struct TransformArray {
  long long row;   // from a row of a plane to the next
  long long step;  // from a number to the next
  long long next;  // from a transform to the next
};

/// Transforms of planes, or of lines where there is one row.
struct TransformShape {
  int rows, numbers;  // of a row
  long long count;
};

template <class Real>
class CufftPlan {
 public:
  CufftPlan(const CufftFunctions<Real>& call,
            const TransformShape& shape,
            TransformArray from,
            TransformArray to,
            cufftType type,
            cudaStream_t stream)
      : call_(call) {
    check_cufft(call_.create(&plan_), "starting");
    try {
      make(shape, from, to, type, stream);
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
  void take_workspace(std::byte* workspace) const {
    check_cufft(call_.set_work_area(plan_, workspace), "planning");
  }

 private:
  void make(const TransformShape& shape,
            TransformArray from,
            TransformArray to,
            cufftType type,
            cudaStream_t stream) {
    long long sizes[2] = {shape.rows, shape.numbers};
    long long from_rows[2] = {shape.rows, from.row};
    long long to_rows[2] = {shape.rows, to.row};
    const int skipped = shape.rows > 1 ? 0 : 1;
    check_cufft(call_.set_auto_allocation(plan_, 0), "planning");
    check_cufft(call_.make_plan(plan_,
                                2 - skipped,
                                sizes + skipped,
                                from_rows + skipped,
                                from.step,
                                from.next,
                                to_rows + skipped,
                                to.step,
                                to.next,
                                type,
                                shape.count,
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

  Plans(const TransformShape& shape,
        TransformArray field,
        TransformArray modes,
        cudaStream_t stream)
      : forward(call,
                shape,
                field,
                modes,
                CufftFunctions<Real>::is_float ? CUFFT_R2C : CUFFT_D2Z,
                stream),
        inverse(call,
                shape,
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
  const auto& [points, second] = transform;
  const Axis third = third_axis(Axis::x, second);
  plans_ =
      std::make_unique<Plans>(TransformShape{points[second], points.nx, points[third]},
                              TransformArray{field.along(second), 1, field.along(third)},
                              TransformArray{modes.along(second) / 2, 1, modes.along(third) / 2},
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
  return std::max(
      {least_workspace, plans_->forward.workspace_bytes(), plans_->inverse.workspace_bytes()});
}

template <class Real>
void CufftPlanes<Real>::take_workspace(DeviceArray<std::byte> workspace) {
  plans_->workspace = std::move(workspace);
  plans_->forward.take_workspace(plans_->workspace.data());
  plans_->inverse.take_workspace(plans_->workspace.data());
}

template <class Real>
void CufftPlanes<Real>::forward(const Real* field, Real* modes) const {
  // cuFFT takes no pointers to const; it does not write to the field.
  check_cufft(
      plans_->call.execute(
          plans_->forward.get(), const_cast<Real*>(field), reinterpret_cast<Complex<Real>*>(modes)),
      "transforming");
}

template <class Real>
void CufftPlanes<Real>::inverse(Real* modes, Real* field) const {
  check_cufft(plans_->call.execute_back(
                  plans_->inverse.get(), reinterpret_cast<Complex<Real>*>(modes), field),
              "transforming back");
}

template <class Real>
struct CufftLines<Real>::Plan {
  CufftFunctions<Real> call;
  CufftPlan<Real> plan;
  DeviceArray<std::byte> workspace;

  /// In place.
  Plan(const TransformShape& shape, TransformArray modes, cudaStream_t stream)
      : plan(call,
             shape,
             modes,
             modes,
             CufftFunctions<Real>::is_float ? CUFFT_C2C : CUFFT_Z2Z,
             stream) {}
};

/// All lines through a plane, one after the other as its numbers are; along x all rows, also those
/// between planes, so that they are at equal distances.
template <class Real>
CufftLines<Real>::CufftLines(const LineTransform& transform,
                             Strides from,
                             Strides to,
                             cudaStream_t stream) {
  const auto& [kind, axis, points] = transform;
  if (kind == LineTransformKind::cosine) {
    cosine_.emplace(points, from, to, stream);
    plan_ = std::make_unique<Plan>(TransformShape{1, points.nx, cosine_->count()},
                                   TransformArray{points.nx, 1, cosine_->distance()},
                                   stream);
    return;
  }
  if (kind == LineTransformKind::waves) {
    const int rows = from.z / from.y * (points.nz - 1) + points.ny;
    waves_.emplace(PlaneTransform{{points.nx, 1, rows}, Axis::y},
                   Strides{from.y, from.y},
                   Strides{to.y, to.y},
                   stream);
    return;
  }
  const long long numbers = points[axis];
  const long long step = from.along(axis) / 2;
  plan_ = std::make_unique<Plan>(
      TransformShape{1, points[axis], static_cast<long long>(points.count()) / 2 / numbers},
      TransformArray{numbers, step, 1},
      stream);
}

template <class Real>
CufftLines<Real>::CufftLines(CufftLines&&) noexcept = default;
template <class Real>
CufftLines<Real>& CufftLines<Real>::operator=(CufftLines&&) noexcept = default;
template <class Real>
CufftLines<Real>::~CufftLines() = default;

template <class Real>
std::size_t CufftLines<Real>::workspace_bytes() const {
  if (waves_) return waves_->workspace_bytes();
  return std::max(least_workspace, plan_->plan.workspace_bytes());
}

template <class Real>
void CufftLines<Real>::take_workspace(DeviceArray<std::byte> workspace) {
  if (waves_) return waves_->take_workspace(std::move(workspace));
  plan_->workspace = std::move(workspace);
  plan_->plan.take_workspace(plan_->workspace.data());
}

template <class Real>
void CufftLines<Real>::execute(Real* modes, int direction) const {
  auto* const numbers = reinterpret_cast<Complex<Real>*>(modes);
  check_cufft(plan_->call.execute_complex(plan_->plan.get(), numbers, numbers, direction),
              "transforming lines");
}

template <class Real>
void CufftLines<Real>::forward(const Real* from, Real* to) const {
  if (waves_) return waves_->forward(from, to);
  if (cosine_) cosine_->before_forward(from, to);
  execute(to, CUFFT_FORWARD);
  if (cosine_) cosine_->after_forward(to);
}

template <class Real>
void CufftLines<Real>::inverse(Real* from, Real* to) const {
  if (waves_) return waves_->inverse(from, to);
  if (!cosine_) return execute(to, CUFFT_INVERSE);
  cosine_->before_inverse(from);
  execute(from, CUFFT_INVERSE);
  cosine_->after_inverse(from, to);
}

template class CufftPlanes<float>;
template class CufftPlanes<double>;
template class CufftLines<float>;
template class CufftLines<double>;

}  // namespace dns
