/// The case: what to compute, resolved and checked. All numbers are double and non-dimensional:
/// lengths in L, velocities in U, times in L/U, temperatures in T0 of the user's choice.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/expression.hpp"
#include "solver/core/flow_state.hpp"
#include "solver/core/index.hpp"
#include "solver/core/names.hpp"

namespace dns {

enum class Scheme { splitting, projection };
inline constexpr std::array<std::string_view, 2> scheme_names{"splitting", "projection"};
enum class DeviceChoice { automatic, cpu, cuda };
inline constexpr std::array<std::string_view, 3> device_names{"auto", "cpu", "cuda"};
[[nodiscard]] constexpr std::string_view name_of(Scheme scheme) {
  return name_in(scheme_names, scheme);
}
[[nodiscard]] constexpr std::string_view name_of(DeviceChoice device) {
  return name_in(device_names, device);
}

/// How the cells of an axis are distributed over its length. Scheme projection only.
struct StretchingCase {
  enum class Kind { uniform, tanh, coordinates };
  static constexpr std::array<std::string_view, 3> kind_names{"uniform", "tanh", "coordinates"};
  enum class FineAt { low, high, both };
  static constexpr std::array<std::string_view, 3> fine_at_names{"low", "high", "both"};
  Kind kind = Kind::uniform;
  double factor = 0;                // tanh: the larger, the finer at its fine ends
  std::vector<double> coordinates;  // coordinates: of the n + 1 faces, ascending [L]
  FineAt fine_at = FineAt::both;    // tanh
};

struct GridCase {
  Extents points;  // splitting: nodes, boundary nodes included (periodic: distinct);
                   // projection: cells
  PerAxis<double> length{1, 1, 1};  // [L]
  PerAxis<double> origin{0, 0, 0};  // [L] coordinates of the first node or face
  PerAxis<StretchingCase> stretching;
};

/// The order of differences along x, y and z: 2, 4, 6 or 8; above 2 along uniform axes that are
/// periodic or end at two planes of symmetry, and 4 along y between boundaries of other kinds, on
/// stretched cells too (order_of_axes.hpp). Scheme projection only.
struct AccuracyCase {
  PerAxis<int> order{2, 2, 2};

  [[nodiscard]] bool is_high() const { return order != PerAxis<int>{2, 2, 2}; }
};

struct FluidCase {
  double reynolds = 0;               // U L / nu
  double prandtl = 0;                // nu / thermal diffusivity; projection: 0 without temperature
  double heat_capacity_ratio = 1.4;  // c_p / c_v; splitting only
};

/// What may be imposed on temperature, and how it is stored.
struct TemperatureCase {
  PerAxis<double> mean_gradient{};  // imposed, along periodic axes [T0/L]
  std::optional<double> reference;  // references.hpp; none: found [T0]
};

/// A scalar that the flow carries besides temperature; its unit is the user's choice. Its value is
/// mean_gradient . x and what is solved for. Scheme projection only.
struct ScalarCase {
  std::string name;                 // letters, digits, '_'
  double prandtl = 0;               // nu / diffusivity
  Expression initial;               // of x, y, z
  Expression source;                // of x, y, z, t [U/L]
  PerAxis<double> mean_gradient{};  // [1/L]
  double buoyancy = 0;              // its weight where temperature has 1 [T0]
  std::optional<double> reference;  // references.hpp; none: found
};

/// A vector over its length, which is not 0.
[[nodiscard]] inline PerAxis<double> of_length_one(PerAxis<double> vector) {
  const double largest = std::max({std::abs(vector[0]), std::abs(vector[1]), std::abs(vector[2])});
  for (double& component : vector) component /= largest;
  const double length = std::hypot(vector[0], vector[1], vector[2]);
  for (double& component : vector) component /= length;
  return vector;
}

/// Acceleration beta (T - reference_temperature + SUM weight scalar) e [U^2/L], with beta either
/// richardson or rayleigh/(prandtl reynolds^2) and e of length one. Scheme projection only.
struct BuoyancyCase {
  std::optional<double> rayleigh, richardson;  // one of the two; richardson [U^2/(L T0)]
  PerAxis<double> direction{0, 1, 0};          // of e, of any length but 0
  double reference_temperature = 0;            // [T0]
};

/// The frame turns; scheme projection only.
struct RotationCase {
  PerAxis<double> rate{};  // angular velocity Omega [U/L]
};

/// A uniform magnetic field acts on the current that the flow induces in it; scheme projection
/// only.
struct MagneticCase {
  /// Mean current along periodic axes: none, or what flows where the mean electric field is 0.
  enum class NetCurrent { zero, free };
  static constexpr std::array<std::string_view, 2> net_current_names{"zero", "free"};
  PerAxis<double> field{0, 1, 0};  // of any length but 0
  double hartmann = 0;             // with L = 1
  NetCurrent net_current = NetCurrent::zero;

  /// b, of length one.
  [[nodiscard]] PerAxis<double> direction() const { return of_length_one(field); }
};

/// A region where the flow is drawn towards a target: an acceleration rate (target - velocity), and
/// likewise a source of scalars.
struct SpongeCase {
  std::string name;                                // letters, digits, '_', '-'
  Expression rate;                                 // of x, y, z [U/L]
  std::optional<PerAxis<Expression>> velocity;     // target [U]; none: not drawn
  std::optional<Expression> temperature;           // target [T0]; none: not drawn
  std::vector<std::optional<Expression>> scalars;  // likewise, of each of Case::scalars
};

/// A region with friction: an acceleration - rate velocity.
struct DragCase {
  std::string name;  // letters, digits, '_', '-'
  Expression rate;   // of x, y, z [U/L]
};

/// What drives the flow besides its boundaries.
struct ForcingCase {
  enum class Kind { none, pressure_gradient, bulk_velocity, formula };
  static constexpr std::array<std::string_view, 4> kind_names{
      "", "pressure_gradient", "bulk_velocity", "formula"};
  Kind kind = Kind::none;
  /// pressure_gradient: the acceleration -dp/dx [U^2/L]; bulk_velocity: the mean velocity held [U],
  /// along periodic axes only, the other components are 0 and not driven.
  PerAxis<double> value{};
  // Beside any kind but none:
  PerAxis<Expression> acceleration;  // of x, y, z, t [U^2/L]
  Expression heat;                   // source of temperature, of x, y, z, t [T0 U/L]
  double linear = 0;                 // acceleration over velocity [U/L]
  std::vector<SpongeCase> sponges;   // in the order of the file
  std::vector<DragCase> drag;        // likewise

