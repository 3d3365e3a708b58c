/// How particles share their forces among the points of the flow, on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "solver/numerics/particle_impulse.hpp"
#include "tests/particles/sampled_flow.hpp"

namespace dns::testing::test_particle_impulse {
namespace {

struct Impulse {
  PerAxis<double> place, value;
};

Box whole_of(const Box3& box) {
  return {{}, {box.points.nx, box.points.ny, box.points.nz}};
}

/// Places within a box from low to high, and impulses of up to 1000 quanta^(1/2).
std::vector<Impulse> impulses(const Box3& box, int count, double margin) {
  std::vector<Impulse> all;
  for (int n = 0; n < count; ++n) {
    Impulse& one = all.emplace_back();
    for (int axis = 0; axis < 3; ++axis) {
      const double part = std::fmod((0.618 + 0.131 * axis) * (n + 1), 1.0);
      one.place[axis] = box.origin[axis] + box.length[axis] * (margin + (1 - 2 * margin) * part);
      one.value[axis] = std::sin(1.7 * n + axis);
    }
  }
  return all;
}

/// Sums on one rank that has the whole box.
template <class Weights>
class Sums {
 public:
  Sums(const Box3& box, double quantum) : memory_(3 * box.points.count()) {
    view_ = {.sums = memory_.data(),
             .extents = box.points,
             .beyond = 0,
             .first = 0,
             .planes = box.points.nz,
             .whole = box.points.nz,
             .quantum = quantum};
  }
  void give(const PerAxis<ParticleAxis>& axes, const Impulse& impulse) {
    const Weights weights = Weights::at(axes, impulse.place);
    for (int component = 0; component < 3; ++component)
      EXPECT_TRUE(give_component(view_, weights, component, impulse.value[component]));
  }
  [[nodiscard]] std::int64_t at(int component, Index3 c) const { return *view_.at(component, c); }
  [[nodiscard]] std::int64_t sum(int component) const {
    std::int64_t sum = 0;
    for_each_point(Box{{}, {view_.extents.nx, view_.extents.ny, view_.extents.nz}},
                   [&](Index3 c) { sum += at(component, c); });
    return sum;
  }
  [[nodiscard]] const std::vector<std::int64_t>& all() const { return memory_; }
  [[nodiscard]] const ImpulseSums& view() const { return view_; }

