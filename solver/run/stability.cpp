#include "solver/run/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "solver/config/step_limit.hpp"
#include "solver/core/index.hpp"
#include "solver/core/reduction.hpp"
#include "solver/face_values/face_values.hpp"
#include "solver/flow/conditions.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/start/initial_state.hpp"
#include "solver/start/turbulent_start.hpp"

namespace dns {
namespace {

using Values = PerAxis<std::span<const double>>;

/// Points of an axis to look at: centres of cells and their widths, or nodes and their distance.
struct Samples {
  std::vector<double> places, widths;
};

Samples all_of(const Case& resolved, int axis) {
  return {point_coordinates(resolved, axis), widths_along(resolved, axis)};
}

/// All of them, or 64 from the first to the last.
Samples some_of(const Samples& all) {
  constexpr std::size_t most = 64;
  const std::size_t points = all.places.size();
  if (points <= most) return all;
  Samples some;
  for (std::size_t sample = 0; sample < most; ++sample) {
    const std::size_t point = (sample * (points - 1) + (most - 1) / 2) / (most - 1);
    some.places.push_back(all.places[point]);
    some.widths.push_back(all.widths[point]);
  }
  return some;
}

/// Calls function(x, y, z) at the points of a tensor grid, x fastest.
template <class Function>
void at_places(const PerAxis<Samples>& some, const Function& function) {
  for (const double z : some[2].places) {
    for (const double y : some[1].places) {
      for (const double x : some[0].places) function(x, y, z);
    }
  }
}

/// What is largest in a flow: |u|, |v|, |w| [U], and |u|/hx + |v|/hy + |w|/hz [U/L], also with the
/// factors of StepLimit. NaN where one is.
struct Largest {
  PerAxis<double> wave_factors;
  PerAxis<double> speed{};
  double rate = 0;
  double wave_rate = 0;
  PerAxis<double> sum_of_start{};
  double points_of_start = 0;

  void add_to_sums(const Values& values) {
    for (int axis = 0; axis < 3; ++axis) {
      for (const double value : values[axis]) sum_of_start[axis] += value;
    }
    points_of_start += static_cast<double>(values[0].size());
  }

