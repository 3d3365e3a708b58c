/// Particles in velocity fields that the test gives: the same bits on any number of ranks and
/// threads, whatever their order in memory, also of what they give to the fluid.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <numbers>
#include <string>
#include <vector>

#include "cpu/openmp_backend.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/field_layout.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/particles/particles.hpp"
#include "solver/ranks/distributed_backend.hpp"
#include "tests/solids/surfaces.hpp"
#include "tests/thread_ranks.hpp"

namespace dns::testing::test_particles_in_given_flow {
namespace {

constexpr double dt = 0.04;

Case case_in_given_flow(const std::string& solids) {
  return parse_case(solids + R"yaml(scheme: projection
grid: {points: [7, 9, 17], length: [1, 1.2, 2]}
fluid: {reynolds: 70}
boundaries: {x: periodic, y: wall, z: periodic}
time: {step: 0.04, steps: 100}
particles:
  tracer: {count: 200, positions: [r1, 1.2*r2, 2*r3], release: {every: 7}}
  dust: {count: 200, positions: [r1, 1.2*r2, 2*r3], seed: 2, diameter: 0.03, density: 40,
         gravity: [0, -0.5, 1], restitution: 0.7, drag: schiller_naumann}
  bubble: {count: 200, positions: [r1, 1.2*r2, 2*r3], seed: 3, diameter: 0.05, density: 0.1,
           forces: [drag, added_mass], coupling: two_way}
  leaf: {count: 200, positions: [r1, 1.2*r2, 2*r3], seed: 4, interpolation: divergence_free,
         release: {every: 11}}
  spray: {count: 200, positions: [r1, 1.2*r2, 2*r3], seed: 5, diameter: 0.03, density: 0.4,
          forces: [drag, added_mass], interpolation: divergence_free, coupling: two_way}
)yaml",
                    "case.yaml",
                    {});
}

/// A velocity of fixed bits at the points (i, j, k) of the box at time t.
double given_value(int component, int i, int j, int k, double t) {
  const double x = 2 * std::numbers::pi * i / 7;
  const double z = 2 * std::numbers::pi * k / 17;
  const double between_walls = component == 1 && (j <= 0 || j >= 9) ? 0 : 0.2 + 0.05 * j;
  return between_walls * std::sin(x + 2 * z + component + 3 * t) + (component == 2 ? 0.6 : 0.1);
}

template <class Real>
struct Ended {
  std::vector<ParticleCopy> particles;
  std::vector<double> counts;
  FlowState copy;
};

/// The particles of a number of ranks, with the bits of rank 0.
template <class Real>
class InGivenFlow {
 public:
  using Backend = DistributedBackend<OpenMpBackend<Real>>;

  static Ended<Real> after(int ranks,
                           int threads,
                           int first,
                           int last,
                           const FlowState* start,
                           const std::string& solids = {}) {
    const Case resolved = case_in_given_flow(solids);
    Ended<Real> ended;
    ThreadRanks::run(ranks, [&](Communicator& communicator) {
      InGivenFlow of_rank(resolved, communicator, threads);
      Ended<Real> own = of_rank.run(first, last, start);
      if (communicator.rank() == 0) ended = std::move(own);
    });
    return ended;
  }

 private:
  InGivenFlow(const Case& resolved, Communicator& communicator, int threads)
      : resolved_(resolved),
        grid_(staggered_grid(resolved)),
        backend_(OpenMpBackend<Real>(threads), communicator, whole_box(resolved)),
        layout_(backend_.part().points(), {1, 1, 1}),
        particles_(make_particles(backend_, resolved_, grid_, backend_.part(), layout_)) {
    for (auto& level : memory_)
      for (auto& component : level)
        component = backend_.template allocate<Real>(layout_.count(sizeof(Real)));
  }

  VelocityView<const Real> at(std::size_t level, double t) {
    VelocityView<const Real> velocity;
    for (int component = 0; component < 3; ++component) {
      const FieldView<Real> view =
          layout_.field_view(memory_.at(level).at(static_cast<std::size_t>(component)).data());
      for_each_point(layout_.all_stored(), [&](Index3 c) {
        const int k = (c.k + backend_.part().first(2) + 17) % 17;
        view.set(c, static_cast<Real>(given_value(component, (c.i + 7) % 7, c.j, k, t)));
      });
      velocity.component[component] = view.as_const();
    }
    return velocity;
  }

