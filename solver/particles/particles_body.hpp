/// The body of make_particles: particles of all species on a backend.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/config/particles_in_words.hpp"
#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/numerics/particle_bodies.hpp"
#include "solver/numerics/particle_impulse.hpp"
#include "solver/numerics/particle_motion.hpp"
#include "solver/numerics/particle_store.hpp"
#include "solver/numerics/particle_sums.hpp"
#include "solver/particles/bodies_for_particles.hpp"
#include "solver/particles/particle_counts.hpp"
#include "solver/particles/particle_impulses.hpp"
#include "solver/particles/particle_lines.hpp"
#include "solver/particles/particle_records.hpp"
#include "solver/particles/particles.hpp"
#include "solver/particles/planes_beyond_seams.hpp"
#include "solver/particles/released_particles.hpp"
#include "solver/simulation/late_reductions.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

template <class Backend>
class ParticlesOnBackend final : public Particles<Backend> {
 public:
  using Real = typename Backend::Real;
  using Velocity = typename Particles<Backend>::Velocity;

  ParticlesOnBackend(Backend& backend,
                     const Case& resolved,
                     const StaggeredGrid& grid,
                     const Subdomain& part,
                     const FieldLayout& layout);

  void start(const FlowState* copy, const FlowMoment& at, const Velocity& velocity) override;
  [[nodiscard]] bool act_on_flow() const override;
  void give_in_step(const Velocity& now, const Velocity& estimate, double dt) override;
  void give_in_stage(const Velocity& begin, const ParticleStage& stage) override;
  void add_to(const VelocityView<Real>& force,
              const VelocityView<Real>& result,
              const GridMetrics<Real>& metrics,
              double weight) override;
  [[nodiscard]] double decay_rate(const Velocity& velocity) override;
  void advance(const Velocity& now, const Velocity& next, double dt) override;
  void advance_stage(const Velocity& begin,
                     const Velocity& end,
                     const ParticleStage& stage) override;
  void end_step(const FlowMoment& now, const Velocity& velocity) override;
  [[nodiscard]] std::vector<std::string> names() const override {
    return names_of_particle_counts(*resolved_);
  }
  void begin_counts() override;
  [[nodiscard]] std::vector<double> finish_counts() override;
  [[nodiscard]] ParticleCopy copy(const ParticlesAsked& asked, const Velocity& velocity) override;
  void add_to(FlowState& copy, const Velocity& velocity) override;
  [[nodiscard]] std::vector<ParticleSums> sums() override;

 private:
  template <class T>
  using Memory = decltype(std::declval<Backend&>().template allocate<T>(0));

  /// Places are sorted by their cells every so many steps, for the caches alone.
  static constexpr int steps_between_sorts = 32;

  /// The tables of an axis on the device.
  struct Axis3 {
    Memory<double> faces, centres;
    Memory<ParticleInterval> at_faces, at_centres;
    Memory<int> buckets;
    Memory<double> numbers_of_cells;
    Memory<int> indices_of_cells;
  };
  /// The particles of a species on this rank.
  struct Species {
    const SpeciesCase* of = nullptr;
    ParticleLaw law;
    PerAxis<std::array<ParticleEnd, 2>> ends;
    PerAxis<Memory<double>> place;
    PerAxis<Memory<Real>> velocity;
    Memory<std::int64_t> id;
    Memory<std::int64_t> counters;
    std::size_t capacity = 0;
    int count = 0;             // places in use, some of which may be empty
    std::int64_t next_id = 0;  // of all ranks
    ParticleCounts before;     // those that left before the run began
    LatePlace<ReadCounters::sums, ReadCounters::maxima> counts;
    LatePlace<ReadFurtherCounters::sums, 0> further_counts;
    Memory<std::int64_t> high, low;  // sums since the run began, with output.particle_statistics
    ParticleSums sums_before;        // those before it; of samples and times all
    std::optional<ParticleImpulses<Backend>> impulses;  // where it acts on the flow
    std::array<bool, ParticleColumn::count> has_column{};
    std::array<Memory<double>, ParticleColumn::count> columns;

    [[nodiscard]] bool acts_on_flow() const { return impulses.has_value(); }
  };