  /// values: of each component at the points of a tensor grid, x fastest.
  void raise(const Values& values, const Values& widths) {
    std::size_t point = 0;
    for (const double hz : widths[2]) {
      for (const double hy : widths[1]) {
        for (const double hx : widths[0]) {
          const PerAxis<double> width{hx, hy, hz};
          double sum = 0;
          double wave_sum = 0;
          for (int axis = 0; axis < 3; ++axis) {
            const double magnitude = std::abs(values[axis][point]);
            speed[axis] = larger_or_nan(speed[axis], magnitude);
            sum += magnitude / width[axis];
            wave_sum += wave_factors[axis] * magnitude / width[axis];
          }
          rate = larger_or_nan(rate, sum);
          wave_rate = larger_or_nan(wave_rate, wave_sum);
          ++point;
        }
      }
    }
  }
};

Values widths_of(const PerAxis<Samples>& points) {
  return {points[0].widths, points[1].widths, points[2].widths};
}

void raise_by_start(const Case& resolved, const PerAxis<Samples>& some, Largest& largest) {
  const PerAxis<std::vector<double>> places{some[0].places, some[1].places, some[2].places};
  VelocityAtStart velocity = [&](int component, const auto& /*places*/) {
    const Expression& formula = resolved.initial.velocity[component];
    std::vector<double> values;
    at_places(some, [&](double x, double y, double z) { values.push_back(formula(x, y, z, 0)); });
    return values;
  };
  if (resolved.initial.turbulent_channel) velocity = turbulent_start(resolved);
  const PerAxis<std::vector<double>> values{
      velocity(0, places), velocity(1, places), velocity(2, places)};
  largest.raise({values[0], values[1], values[2]}, widths_of(some));
  largest.add_to_sums({values[0], values[1], values[2]});
}

/// Slab by slab along z, so that few points of a large flow are held at a time.
void raise_by_file(const Case& resolved, const PerAxis<Samples>& all, Largest& largest) {
  constexpr double most_points = 1e6;
  const Subdomain box = whole_box(resolved);
  const double needed = std::ceil(static_cast<double>(box.whole.count()) / most_points);
  const int slabs = static_cast<int>(std::min(needed, static_cast<double>(box.whole.nz)));
  for (int n = 0; n < slabs; ++n) {
    const Subdomain slab = box.slab(n, slabs);
    const FlowState flow = initial_state(resolved, slab);
    Values widths = widths_of(all);
    widths[2] = {all[2].widths.begin() + slab.part.begin.k,
                 all[2].widths.begin() + slab.part.end.k};
    const Values values{flow.fields[0].values<double>(),
                        flow.fields[1].values<double>(),
                        flow.fields[2].values<double>()};
    largest.raise(values, widths);
    largest.add_to_sums(values);
  }
}

/// The values that faces give are those of the cells beside them; slip is left out.
void raise_by_faces(const Case& resolved, const PerAxis<Samples>& some, Largest& largest) {
  FaceValues given(resolved);
  const Conditions conditions = conditions_of(resolved);
  for (int face = 0; face < resolved.faces.size(); ++face) {
    const int normal = face / 2;
    const auto [first, second] = axes_in_plane(normal);
    Values widths = widths_of(some);
    widths[normal] = face % 2 == 0 ? widths[normal].first(1) : widths[normal].last(1);
    PerAxis<std::vector<double>> values;
    const auto& along_first = some[first].places;
    const auto& along_second = some[second].places;
    for (int component = 0; component < 3; ++component) {
      std::vector<double>& known = values[component];
      if (conditions[face][component].kind == Condition::Kind::gradient) {
        known.assign(along_first.size() * along_second.size(), 0);
      } else {
        known = given.at(face, component, along_first, along_second, 0);
      }
    }
    largest.raise({values[0], values[1], values[2]}, widths);
  }
}

/// The sum of temperature and the scalars that rise with it, each times its weight [T0].
template <class ValueOf>
double buoyant_sum(const Case& resolved, const ValueOf& value_of) {
  double sum = 0;
  for (int n = first_scalar; n < transported_variables(resolved); ++n) {
    const double weight = resolved.buoyancy_weight(n);
    if (weight != 0) sum += weight * value_of(n);
  }
  return sum;
}

/// What a face gives of a scalar q: value + resistance dq/dn, or dq/dn alone, n outward.
struct GivenScalar {
  bool has_value = false;
  double value = 0;
  double resistance = 0;  // 1/transfer [L]
  double gradient = 0;    // [1/L]
};

/// At t = 0. A file gives nothing that is known here.
GivenScalar given_scalar(const Condition& scalar, const PerAxis<double>& place) {
  if (!scalar.has_formula()) return {};
  const double given = scalar.given(place[0], place[1], place[2], 0);
  if (scalar.kind == Condition::Kind::gradient) return {.gradient = given};
  if (scalar.weights.value_weight == 0) return {};
  return {.has_value = true, .value = given, .resistance = scalar.distance_of_given()};
}

/// A scalar that is conducted between a low face and a high one: its values on them and its slopes
/// along the axis there.
struct Conducted {
  std::array<double, 2> value{}, slope{};
};

/// mean: of the scalar, where no face gives a value.
Conducted conducted(const GivenScalar& low, const GivenScalar& high, double length, double mean) {
  Conducted found{{}, {-low.gradient, high.gradient}};
  auto& [value, slope] = found;
  if (low.has_value && high.has_value) {
    slope[0] = (high.value - low.value) / (length + low.resistance + high.resistance);
    slope[1] = slope[0];
  } else if (low.has_value) {
    slope[0] = slope[1];
  } else if (high.has_value) {
    slope[1] = slope[0];
  }
  const double difference = length * (slope[0] + slope[1]) / 2;
  value[0] = low.has_value    ? low.value + low.resistance * slope[0]
             : high.has_value ? high.value - high.resistance * slope[1] - difference
                              : mean - difference / 2;
  value[1] = value[0] + difference;
  return found;
}

/// The largest N^2 at the start, the slope of what rises times the acceleration along it, of the
/// start's formulas [U^2/L^2].
double stratification_of_start(const Case& resolved, const PerAxis<Samples>& some) {
  const PerAxis<double> along = resolved.buoyancy_along();
  double largest = 0;
  at_places(some, [&](double x, double y, double z) {
    PerAxis<double> place{x, y, z};
    const auto at_place = [&](int variable) {
      return resolved.initial_formula(variable)(place[0], place[1], place[2], 0);
    };
    const double here = buoyant_sum(resolved, at_place);
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (along[axis] == 0) continue;
      const double low = place[axis];
      const auto next = std::ranges::upper_bound(some[axis].places, low);
      if (next == some[axis].places.end()) return;
      place[axis] = *next;
      sum += along[axis] * (buoyant_sum(resolved, at_place) - here) / (*next - low);
      place[axis] = low;
    }
    largest = larger_or_nan(largest, sum);
  });
  return largest;
}

/// The N^2 of what faces give at t = 0 in the middle, if it is conducted from each face to the
/// opposite one [U^2/L^2]: the sum over axes of the larger slope of the two at faces, times the
/// acceleration; and the largest difference of faces over the extent of the box along buoyancy.
/// Faces above each other differ with a sign: a layer heated from below is not stable. Faces beside
/// each other, or any where buoyancy is oblique, drive flows that may lay the larger value above
/// the smaller one.
double stratification_of_faces(const Case& resolved) {
  const Conditions conditions = conditions_of(resolved);
  const PerAxis<double> along = resolved.buoyancy_along();
  const PerAxis<double>& length = resolved.grid.length;
  PerAxis<double> middle{};
  for (int axis = 0; axis < 3; ++axis) middle[axis] = resolved.grid.origin[axis] + length[axis] / 2;
  struct Given {
    double height, value;
  };
  std::vector<Given> given;
  double of_slopes = 0;
  double extent = 0;
  for (int axis = 0; axis < 3; ++axis) {
    extent += std::abs(along[axis]) * length[axis];
    const auto ends = [&](int variable) {
      return std::array{given_scalar(conditions[2 * axis][variable], middle),
                        given_scalar(conditions[2 * axis + 1][variable], middle)};
    };
    std::array<double, 2> slopes{};
    for (const std::size_t end : {0U, 1U}) {
      bool is_given = false;
      const auto sum_of = [&](const auto& member) {
        return buoyant_sum(resolved, [&](int variable) {
          const auto [low, high] = ends(variable);
          const GivenScalar& here = end == 0 ? low : high;
          is_given |= here.has_value || here.gradient != 0;
          const double mean = resolved.initial.file ? 0
                                                    : resolved.initial_formula(variable)(
                                                          middle[0], middle[1], middle[2], 0);
          return (conducted(low, high, length[axis], mean).*member)[end];
        });
      };
      const double value = sum_of(&Conducted::value);
      slopes[end] = along[axis] * sum_of(&Conducted::slope);
      if (is_given) given.push_back({end == 0 ? -along[axis] : along[axis], value});
    }
    of_slopes += std::max(slopes[0], slopes[1]);
  }
  const bool is_oblique = !resolved.axis_of_buoyancy();
  double difference = 0;
  for (const Given& upper : given) {
    for (const Given& lower : given) {
      if (is_oblique || upper.height >= lower.height)
        difference = std::max(difference, upper.value - lower.value);
    }
  }
  const double factor = resolved.buoyancy_factor();
  return std::max(of_slopes, extent > 0 ? factor * (factor / extent) * difference : 0);
}

/// The largest N^2 of the start or of what faces make of it, with the imposed mean gradients
/// [U^2/L^2].
double stratification_of(const Case& resolved, const PerAxis<Samples>& some) {
  const double of_start = resolved.initial.file ? 0 : stratification_of_start(resolved, some);
  double of_gradients = 0;
  for (int axis = 0; axis < 3; ++axis) {
    of_gradients += resolved.buoyancy_along()[axis] * buoyant_sum(resolved, [&](int variable) {
                      return resolved.mean_gradient(variable)[axis];
                    });
  }
  return std::max(of_start, stratification_of_faces(resolved)) + of_gradients;
}

double step_at(double rate) {
  return rate == 0 ? std::numeric_limits<double>::infinity() : 1 / rate;
}

}  // namespace