  /// Whether a uniform acceleration drives the flow, given or found (scheme projection).
  [[nodiscard]] bool is_uniform() const {
    return kind == Kind::pressure_gradient || kind == Kind::bulk_velocity;
  }
};

enum class FaceKind { periodic, wall, inflow, outflow, symmetry };
inline constexpr std::array<std::string_view, 5> face_kind_names{
    "periodic", "wall", "inflow", "outflow", "symmetry"};
[[nodiscard]] constexpr std::string_view name_of(FaceKind kind) {
  return name_in(face_kind_names, kind);
}

/// A file that a case names.
struct FileCase {
  std::string path;     // absolute
  std::string content;  // the checksum of its bytes
};

/// Values at an inflow from a file: a profile, or planes recorded by another run.
struct InflowFileCase {
  enum class Kind { profile, planes };
  static constexpr std::array<std::string_view, 2> kind_names{"profile", "planes"};
  /// What follows on the last plane: the first, the last one held, or the end of the run.
  enum class Beyond { repeat, hold, stop };
  static constexpr std::array<std::string_view, 3> beyond_names{"repeat", "hold", "stop"};
  Kind kind = Kind::profile;
  FileCase file;
  Beyond beyond = Beyond::repeat;  // a profile with times: hold; one without has no end

  [[nodiscard]] bool changes_with_time() const {
    return kind == Kind::planes || beyond == Beyond::hold;
  }
};

/// Synthetic turbulence at an inflow.
struct InflowTurbulenceCase {
  FileCase stresses;          // Reynolds stresses across the face [U^2]
  PerAxis<double> lengths{};  // integral lengths along x, y, z [L]
  std::uint64_t seed = 1;
};

/// A scalar q at a face: its value; its derivative along the outward normal, dq/dn [1/L]; or
/// dq/dn = transfer (outside - q). By default symmetry planes let nothing pass, and outflows carry
/// out what comes.
struct ScalarAtFace {
  enum class Condition { value, gradient, transfer, by_default };
  Condition condition = Condition::value;
  Expression given;                    // the value, the gradient, or what is outside
  double transfer = 0;                 // [1/L]
  std::optional<InflowFileCase> file;  // inflow: instead of the formula
  double reference = 0;                // that the values of the file are without
};

/// What an outflow does with fluid that comes back in: nothing, or it slows it down.
enum class Backflow { free, stabilised };
inline constexpr std::array<std::string_view, 2> backflow_names{"free", "stabilised"};

struct FaceCase {
  FaceKind kind = FaceKind::wall;
  PerAxis<Expression> velocity;  // wall, inflow: value [U]
  /// Wall: du/dn of the components along it, instead of their values; n into the fluid [U/L].
  PerAxis<std::optional<Expression>> shear;
  Expression slip_length;              // wall: u - velocity = slip_length du/dn along it [L]
  std::vector<ScalarAtFace> scalars;   // all that the flow has, temperature first
  Backflow backflow = Backflow::free;  // outflow
  // inflow:
  std::optional<InflowFileCase> velocity_file;     // instead of the formulas
  std::optional<InflowTurbulenceCase> turbulence;  // added to the velocity

  /// Whether the velocity is given; else it follows from the kind of the face.
  [[nodiscard]] bool gives_velocity() const {
    return kind == FaceKind::wall || kind == FaceKind::inflow;
  }
  [[nodiscard]] const ScalarAtFace& scalar(int variable) const {
    return scalars.at(variable - first_scalar);
  }
  [[nodiscard]] bool has_shear() const {
    return std::ranges::any_of(shear, [](const auto& along) { return along.has_value(); });
  }
  /// Whether there is a condition on a variable that does not follow from the kind of the face.
  [[nodiscard]] bool gives(int variable) const {
    if (is_velocity(variable)) return gives_velocity();
    return kind != FaceKind::periodic &&
           scalar(variable).condition != ScalarAtFace::Condition::by_default;
  }
};

/// Index into Case::faces, and into face_names.
[[nodiscard]] constexpr int face_index(AxisOrNumber auto axis, bool is_high_end) {
  return 2 * static_cast<int>(axis) + (is_high_end ? 1 : 0);
}

/// A scalar at the surface of a body: its value; its flux into the fluid, that given or, n the
/// outward normal, -D dq/dn = D transfer (outside - q); or the body conducts it as the fluid does,
/// with a conductivity and a heat capacity of its own.
struct ScalarAtBody {
  enum class Condition { value, flux, transfer, conducting };
  Condition condition = Condition::value;
  double value = 0;          // with a transfer: what is outside
  double flux = 0;           // [U], [U T0]
  double transfer = 0;       // [1/L]
  double conductivity = 1;   // over that of the fluid
  double heat_capacity = 1;  // of a volume, over that of the fluid