  [[nodiscard]] ParticleArrays<Real> arrays(const Species& species) const;
  [[nodiscard]] ParticleSpace<Real> space(const Species& species) const;
  template <class Kernel>
  void for_each_particle(const Species& species, const Kernel& kernel) {
    if (species.count > 0) backend_->for_each(box_of_particles(species.count), kernel);
  }
  /// Calls call<Weights>() with the weights by which a species interpolates the velocity.
  template <class Call>
  static void with_weights(const Species& species, const Call& call) {
    if (species.of->interpolation == SpeciesCase::Interpolation::divergence_free)
      call.template operator()<DivergenceFreeWeights>();
    else
      call.template operator()<PlaceWeights>();
  }
  template <class T>
  [[nodiscard]] Memory<T> uploaded(const std::vector<T>& values);
  void make_bodies();
  void enlarge(Species& species, std::size_t count);
  void add(Species& species, const ParticleRecords& records, const VelocityAround<Real>& velocity);
  void release(Species& species, const VelocityAround<Real>& velocity);
  void make_coupled(Species& species);
  template <class Weights, class Move>
  void give(Species& species,
            const Move& move,
            const VelocityAround<Real>& velocity,
            double h,
            std::int64_t times);
  [[nodiscard]] GiveImpulse gives(const Species& species) const {
    return {species.impulses->view(), coupling_of(*species.of)};
  }
  void begin_giving();
  void choose_columns(Species& species);
  [[nodiscard]] std::size_t count_of_sums() const {
    return static_cast<std::size_t>(bins_) * ParticleSum::count;
  }
  void reset_counter(const Species& species, int counter);
  void sample(Species& species, double time, const VelocityAround<Real>& velocity);
  [[nodiscard]] ParticleSums sums_of(const Species& species);
  template <class Weights>
  void meet_bodies(const Species& species, const VelocityAround<Real>& velocity, double h);
  void exchange(Species& species);
  [[nodiscard]] int pack_leavers(Species& species, bool is_high);
  void sort(Species& species);
  template <class From>
  void reorder(From* values, const Species& species);
  [[nodiscard]] int choose(const Species& species, std::int64_t first, std::int64_t stride);
  template <class From, class To>
  [[nodiscard]] std::vector<To> gathered(const From* values, int chosen);
  [[nodiscard]] ParticleRecords records(const Species& species,
                                        std::int64_t first,
                                        std::int64_t stride,
                                        const VelocityAround<Real>* velocity);
  [[nodiscard]] VelocityAround<Real> around(const Velocity& velocity, int which) {
    return beyond_.around(velocity, which);
  }
  template <class Message>
  [[noreturn]] void throw_with(const Species& species, std::int64_t id, const Message& message);

  Backend* backend_;
  const Case* resolved_;
  Subdomain part_;
  PlanesBeyondSeams<Backend> beyond_;
  PerAxis<int> cells_{};
  PerAxis<int> bucket_counts_{};
  PerAxis<double> buckets_per_length_{};
  PerAxis<Axis3> axes_;
  std::vector<Species> species_;
  BodiesForParticles bodies_of_case_;
  Memory<ParticleBody> bodies_;
  Memory<Instruction> programs_;  // of bodies that are formulas
  Memory<int> lattice_numbers_;   // of bodies of triangles
  Memory<float> lattice_distances_;
  int body_count_ = 0;
  Memory<double> scratch_;
  Memory<unsigned> keys_;
  Memory<int> order_;
  std::array<Memory<double>, 2> leaving_, arriving_;  // messages at the low and the high end
  LateReductions<Backend> late_;
  int bins_ = 0;  // of output.particle_statistics
  int steps_since_sort_ = 0;
  bool gives_anew_ = true;   // impulses that are given next are the first of a step
  double giving_time_ = 0;   // of the step, or steps, in which impulses were given [L/U]
  double counted_time_ = 1;  // the same of those begun with the counts
};

template <class Backend>
std::unique_ptr<Particles<Backend>> make_particles(Backend& backend,
                                                   const Case& resolved,
                                                   const StaggeredGrid& grid,
                                                   const Subdomain& part,
                                                   const FieldLayout& layout) {
  return std::make_unique<ParticlesOnBackend<Backend>>(backend, resolved, grid, part, layout);
}

template <class Backend>
ParticlesOnBackend<Backend>::ParticlesOnBackend(Backend& backend,
                                                const Case& resolved,
                                                const StaggeredGrid& grid,
                                                const Subdomain& part,
                                                const FieldLayout& layout)
    : backend_(&backend),
      resolved_(&resolved),
      part_(part),
      beyond_(backend, part, layout),
      late_(backend) {
  for (int axis = 0; axis < 3; ++axis) {
    const ParticleLines lines(resolved, grid[axis], axis);
    cells_[axis] = grid[axis].cells();
    bucket_counts_[axis] = static_cast<int>(lines.buckets.size());
    buckets_per_length_[axis] = lines.buckets_per_length;
    axes_[axis] = {uploaded(lines.faces),
                   uploaded(lines.centres),
                   uploaded(lines.at_faces),
                   uploaded(lines.at_centres),
                   uploaded(lines.buckets),
                   uploaded(lines.divergence_free.numbers),
                   uploaded(lines.divergence_free.indices)};
  }
  if (!resolved.solids.empty()) make_bodies();
  if (const auto& statistics = resolved.output.particle_statistics)
    bins_ = statistics->bins > 0 ? statistics->bins : cells_[statistics->axis];
  for (const SpeciesCase& of : resolved.particles) {
    Species& species = species_.emplace_back();
    species.of = &of;
    species.law = law_of(of, resolved.viscosity());
    for (int axis = 0; axis < 3; ++axis) species.ends[axis] = particle_ends(resolved, of, axis);
    species.counters = backend.template allocate<std::int64_t>(ParticleCounter::count);
    species.counts = late_.template place<ReadCounters::sums, ReadCounters::maxima>();
    species.further_counts = late_.template place<ReadFurtherCounters::sums, 0>();
    species.high = backend.template allocate<std::int64_t>(count_of_sums());
    species.low = backend.template allocate<std::int64_t>(count_of_sums());
    if (of.acts_on_flow()) make_coupled(species);
    choose_columns(species);
    enlarge(species, of.count);
  }
}