std::vector<double> widths_along(const Case& resolved, int axis) {
  if (resolved.scheme == Scheme::splitting) {
    const std::size_t nodes = resolved.grid.points[axis];
    return std::vector<double>(nodes, spacing(resolved, axis));
  }
  const std::vector<double> faces = face_coordinates(resolved.grid, axis);
  std::vector<double> widths;
  for (std::size_t cell = 0; cell + 1 < faces.size(); ++cell)
    widths.push_back(faces[cell + 1] - faces[cell]);
  return widths;
}

std::string warning_of_round_off(const Case& resolved, double cfl, double speed) {
  constexpr double most = 10;  // times eps/cfl
  constexpr double much = 0.01;
  constexpr double slow = 0.01;  // [U]
  const bool is_single = resolved.precision == Precision::single_precision;
  const double epsilon = is_single ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                   : std::numeric_limits<double>::epsilon();
  const double part = most * epsilon / cfl;
  if (resolved.scheme != Scheme::projection || !(cfl > 0) || !(speed >= slow) || part < much)
    return "";
  return fmt::format(
      "steps are so short (CFL {:.2g}) that round-off is up to {:.3g} % of the "
      "pressure: a longer {}{} has less",
      cfl,
      100 * part,
      resolved.time.cfl ? "step" : "time.step",
      is_single ? " or precision: double" : "");
}

std::string warning_of_oblique_stream(const Case& resolved,
                                      const PerAxis<double>& stream,
                                      double dt) {
  constexpr double much = 0.2;
  if (resolved.scheme != Scheme::projection || resolved.time.scheme != TimeScheme::implicit)
    return "";
  PerAxis<double> cfl{};
  for (int axis = 0; axis < 3; ++axis) {
    // With one cell along an axis nothing varies along it.
    const bool varies = resolved.grid.points[axis] > 1;
    const double width = resolved.grid.length[axis] / resolved.grid.points[axis];
    cfl[axis] = varies ? std::abs(stream[axis]) * dt / width : 0;
    if (!(cfl[axis] > much)) return "";
  }
  return fmt::format(
      "the stream crosses the grid along three axes (CFL {:.2g}, {:.2g}, {:.2g}): implicit steps "
      "let the waves grow that it carries; time.scheme: runge_kutta does not, nor steps of at most "
      "{:.2g}",
      cfl[0],
      cfl[1],
      cfl[2],
      dt * much / *std::min_element(cfl.begin(), cfl.end()));
}