  [[nodiscard]] bool gives_value() const { return condition == Condition::value; }
  [[nodiscard]] bool conducts() const { return condition == Condition::conducting; }
  /// Nothing passes but what the surface gives.
  [[nodiscard]] bool is_closed() const {
    return condition == Condition::flux || condition == Condition::transfer;
  }
  [[nodiscard]] bool is_insulated() const { return condition == Condition::flux && flux == 0; }
  /// The most that diffusion in the body and beside it may be over that of the fluid.
  [[nodiscard]] double largest_diffusion() const {
    return conducts() ? std::max(conductivity, 1.0) / std::min(heat_capacity, 1.0) : 1;
  }
  /// `value` means something.
  [[nodiscard]] bool has_value() const {
    return gives_value() || (condition == Condition::transfer && transfer != 0);
  }
};

/// What forces on a body are divided by to make coefficients, and frequencies multiplied by; what
/// is not given comes from the stream and the shape (python/dnsflow/coefficients.py). Nusselt
/// numbers are in the time series where the difference is given. No part of the flow.
struct BodyReferenceCase {
  std::optional<double> velocity;                // [U]
  std::optional<double> area;                    // [L^2]
  std::optional<double> length;                  // [L]
  std::optional<double> temperature_difference;  // of the body and the stream [T0]
  std::optional<double> surface;                 // that heat passes [L^2]
};

/// Prescribed motion of a body through the grid.
struct MotionCase {
  PerAxis<Expression> velocity;  // of center, of t [U]
  PerAxis<Expression> rotation;  // angular velocity about center, of t [U/L]
};

/// Motion of a body by its weight and the forces of the flow.
struct FreeCase {
  static constexpr std::array<std::string_view, 4> fixed_names{"x", "y", "z", "rotation"};
  double density = 1;              // over that of the fluid
  PerAxis<double> gravity{};       // [U^2/L]
  PerAxis<double> velocity{};      // of center at the start [U]
  PerAxis<double> rotation{};      // angular velocity about center at the start [U/L]
  std::vector<std::string> fixed;  // what stays as it is at the start, of fixed_names

  [[nodiscard]] bool keeps(std::string_view what) const {
    return std::ranges::find(fixed, what) != fixed.end();
  }
};

/// A spring and a damper along each axis, per mass, and about each axis, per moment of inertia of
/// the fluid that a body displaces.
struct SpringCase {
  PerAxis<double> stiffness{};        // [U^2/L^2]
  PerAxis<double> damping{};          // [U/L]
  std::optional<PerAxis<double>> at;  // where they have no force; none: center [L]
  double torsion = 0;                 // [U^2/L^2]
};

/// Repulsion of a free body by others near it and by walls.
struct CollisionCase {
  double distance = 2;              // gaps below it, in cells, are repelled
  std::optional<double> stiffness;  // at contact, per mass of the displaced fluid [U^2/L]
};

/// A solid body in the flow, with the velocity V0 + Omega x (x - center) in it and on its surface;
/// or several free ones that are alike but for their places.
struct SolidCase {
  static constexpr int most_free = 256;  // bodies of all entries
  enum class Shape { sphere, cylinder, box, formula, stl };
  static constexpr std::array<std::string_view, 5> shape_names{
      "sphere", "cylinder", "box", "formula", "stl"};
  std::string name;  // letters, digits, '_'
  Shape shape = Shape::sphere;
  PerAxis<double> center{};          // [L]
  double radius = 0;                 // sphere, cylinder [L]
  int axis = 2;                      // cylinder
  std::optional<double> length;      // cylinder, half of it on each side of center; none: endless
  PerAxis<double> low{}, high{};     // box: its corners [L]
  Expression surface;                // formula: of x, y, z, not above 0 in the body
  FileCase file;                     // stl
  double scale = 1;                  // stl: first scaled, then turned, then moved
  PerAxis<double> orientation{};     // stl: turned about x, y, z in turn [degrees]
  PerAxis<double> translation{};     // stl [L]
  PerAxis<double> velocity{};        // V0 [U]
  PerAxis<double> rotation{};        // Omega [U/L]
  std::optional<MotionCase> motion;  // neither this nor `free`: the body stays where it is
  std::optional<FreeCase> free;
  std::optional<SpringCase> spring;         // with `free`
  std::optional<CollisionCase> collisions;  // with `free`; none: those of a CollisionCase
  int count = 0;                            // with `free`: so many bodies; 0: one, at center
  PerAxis<Expression> positions;            // of these, of n, r1, r2, r3 [L]
  std::optional<FileCase> places;           // instead of count and positions
  std::uint64_t seed = 1;                   // of r1, r2, r3
  std::string entry;                        // one of several: the name that all of them have,
  int number = 0;                           // and which of them it is
  std::vector<ScalarAtBody> scalars;        // all that the flow has, temperature first
  std::optional<BodyReferenceCase> reference;

