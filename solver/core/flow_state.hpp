/// The flow on the host, as simulations and files exchange it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/core/index.hpp"

namespace dns {

enum class Precision { single_precision, double_precision };

[[nodiscard]] constexpr std::size_t bytes_of(Precision precision) {
  return precision == Precision::single_precision ? sizeof(float) : sizeof(double);
}
[[nodiscard]] constexpr std::string_view name_of(Precision precision) {
  return precision == Precision::single_precision ? "float" : "double";
}

/// Calls function(Real{}) with Real = float or double according to `precision`.
template <class Function>
void with_real(Precision precision, Function&& function) {
  if (precision == Precision::single_precision) {
    std::forward<Function>(function)(float{});
  } else {
    std::forward<Function>(function)(double{});
  }
}

/// One scalar field on the host. Shape (nz, ny, nx), x fastest, no ghost points; values are float
/// or double according to `precision`. The memory may be page-locked (a simulation on a GPU
/// provides such fields); a copy of a HostField shares it.
class HostField {
 public:
  HostField() = default;
  /// Ordinary memory, not initialised.
  HostField(std::string name, Extents extents, Precision precision)
      : HostField(
            std::move(name),
            extents,
            precision,
            std::make_shared_for_overwrite<std::byte[]>(extents.count() * bytes_of(precision))) {}
  /// Memory of extents.count() values provided by the caller.
  HostField(std::string name,
            Extents extents,
            Precision precision,
            std::shared_ptr<std::byte[]> memory)
      : name_(std::move(name)),
        extents_(extents),
        precision_(precision),
        memory_(std::move(memory)) {}

  /// A copy of the field in memory of its own.
  [[nodiscard]] HostField duplicate() const {
    HostField copy(name_, extents_, precision_);
    std::memcpy(copy.data(), data(), bytes());
    return copy;
  }

  /// `count` planes from `first` on, in the same memory.
  [[nodiscard]] HostField planes(int first, int count) const {
    const std::size_t plane = bytes() / extents_.nz;
    return {name_,
            {extents_.nx, extents_.ny, count},
            precision_,
            {memory_, memory_.get() + plane * first}};
  }

  /// Values in float in the first half of the same memory. Requires values in double.
  [[nodiscard]] HostField narrowed() const {
    return {name_, extents_, Precision::single_precision, memory_};
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Extents extents() const { return extents_; }
  [[nodiscard]] Precision precision() const { return precision_; }
  [[nodiscard]] std::size_t bytes() const { return extents_.count() * bytes_of(precision_); }
  [[nodiscard]] void* data() { return memory_.get(); }
  [[nodiscard]] const void* data() const { return memory_.get(); }

  /// The values. Requires Real = float or double to match precision().
  template <class Real>
  [[nodiscard]] std::span<Real> values() {
    return {reinterpret_cast<Real*>(memory_.get()), extents_.count()};
  }
  template <class Real>
  [[nodiscard]] std::span<const Real> values() const {
    return {reinterpret_cast<const Real*>(memory_.get()), extents_.count()};
  }

 private:
  std::string name_;
  Extents extents_;
  Precision precision_ = Precision::double_precision;
  std::shared_ptr<std::byte[]> memory_;
};

/// Names of the fields of a flow, as in files; the velocity, of the array of its components.
inline constexpr std::string_view velocity_name = "velocity";
inline constexpr std::string_view velocity_x_name = "velocity_x";
inline constexpr std::string_view velocity_y_name = "velocity_y";
inline constexpr std::string_view velocity_z_name = "velocity_z";
inline constexpr std::array<std::string_view, 3> velocity_names{
    velocity_x_name, velocity_y_name, velocity_z_name};
/// Names in FlowState::numbers of the length of the last step, and of the time before it, which
/// older copies lack [L/U].
inline constexpr std::string_view time_step_number = "time_step";
inline constexpr std::string_view time_before_number = "time_before";
inline constexpr std::string_view temperature_name = "temperature";
/// The number of a copy for restart that holds the reference of a scalar (solver/config/
/// references.hpp), which copies without one lack, and that of its mean where this is known.
inline constexpr std::string_view reference_prefix = "reference_";
[[nodiscard]] inline std::string reference_number_of(const std::string& scalar) {
  return std::string(reference_prefix) + scalar;
}
[[nodiscard]] inline std::string mean_number_of(const std::string& scalar) {
  return scalar + "_mean";
}

inline constexpr std::string_view pressure_name = "pressure";
/// 1 at points in solid bodies, else 0.
inline constexpr std::string_view solid_name = "solid";
/// Velocities at the faces across their axes, in copies for snapshots; velocity_names are at
/// centres.
inline constexpr std::array<std::string_view, 3> face_velocity_names{
    "velocity_x_at_faces", "velocity_y_at_faces", "velocity_z_at_faces"};
/// The current and the potential of a Lorentz force (solver/numerics/lorentz_force.hpp).
inline constexpr std::string_view current_name = "current";
inline constexpr std::string_view potential_name = "electric_potential";
/// A field that snapshots derive from the velocity (solver/numerics/derived_fields.hpp).
struct DerivedField {
  std::string_view name;
  int components;  // 3: a vector
  std::string_view unit;
};
inline constexpr std::array<DerivedField, 4> derived_fields{{{"vorticity", 3, "U/L"},
                                                             {"q_criterion", 1, "U^2/L^2"},
                                                             {current_name, 3, "U"},
                                                             {potential_name, 1, "U L"}}};
/// The field of a component: vorticity_x.
[[nodiscard]] inline std::string name_of(const DerivedField& field, int component) {
  const std::string name(field.name);
  return field.components == 1 ? name : name + '_' + "xyz"[component];
}
/// The share of the cells averaged over that is outside of bodies, among averages.
inline constexpr std::string_view fluid_share_name = "fluid";

/// A single number of a flow, such as the last time step.
struct NamedNumber {
  std::string name;
  double value = 0;
};

/// Numbers of the bodies of an entry, body after body.
struct NamedList {
  std::string name;
  std::vector<double> values{};
};

/// Integrals over time of what samples of a flow give, in double, from which averages are computed
/// and continued after a restart. The fields have one point along every axis that is averaged over.
struct StatisticsSums {
  std::int64_t samples = 0;
  double first_time = 0, last_time = 0;  // between which the integrals are [L/U]
  std::int64_t last_step = 0;            // of the samples; of windows alone is it kept in files
  double duration = 0;                   // the integral of 1 [L/U]
  std::vector<HostField> sums{};         // by the trapezoidal rule between samples
  std::vector<HostField> last{};         // the last sample, where the next interval begins; not of
                                         // windows
  /// With output.statistics.phase, of the first sums: the same integrals over the time in each bin
  /// of the period, bin after bin, so that there are as many times more planes.
  std::vector<HostField> phases{};
  /// By the symbols of variables: what was subtracted from each before it was summed up, for the
  /// digits of moments; 0 where there is none.
  std::vector<NamedNumber> references{};
  /// By the symbols of variables: what was subtracted before the flow was computed
  /// (solver/config/references.hpp); empty within a solver.
  std::vector<NamedNumber> offsets{};