  Ended<Real> run(int first, int last, const FlowState* start) {
    particles_->start(start, {first, first * dt, (first - 1) * dt}, at(0, first * dt));
    for (int n = first; n < last; ++n) {
      const VelocityView<const Real> now = at(0, n * dt);
      const VelocityView<const Real> next = at(1, (n + 1) * dt);
      particles_->give_in_step(now, next, dt);
      particles_->advance(now, next, dt);
      particles_->end_step({n + 1, (n + 1) * dt, n * dt}, next);
    }
    Ended<Real> ended;
    for (std::size_t species = 0; species < resolved_.particles.size(); ++species)
      ended.particles.push_back(particles_->copy({.species = species}, at(0, last * dt)));
    particles_->begin_counts();
    ended.counts = particles_->finish_counts();
    particles_->add_to(ended.copy, at(0, last * dt));
    return ended;
  }

  const Case& resolved_;
  StaggeredGrid grid_;
  Backend backend_;
  FieldLayout layout_;
  std::unique_ptr<Particles<Backend>> particles_;
  using Memory = decltype(std::declval<Backend&>().template allocate<Real>(0));
  std::array<std::array<Memory, 3>, 2> memory_;
};

template <class Real>
void expect_same_bits(const Ended<Real>& one, const Ended<Real>& other) {
  ASSERT_EQ(one.particles.size(), other.particles.size());
  for (std::size_t n = 0; n < one.particles.size(); ++n) {
    EXPECT_EQ(one.particles[n].ids, other.particles[n].ids);
    EXPECT_EQ(one.particles[n].positions, other.particles[n].positions);
    EXPECT_EQ(one.particles[n].velocities, other.particles[n].velocities);
  }
  EXPECT_EQ(one.counts, other.counts);
}

template <class Real>
class ParticlesInGivenFlow : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ParticlesInGivenFlow, Precisions);

TYPED_TEST(ParticlesInGivenFlow, have_the_same_bits_on_any_ranks_and_threads) {
  const auto one = InGivenFlow<TypeParam>::after(1, 1, 0, 60, nullptr);
  EXPECT_EQ(one.particles[0].ids.size(), 200U * 9);
  EXPECT_NE(one.counts.back(), 0) << "the bubbles push the fluid";
  for (const int ranks : {1, 2, 3, 4})
    expect_same_bits(one, InGivenFlow<TypeParam>::after(ranks, 2, 0, 60, nullptr));
}

TYPED_TEST(ParticlesInGivenFlow, go_on_from_a_copy_of_one_rank_on_four_in_another_order) {
  const auto in_one_go = InGivenFlow<TypeParam>::after(1, 1, 0, 50, nullptr);
  FlowState copy = InGivenFlow<TypeParam>::after(1, 1, 0, 25, nullptr).copy;
  for (ParticleCopy& species : copy.particles) {
    std::ranges::reverse(species.ids);
    for (std::vector<double>* const of : {&species.positions, &species.velocities}) {
      std::ranges::reverse(*of);
      for (std::size_t n = 0; n < of->size(); n += 3) std::swap((*of)[n], (*of)[n + 2]);
    }
  }
  for (const int ranks : {1, 4})
    expect_same_bits(in_one_go, InGivenFlow<TypeParam>::after(ranks, 1, 25, 50, &copy));
}

TYPED_TEST(ParticlesInGivenFlow, meet_triangles_with_the_same_bits) {
  const SurfaceFile file("in_given_flow", binary_stl(icosphere(2, {0.5, 0.6, 1.9}, 0.35)));
  const std::string solids = "solids: {ball: {shape: stl, path: " + file.path() + "}}\n";
  const auto after = [&](int ranks, int threads, int first, int last, const FlowState* start) {
    return InGivenFlow<TypeParam>::after(ranks, threads, first, last, start, solids);
  };
  const auto one = after(1, 1, 0, 50, nullptr);
  EXPECT_LT(one.particles[1].ids.size(), 195U) << "those in the body are left out";
  EXPECT_NE(one.particles[1].positions,
            InGivenFlow<TypeParam>::after(1, 1, 0, 50, nullptr).particles[1].positions);
  for (const int ranks : {1, 3}) expect_same_bits(one, after(ranks, 2, 0, 50, nullptr));
  const FlowState copy = after(1, 1, 0, 25, nullptr).copy;
  for (const int ranks : {1, 3}) expect_same_bits(one, after(ranks, 1, 25, 50, &copy));
}

}  // namespace
}  // namespace dns::testing::test_particles_in_given_flow