  [[nodiscard]] const ScalarAtBody& scalar(int variable) const {
    return scalars.at(variable - first_scalar);
  }
  /// What springs and collisions of free bodies take for virtual mass, over the displaced fluid:
  /// twice the added mass of potential flow, and 1 along a cylinder.
  [[nodiscard]] double virtual_mass(int along) const {
    return shape == Shape::cylinder && along != axis ? 2 : 1;
  }
  /// Whether it may change its place.
  [[nodiscard]] bool is_mobile() const { return motion || free; }
  /// Whether it may turn as it moves.
  [[nodiscard]] bool turns() const {
    if (free) return !free->keeps("rotation") || free->rotation != PerAxis<double>{};
    return motion && std::ranges::any_of(motion->rotation, [](const Expression& formula) {
             return !formula.is_zero();
           });
  }
  /// Whether it stands for several bodies.
  [[nodiscard]] bool is_several() const { return count > 0 || places; }
  /// Whether it is one of several.
  [[nodiscard]] bool is_one_of_several() const { return !entry.empty(); }
  /// The key that gives it.
  [[nodiscard]] std::string path() const { return "solids." + (entry.empty() ? name : entry); }
  /// Whether its surface may have a velocity.
  [[nodiscard]] bool moves() const {
    const PerAxis<double> rest{};
    return is_mobile() || velocity != rest || rotation != rest;
  }
};

struct NoiseCase {
  double amplitude = 0;  // [U] uniform in [-amplitude, amplitude], each velocity component
  std::uint64_t seed = 1;
};

/// A laminar channel or duct flow with a divergence-free perturbation. Scheme projection only.
struct TurbulentChannelCase {
  double bulk_velocity = 1;  // mean over the channel [U]
  int axis = 0;              // of the flow: 0, 1, 2
  double amplitude = 0.1;    // of the perturbation's components over bulk_velocity, about
};

/// The flow at the start: formulas, a file or a turbulent channel.
struct InitialCase {
  PerAxis<Expression> velocity;     // [U], of x, y, z
  Expression temperature{1.0};      // [T0], of x, y, z; unless a file has it
  std::optional<std::string> file;  // instead of `velocity`: a snapshot or checkpoint
  std::optional<TurbulentChannelCase> turbulent_channel;  // instead of `velocity`
  NoiseCase noise;
};

/// How scheme projection advances in time: Crank-Nicolson in factors, or three explicit stages.
enum class TimeScheme { implicit, runge_kutta };
inline constexpr std::array<std::string_view, 2> time_scheme_names{"implicit", "runge_kutta"};

/// TimeCase::steps of a run that ends at a time, in however many steps.
inline constexpr std::int64_t unlimited_steps = std::numeric_limits<std::int64_t>::max();

struct TimeCase {
  TimeScheme scheme = TimeScheme::implicit;
  std::optional<double> cfl;  // projection: held instead of a constant step
  double step = 0;            // [L/U]; with cfl: the largest allowed, infinite when there is none
  std::int64_t steps = 0;     // number of steps of the whole run; unlimited_steps: until `end`
  std::optional<double> end;  // as given instead of steps [L/U]; with cfl: where the run ends
  int global_iterations = 1;
  int local_iterations = 1;
  std::optional<double> global_tolerance;  // [U], [T0]
  int max_global_iterations = 1;           // with global_tolerance
  std::optional<int> body_projections;     // none: see Case::body_projections
  bool damping = true;                     // projection: of what a jump of a given value leaves
  PerAxis<bool> explicit_diffusion{};      // runge_kutta: between boundaries of uniform axes too
  /// Step and time [L/U] that the run begins at: those of a checkpoint, else 0.
  struct Beginning {
    std::int64_t step = 0;
    double time = 0;
  };
  Beginning begun_at{};
  std::vector<double> met_intervals;  // steps end at multiples of these, which callers want [L/U]

  /// Global iterations of a step at most.
  [[nodiscard]] int most_iterations() const {
    return global_tolerance ? max_global_iterations : global_iterations;
  }

  /// Whether a flow at `step` and `time` is the last one of the run. With `end` the time decides,
  /// also after a restart with another time step.
  [[nodiscard]] bool is_over(std::int64_t at_step, double at_time) const {
    return end ? at_time >= *end - round_off(at_step, at_time) : at_step >= steps;
  }
  /// The step from a time [L/U], of `longest` at most: the last ten steps before `end`, or fewer,
  /// are equal and end there. `longest` itself up to round-off.
  [[nodiscard]] double step_to_end(std::int64_t at_step, double at_time, double longest) const {
    constexpr double last_steps = 10;
    if (!end || is_over(at_step, at_time)) return longest;
    const double left = *end - at_time;
    if (left >= last_steps * longest) return longest;
    const double error = round_off(at_step, at_time);
    const double count = std::max(std::ceil((left - error) / longest), 1.0);
    return !cfl && left >= count * longest - error ? longest : left / count;
  }
  /// Gives met_intervals other values.
  void meet(const std::vector<double>& intervals) {
    met_intervals = intervals;
    if (end && !intervals.empty()) steps = unlimited_steps;
  }
  /// Counts the steps to `end` from there on, where the step is constant; see `begun_at`.
  void begin_at(std::int64_t at_step, double at_time) {
    begun_at = {at_step, at_time};
    if (!end || cfl || steps == unlimited_steps || is_over(at_step, at_time)) return;
    steps = at_step + static_cast<std::int64_t>(
                          std::ceil((*end - at_time - round_off(at_step, at_time)) / step));
  }

 private:
  /// What the time of a flow may lack by the round-off of its steps; with a constant step at least
  /// a part in 10^9 of it: so short a step is none [L/U].
  [[nodiscard]] double round_off(std::int64_t at_step, double at_time) const {
    constexpr double relative = 1e-12;
    constexpr double least = 1e-9;
    if (cfl) return relative * *end;
    return least * step +
           static_cast<double>(at_step) * at_time * std::numeric_limits<double>::epsilon();
  }
};

/// A step of a flow.
struct FlowMoment {
  std::int64_t step = 0;
  double time = 0;         // after it [L/U]
  double time_before = 0;  // before it, to the bit; of step 0 that less the first step [L/U]
};

/// Unit of an output interval given in time.
inline constexpr std::string_view unit_of_time = "L/U";

/// Relative round-off of a time that is a sum of steps.
inline constexpr double round_off_of_time = 1e-9;

/// How often something is written or sampled: every so many steps, or at the times
///
///   start + k T,   k = 0, 1, 2, ...,
///
/// each in the first step that reaches it. k follows from the times before and after a step, so
/// that a run that goes on from a checkpoint does the same; a k kept there would be wrong once
/// start or T change. Time before a step is the time after the step before to the bit: time less
/// the length of the step is not, and would miss a time within its round-off, or reach it twice.
struct Interval {
  std::int64_t steps = 0;
  double time = 0;  // T [L/U]; 0: in steps

  /// An interval of so many steps.
  constexpr Interval(std::int64_t of_steps = 0) : steps(of_steps) {}  // NOLINT: reads as a number
  static constexpr Interval of_time(double time) {
    Interval interval;
    interval.time = time;
    return interval;
  }