template <class Backend>
void ParticlesOnBackend<Backend>::make_bodies() {
  using Lattices = BodiesForParticles::Lattices;
  require_on_all_ranks(backend_->communicator(), [&] {
    bodies_of_case_ =
        BodiesForParticles(*resolved_, Backend::only_counts ? Lattices::sized : Lattices::filled);
  });
  programs_ = uploaded(bodies_of_case_.programs());
  lattice_numbers_ = uploaded(bodies_of_case_.lattices().numbers);
  lattice_distances_ = uploaded(bodies_of_case_.lattices().distances);
  bodies_ = uploaded(
      bodies_of_case_.at(programs_.data(), lattice_numbers_.data(), lattice_distances_.data()));
  body_count_ = static_cast<int>(resolved_->solids.size());
}

template <class Backend>
template <class T>
auto ParticlesOnBackend<Backend>::uploaded(const std::vector<T>& values) -> Memory<T> {
  Memory<T> memory = backend_->template allocate<T>(values.size());
  backend_->upload_values(values.data(), memory.data(), values.size());
  return memory;
}

template <class Backend>
ParticleArrays<typename Backend::Real> ParticlesOnBackend<Backend>::arrays(
    const Species& species) const {
  ParticleArrays<Real> arrays{
      .place = {species.place[0].data(), species.place[1].data(), species.place[2].data()},
      .velocity = {species.velocity[0].data(),
                   species.velocity[1].data(),
                   species.velocity[2].data()},
      .id = species.id.data(),
      .count = species.count};
  for (std::size_t n = 0; n < species.columns.size(); ++n)
    arrays.columns[n] = species.columns.at(n).data();
  return arrays;
}

template <class Backend>
ParticleSpace<typename Backend::Real> ParticlesOnBackend<Backend>::space(
    const Species& species) const {
  ParticleSpace<Real> space{.axes = {},
                            .particles = arrays(species),
                            .counters = species.counters.data(),
                            .law = species.law,
                            .restitution = species.of->restitution};
  for (int axis = 0; axis < 3; ++axis) {
    const Axis3& tables = axes_[axis];
    space.axes[axis] = {.faces = tables.faces.data(),
                        .centres = tables.centres.data(),
                        .at_faces = tables.at_faces.data(),
                        .at_centres = tables.at_centres.data(),
                        .divergence_free = {.numbers = tables.numbers_of_cells.data(),
                                            .indices = tables.indices_of_cells.data()},
                        .buckets = tables.buckets.data(),
                        .bucket_count = bucket_counts_[axis],
                        .buckets_per_length = buckets_per_length_[axis],
                        .cells = cells_[axis],
                        .ends = {species.ends[axis][0], species.ends[axis][1]}};
  }
  return space;
}

/// Room for `count` particles at least; those that are there stay.
template <class Backend>
void ParticlesOnBackend<Backend>::enlarge(Species& species, std::size_t count) {
  if (count <= species.capacity) return;
  const auto grown = [&]<class T>(Memory<T>& values) {
    Memory<T> larger = backend_->template allocate<T>(count);
    for_each_particle(species,
                      GatherValues<T, T>{values.data(), nullptr, species.count, larger.data()});
    backend_->synchronize();
    values = std::move(larger);
  };
  for (int axis = 0; axis < 3; ++axis) {
    grown.template operator()<double>(species.place[axis]);
    grown.template operator()<Real>(species.velocity[axis]);
  }
  for (std::size_t n = 0; n < species.columns.size(); ++n)
    if (species.has_column.at(n)) grown.template operator()<double>(species.columns.at(n));
  grown.template operator()<std::int64_t>(species.id);
  species.capacity = count;
  backend_->enlarge(scratch_, count);
  backend_->enlarge(keys_, count);
  backend_->enlarge(order_, count);
  backend_->reserve_particles(count);
}

/// Puts particles behind those that are there.
template <class Backend>
void ParticlesOnBackend<Backend>::add(Species& species,
                                      const ParticleRecords& records,
                                      const VelocityAround<Real>& velocity) {
  const std::size_t more = records.count();
  if (more == 0) return;
  const int first = species.count;
  const std::size_t wanted = first + more;
  if (wanted > species.capacity) enlarge(species, wanted + wanted / 2);
  std::vector<double> column(more);
  std::vector<Real> column_of_velocity(more);
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t n = 0; n < more; ++n) column[n] = records.positions[3 * n + axis];
    backend_->upload_values(column.data(), species.place[axis].data() + first, more);
    if (records.velocities.empty()) continue;
    for (std::size_t n = 0; n < more; ++n)
      column_of_velocity[n] = static_cast<Real>(records.velocities[3 * n + axis]);
    backend_->upload_values(column_of_velocity.data(), species.velocity[axis].data() + first, more);
  }
  const auto upload_column =
      [&](int to, const std::vector<double>& values, int of_each, double or_else) {
        for (int m = 0; m < of_each; ++m) {
          const std::size_t place = to + m;
          if (!species.has_column.at(place)) return;
          for (std::size_t n = 0; n < more; ++n) {
            column[n] = values.empty() ? or_else : values[n * of_each + m];
          }
          backend_->upload_values(column.data(), species.columns.at(place).data() + first, more);
        }
      };
  upload_column(ParticleColumn::turns, records.turns, 3, 0);
  upload_column(ParticleColumn::diameter, records.diameters, 1, species.of->diameter.value_or(0));
  backend_->upload_values(records.ids.data(), species.id.data() + first, more);
  species.count += static_cast<int>(more);
  if (records.velocities.empty()) {
    with_weights(species, [&]<class Weights>() {
      backend_->for_each(box_of_particles(static_cast<int>(more)),
                         TakeFluidVelocity<Real, Weights>{space(species), velocity, first});
    });
  }
}