std::string warning_of_long_steps(const Case& resolved, double cfl) {
  constexpr double most = 5;  // errors in time are then ten times those in space
  if (resolved.time.cfl || !(cfl > most)) return "";
  return fmt::format(
      "time.step {:g} makes the CFL number {:.3g}: the flow crosses more than {:g} cells in a "
      "step, and what it carries is wrong; {:.2g} makes it 1",
      resolved.time.step,
      cfl,
      most,
      resolved.time.step / cfl);
}

std::optional<Friction> friction_of(const Case& resolved) {
  std::optional<std::size_t> across;
  for (int axis = 0; axis < 3; ++axis) {
    if (resolved.is_periodic(axis)) continue;
    const bool is_between_walls = FaceConditions(resolved, face_index(axis, false)).is_wall() &&
                                  FaceConditions(resolved, face_index(axis, true)).is_wall();
    if (across || !is_between_walls) return std::nullopt;
    across = axis;
  }
  const ForcingCase& forcing = resolved.forcing;
  if (!across || !forcing.is_uniform() || !resolved.solids.empty()) return std::nullopt;
  const double half = resolved.grid.length[*across] / 2;
  const double drive = std::hypot(forcing.value[0], forcing.value[1], forcing.value[2]);
  if (drive == 0) return std::nullopt;
  if (forcing.kind == ForcingCase::Kind::pressure_gradient)
    return Friction{std::sqrt(drive * half), "of the pressure gradient"};
  const double bulk_reynolds = 2 * half * drive / resolved.viscosity();
  const double friction = std::max(12 / bulk_reynolds, 0.073 * std::pow(bulk_reynolds, -0.25));
  return Friction{drive * std::sqrt(friction / 2), "estimated by Dean's friction law"};
}

StabilityLimits stability_limits(const Case& resolved) {
  const PerAxis<Samples> all{all_of(resolved, 0), all_of(resolved, 1), all_of(resolved, 2)};
  const PerAxis<Samples> some{some_of(all[0]), some_of(all[1]), some_of(all[2])};
  const StepLimit stable = step_limit(resolved);
  Largest largest{stable.wave_factors()};
  if (resolved.initial.file) {
    raise_by_file(resolved, all, largest);
  } else {
    raise_by_start(resolved, some, largest);
  }
  raise_by_faces(resolved, some, largest);

  StabilityLimits limits;
  const double noise = resolved.initial.file ? 0 : resolved.initial.noise.amplitude;
  double noise_rate = 0;
  double noise_wave_rate = 0;
  double curvature = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto [least, most] = std::ranges::minmax(all[axis].widths);
    limits.spacing[axis] = least;
    limits.largest_spacing[axis] = most;
    limits.speed[axis] = largest.speed[axis] + noise;
    limits.stream[axis] = largest.sum_of_start[axis] / largest.points_of_start;
    noise_rate += noise / least;
    noise_wave_rate += stable.wave_factors()[axis] * noise / least;
    curvature += 1 / (least * least);
    limits.cell_reynolds =
        larger_or_nan(limits.cell_reynolds, limits.speed[axis] * most * resolved.fluid.reynolds);
  }
  limits.cfl = resolved.time.cfl.value_or(resolved.time.step * (largest.rate + noise_rate));
  limits.advective_step = step_at(largest.rate + noise_rate);
  limits.smooth_step = step_at(largest.rate);
  if (resolved.buoyancy)
    limits.wave_frequency = std::sqrt(larger_or_nan(0.0, stratification_of(resolved, some)));
  double diffusivity = resolved.viscosity();
  for (int n = 0; n < resolved.scalar_count(); ++n)
    diffusivity = std::max(diffusivity, resolved.diffusivity(first_scalar + n));
  limits.viscous_step = 1 / (2 * diffusivity * curvature);
  limits.stable_step = resolved.longest_wave(limits.wave_frequency);
  limits.diffusive_step = std::numeric_limits<double>::infinity();
  if (resolved.time.scheme == TimeScheme::runge_kutta) {
    limits.stable_step = stable.step(largest.wave_rate + noise_wave_rate,
                                     limits.wave_frequency + resolved.coriolis_frequency(),
                                     0);
    limits.diffusive_step = stable.diffusive_step();
  }
  return limits;
}

}  // namespace dns