  [[nodiscard]] bool is_any() const { return steps > 0 || time > 0; }
  /// Whether this step is one of them; none is before `start` [L/U].
  [[nodiscard]] bool is_due(const FlowMoment& at, double start = 0) const {
    if (time > 0) {
      const double now = times_reached(at.time, start);
      return now >= 0 && now > times_reached(at.time_before, start);
    }
    return steps > 0 && at.step % steps == 0 && at.time >= start * (1 - round_off_of_time);
  }
  /// The first of the times after `now`; infinite where it counts steps [L/U].
  [[nodiscard]] double next_time(double now, double start = 0) const {
    if (!(time > 0)) return std::numeric_limits<double>::infinity();
    return start + std::max(times_reached(now, start) + 1, 0.0) * time;
  }
  friend bool operator==(const Interval&, const Interval&) = default;

 private:
  /// The largest k of which the time is reached.
  [[nodiscard]] double times_reached(double now, double start) const {
    return std::floor((now + round_off_of_time * std::abs(now) - start) / time);
  }
};

/// The length of a step that could be `longest`, so that steps of about that length end at a time
/// `left` from here: left/n with the fewest steps n; `longest` itself up to round-off, but in the
/// last step [L/U]. Where the next such time follows after `gap`, each step is
///
///   left/2 + gap
///
/// at most. Steps then shrink at most twofold, down to the last one of 2 gap at most.
[[nodiscard]] inline double step_that_meets(double left,
                                            double longest,
                                            double gap = std::numeric_limits<double>::infinity()) {
  if (!std::isfinite(left) || !(left > 0)) return longest;
  const double limit = std::min(longest, left / 2 + gap);
  const double count = std::ceil(left / limit * (1 - round_off_of_time));
  const double even = left / count;
  return count > 1 && even >= longest * (1 - round_off_of_time) ? longest : even;
}

/// When particles are released: `count` new ones at start + k every, k = 0, 1, 2, ..., up to `end`.
struct ReleaseCase {
  double start = 0;                                      // [L/U]
  Interval every{};                                      // 0: once
  double end = std::numeric_limits<double>::infinity();  // [L/U]
};

/// One kind of particles that the flow carries (solver/numerics/particle_step.hpp). Scheme
/// projection only.
struct SpeciesCase {
  enum class Drag { stokes, schiller_naumann };
  static constexpr std::array<std::string_view, 2> drag_names{"stokes", "schiller_naumann"};
  enum class Walls { bounce, absorb };
  static constexpr std::array<std::string_view, 2> walls_names{"bounce", "absorb"};
  enum class Interpolation { cubic, divergence_free };
  static constexpr std::array<std::string_view, 2> interpolation_names{"cubic", "divergence_free"};
  enum class Coupling { none, two_way };
  static constexpr std::array<std::string_view, 2> coupling_names{"none", "two_way"};
  static constexpr std::array<std::string_view, 4> force_names{
      "drag", "gravity", "pressure_gradient", "added_mass"};

  std::string name;                             // letters, digits, '_'
  std::int64_t count = 0;                       // of a release
  std::optional<FileCase> file;                 // instead of count and positions
  PerAxis<Expression> positions;                // of n, r1, r2, r3 [L]
  std::optional<PerAxis<Expression>> velocity;  // of x, y, z, n, r1, r2, r3; none: the fluid's [U]
  std::uint64_t seed = 1;
  ReleaseCase release;
  std::optional<double> diameter;  // [L]; without it and density: tracers
  std::optional<double> density;   // over that of the fluid
  std::vector<std::string> forces;
  Drag drag = Drag::stokes;
  std::optional<PerAxis<double>> gravity;  // [U^2/L]
  double restitution = 1;
  Walls walls = Walls::bounce;
  Interpolation interpolation = Interpolation::cubic;  // of the velocity of the fluid
  Coupling coupling = Coupling::none;
  double represents = 1;  // real particles for each computed one

  [[nodiscard]] bool is_tracer() const { return !diameter; }
  [[nodiscard]] bool acts_on_flow() const { return coupling == Coupling::two_way; }
  [[nodiscard]] bool has_force(std::string_view force) const {
    return std::ranges::find(forces, force) != forces.end();
  }
  /// C of the added mass.
  [[nodiscard]] double added_mass() const { return has_force("added_mass") ? 0.5 : 0; }
  /// tau = (rho + C) d^2/(18 nu) [L/U]; 0 of tracers.
  [[nodiscard]] double response_time(double viscosity) const {
    return is_tracer() ? 0 : (*density + added_mass()) * *diameter * *diameter / (18 * viscosity);
  }
};

struct FieldOutputCase {
  /// Where velocities are stored: interpolated to the centres of cells, or as computed, at their
  /// faces too.
  enum class Location { centers, faces };
  static constexpr std::array<std::string_view, 2> location_names{"centers", "faces"};
  Interval every;  // 0: none
  Precision precision = Precision::single_precision;
  Location location = Location::centers;  // faces: projection
  /// Names of arrays; pressure: projection, solid: where there are bodies.
  std::vector<std::string> variables{std::string(velocity_name), std::string(temperature_name)};
  int compression = 0;  // gzip level 0..9