template <class Backend>
void ParticlesOnBackend<Backend>::release(Species& species, const VelocityAround<Real>& velocity) {
  ParticleRecords records;
  std::int64_t released = 0;
  require_on_all_ranks(backend_->communicator(), [&] {
    records = released_particles(
        *resolved_, bodies_of_case_, *species.of, species.next_id, part_, released);
  });
  add(species, records, velocity);
  species.next_id += released;
}

template <class Backend>
void ParticlesOnBackend<Backend>::start(const FlowState* copy,
                                        const FlowMoment& at,
                                        const Velocity& velocity) {
  backend_->enter(phase::particles);
  const VelocityAround<Real> around_now = around(velocity, 0);
  steps_since_sort_ = 0;
  for (Species& species : species_) {
    species.count = 0;
    species.next_id = 0;
    species.before = {};
    const std::vector<std::int64_t> none(ParticleCounter::count);
    backend_->upload_values(none.data(), species.counters.data(), none.size());
    const std::vector<std::int64_t> zero(count_of_sums());
    backend_->upload_values(zero.data(), species.high.data(), zero.size());
    backend_->upload_values(zero.data(), species.low.data(), zero.size());
    species.sums_before = {};
    const ParticleCopy* const known =
        copy == nullptr ? nullptr : find_particles(*copy, species.of->name);
    if (known != nullptr) {
      const ParticleRecords all{
          known->ids, known->positions, known->velocities, {}, known->turns, known->diameters};
      add(species, records_in_part(*resolved_, all, part_), around_now);
      species.next_id = known->next_id;
      species.before = counts_in(*known);
      if (known->sums.high.size() == zero.size()) species.sums_before = known->sums;
    } else if (copy != nullptr ? !species.of->release.every.is_any()
                               : is_release_due(species.of->release, at)) {
      release(species, around_now);
    }
    sort(species);
  }
}

template <class Backend>
void ParticlesOnBackend<Backend>::choose_columns(Species& species) {
  const auto add = [&](int first, int count, bool is_there) {
    for (int n = first; n < first + count; ++n) species.has_column.at(n) = is_there;
  };
  const bool has_stages = resolved_->time.scheme == TimeScheme::runge_kutta;
  add(ParticleColumn::acceleration, 3, species.acts_on_flow() && has_stages);
  add(ParticleColumn::turns, 3, are_unwrapped(*resolved_, *species.of));
  bool differ = false;
  require_on_all_ranks(backend_->communicator(), [&] { differ = has_diameters(*species.of); });
  add(ParticleColumn::diameter, 1, differ);
}

/// Forces of Runge-Kutta stages are those of slips of 1 U.
template <class Backend>
void ParticlesOnBackend<Backend>::make_coupled(Species& species) {
  const double mass = coupling_of(*species.of).mass;
  const bool has_stages = resolved_->time.scheme == TimeScheme::runge_kutta;
  species.impulses.emplace(*backend_,
                           part_,
                           beyond_,
                           has_stages ? mass * std::max(1.0, 1 / species.law.response_time) : mass);
}

template <class Backend>
bool ParticlesOnBackend<Backend>::act_on_flow() const {
  return std::ranges::any_of(species_, &Species::acts_on_flow);
}

template <class Backend>
void ParticlesOnBackend<Backend>::reset_counter(const Species& species, int counter) {
  backend_->for_each({{}, {1, 1, 1}}, ResetCounter{species.counters.data() + counter});
}

template <class Backend>
void ParticlesOnBackend<Backend>::begin_giving() {
  if (!std::exchange(gives_anew_, false)) return;
  giving_time_ = 0;
  for (const Species& species : species_)
    for (int axis = 0; axis < 3 && species.acts_on_flow(); ++axis)
      reset_counter(species, ParticleCounter::impulse + axis);
}

/// After a step of h, with the velocity at its end.
template <class Backend>
template <class Weights>
void ParticlesOnBackend<Backend>::meet_bodies(const Species& species,
                                              const VelocityAround<Real>& velocity,
                                              double h) {
  if (body_count_ == 0) return;
  for_each_particle(
      species,
      MeetBodies<Real, Weights>{.space = space(species),
                                .velocity = velocity,
                                .bodies = bodies_.data(),
                                .count = body_count_,
                                .absorbs = species.of->walls == SpeciesCase::Walls::absorb,
                                .h = h});
}

