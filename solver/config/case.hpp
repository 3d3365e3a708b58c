/// The case: what to compute, resolved and checked. All numbers are double and non-dimensional:
/// lengths in L, velocities in U, times in L/U, temperatures in T0 of the user's choice.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/config/expression.hpp"
#include "solver/core/flow_state.hpp"

namespace dns {

enum class Scheme { splitting };
enum class DeviceChoice { automatic, cpu, cuda };

struct GridCase {
  Extents points;                         // nodes, boundary nodes included (periodic: distinct)
  std::array<double, 3> length{1, 1, 1};  // [L]
  std::array<double, 3> origin{0, 0, 0};  // [L] coordinates of the first node
};

struct FluidCase {
  double reynolds = 0;             // U L / nu
  double prandtl = 0;              // nu / thermal diffusivity
  double heat_capacity_ratio = 0;  // c_p / c_v
};

enum class FaceKind { periodic, wall, inflow, outflow, symmetry };
enum class TemperatureCondition { value, gradient };  // gradient: along the outward normal

struct FaceCase {
  FaceKind kind = FaceKind::wall;
  std::array<Expression, 3> velocity;  // wall, inflow: value [U]
  TemperatureCondition temperature_condition = TemperatureCondition::value;  // wall, inflow
  Expression temperature;  // value [T0] or outward normal derivative [T0/L]
};

/// Index into Case::faces: x_min, x_max, y_min, y_max, z_min, z_max.
[[nodiscard]] constexpr std::size_t face_index(int axis, bool is_high_end) {
  return 2 * static_cast<std::size_t>(axis) + (is_high_end ? 1 : 0);
}

struct NoiseCase {
  double amplitude = 0;  // [U] uniform in [-amplitude, amplitude], each velocity component
  std::uint64_t seed = 1;
};

struct InitialCase {
  std::array<Expression, 3> velocity;  // [U], of x, y, z
  Expression temperature{1.0};         // [T0], of x, y, z
  std::optional<std::string> file;     // instead: a snapshot or checkpoint of the same grid
  NoiseCase noise;
};

struct TimeCase {
  double step = 0;            // [L/U]
  std::int64_t steps = 0;     // number of steps of the whole run
  std::optional<double> end;  // as given instead of steps [L/U]
  int global_iterations = 1;
  int local_iterations = 1;
  std::optional<double> global_tolerance;  // [U], [T0]
  int max_global_iterations = 1;           // with global_tolerance
};

struct FieldOutputCase {
  std::int64_t every = 0;  // steps; 0: none
  Precision precision = Precision::single_precision;
  bool velocity = true;
  bool temperature = true;
  int compression = 0;  // gzip level 0..9
};

struct OutputCase {
  std::string directory;
  FieldOutputCase fields;
  std::int64_t timeseries_every = 1;  // steps; 0: none
  std::int64_t checkpoint_every = 0;  // steps; 0: only when stopped early
  int checkpoint_keep = 2;
};

struct RunCase {
  std::optional<double> wall_time_limit;  // [s]
  int threads = 0;                        // 0: OMP_NUM_THREADS or all cores of the job
};

struct Case {
  std::string name;
  Scheme scheme = Scheme::splitting;
  DeviceChoice device = DeviceChoice::automatic;
  Precision precision = Precision::double_precision;
  GridCase grid;
  FluidCase fluid;
  std::array<FaceCase, 6> faces;  // see face_index
  InitialCase initial;
  TimeCase time;
  OutputCase output;
  RunCase run;

  [[nodiscard]] bool is_periodic(int axis) const {
    return faces[face_index(axis, false)].kind == FaceKind::periodic;
  }
};

}  // namespace dns