  [[nodiscard]] double reference(std::string_view symbol) const {
    return number_of(references, symbol);
  }
  [[nodiscard]] double offset(std::string_view symbol) const { return number_of(offsets, symbol); }

  /// The average over time of one of `sums`; of a single sample, that. Requires samples > 0.
  [[nodiscard]] std::vector<double> average(std::size_t which) const {
    const auto values = (duration > 0 ? sums : last).at(which).values<double>();
    std::vector<double> averages(values.begin(), values.end());
    if (duration > 0) {
      for (double& value : averages) value /= duration;
    }
    return averages;
  }

 private:
  [[nodiscard]] static double number_of(const std::vector<NamedNumber>& numbers,
                                        std::string_view symbol) {
    const auto found = std::ranges::find(numbers, symbol, &NamedNumber::name);
    return found == numbers.end() ? 0 : found->value;
  }
};

/// Sums over particles in bins of an axis, bin after bin, and over samples: whole multiples of
/// 2^-30, each as high 2^32 + low, so that they do not depend on the order of particles.
struct ParticleSums {
  std::int64_t samples = 0;
  double first_time = 0, last_time = 0;  // of the samples [L/U]
  std::vector<std::int64_t> high{}, low{};
};

/// Particles of one kind, in the order of their ids. Of several ranks the copy of rank 0 has all of
/// them, the others have none; a copy that was read has all on every rank.
struct ParticleCopy {
  std::string name;
  std::vector<std::int64_t> ids{};
  std::vector<double> positions{};         // x, y, z of each [L]
  std::vector<double> velocities{};        // [U]
  std::vector<double> fluid_velocities{};  // at their places, where asked for [U]
  std::vector<double> turns{};             // times through a periodic box, where they are counted
  std::vector<double> diameters{};         // one of each, where they differ [L]
  std::int64_t next_id = 0;                // of the next one to be released
  std::vector<NamedNumber> numbers{};      // of particles that left, by where they did
  ParticleSums sums{};                     // with output.particle_statistics
};

/// Which particles a copy has, and what of them.
struct ParticlesAsked {
  std::size_t species = 0;  // its place in the case
  std::int64_t stride = 1;  // ids that are multiples of it
  bool fluid_velocity = false;
};

/// What a copy of a flow is made for.
enum class CopyPurpose {
  restart,  // everything that the run needs to go on bit for bit
  viewing,  // the variables at the points or cell centres of the grid
  snapshot  // these, and what output.fields asks for besides
};

/// A flow at one time.
///
/// Scheme splitting: velocity_x, velocity_y, velocity_z, temperature at the nodes, for both
/// purposes. Scheme projection, viewing: these (temperature where there is one) and pressure at the
/// cell centres; restart: fields of the scheme's own, each with its own extents, and numbers.
/// Where there are bodies, a copy that serves for viewing has solid behind these. One for a
/// snapshot ends with what is asked for out of: velocities at faces, with one point more along
/// their axes (scheme projection); derived fields where the velocity is.
struct FlowState {
  std::int64_t step = 0;
  double time = 0;  // [L/U]
  std::vector<HostField> fields;
  std::vector<NamedNumber> numbers;
  StatisticsSums statistics;  // see Simulation::statistics; copy_state leaves them alone
  StatisticsSums window;      // those of the window of time under way, see Simulation::window
  std::vector<ParticleCopy> particles{};  // of a copy for restart, in the order of the case
  std::vector<NamedList> bodies{};        // of a copy for restart, of entries with several bodies
};

}  // namespace dns