  [[nodiscard]] bool has(std::string_view name) const {
    return std::ranges::find(variables, name) != variables.end();
  }
  [[nodiscard]] bool has_faces() const { return has(velocity_name) && location == Location::faces; }
  /// Fields of the derived arrays among them.
  [[nodiscard]] int derived_components() const {
    int count = 0;
    for (const DerivedField& field : derived_fields)
      count += has(field.name) ? field.components : 0;
    return count;
  }
  /// All that there may be besides scalars of the case, in the order of the file.
  static std::vector<std::string_view> all_variables() {
    std::vector<std::string_view> all{velocity_name, temperature_name, pressure_name, solid_name};
    for (const DerivedField& field : derived_fields) all.push_back(field.name);
    return all;
  }
};

/// A formula of the flow of which the mean is taken.
struct QuantityCase {
  std::string name;    // of its average: letters, digits, '_'
  Expression formula;  // its fields: u, v, w, p, then the scalars, temperature first
};

/// Averages by the time within a period.
struct PhaseCase {
  double period = 0;  // [L/U]
  int bins = 32;      // of equal length in each period, of which one begins at t = 0
};

/// Averages taken while the flow runs. Scheme projection only.
struct StatisticsCase {
  double start = 0;  // [L/U]
  Interval every = 10;
  PerAxis<bool> average{true, true, true};  // along which axes, all of them periodic
  std::optional<double> window;  // of time, each with averages of its own [L/U]; none: one for all
  bool budgets = false;          // of the Reynolds stresses
  PerAxis<bool> spectra{};       // along which axes, all of them averaged over
  std::vector<QuantityCase> quantities{};  // in the order of the file
  std::optional<PhaseCase> phase{};        // none: no averages by phase
  /// What a flow of differences lacks of each scalar; empty: nothing
  /// (solver/config/references.hpp).
  std::vector<double> references{};
};

/// A plane of the flow, drawn as a picture.
struct SliceCase {
  std::string name;                 // of its files: letters, digits, '_', '-'
  int axis = 2;                     // 0, 1, 2: the plane is normal to x, y, z
  double at = 0;                    // along that axis [L]
  std::string variable;             // velocity_x, ..., velocity_magnitude, temperature, pressure
  std::optional<double> low, high;  // range of the colours; none: that of the slice
};

struct SlicesCase {
  Interval every = 100;  // 0: no files
  int pixels = 512;      // along the longer side of a picture
  std::vector<SliceCase> planes;
};

/// A plane of the flow that is recorded as data.
struct PlaneCase {
  std::string name;  // of its files: letters, digits, '_', '-'
  int axis = 0;      // 0, 1, 2: the plane is normal to x, y, z
  double at = 0;     // along that axis [L]
};

struct PlanesCase {
  Interval every;
  double start = 0;  // [L/U]
  Precision precision = Precision::single_precision;
  std::vector<PlaneCase> planes;  // in the order of the file
};

/// Points of the flow that are recorded: one, or equally spaced ones on a line.
struct ProbeCase {
  std::string name;              // of its file: letters, digits, '_', '-'
  PerAxis<double> from{}, to{};  // the first and the last point [L]
  int count = 1;                 // 1: a point

  [[nodiscard]] bool is_line() const { return count > 1; }
  [[nodiscard]] PerAxis<double> place(int point) const {
    PerAxis<double> place = from;
    if (point == 0) return place;
    for (int axis = 0; axis < 3; ++axis) {
      place[axis] = point == count - 1 ? to[axis]
                                       : from[axis] + (to[axis] - from[axis]) * point / (count - 1);
    }
    return place;
  }
  friend bool operator==(const ProbeCase&, const ProbeCase&) = default;
};

struct ProbesCase {
  Interval every = 1;
  double start = 0;               // [L/U]
  std::vector<ProbeCase> probes;  // in the order of the file
};

/// Places of particles that do not come back through periodic ends, and diameters, in files.
inline constexpr std::string_view unwrapped_name = "unwrapped";
inline constexpr std::string_view diameter_name = "diameter";

/// Which particles of a species are written, and what of them besides their places.
struct TracksCase {
  std::string name;         // of the species
  std::int64_t stride = 1;  // ids that are multiples of it
  std::vector<std::string> variables{std::string(velocity_name)};

  static constexpr std::array<std::string_view, 4> variable_names{
      "velocity", "fluid_velocity", unwrapped_name, diameter_name};
  [[nodiscard]] bool has(std::string_view variable) const {
    return std::ranges::find(variables, variable) != variables.end();
  }
};

/// Places of particles over time.
struct TrajectoriesCase {
  Interval every = 100;
  double start = 0;  // [L/U]
  Precision precision = Precision::single_precision;
  std::vector<TracksCase> species;  // in the order of the file; none given: all, every particle
};

/// Means over particles by their place along an axis.
struct ParticleStatisticsCase {
  Interval every = 10;
  double start = 0;  // [L/U]
  int axis = 1;
  int bins = 0;  // of equal width; 0: the cells of the grid
};

/// When an output is written.
struct OutputTimes {
  std::string_view name;
  Interval every{};              // 0: not while the run goes on
  double start = 0;              // [L/U]
  std::string_view otherwise{};  // when, of an output without an interval
  bool is_plotted = false;       // by `dns plot`
};

struct OutputCase {
  std::string directory;
  FieldOutputCase fields;
  std::optional<SlicesCase> slices;
  std::optional<PlanesCase> planes;
  std::optional<ProbesCase> probes;
  Interval timeseries_every = 1;  // 0: none
  Interval checkpoint_every;      // 0: only where the run stops or ends
  int checkpoint_keep = 2;
  bool checkpoint_final = true;  // a finished run leaves one
  std::optional<StatisticsCase> statistics;
  std::optional<TrajectoriesCase> trajectories;
  std::optional<ParticleStatisticsCase> particle_statistics;
  bool exact_times = false;  // steps are shortened so that they end at the times of intervals