template <class Backend>
template <class Weights, class Move>
void ParticlesOnBackend<Backend>::give(Species& species,
                                       const Move& move,
                                       const VelocityAround<Real>& velocity,
                                       double h,
                                       std::int64_t times) {
  species.impulses->clear();
  for_each_particle(species, move);
  meet_bodies<Weights>(species, velocity, h);
  species.impulses->exchange();
  species.impulses->count(times, species.counters.data());
  exchange(species);
}

template <class Backend>
void ParticlesOnBackend<Backend>::give_in_step(const Velocity& now,
                                               const Velocity& estimate,
                                               double dt) {
  backend_->enter(phase::particles);
  begin_giving();
  giving_time_ += dt;
  const VelocityAround<Real> begin = around(now, 0);
  const VelocityAround<Real> end = around(estimate, 1);
  for (Species& species : species_) {
    if (!species.acts_on_flow()) continue;
    with_weights(species, [&]<class Weights>() {
      give<Weights>(
          species,
          MoveInertial<Real, Weights, GiveImpulse>{space(species), begin, end, dt, gives(species)},
          end,
          dt,
          1);
    });
  }
  backend_->enter(phase::other);
}

/// The mean force of a step: the sum of those of its stages by their quarters, over 4.
template <class Backend>
void ParticlesOnBackend<Backend>::give_in_stage(const Velocity& begin, const ParticleStage& stage) {
  if (!act_on_flow()) return;
  backend_->enter(phase::particles);
  begin_giving();
  giving_time_ = 4;
  const VelocityAround<Real> at_begin = around(begin, 0);
  for (Species& species : species_) {
    if (!species.acts_on_flow()) continue;
    with_weights(species, [&]<class Weights>() {
      give<Weights>(species,
                    MoveCoupledInStage<Real, Weights>{
                        space(species), at_begin, stage.now, stage.before, gives(species)},
                    at_begin,
                    stage.now + stage.before,
                    stage.quarters);
    });
  }
  backend_->enter(phase::other);
}

template <class Backend>
void ParticlesOnBackend<Backend>::add_to(const VelocityView<Real>& force,
                                         const VelocityView<Real>& result,
                                         const GridMetrics<Real>& metrics,
                                         double weight) {
  const Extents points = part_.points();
  for (const Species& species : species_) {
    if (!species.acts_on_flow()) continue;
    backend_->for_each(
        {{}, {points.nx, points.ny, points.nz}},
        AddImpulses<Real>{
            species.impulses->view(), metrics, force, result, static_cast<Real>(weight)});
  }
}

/// Particles of mass m in a fluid of mass M take its velocity at the rate (1 + m/M) f/tau: M is
/// that of the box, or of a cell where one particle alone has more of that.
template <class Backend>
double ParticlesOnBackend<Backend>::decay_rate(const Velocity& velocity) {
  if (!act_on_flow()) return 0;
  const VelocityAround<Real> around_now = around(velocity, 0);
  double rate = 0;
  for (Species& species : species_) {
    if (!species.acts_on_flow()) continue;
    std::array<std::int64_t, 2> own{};  // rate, number of particles
    reset_counter(species, ParticleCounter::rate);
    with_weights(species, [&]<class Weights>() {
      for_each_particle(species, RaiseRate<Real, Weights>{space(species), around_now});
    });
    const std::int64_t* const counters = species.counters.data();
    backend_->download_values(counters + ParticleCounter::rate, own.data(), 1);
    backend_->download_values(counters + ParticleCounter::empty, own.data() + 1, 1);
    own[1] = species.count - own[1];
    std::int64_t largest = 0;
    double count = 0;
    for (const auto& of_rank : backend_->communicator().gathered(own)) {
      largest = std::max(largest, of_rank[0]);
      count += static_cast<double>(of_rank[1]);
    }
    rate += static_cast<double>(largest) * quantum_of_rate *
            (1 + mass_loading(*resolved_, *species.of, count));
  }
  return rate;
}

template <class Backend>
void ParticlesOnBackend<Backend>::advance(const Velocity& now, const Velocity& next, double dt) {
  if (std::ranges::all_of(species_, &Species::acts_on_flow)) return;
  backend_->enter(phase::particles);
  const VelocityAround<Real> begin = around(now, 0);
  const VelocityAround<Real> end = around(next, 1);
  for (Species& species : species_) {
    if (species.acts_on_flow()) continue;
    with_weights(species, [&]<class Weights>() {
      if (species.law.is_tracer()) {
        for_each_particle(species, MoveTracers<Real, Weights>{space(species), begin, end, dt});
      } else {
        for_each_particle(species,
                          MoveInertial<Real, Weights, NoImpulse>{space(species), begin, end, dt});
      }
      meet_bodies<Weights>(species, end, dt);
    });
    exchange(species);
  }
  backend_->enter(phase::other);
}