 private:
  std::vector<std::int64_t> memory_;
  ImpulseSums view_;
};

constexpr double quantum = 0x1p-40;
const std::array<FaceKind, 2> stream{FaceKind::inflow, FaceKind::outflow};

std::vector<Box3> boxes() {
  return {{.points = {5, 9, 6},
           .length = {1, 2, 3},
           .origin = {0, -1, 2},
           .ends = {periodic, walls, stream},
           .factor = 1.5},
          {.points = {7, 4, 5}, .length = {2, 1, 1}, .ends = {periodic, periodic, periodic}},
          {.points = {6, 5, 7}, .length = {1, 1, 2}, .ends = {walls, walls, periodic}}};
}

double nothing(int /*component*/, double /*x*/, double /*y*/, double /*z*/) {
  return 0;
}

template <class Weights>
class ParticleImpulse : public ::testing::Test {};
using Interpolations = ::testing::Types<PlaceWeights, DivergenceFreeWeights>;
TYPED_TEST_SUITE(ParticleImpulse, Interpolations);

TYPED_TEST(ParticleImpulse, on_points_is_that_of_particles_to_the_last_quantum_up_to_walls) {
  for (const Box3& box : boxes()) {
    const SampledFlow<double> sampled(box, nothing);
    Sums<TypeParam> sums(box, quantum);
    std::array<std::int64_t, 3> given{};
    for (const Impulse& impulse : impulses(box, 500, 0)) {
      sums.give(sampled.axes(), impulse);
      for (std::size_t q = 0; q < 3; ++q)
        given[q] += std::llrint(impulse.value[static_cast<int>(q)] / quantum);
    }
    for (int component = 0; component < 3; ++component)
      EXPECT_EQ(sums.sum(component), given[static_cast<std::size_t>(component)]);
  }
}

TYPED_TEST(ParticleImpulse, does_not_depend_on_the_order_of_particles) {
  const Box3 box = boxes()[0];
  const SampledFlow<double> sampled(box, nothing);
  std::vector<Impulse> all = impulses(box, 300, 0);
  Sums<TypeParam> one(box, quantum);
  for (const Impulse& impulse : all) one.give(sampled.axes(), impulse);
  std::ranges::reverse(all);
  std::ranges::rotate(all, all.begin() + 77);
  Sums<TypeParam> other(box, quantum);
  for (const Impulse& impulse : all) other.give(sampled.axes(), impulse);
  EXPECT_EQ(one.all(), other.all());
}

/// Where no value on a closed end takes part, J u of the particle is the sum of J_c u_c.
TYPED_TEST(ParticleImpulse, does_the_work_that_the_particle_feels) {
  const Flow flow = [](int q, double x, double y, double z) {
    return std::sin(2 * std::numbers::pi * x + q) + std::cos(y + 2 * q) + 0.3 * std::sin(z);
  };
  const Box3 box{.points = {7, 12, 9},
                 .length = {1, 2, 2 * std::numbers::pi},
                 .origin = {0, -1, 0},
                 .ends = {periodic, walls, periodic},
                 .factor = 1};
  SampledFlow<double> sampled(box, flow);
  const VelocityAround<double> velocity = sampled.velocity();
  for (const Impulse& impulse : impulses(box, 200, 0.25)) {
    Sums<TypeParam> sums(box, quantum);
    sums.give(sampled.axes(), impulse);
    const PerAxis<double> felt =
        sampled.template at<TypeParam>(impulse.place[0], impulse.place[1], impulse.place[2]);
    for (int component = 0; component < 3; ++component) {
      double work = 0;
      for_each_point(whole_of(box), [&](Index3 c) {
        work += quantum * static_cast<double>(sums.at(component, c)) * velocity.own[component](c);
      });
      // 64 shares rounded by half a quantum.
      EXPECT_NEAR(work, impulse.value[component] * felt[component], 64 * 2 * quantum);
    }
  }
}

/// The image of a particle beyond a plane of symmetry pushes the points on this side too.
TYPED_TEST(ParticleImpulse, beside_a_plane_of_symmetry_is_that_with_the_image) {
  const std::array<FaceKind, 2> mirrors{FaceKind::symmetry, FaceKind::symmetry};
  const Box3 half{.points = {5, 6, 7}, .length = {1, 1, 2}, .ends = {periodic, mirrors, periodic}};
  const Box3 whole{.points = {5, 12, 7},
                   .length = {1, 2, 2},
                   .origin = {0, -1, 0},
                   .ends = {periodic, periodic, periodic}};
  const SampledFlow<double> in_half(half, nothing);
  const SampledFlow<double> in_whole(whole, nothing);
  for (const Impulse& impulse : impulses(half, 100, 0)) {
    Sums<TypeParam> some(half, quantum);
    some.give(in_half.axes(), impulse);
    Sums<TypeParam> all(whole, quantum);
    all.give(in_whole.axes(), impulse);
    all.give(in_whole.axes(),
             {{impulse.place[0], -impulse.place[1], impulse.place[2]},
              {impulse.value[0], -impulse.value[1], impulse.value[2]}});
    for (int component = 0; component < 3; ++component) {
      for_each_point(whole_of(half), [&](Index3 c) {
        if (component == 1 && c.j == 0) return;  // on the plane, where v is 0
        EXPECT_NEAR(static_cast<double>(some.at(component, c)),
                    static_cast<double>(all.at(component, {c.i, c.j + 6, c.k})),
                    64);
      });
    }
  }
}

TYPED_TEST(ParticleImpulse, that_sums_have_no_room_for_is_not_given) {
  const Box3 box = boxes()[1];
  const SampledFlow<double> sampled(box, nothing);
  const Sums<TypeParam> sums(box, quantum);
  const TypeParam weights = TypeParam::at(sampled.axes(), PerAxis<double>{1, 0.5, 0.5});
  EXPECT_TRUE(give_component(sums.view(), weights, 0, 1000));
  EXPECT_FALSE(give_component(sums.view(), weights, 1, 1024));
  EXPECT_FALSE(give_component(sums.view(), weights, 2, std::nan("")));
  EXPECT_NE(sums.sum(0), 0);
  EXPECT_EQ(sums.sum(1), 0);
  EXPECT_EQ(sums.sum(2), 0);
}

}  // namespace
}  // namespace dns::testing::test_particle_impulse