  /// The outputs that there are, in the order of descriptions.
  [[nodiscard]] std::vector<OutputTimes> times() const {
    std::vector<OutputTimes> all{
        {.name = "fields", .every = fields.every, .is_plotted = fields.every.is_any()},
        {.name = "time series", .every = timeseries_every, .is_plotted = timeseries_every.is_any()},
        {.name = "checkpoint", .every = checkpoint_every}};
    if (slices) all.push_back({.name = "slices", .every = slices->every});
    if (planes) all.push_back({.name = "planes", .every = planes->every, .start = planes->start});
    if (probes) all.push_back({.name = "probes", .every = probes->every, .start = probes->start});
    if (!checkpoint_every.is_any()) {
      all.push_back({.name = "checkpoint",
                     .otherwise = checkpoint_final ? "at the end" : "only when stopped"});
    }
    const auto add_plotted = [&all](const char* name, const auto& output) {
      if (!output) return;
      all.push_back(
          {.name = name, .every = output->every, .start = output->start, .is_plotted = true});
    };
    add_plotted("statistics", statistics);
    add_plotted("trajectories", trajectories);
    add_plotted("particle statistics", particle_statistics);
    return all;
  }
  /// The first time after `now` at which an interval of time is over, where steps are to end at
  /// it; else infinite [L/U].
  [[nodiscard]] double next_exact_time(double now) const {
    double next = std::numeric_limits<double>::infinity();
    if (!exact_times) return next;
    for (const OutputTimes& output : times())
      next = std::min(next, output.every.next_time(now, output.start));
    return next;
  }
};

struct RunCase {
  std::optional<double> wall_time_limit;  // [s]
  int threads = 0;                        // 0: OMP_NUM_THREADS or all cores of the job
};

/// A number that formulas of the case file name.
struct ParameterCase {
  std::string name;  // letters, digits, '_'
  double value = 0;
};

/// What a case file gave instead of a number: "fluid.reynolds" and "sqrt(Ra/Pr)".
struct FormulaOfKey {
  std::string path;
  std::string formula;
};

struct Case {
  std::string name;
  Scheme scheme = Scheme::splitting;
  DeviceChoice device = DeviceChoice::automatic;
  Precision precision = Precision::double_precision;
  GridCase grid;
  AccuracyCase accuracy;
  FluidCase fluid;
  TemperatureCase temperature;
  std::vector<ScalarCase> scalars;  // besides temperature, in the order of the file
  std::optional<BuoyancyCase> buoyancy;
  std::optional<RotationCase> rotation;
  std::optional<MagneticCase> magnetic;
  PerFace<FaceCase> faces;             // see face_index
  std::vector<SolidCase> solids;       // in the order of the file
  std::vector<SpeciesCase> particles;  // likewise
  InitialCase initial;
  ForcingCase forcing;
  TimeCase time;
  OutputCase output;
  RunCase run;
  std::vector<ParameterCase> parameters;  // in the order of the file
  std::vector<FormulaOfKey> formulas;     // in the order of the file

  /// Whether steps are shortened so that they end at certain times.
  [[nodiscard]] bool meets_times() const {
    return output.exact_times || !time.met_intervals.empty();
  }
  /// The first time after `now` at which a step is to end where meets_times(): of an output or of
  /// time.met_intervals, or time.end, which stands for the times within its round-off; infinite
  /// behind it [L/U].
  [[nodiscard]] double next_due_time(double now) const {
    double next = output.next_exact_time(now);
    for (const double interval : time.met_intervals)
      next = std::min(next, Interval::of_time(interval).next_time(now));
    if (!time.end) return next;
    if (now >= *time.end) return std::numeric_limits<double>::infinity();
    return next < *time.end * (1 - round_off_of_time) ? next : *time.end;
  }
  /// The step from a time, of `longest` at most, so that steps end at time.end and, where
  /// meets_times(), at those times [L/U].
  [[nodiscard]] double due_step(std::int64_t at_step, double at_time, double longest) const {
    if (!meets_times()) return time.step_to_end(at_step, at_time, longest);
    const double next = next_due_time(at_time);
    const double gap = std::isfinite(next) ? next_due_time(next) - next : next;
    return step_that_meets(next - at_time, longest, gap);
  }
  [[nodiscard]] bool is_periodic(auto axis) const {
    return faces[face_index(axis, false)].kind == FaceKind::periodic;
  }
  /// Whether the cells along an axis may differ.
  [[nodiscard]] bool is_stretched(auto axis) const {
    return grid.stretching[axis].kind != StretchingCase::Kind::uniform;
  }
  [[nodiscard]] bool has_temperature() const {
    return scheme == Scheme::splitting || fluid.prandtl > 0;
  }
  /// nu = 1/Re [U L]
  [[nodiscard]] double viscosity() const { return 1 / fluid.reynolds; }
  /// Thermal diffusivity 1/(Re Pr) [U L]. Requires has_temperature().
  [[nodiscard]] double conductivity() const { return 1 / (fluid.reynolds * fluid.prandtl); }