template <class Backend>
void ParticlesOnBackend<Backend>::advance_stage(const Velocity& begin,
                                                const Velocity& end,
                                                const ParticleStage& stage) {
  if (std::ranges::all_of(species_, &Species::acts_on_flow)) return;
  backend_->enter(phase::particles);
  const VelocityAround<Real> at_begin = around(begin, 0);
  const VelocityAround<Real> at_end = around(end, 1);
  for (Species& species : species_) {
    if (species.acts_on_flow()) continue;
    with_weights(species, [&]<class Weights>() {
      if (species.law.is_tracer()) {
        for_each_particle(
            species,
            MoveTracersInStage<Real, Weights>{space(species), at_begin, stage.now, stage.before});
      } else {
        for_each_particle(species,
                          MoveInertial<Real, Weights, NoImpulse>{
                              space(species), at_begin, at_end, stage.now + stage.before});
      }
      meet_bodies<Weights>(species, at_end, stage.now + stage.before);
    });
    exchange(species);
  }
  backend_->enter(phase::other);
}

template <class Backend>
void ParticlesOnBackend<Backend>::end_step(const FlowMoment& now, const Velocity& velocity) {
  backend_->enter(phase::particles);
  gives_anew_ = true;
  const auto& statistics = resolved_->output.particle_statistics;
  const bool is_sampled = statistics && statistics->every.is_due(now, statistics->start);
  std::optional<VelocityAround<Real>> around_now;
  if (is_sampled) around_now = around(velocity, 0);
  for (Species& species : species_) {
    if (is_sampled) sample(species, now.time, *around_now);
    if (!is_release_due(species.of->release, now)) continue;
    if (!around_now) around_now = around(velocity, 0);
    release(species, *around_now);
    sort(species);
  }
  if (++steps_since_sort_ >= steps_between_sorts) {
    steps_since_sort_ = 0;
    for (Species& species : species_) sort(species);
  }
  backend_->enter(phase::other);
}

template <class Backend>
void ParticlesOnBackend<Backend>::sample(Species& species,
                                         double time,
                                         const VelocityAround<Real>& velocity) {
  const ParticleStatisticsCase& statistics = *resolved_->output.particle_statistics;
  ParticleSums& sums = species.sums_before;
  if (sums.samples++ == 0) sums.first_time = time;
  sums.last_time = time;
  with_weights(species, [&]<class Weights>() {
    for_each_particle(species,
                      SampleParticles<Real, Weights>{space(species),
                                                     velocity,
                                                     statistics.axis,
                                                     statistics.bins,
                                                     species.high.data(),
                                                     species.low.data()});
  });
  const int count = bins_ * ParticleSum::count;
  backend_->for_each(box_of_particles(count),
                     CarrySums{species.high.data(), species.low.data(), count});
}

/// Sums of all ranks since the first sample; all of them call it.
template <class Backend>
ParticleSums ParticlesOnBackend<Backend>::sums_of(const Species& species) {
  ParticleSums sums = species.sums_before;
  const std::size_t count = count_of_sums();
  if (count == 0) return sums;
  std::vector<std::int64_t> own(2 * count);
  backend_->download_values(species.high.data(), own.data(), count);
  backend_->download_values(species.low.data(), own.data() + count, count);
  Communicator& communicator = backend_->communicator();
  const std::size_t ranks = communicator.size();
  std::vector<std::int64_t> of_all(ranks * own.size());
  communicator.all_gather(own.data(), own.size() * sizeof(std::int64_t), of_all.data());
  sums.high.resize(count);
  sums.low.resize(count);
  for (std::size_t n = 0; n < count; ++n) {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      sums.high[n] += of_all[rank * own.size() + n];
      sums.low[n] += of_all[rank * own.size() + count + n];
    }
    CarrySums{&sums.high[n], &sums.low[n], 1}(Index3{});
  }
  return sums;
}

template <class Backend>
std::vector<ParticleSums> ParticlesOnBackend<Backend>::sums() {
  std::vector<ParticleSums> all;
  for (const Species& species : species_) all.push_back(sums_of(species));
  return all;
}

/// Moves particles that have left at an end of the part to a message; returns their number.
template <class Backend>
int ParticlesOnBackend<Backend>::pack_leavers(Species& species, bool is_high) {
  if (!beyond_.is_seam(is_high) || species.count == 0) return 0;
  for_each_particle(species,
                    FlagLeavers<Real>{space(species),
                                      part_.first(2),
                                      part_.points().nz,
                                      part_.whole.nz,
                                      is_high,
                                      keys_.data()});
  const int leaving = backend_->select(keys_.data(), order_.data(), species.count);
  if (leaving == 0) return 0;
  Memory<double>& message = leaving_.at(is_high ? 1 : 0);
  backend_->enlarge(message, arrays(species).words() * leaving);
  backend_->for_each(box_of_particles(leaving),
                     PackParticles<Real>{space(species), order_.data(), leaving, message.data()});
  return leaving;
}

