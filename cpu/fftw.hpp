/// FFTW's functions for float and double under the same names.
#pragma once

#include <fftw3.h>

#include <memory>
#include <mutex>
#include <type_traits>

#include "solver/core/error.hpp"

namespace dns {

template <class Real>
struct Fftw;

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  using Dimension = fftw_iodim;
  static constexpr auto plan_complex = fftw_plan_guru_dft;
  static constexpr auto plan_real_to_real = fftw_plan_guru_r2r;
  static constexpr auto plan_real_to_complex = fftw_plan_guru_dft_r2c;
  static constexpr auto plan_complex_to_real = fftw_plan_guru_dft_c2r;
  static constexpr auto execute_complex = fftw_execute_dft;
  static constexpr auto execute_real_to_real = fftw_execute_r2r;
  static constexpr auto execute_real_to_complex = fftw_execute_dft_r2c;
  static constexpr auto execute_complex_to_real = fftw_execute_dft_c2r;
  static constexpr auto destroy = fftw_destroy_plan;
};

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  using Dimension = fftwf_iodim;
  static constexpr auto plan_complex = fftwf_plan_guru_dft;
  static constexpr auto plan_real_to_real = fftwf_plan_guru_r2r;
  static constexpr auto plan_real_to_complex = fftwf_plan_guru_dft_r2c;
  static constexpr auto plan_complex_to_real = fftwf_plan_guru_dft_c2r;
  static constexpr auto execute_complex = fftwf_execute_dft;
  static constexpr auto execute_real_to_real = fftwf_execute_r2r;
  static constexpr auto execute_real_to_complex = fftwf_execute_dft_r2c;
  static constexpr auto execute_complex_to_real = fftwf_execute_dft_c2r;
  static constexpr auto destroy = fftwf_destroy_plan;
};

/// FFTW's planner, unlike its transforms, serves one thread at a time.
inline std::mutex& fftw_planner() {
  static std::mutex planner;
  return planner;
}

/// Owns a plan of FFTW.
template <class Real>
class FftwPlan {
 public:
  /// The plan that make() returns. Throws DeviceError if FFTW has made none.
  template <class Make>
  explicit FftwPlan(const Make& make) {
    {
      const std::lock_guard lock(fftw_planner());
      plan_.reset(make());
    }
    if (plan_ == nullptr) throw DeviceError("FFTW cannot plan a transform");
  }

  [[nodiscard]] typename Fftw<Real>::Plan get() const { return plan_.get(); }

 private:
  struct Destroy {
    void operator()(typename Fftw<Real>::Plan plan) const {
      const std::lock_guard lock(fftw_planner());
      Fftw<Real>::destroy(plan);
    }
  };
  std::unique_ptr<std::remove_pointer_t<typename Fftw<Real>::Plan>, Destroy> plan_;
};

/// Arrays to make plans by estimate for: FFTW does not touch them, only their alignment matters.
template <class Real>
struct AlignedForPlans {
  alignas(64) Real first[64];
  alignas(64) Real second[64];
};

}  // namespace dns