  /// Scalars are variables with the numbers first_scalar and so on: temperature, if there is one,
  /// then `scalars`.
  [[nodiscard]] int scalar_count() const {
    return (has_temperature() ? 1 : 0) + static_cast<int>(scalars.size());
  }
  [[nodiscard]] bool is_temperature(int variable) const {
    return variable == first_scalar && has_temperature();
  }
  /// One of `scalars`.
  [[nodiscard]] const ScalarCase& scalar(int variable) const {
    return scalars.at(variable - first_scalar - (has_temperature() ? 1 : 0));
  }
  [[nodiscard]] std::string name_of_scalar(int variable) const {
    return is_temperature(variable) ? std::string(temperature_name) : scalar(variable).name;
  }
  /// nu, or the diffusivity of a scalar 1/(Re Pr) [U L].
  [[nodiscard]] double diffusivity(int variable) const {
    if (is_velocity(variable)) return viscosity();
    return is_temperature(variable) ? conductivity()
                                    : 1 / (fluid.reynolds * scalar(variable).prandtl);
  }
  [[nodiscard]] const PerAxis<double>& mean_gradient(int variable) const {
    return is_temperature(variable) ? temperature.mean_gradient : scalar(variable).mean_gradient;
  }
  /// What the case file gives as reference of a scalar (references.hpp).
  [[nodiscard]] const std::optional<double>& given_reference(int variable) const {
    return is_temperature(variable) ? temperature.reference : scalar(variable).reference;
  }
  [[nodiscard]] bool has_mean_gradient(int variable) const {
    return mean_gradient(variable) != PerAxis<double>{};
  }
  /// The formula of a velocity component or a scalar at the start, and of its source without
  /// sponges.
  [[nodiscard]] const Expression& initial_formula(int variable) const {
    if (is_velocity(variable)) return initial.velocity[variable];
    return is_temperature(variable) ? initial.temperature : scalar(variable).initial;
  }
  /// The target of a sponge for a velocity component or a scalar; null where it draws to none.
  template <class Sponge>
  [[nodiscard]] auto target_of(Sponge& sponge, int variable) const
      -> decltype(&*sponge.temperature) {
    const auto found = [](auto& target) { return target ? &*target : nullptr; };
    const std::size_t place = variable;
    if (is_velocity(variable)) return sponge.velocity ? &(*sponge.velocity)[place] : nullptr;
    if (is_temperature(variable)) return found(sponge.temperature);
    const std::size_t further = place - first_scalar - (has_temperature() ? 1 : 0);
    return further < sponge.scalars.size() ? found(sponge.scalars[further]) : nullptr;
  }
  [[nodiscard]] const Expression& source_formula(int variable) const {
    if (is_velocity(variable)) return forcing.acceleration[variable];
    return is_temperature(variable) ? forcing.heat : scalar(variable).source;
  }
  /// Acceleration per temperature, beta [U^2/(L T0)]; 0 without buoyancy.
  [[nodiscard]] double buoyancy_factor() const {
    if (!buoyancy) return 0;
    return buoyancy->richardson
               ? *buoyancy->richardson
               : buoyancy->rayleigh.value_or(0) / (fluid.prandtl * fluid.reynolds * fluid.reynolds);
  }
  /// Acceleration per temperature along x, y and z, beta e [U^2/(L T0)]; 0 without buoyancy.
  [[nodiscard]] PerAxis<double> buoyancy_along() const {
    if (!buoyancy) return {};
    PerAxis<double> e = of_length_one(buoyancy->direction);
    for (double& component : e) component *= buoyancy_factor();
    return e;
  }
  /// The axis along which buoyancy acts; none where it acts along several, or there is none.
  [[nodiscard]] std::optional<int> axis_of_buoyancy() const {
    std::optional<int> found;
    for (int axis = 0; axis < 3 && buoyancy; ++axis) {
      if (buoyancy->direction[axis] == 0) continue;
      if (found) return std::nullopt;
      found = axis;
    }
    return found;
  }
  /// Whether the flow limits constant steps: in explicit stages, and where there is buoyancy.
  [[nodiscard]] bool waves_limit_steps() const {
    return time.scheme == TimeScheme::runge_kutta || buoyancy.has_value();
  }
  /// Its weight beside that of temperature, 1 [T0].
  [[nodiscard]] double buoyancy_weight(int variable) const {
    return is_temperature(variable) ? 1 : scalar(variable).buoyancy;
  }
  /// 2 Omega [U/L].
  [[nodiscard]] PerAxis<double> coriolis_rate() const {
    if (!rotation) return {};
    return {2 * rotation->rate[0], 2 * rotation->rate[1], 2 * rotation->rate[2]};
  }
  /// 2 |Omega| [U/L].
  [[nodiscard]] double coriolis_frequency() const {
    const auto [x, y, z] = coriolis_rate();
    return std::hypot(x, y, z);
  }
  [[nodiscard]] bool rotates() const { return coriolis_frequency() > 0; }
  /// Whether bodies move through the grid.
  [[nodiscard]] bool has_moving_bodies() const {
    return std::ranges::any_of(solids, &SolidCase::is_mobile);
  }
  [[nodiscard]] bool has_free_bodies() const {
    return std::ranges::any_of(solids, [](const SolidCase& body) { return !!body.free; });
  }
  /// The longest step that springs of free bodies allow: 0.3 over the angular frequency of the
  /// fastest, 0.2 of those in torsion, infinite without springs [L/U]. A body that turns takes a
  /// tenth of the displaced inertia along in a step, or more.
  [[nodiscard]] double longest_spring_step() const {
    constexpr double turn = 0.3;
    constexpr double turn_in_torsion = 0.2;
    constexpr double inertia_of_fluid = 0.1;
    constexpr double shorter = turn / turn_in_torsion;
    double square = 0;
    for (const SolidCase& body : solids) {
      if (!body.free || !body.spring) continue;
      const double density = body.free->density;
      for (int axis = 0; axis < 3; ++axis) {
        if (body.free->keeps(FreeCase::fixed_names[axis])) continue;
        const double mass = density + body.virtual_mass(axis);
        square = std::max(square, body.spring->stiffness[axis] / mass);
      }
      if (!body.free->keeps("rotation")) {
        square = std::max(square,
                          shorter * shorter * body.spring->torsion / (density + inertia_of_fluid));
      }
    }
    return square > 0 ? turn / std::sqrt(square) : std::numeric_limits<double>::infinity();
  }
  /// Projections of each solve of an implicit step.
  [[nodiscard]] int body_projections() const {
    constexpr int of_free_bodies = 4;
    return time.body_projections.value_or(has_free_bodies() ? of_free_bodies : 1);
  }
  /// N = Ha^2/Re [U/L]. Requires `magnetic`.
  [[nodiscard]] double lorentz_rate() const {
    return magnetic->hartmann * magnetic->hartmann / fluid.reynolds;
  }
  /// The longest implicit step where waves of buoyancy have the frequency N [U/L], infinite without
  /// them and rotation: (N/2 + 2 |Omega|) dt = 1, or N in place of N/2 where buoyancy acts along
  /// several axes [L/U].
  [[nodiscard]] double longest_wave(double frequency) const {
    const double rate = (axis_of_buoyancy() ? frequency / 2 : frequency) + coriolis_frequency();
    return rate > 0 ? 1 / rate : std::numeric_limits<double>::infinity();
  }
  /// longest_wave() in a frame that rotates, without buoyancy; infinite in Runge-Kutta steps.
  [[nodiscard]] double longest_turn() const {
    return time.scheme == TimeScheme::implicit ? longest_wave(0)
                                               : std::numeric_limits<double>::infinity();
  }
};

}  // namespace dns