/// Hands over particles that have left the part of this rank. The ranks wait for each other.
template <class Backend>
void ParticlesOnBackend<Backend>::exchange(Species& species) {
  if (!backend_->is_divided()) return;
  const std::size_t words = arrays(species).words();
  const std::size_t bytes = words * sizeof(double);
  std::array<int, 2> leaving{};
  for (const bool is_high : {false, true})
    leaving.at(is_high ? 1 : 0) = pack_leavers(species, is_high);
  const std::vector<std::array<int, 2>> of_ranks = backend_->communicator().gathered(leaving);
  std::array<int, 2> arriving{};
  std::vector<SentMessage> sent;
  std::vector<ReceivedMessage> received;
  for (const bool is_high : {false, true}) {  // see PlanesBeyondSeams
    const std::size_t way = is_high ? 1 : 0;
    const std::size_t from = 1 - way;
    if (leaving.at(way) > 0) {
      sent.push_back(
          {beyond_.neighbour(is_high), leaving_.at(way).data(), bytes * leaving.at(way)});
    }
    if (!beyond_.is_seam(!is_high)) continue;
    const std::size_t neighbour = beyond_.neighbour(!is_high);
    arriving.at(from) = of_ranks.at(neighbour).at(way);
    if (arriving.at(from) == 0) continue;
    const std::size_t count = arriving.at(from);
    backend_->enlarge(arriving_.at(from), count * words);
    received.push_back({beyond_.neighbour(!is_high), arriving_.at(from).data(), count * bytes});
  }
  backend_->pass(sent, received);
  for (std::size_t end = 0; end < arriving.size(); ++end) {
    const int count = arriving.at(end);
    if (count == 0) continue;
    const int first = species.count;
    const std::size_t wanted = first + static_cast<std::size_t>(count);
    if (wanted > species.capacity) enlarge(species, wanted + wanted / 2);
    species.count += count;
    backend_->for_each(
        box_of_particles(count),
        UnpackParticles<Real>{arriving_.at(end).data(), count, first, space(species)});
  }
}

/// Sorts places by their cells, and drops empty ones.
template <class Backend>
void ParticlesOnBackend<Backend>::sort(Species& species) {
  if (species.count == 0) return;
  std::int64_t* const empty = species.counters.data() + ParticleCounter::empty;
  std::int64_t empty_places = 0;
  backend_->download_values(empty, &empty_places, 1);
  for_each_particle(
      species, KeysOfCells<Real>{space(species), part_.first(2), part_.points().nz, keys_.data()});
  backend_->sort_by_key(keys_.data(), order_.data(), species.count);
  species.count -= static_cast<int>(empty_places);
  for (int axis = 0; axis < 3; ++axis) {
    reorder(species.place[axis].data(), species);
    reorder(species.velocity[axis].data(), species);
  }
  for (std::size_t n = 0; n < species.columns.size(); ++n)
    if (species.has_column.at(n)) reorder(species.columns.at(n).data(), species);
  reorder(species.id.data(), species);
  empty_places = 0;
  backend_->upload_values(&empty_places, empty, 1);
}

template <class Backend>
template <class From>
void ParticlesOnBackend<Backend>::reorder(From* values, const Species& species) {
  static_assert(sizeof(From) <= sizeof(double));
  auto* const room = reinterpret_cast<From*>(scratch_.data());
  for_each_particle(species, GatherValues<From, From>{values, order_.data(), species.count, room});
  for_each_particle(species, GatherValues<From, From>{room, nullptr, species.count, values});
}

/// Puts into order_ the places of particles whose ids are first + k stride, k = 0, 1, ... Returns
/// their number.
template <class Backend>
int ParticlesOnBackend<Backend>::choose(const Species& species,
                                        std::int64_t first,
                                        std::int64_t stride) {
  if (species.count == 0) return 0;
  for_each_particle(species, FlagChosen<Real>{arrays(species), first, stride, keys_.data()});
  return backend_->select(keys_.data(), order_.data(), species.count);
}

/// The values at the chosen places, on the host.
template <class Backend>
template <class From, class To>
std::vector<To> ParticlesOnBackend<Backend>::gathered(const From* values, int chosen) {
  std::vector<To> on_host(chosen);
  if (chosen == 0) return on_host;
  auto* const room = reinterpret_cast<To*>(scratch_.data());
  backend_->for_each(box_of_particles(chosen),
                     GatherValues<From, To>{values, order_.data(), chosen, room});
  backend_->download_values(room, on_host.data(), on_host.size());
  return on_host;
}

/// Chosen particles of this rank, in any order; with the velocity of the fluid unless it is null.
template <class Backend>
ParticleRecords ParticlesOnBackend<Backend>::records(const Species& species,
                                                     std::int64_t first,
                                                     std::int64_t stride,
                                                     const VelocityAround<Real>* velocity) {
  const int chosen = choose(species, first, stride);
  const std::size_t count = chosen;
  ParticleRecords records;
  records.ids = gathered<std::int64_t, std::int64_t>(species.id.data(), chosen);
  records.positions.resize(3 * count);
  records.velocities.resize(3 * count);
  for (int axis = 0; axis < 3; ++axis) {
    const auto x = gathered<double, double>(species.place[axis].data(), chosen);
    const auto v = gathered<Real, double>(species.velocity[axis].data(), chosen);
    for (std::size_t n = 0; n < count; ++n) {
      records.positions[3 * n + axis] = x[n];
      records.velocities[3 * n + axis] = v[n];
    }
  }
  const auto of_columns = [&](int first_column, int of_each, std::vector<double>& values) {
    if (!species.has_column.at(first_column)) return;
    values.resize(count * of_each);
    for (int m = 0; m < of_each; ++m) {
      const auto column =
          gathered<double, double>(species.columns.at(first_column + m).data(), chosen);
      for (std::size_t n = 0; n < count; ++n) values[n * of_each + m] = column[n];
    }
  };
  of_columns(ParticleColumn::turns, 3, records.turns);
  of_columns(ParticleColumn::diameter, 1, records.diameters);
  if (velocity == nullptr || count == 0) return records;
  Memory<double> room = backend_->template allocate<double>(3 * count);
  with_weights(species, [&]<class Weights>() {
    backend_->for_each(box_of_particles(chosen),
                       FluidVelocityAt<Real, Weights>{
                           space(species), *velocity, order_.data(), chosen, room.data()});
  });
  records.fluid_velocities.resize(3 * count);
  backend_->download_values(room.data(), records.fluid_velocities.data(), 3 * count);
  return records;
}

template <class Backend>
ParticleCopy ParticlesOnBackend<Backend>::copy(const ParticlesAsked& asked,
                                               const Velocity& velocity) {
  backend_->enter(phase::copy);
  const Species& species = species_.at(asked.species);
  const bool is_tracer = species.law.is_tracer();
  std::optional<VelocityAround<Real>> around_now;
  if (is_tracer || asked.fluid_velocity) around_now = around(velocity, 0);
  ParticleRecords all =
      records_of_all(backend_->communicator(),
                     records(species, 0, asked.stride, around_now ? &*around_now : nullptr));
  if (is_tracer) all.velocities = all.fluid_velocities;
  if (!asked.fluid_velocity) all.fluid_velocities.clear();
  backend_->enter(phase::other);
  return {.name = species.of->name,
          .ids = std::move(all.ids),
          .positions = std::move(all.positions),
          .velocities = std::move(all.velocities),
          .fluid_velocities = std::move(all.fluid_velocities),
          .turns = std::move(all.turns),
          .diameters = std::move(all.diameters),
          .next_id = species.next_id};
}

template <class Backend>
void ParticlesOnBackend<Backend>::add_to(FlowState& copy, const Velocity& /*velocity*/) {
  begin_counts();
  late_.finish();
  for (Species& species : species_) {
    ParticleRecords all = records_of_all(backend_->communicator(), records(species, 0, 1, nullptr));
    ParticleCopy& of = copy.particles.emplace_back();
    of.name = species.of->name;
    of.ids = std::move(all.ids);
    of.positions = std::move(all.positions);
    of.velocities = std::move(all.velocities);
    of.turns = std::move(all.turns);
    of.diameters = std::move(all.diameters);
    of.next_id = species.next_id;
    of.numbers = numbers_of(
        *resolved_,
        *species.of,
        species.before + counts_in(late_[species.counts], late_[species.further_counts]));
    of.sums = sums_of(species);
  }
}

template <class Backend>
void ParticlesOnBackend<Backend>::begin_counts() {
  for (Species& species : species_) {
    const Box point{{}, {1, 1, 1}};
    late_.begin(species.counts, point, ReadCounters{species.counters.data(), species.count});
    late_.begin(species.further_counts, point, ReadFurtherCounters{species.counters.data()});
  }
  late_.close();
  counted_time_ = giving_time_;
}

template <class Backend>
std::vector<double> ParticlesOnBackend<Backend>::finish_counts() {
  late_.finish();
  std::vector<double> values;
  for (const Species& species : species_) {
    const auto counted = late_[species.counts];
    const auto further = late_[species.further_counts];
    const double stray = counted.maximum[ReadCounters::stray];
    if (stray > 0) throw_with(species, static_cast<std::int64_t>(stray) - 1, message_of_stray);
    const double strong = counted.maximum[ReadCounters::strong];
    if (strong > 0) throw_with(species, static_cast<std::int64_t>(strong) - 1, message_of_strong);
    add_particle_counts(*resolved_,
                        *species.of,
                        counted.sum[ReadCounters::here],
                        species.before + counts_in(counted, further),
                        values);
    for (int axis = 0; axis < 3 && species.acts_on_flow(); ++axis) {
      const double impulse =
          further.sum[ReadFurtherCounters::impulse + axis] * species.impulses->quantum();
      values.push_back(counted_time_ > 0 ? impulse / counted_time_ : 0);
    }
  }
  return values;
}

/// By all ranks. message(species, id, found), see message_of_stray.
template <class Backend>
template <class Message>
void ParticlesOnBackend<Backend>::throw_with(const Species& species,
                                             std::int64_t id,
                                             const Message& message) {
  constexpr std::int64_t none_other = std::int64_t{1} << 62;
  const ParticleRecords own = records(species, id, none_other, nullptr);
  std::array<double, 7> found{};
  if (own.count() > 0) {
    found = {1,
             own.positions[0],
             own.positions[1],
             own.positions[2],
             own.velocities[0],
             own.velocities[1],
             own.velocities[2]};
  }
  throw DivergenceError(message(species.of->name, id, backend_->sum_of_ranks(found)));
}

}  // namespace dns
