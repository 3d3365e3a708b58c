/// What DistributedBackend must do on several ranks, here threads of the test, over every local
/// backend. Device: see backend_tests.hpp.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/numerics/projection.hpp"
#include "solver/projection/staggered_field.hpp"
#include "solver/ranks/distributed_backend.hpp"
#include "solver/simulation/late_reductions.hpp"
#include "tests/backend/backend_tests.hpp"
#include "tests/thread_ranks.hpp"

namespace dns::testing {

template <class Device>
using Distributed = DistributedBackend<typename Device::Backend>;

/// Calls function(backend) on all ranks at once.
template <class Device>
void on_ranks(int ranks,
              const Subdomain& whole,
              const std::function<void(Distributed<Device>&)>& function) {
  ThreadRanks::run(ranks, [&](Communicator& communicator) {
    Distributed<Device> backend(Device::make(), communicator, whole);
    function(backend);
  });
}

/// What function(backend) returns on each rank.
template <class Result, class Device, class Function>
std::vector<Result> results_of_ranks(int ranks, const Subdomain& whole, const Function& function) {
  std::vector<Result> results(static_cast<std::size_t>(ranks));
  on_ranks<Device>(ranks, whole, [&](Distributed<Device>& backend) {
    results[backend.communicator().rank()] = function(backend);
  });
  return results;
}

inline Subdomain box_along_z(Extents points, bool is_periodic) {
  return Subdomain::whole_box(points, {false, false, is_periodic});
}

/// The points of `box`, counted in the whole box, that a part has.
inline Box part_of(Box box, const Subdomain& part) {
  const int planes = part.points().nz;
  box.begin.k = std::clamp(box.begin.k - part.first(2), 0, planes);
  box.end.k = std::clamp(box.end.k - part.first(2), 0, planes);
  return box;
}

/// Values of a field that depend on the index in the whole box alone, `middle` + `amplitude` times
/// numbers in [-1, 1).
template <class Real>
struct FillScattered {
  FieldView<Real> field;
  int which;
  int first_k;
  double middle = 0, amplitude = 1;

  DNS_HD void operator()(Index3 c) const {
    field.set(
        c,
        static_cast<Real>(middle + amplitude * scattered(which, Index3{c.i, c.j, c.k + first_k})));
  }
};

template <class Backend>
void fill(Backend& backend,
          const StaggeredField<Backend>& field,
          const Subdomain& part,
          int which,
          double middle = 0,
          double amplitude = 1) {
  backend.for_each(
      StaggeredLayout(part.points()).all_points(),
      FillScattered<typename Backend::Real>{field.view(), which, part.first(2), middle, amplitude});
}

template <class Backend>
std::vector<typename Backend::Real> points_of(Backend& backend,
                                              const StaggeredField<Backend>& field,
                                              const Subdomain& part) {
  std::vector<typename Backend::Real> host(part.points().count());
  const auto view = field.view_const();
  backend.download({view.origin, 1, view.stride_y, view.stride_z}, part.points(), host.data());
  backend.synchronize();
  return host;
}

/// One after the other: slabs along z that are the whole box.
template <class Real>
std::vector<Real> joined(const std::vector<std::vector<Real>>& slabs) {
  std::vector<Real> all;
  for (const auto& slab : slabs) all.insert(all.end(), slab.begin(), slab.end());
  return all;
}

/// The largest difference relative to the largest value; NaN if there is one.
template <class Real>
double relative_difference(const std::vector<Real>& a, const std::vector<Real>& b) {
  double largest = 0;
  double scale = 0;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t n = 0; n < std::min(a.size(), b.size()); ++n) {
    const auto value = static_cast<double>(b[n]);
    scale = larger_or_nan(scale, std::abs(value));
    largest = larger_or_nan(largest, std::abs(static_cast<double>(a[n]) - value));
  }
  return largest / scale;
}

/// Round-off of solutions that are found in another order, for the numbers of ranks that must not
/// matter.
template <class Real>
constexpr double rank_tolerance = sizeof(Real) == 8 ? 1e-12 : 1e-5;

/// The same for DiffusionRows, whose condition number is up to 1 + 4 f 1.4 times the diffusion
/// number, f = 2: of that much round-off either solution may be off, and a third of it is allowed.
template <class Real>
double diffusion_tolerance(double diffusion_number) {
  constexpr auto epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
  return std::max(rank_tolerance<Real>, 4 * epsilon * diffusion_number);
}

/// (1 + f (a + b)) x_m - f a x_(m-1) - f b x_(m+1) = rhs along z, f = 1, 2, ... for the matrices of
/// a system. x = 0.75 is given beyond the low end, no gradient at the high one.
template <class SystemOfRows, class Real, bool cyclic>
struct DiffusionRows {
  using System = SystemOfRows;
  static constexpr bool is_cyclic = cyclic;
  static constexpr int coefficients = 2;

  FieldView<const Real> a, b;
  FieldView<Real> rhs[System::unknowns];              // the solution takes its place
  FaceView<const Real> below[System::unknowns] = {};  // beyond the ends; null: as given above
  FaceView<const Real> above[System::unknowns] = {};

  template <class Point>
  DNS_HD auto operator()(Point c) const {
    RowData<System, coefficients, decltype(a(c))> data;
    data.coefficient[0] = a(c);
    data.coefficient[1] = b(c);
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      data.rhs[unknown] = rhs[unknown](c);
    }
    return data;
  }
  template <class Value>
  [[nodiscard]] DNS_HD Coupling<Value> coupling(int matrix,
                                                const Value (&coefficient)[coefficients]) const {
    const Value low = Real(matrix + 1) * coefficient[0];
    const Value high = Real(matrix + 1) * coefficient[1];
    return {-low, Value(Real(1)) + low + high, -high};
  }
  template <class Point, class Data>
  DNS_HD void close_low(Point c, Data& data) const {
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      const auto row = coupling(System::matrix_of(unknown), data.coefficient);
      data.rhs[unknown] -=
          row.lower *
          (below[unknown].values == nullptr ? decltype(row.lower)(Real(0.75)) : below[unknown](c));
    }
  }
  template <class Point, class Data>
  DNS_HD void close_high(Point c, Data& data) const {
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      if (above[unknown].values == nullptr) continue;
      const auto row = coupling(System::matrix_of(unknown), data.coefficient);
      data.rhs[unknown] -= row.upper * above[unknown](c);
    }
  }
  template <class Value>
  DNS_HD void fold_low(int /*matrix*/, Coupling<Value>& row) const {
    row.lower = Value(Real(0));
  }
  template <class Value>
  DNS_HD void fold_high(int /*matrix*/, Coupling<Value>& row) const {
    if (above[0].values == nullptr) row.diagonal += row.upper;
    row.upper = Value(Real(0));
  }
  template <class ValueOf>
  void close_by_values(bool is_high, const ValueOf& value_of, FaceView<const Real> /*zero*/) {
    for (int unknown = 0; unknown < System::unknowns; ++unknown) {
      (is_high ? above : below)[unknown] = value_of(unknown);
    }
  }
};

/// Puts the solution in the place of the right-hand sides.
template <int unknowns, class Real>
struct ReplaceBySolution {
  FieldView<Real> x[unknowns];

  template <class Point>
  [[nodiscard]] DNS_HD auto read(Point c) const {
    return x[0](c);
  }
  template <class Point, class Value>
  DNS_HD void operator()(Point c, const Value (&solution)[unknowns], Value /*rhs*/) const {
    for (int unknown = 0; unknown < unknowns; ++unknown) x[unknown].set(c, solution[unknown]);
  }
};

/// What is to be solved by DiffusionRows; the rows outside of `box` keep their right-hand sides.
struct DiffusionProblem {
  Box box;
  bool is_periodic;
  double diffusion_number;
};

/// The solution on a part of the box, all unknowns one after the other.
template <class System, bool cyclic, class Backend>
std::vector<std::vector<typename Backend::Real>> solved_diffusion(Backend& backend,
                                                                  const Subdomain& part,
                                                                  const DiffusionProblem& problem) {
  using Real = typename Backend::Real;
  constexpr int unknowns = System::unknowns;
  const StaggeredLayout layout(part.points());
  const StaggeredField<Backend> a(backend, layout);
  const StaggeredField<Backend> b(backend, layout);
  fill(backend, a, part, 20, problem.diffusion_number, 0.4 * problem.diffusion_number);
  fill(backend, b, part, 21, problem.diffusion_number, 0.4 * problem.diffusion_number);
  std::vector<StaggeredField<Backend>> rhs;
  DiffusionRows<System, Real, cyclic> rows{a.view_const(), b.view_const(), {}};
  ReplaceBySolution<unknowns, Real> sink{};
  for (int unknown = 0; unknown < unknowns; ++unknown) {
    rhs.emplace_back(backend, layout);
    fill(backend, rhs.back(), part, unknown);
    rows.rhs[unknown] = sink.x[unknown] = rhs.back().view();
  }
  backend.template sweep<Axis::z>(part_of(problem.box, part), rows, sink);
  std::vector<std::vector<Real>> solution;
  for (const auto& field : rhs) solution.push_back(points_of(backend, field, part));
  return solution;
}

/// The largest difference of the solution by some ranks from that of the local backend.
template <class System, class Device>
double diffusion_difference(Extents points, const DiffusionProblem& problem, int ranks) {
  using Backend = typename Device::Backend;
  using Solution = std::vector<std::vector<typename Backend::Real>>;
  const Subdomain whole = box_along_z(points, problem.is_periodic);
  Backend local = Device::make();
  const Solution expected = problem.is_periodic
                                ? solved_diffusion<System, true>(local, whole, problem)
                                : solved_diffusion<System, false>(local, whole, problem);
  const auto parts =
      results_of_ranks<Solution, Device>(ranks, whole, [&](Distributed<Device>& backend) {
        if (ranks == 1 && problem.is_periodic) {
          return solved_diffusion<System, true>(backend, backend.part(), problem);
        }
        return solved_diffusion<System, false>(backend, backend.part(), problem);
      });
  double largest = 0;
  for (std::size_t unknown = 0; unknown < expected.size(); ++unknown) {
    Solution slabs;
    for (const Solution& part : parts) slabs.push_back(part[unknown]);
    largest = larger_or_nan(largest, relative_difference(joined(slabs), expected[unknown]));
  }
  return largest;
}

/// A device that sweeps few rows of lines at once, and exchanges messages for each of these passes.
template <class Local>
struct InSmallPasses : Local {
  explicit InSmallPasses(Local local) : Local(std::move(local)) {}
  static std::size_t bytes_of_two_passes() { return 12000; }
};
template <class Device>
struct WithSmallPasses {
  using Backend = InSmallPasses<typename Device::Backend>;
  static Backend make() { return Backend(Device::make()); }
};

/// A device that sweeps while messages pass, on grids of any size and whatever way messages go.
template <class Local>
struct HidingMessages : Local {
  explicit HidingMessages(Local local) : Local(std::move(local)) {}
  static bool hides_messages(Extents /*points*/) { return true; }
};
template <class Device>
struct WithHiddenMessages {
  using Backend = HidingMessages<typename Device::Backend>;
  static Backend make() { return Backend(Device::make()); }
};

/// A level of the splitting scheme, its ghosts included, as a function of the index in the whole
/// box.
template <class View>
struct FillLevelScattered {
  View level;
  int which, first_k, planes;
  bool is_periodic;

  DNS_HD void operator()(Index3 c) const {
    const int k = is_periodic ? (c.k + first_k + planes) % planes : c.k + first_k;
    for (int variable = 0; variable < variables_per_level; ++variable) {
      level.set(
          variable,
          c,
          static_cast<typename View::Number>(scattered(which + variable, Index3{c.i, c.j, k})));
    }
  }
};

/// A splitting sweep along z on a part of the box, with a given value at the low end and
/// extrapolation at the high one unless the box is periodic. look_at(N after it) is called.
template <bool cyclic, class Backend, class LookAt>
HostLevel<typename Backend::Real> solved_splitting(Backend& backend,
                                                   const Subdomain& part,
                                                   bool is_box_periodic,
                                                   const LookAt& look_at) {
  using Real = typename Backend::Real;
  using View = typename TimeLevel<Backend>::View;
  constexpr int interleave_width = Backend::interleave_width;
  const Extents points = part.points();
  const LevelLayout layout(points, {0, 0, 1});
  Box box = layout.all_points();
  ++box.begin.i, --box.end.i, ++box.begin.j, --box.end.j;
  if (part.is_boundary(2, false)) ++box.begin.k;
  if (part.is_boundary(2, true)) --box.end.k;
  const TimeLevel<Backend> source(backend, layout);
  const TimeLevel<Backend> nonlinear(backend, layout);
  const TimeLevel<Backend> next(backend, layout);
  const auto fill_level = [&](const TimeLevel<Backend>& level, int which) {
    backend.for_each(layout.all_stored(),
                     FillLevelScattered<View>{
                         level.view(), which, part.first(2), part.whole.nz, is_box_periodic});
  };
  fill_level(source, 0);
  fill_level(nonlinear, 4);
  const std::vector<Real> given(64, Real(0.625));
  const auto target = backend.template allocate<Real>(given.size());
  backend.upload_values(given.data(), target.data(), given.size());
  FaceClosures<Real> low;
  FaceClosures<Real> high;
  for (int variable = 0; variable < variables_per_level; ++variable) {
    low.closure[variable] = closure_of<Real>(BoundaryCondition::value(), 0.01);
    high.closure[variable] = closure_of<Real>(BoundaryCondition::extrapolate(), 0.01);
    low.given[variable] = high.given[variable] = {target.data(), 0, 0, 0};
  }
  backend.template sweep<Axis::z>(
      box,
      SplittingRows<Axis::z, Real, SeparateNormalVelocity<Axis::z>, cyclic, interleave_width>{
          source.view(),
          nonlinear.view_const(),
          {Real(200), Real(0.02), Real(0.03), Real(0.0006)},
          {Real(50), Real(50), Real(50)},
          low,
          high},
      RelaxAndStore<Real, interleave_width>{
          nonlinear.view_const(), next.view(), source.view(), Real(0.5), true, true});
  HostLevel<Real> result = download(backend, next, points);
  for (const auto& field : download(backend, source, points)) result.push_back(field);
  look_at(next);
  return result;
}
template <bool cyclic, class Backend>
auto solved_splitting(Backend& backend, const Subdomain& part, bool is_box_periodic) {
  return solved_splitting<cyclic>(backend, part, is_box_periodic, [](const auto&) {});
}

/// Plane k of all variables of a level, without the points at the ends of the lines along x and y.
template <class Backend>
std::vector<typename Backend::Real> plane_inside(Backend& backend,
                                                 const TimeLevel<Backend>& level,
                                                 Extents points,
                                                 int k) {
  const Extents inside{points.nx - 2, points.ny - 2, 1};
  std::vector<typename Backend::Real> all;
  for (int variable = 0; variable < variables_per_level; ++variable) {
    auto field = level.view_const().field(variable);
    field.origin = field.address({1, 1, k});
    std::vector<typename Backend::Real> host(inside.count());
    backend.download(field, inside, host.data());
    backend.synchronize();
    all.insert(all.end(), host.begin(), host.end());
  }
  return all;
}

/// The largest difference of a splitting sweep by some ranks from that of the local backend.
template <class Device>
double splitting_difference(Extents points, bool is_periodic, int ranks) {
  using Backend = typename Device::Backend;
  using Result = HostLevel<typename Backend::Real>;
  const Subdomain whole = box_along_z(points, is_periodic);
  Backend local = Device::make();
  const Result expected = is_periodic ? solved_splitting<true>(local, whole, true)
                                      : solved_splitting<false>(local, whole, false);
  const auto parts =
      results_of_ranks<Result, Device>(ranks, whole, [&](Distributed<Device>& backend) {
        return solved_splitting<false>(backend, backend.part(), is_periodic);
      });
  double largest = 0;
  for (std::size_t field = 0; field < expected.size(); ++field) {
    Result slabs;
    for (const Result& part : parts) slabs.push_back(part[field]);
    largest = larger_or_nan(largest, relative_difference(joined(slabs), expected[field]));
  }
  return largest;
}

/// Memory of the device with given values, and its values later.
template <class Backend, class Value>
auto uploaded(Backend& backend, const std::vector<Value>& host) {
  auto memory = backend.template allocate<Value>(host.size());
  backend.upload_values(host.data(), memory.data(), host.size());
  return memory;
}
template <class Backend, class Memory>
std::vector<typename Backend::Real> downloaded(Backend& backend,
                                               const Memory& memory,
                                               std::size_t count) {
  std::vector<typename Backend::Real> host(count);
  const int values = static_cast<int>(count);
  backend.download({memory.data(), 1, values, values}, {values, 1, 1}, host.data());
  backend.synchronize();
  return host;
}

/// Sweeps along x and y in turn, each followed by an exchange: all stored points of a part.
template <class Backend>
std::vector<std::vector<typename Backend::Real>> swept_and_exchanged(Backend& backend, Box box) {
  using Real = typename Backend::Real;
  using System = SharedVelocityMatrix;
  const Subdomain& part = backend.part();
  const FieldLayout layout(part.points(), {0, 0, 1});
  const auto count = layout.count(sizeof(Real));
  const auto view = [&](const auto& values) { return layout.field_view(values.data()); };
  std::vector<decltype(backend.template allocate<Real>(0))> memory;
  for (int n = 0; n < 2 + System::unknowns; ++n) {
    memory.push_back(backend.template allocate<Real>(count));
    backend.for_each(
        layout.all_points(),
        FillScattered<Real>{view(memory.back()), 30 + n, part.first(2), n < 2 ? 3.0 : 0, 1});
  }
  DiffusionRows<System, Real, false> rows{
      view(memory[0]).as_const(), view(memory[1]).as_const(), {}};
  ReplaceBySolution<System::unknowns, Real> sink{};
  std::array<Real*, System::unknowns> exchanged{};
  for (std::size_t n = 0; n < System::unknowns; ++n) {
    rows.rhs[n] = sink.x[n] = view(memory[2 + n]);
    exchanged[n] = memory[2 + n].data();
  }
  const auto exchange = [&] { backend.exchange(layout, 1, exchanged); };
  for (int times = 0; times < 3; ++times) {
    backend.template sweep_and_exchange<Axis::y>(part_of(box, part), rows, sink, exchange);
    backend.template sweep_and_exchange<Axis::x>(part_of(box, part), rows, sink, exchange);
  }
  std::vector<std::vector<Real>> found;
  for (const auto& values : memory) found.push_back(downloaded(backend, values, count));
  return found;
}

struct CountOfPoints {
  DNS_HD void operator()(Index3 /*c*/, Reduction<double, 1, 0>& reduction) const {
    reduction.sum[0] += 1;
  }
};

/// Two fields of a slab: a number that says where it was first in the planes of its own, -1 beyond.
class NumberedPlanes {
 public:
  NumberedPlanes(const FieldLayout& layout, int values_per_point, std::size_t bytes)
      : plane_values_(static_cast<std::size_t>(layout.stride_z(bytes) * values_per_point)),
        ghosts_(layout.ghosts.nz),
        first_(static_cast<std::size_t>(layout.plane(-ghosts_, bytes) * values_per_point)),
        count_(layout.count(bytes) * static_cast<std::size_t>(values_per_point)) {}

  [[nodiscard]] std::size_t count() const { return count_; }

  /// plane_of(k) is the plane of the whole box that is stored as plane k, or -1.
  template <class Real, class PlaneOf>
  [[nodiscard]] std::vector<Real> values(int field, int planes, const PlaneOf& plane_of) const {
    std::vector<Real> all(count_, Real(-2));
    for (int k = -ghosts_; k < planes + ghosts_; ++k) {
      const std::size_t start = first_ + static_cast<std::size_t>(k + ghosts_) * plane_values_;
      for (std::size_t n = 0; n < plane_values_; ++n) {
        const int plane = plane_of(k);
        all[start + n] = plane < 0
                             ? Real(-1)
                             : static_cast<Real>((field * 20 + plane) * 400 + static_cast<int>(n));
      }
    }
    return all;
  }

 private:
  std::size_t plane_values_;
  int ghosts_;
  std::size_t first_, count_;
};

template <class Real>
struct SumAndLargest {
  FieldView<const Real> q;
  template <class Point, class Number>
  DNS_HD void operator()(Point c, Reduction<Number, 1, 1>& reduction) const {
    reduction.sum[0] += in_double(q(c));
    reduction.raise(0, magnitude(in_double(q(c))));
  }
};

template <class Real>
struct SumOfPoint {
  FieldView<const Real> q;
  DNS_HD void operator()(Index3 c, Reduction<double, 1, 0>& reduction) const {
    reduction.sum[0] += in_double(q(c));
  }
};

template <class Device>
class DistributedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Device::obstacle().empty()) GTEST_SKIP() << Device::obstacle();
  }
};
TYPED_TEST_SUITE_P(DistributedTest);

TYPED_TEST_P(DistributedTest, sweeps_across_slabs_are_those_of_the_whole_box) {
  // Among them: fewer lines along x than ranks, one plane a rank, so many that couplings decay.
  for (const Extents points : {Extents{5, 7, 33},
                               Extents{37, 5, 17},
                               Extents{18, 3, 3},
                               Extents{67, 2, 8},
                               Extents{21, 3, 200}}) {
    for (const double number : {1000.0, 10.0, 0.1, 1e-4}) {
      const double limit = diffusion_tolerance<typename TypeParam::Backend::Real>(number);
      for (const bool is_periodic : {false, true}) {
        for (const int ranks : {1, 2, 3}) {
          SCOPED_TRACE(::testing::Message()
                       << points.nx << " " << points.ny << " " << points.nz << ", diffusion number "
                       << number << (is_periodic ? ", periodic, " : ", ") << ranks << " ranks");
          const DiffusionProblem whole{
              {{}, {points.nx, points.ny, points.nz}}, is_periodic, number};
          EXPECT_LE((diffusion_difference<OneUnknown, TypeParam>(points, whole, ranks)), limit);
          EXPECT_LE((diffusion_difference<SharedVelocityMatrix, TypeParam>(points, whole, ranks)),
                    limit);
        }
      }
    }
  }
}

TYPED_TEST_P(DistributedTest, sweeps_across_slabs_leave_points_outside_of_the_box_alone) {
  constexpr double limit = rank_tolerance<typename TypeParam::Backend::Real>;
  const Extents points{37, 9, 19};
  for (const int ranks : {2, 3}) {
    SCOPED_TRACE(ranks);
    const DiffusionProblem walls{{{1, 2, 1}, {36, 8, 18}}, false, 10};
    const DiffusionProblem periodic{{{3, 0, 0}, {37, 7, 19}}, true, 10};
    EXPECT_LE((diffusion_difference<OneUnknown, TypeParam>(points, walls, ranks)), limit);
    EXPECT_LE((diffusion_difference<SharedVelocityMatrix, TypeParam>(points, walls, ranks)), limit);
    EXPECT_LE((diffusion_difference<OneUnknown, TypeParam>(points, periodic, ranks)), limit);
    EXPECT_LE((diffusion_difference<SharedVelocityMatrix, TypeParam>(points, periodic, ranks)),
              limit);
  }
}

TYPED_TEST_P(DistributedTest, sweeps_in_passes_over_few_rows_of_lines_are_those_of_the_whole_box) {
  constexpr double limit = rank_tolerance<typename TypeParam::Backend::Real>;
  for (const int ny : {1, 11, 12}) {
    for (const bool is_periodic : {false, true}) {
      for (const int ranks : {2, 3}) {
        SCOPED_TRACE(::testing::Message()
                     << ny << (is_periodic ? " rows, periodic, " : " rows, ") << ranks << " ranks");
        const Extents points{19, ny, 25};
        const DiffusionProblem whole{{{}, {19, ny, 25}}, is_periodic, 10};
        EXPECT_LE(
            (diffusion_difference<OneUnknown, WithSmallPasses<TypeParam>>(points, whole, ranks)),
            limit);
      }
    }
  }
}

TYPED_TEST_P(DistributedTest, splitting_sweeps_across_slabs_are_those_of_the_whole_box) {
  constexpr double limit = rank_tolerance<typename TypeParam::Backend::Real>;
  for (const Extents points : {Extents{13, 7, 12}, Extents{70, 6, 35}}) {
    for (const bool is_periodic : {false, true}) {
      for (const int ranks : {2, 3}) {
        SCOPED_TRACE(::testing::Message()
                     << points.nx << " " << points.ny << " " << points.nz
                     << (is_periodic ? ", periodic, " : ", ") << ranks << " ranks");
        EXPECT_LE(splitting_difference<TypeParam>(points, is_periodic, ranks), limit);
      }
    }
  }
}

/// As the neighbours have it there.
TYPED_TEST_P(DistributedTest, splitting_sweeps_across_slabs_relax_what_lies_beyond_seams) {
  using Real = typename TypeParam::Backend::Real;
  struct Planes {
    std::vector<Real> below, first, last, above;
  };
  constexpr double limit = rank_tolerance<Real>;
  const Extents points{70, 6, 35};
  for (const bool is_periodic : {false, true}) {
    for (const int ranks : {2, 3}) {
      SCOPED_TRACE(::testing::Message()
                   << (is_periodic ? "periodic, " : "walls, ") << ranks << " ranks");
      const auto found = results_of_ranks<Planes, TypeParam>(
          ranks, box_along_z(points, is_periodic), [&](auto& backend) {
            Planes planes;
            const Subdomain& part = backend.part();
            const Extents own = part.points();
            solved_splitting<false>(backend, part, is_periodic, [&](const auto& next) {
              planes = {plane_inside(backend, next, own, -1),
                        plane_inside(backend, next, own, 0),
                        plane_inside(backend, next, own, own.nz - 1),
                        plane_inside(backend, next, own, own.nz)};
            });
            return planes;
          });
      for (std::size_t rank = is_periodic ? 0 : 1; rank < found.size(); ++rank) {
        const Planes& high = found[rank];
        const Planes& low = found[(rank + found.size() - 1) % found.size()];
        EXPECT_LE(relative_difference(high.below, low.last), limit);
        EXPECT_LE(relative_difference(low.above, high.first), limit);
      }
    }
  }
}

/// Together with a gathered line, and with sweeps that are done side by side.
TYPED_TEST_P(DistributedTest, concurrent_sweeps_have_the_bits_of_sweeps_in_order) {
  using Real = typename TypeParam::Backend::Real;
  using System = SharedVelocityMatrix;
  using Fields = std::vector<std::vector<Real>>;
  const Extents points{37, 9, 19};
  const auto solve = [&](auto& backend, bool is_concurrent) {
    using AnyBackend = std::remove_reference_t<decltype(backend)>;
    const Subdomain& part = backend.part();
    const StaggeredLayout layout(part.points());
    std::vector<StaggeredField<AnyBackend>> fields;
    for (int n = 0; n < 2 + 3 + System::unknowns; ++n) {
      fields.emplace_back(backend, layout);
      fill(backend, fields.back(), part, 20 + n, n < 2 ? 10 : 0, n < 2 ? 4 : 1);
    }
    constexpr std::size_t numbers = sizeof(double) / sizeof(Real);
    const auto line =
        backend.template allocate<Real>(static_cast<std::size_t>(points.nz) * numbers);
    const std::vector<double> own(static_cast<std::size_t>(points.nz),
                                  1 + backend.communicator().rank());
    const auto upload_line = [&] {
      std::vector<Real> bits(own.size() * numbers);
      std::memcpy(bits.data(), own.data(), own.size() * sizeof(double));
      backend.upload_values(bits.data(), line.data(), bits.size());
    };
    upload_line();
    const auto sweep = [&]<class SystemOfRows>(Box box, std::size_t first) {
      DiffusionRows<SystemOfRows, Real, false> rows{
          fields[0].view_const(), fields[1].view_const(), {}};
      ReplaceBySolution<SystemOfRows::unknowns, Real> sink{};
      for (std::size_t n = 0; n < SystemOfRows::unknowns; ++n)
        rows.rhs[n] = sink.x[n] = fields[first + n].view();
      backend.template sweep<Axis::z>(part_of(box, part), rows, sink);
    };
    const Box all{{}, {points.nx, points.ny, points.nz}};
    const auto enqueue = [&](int n) {
      backend.enter(phase::sweep_z);
      if (n == 0) backend.gather_line(reinterpret_cast<double*>(line.data()));
      if (n == 1) sweep.template operator()<OneUnknown>(all, 2);
      if (n == 2) sweep.template operator()<System>({{1, 2, 0}, {36, 7, points.nz}}, 5);
      if (n == 3) {
        backend.template side_by_side<Axis::z>(2, [&](int which) {
          const Box piece{{which * 20, 0, 0}, {which == 0 ? 20 : 37, points.ny, points.nz}};
          sweep.template operator()<OneUnknown>(piece, 3);
        });
      }
      if (n == 4) sweep.template operator()<OneUnknown>(all, 4);
      if (n == 4)
        backend.for_each(layout.all_points(),
                         AddField<Real>{fields[0].view_const(), fields[4].view(), Real(1)});
    };
    if (is_concurrent) {
      backend.concurrently(5, part.points(), enqueue);
    } else {
      for (int n = 0; n < 5; ++n) enqueue(n);
    }
    Fields found;
    for (std::size_t n = 2; n < fields.size(); ++n)
      found.push_back(points_of(backend, fields[n], part));
    found.push_back(downloaded(backend, line, own.size() * numbers));
    return found;
  };
  for (const bool is_periodic : {false, true}) {
    for (const int ranks : {1, 2, 3}) {
      SCOPED_TRACE(::testing::Message()
                   << (is_periodic ? "periodic, " : "walls, ") << ranks << " ranks");
      if (ranks == 1 && is_periodic) continue;  // its lines are cyclic
      const auto found_with = [&](bool is_concurrent) {
        return results_of_ranks<Fields, TypeParam>(
            ranks, box_along_z(points, is_periodic), [&](auto& backend) {
              return solve(backend, is_concurrent);
            });
      };
      EXPECT_EQ(found_with(true), found_with(false));
    }
  }
}

TYPED_TEST_P(DistributedTest, sweeps_while_messages_pass_have_the_bits_of_sweeps_before_them) {
  using Fields = std::vector<std::vector<typename TypeParam::Backend::Real>>;
  const auto swept_with = [](auto device, Extents points, bool is_periodic, int ranks) {
    using Device = decltype(device);
    const int rim = is_periodic ? 0 : 1;
    const Box box{{1, 0, rim}, {points.nx - 2, points.ny - 1, points.nz - rim}};
    return results_of_ranks<Fields, Device>(
        ranks, box_along_z(points, is_periodic), [&](auto& backend) {
          return swept_and_exchanged(backend, box);
        });
  };
  for (const Extents points : {Extents{37, 9, 19}, Extents{13, 70, 4}}) {
    for (const bool is_periodic : {false, true}) {
      for (const int ranks : {1, 2, 3}) {
        SCOPED_TRACE(::testing::Message()
                     << points.nx << (is_periodic ? ", periodic, " : ", ") << ranks << " ranks");
        EXPECT_EQ(swept_with(WithHiddenMessages<TypeParam>(), points, is_periodic, ranks),
                  swept_with(TypeParam(), points, is_periodic, ranks));
      }
    }
  }
}

TYPED_TEST_P(DistributedTest, sweeps_repeat_bit_for_bit) {
  const Extents points{37, 9, 19};
  const DiffusionProblem problem{{{}, {37, 9, 19}}, true, 10};
  using Solution = std::vector<std::vector<typename TypeParam::Backend::Real>>;
  const auto solve = [&] {
    return results_of_ranks<Solution, TypeParam>(
        3, box_along_z(points, true), [&](Distributed<TypeParam>& backend) {
          return solved_diffusion<OneUnknown, false>(backend, backend.part(), problem);
        });
  };
  EXPECT_EQ(solve(), solve());
}

TYPED_TEST_P(DistributedTest, exchange_fills_the_planes_beyond_seams_and_no_others) {
  using Real = typename TypeParam::Backend::Real;
  const Extents points{5, 4, 7};
  for (const bool is_periodic : {false, true}) {
    for (const int ranks : {1, 2, 3}) {
      for (const auto& [ghosts, filled] : {std::pair{Extents{1, 1, 1}, GhostPlanes{}},
                                           {Extents{0, 0, 1}, {}},
                                           {Extents{0, 1, 1}, {}},
                                           {Extents{2, 3, 2}, {.low = 2, .high = 2}},
                                           {Extents{1, 1, 2}, {.low = 1, .high = 2}},
                                           {Extents{1, 1, 2}, {.low = 2, .high = 1}}}) {
        for (const int values_per_point : {1, 2}) {
          SCOPED_TRACE(::testing::Message()
                       << ranks << " ranks, " << values_per_point << " values per point, ghosts "
                       << ghosts.nx << " " << ghosts.ny << " " << ghosts.nz << ", filled "
                       << filled.low << " " << filled.high << (is_periodic ? ", periodic" : ""));
          const std::size_t bytes = static_cast<std::size_t>(values_per_point) * sizeof(Real);
          const Subdomain whole = box_along_z(points, is_periodic);
          using Fields = std::array<std::vector<Real>, 2>;
          const auto found = results_of_ranks<Fields, TypeParam>(ranks, whole, [&](auto& backend) {
            const Subdomain& part = backend.part();
            const FieldLayout layout(part.points(), ghosts);
            const NumberedPlanes numbers(layout, values_per_point, bytes);
            const int planes = part.points().nz;
            const auto before = [&](int k) {
              return k < 0 || k >= planes ? -1 : k + part.first(2);
            };
            const auto first = uploaded(backend, numbers.values<Real>(0, planes, before));
            const auto second = uploaded(backend, numbers.values<Real>(1, planes, before));
            const std::array<Real*, 2> fields{first.data(), second.data()};
            backend.exchange(layout, values_per_point, fields, filled);
            return Fields{downloaded(backend, first, numbers.count()),
                          downloaded(backend, second, numbers.count())};
          });
          for (int rank = 0; rank < ranks; ++rank) {
            const Subdomain part = whole.slab(rank, ranks);
            const int planes = part.points().nz;
            const NumberedPlanes numbers(
                FieldLayout(part.points(), ghosts), values_per_point, bytes);
            const auto after = [&](int k) {
              const bool is_ghost = k < 0 || k >= planes;
              const bool is_filled = k >= -filled.low && k < planes + filled.high;
              if (is_ghost && (!is_filled || part.ends[2][k < 0 ? 0 : 1] != End::neighbour))
                return -1;
              return (k + part.first(2) + points.nz) % points.nz;
            };
            for (int field = 0; field < 2; ++field) {
              EXPECT_EQ(found[rank][field], numbers.values<Real>(field, planes, after))
                  << "rank " << rank << ", field " << field;
            }
          }
        }
      }
    }
  }
}

TYPED_TEST_P(DistributedTest, reductions_are_those_of_the_whole_box_and_alike_on_all_ranks) {
  using Backend = typename TypeParam::Backend;
  using Real = typename Backend::Real;
  using Result = Reduction<double, 1, 1>;
  const Extents points{21, 11, 17};
  const Subdomain whole = box_along_z(points, false);
  // The last box is empty on all ranks but one.
  for (const Box box :
       {Box{{}, {21, 11, 17}}, Box{{1, 2, 3}, {20, 11, 16}}, Box{{}, {21, 11, 4}}}) {
    const auto reduced = [&](auto& backend, const Subdomain& part, bool has_nan) {
      using AnyBackend = std::remove_reference_t<decltype(backend)>;
      const StaggeredField<AnyBackend> field(backend, StaggeredLayout(part.points()));
      fill(backend, field, part, 0, has_nan ? std::nan("") : 0);
      return backend.template reduce<1, 1>(part_of(box, part),
                                           SumAndLargest<Real>{field.view_const()});
    };
    Backend local = TypeParam::make();
    const Result expected = reduced(local, whole, false);
    for (const int ranks : {1, 2, 3}) {
      const auto found = results_of_ranks<Result, TypeParam>(
          ranks, whole, [&](auto& backend) { return reduced(backend, backend.part(), false); });
      for (const Result& of_rank : found) {
        EXPECT_NEAR(of_rank.sum[0], expected.sum[0], 1e-11);  // 4000 terms of size 1 in double
        EXPECT_EQ(of_rank.maximum[0], expected.maximum[0]);
        expect_same(of_rank, found[0]);
      }
      const auto with_nan = results_of_ranks<Result, TypeParam>(ranks, whole, [&](auto& backend) {
        return reduced(backend, backend.part(), backend.communicator().rank() == 0);
      });
      for (const Result& of_rank : with_nan) EXPECT_TRUE(std::isnan(of_rank.maximum[0]));
    }
  }
}

/// Those of a field that changes right after they were begun, and again while others are.
TYPED_TEST_P(DistributedTest, late_reductions_are_those_that_are_waited_for) {
  using Real = typename TypeParam::Backend::Real;
  const Extents points{21, 11, 17};
  const Subdomain whole = box_along_z(points, false);
  const std::array<Box, 2> boxes{Box{{1, 2, 3}, {20, 11, 16}}, Box{{}, {21, 11, 4}}};
  for (const int ranks : {1, 2, 3}) {
    SCOPED_TRACE(ranks);
    on_ranks<TypeParam>(ranks, whole, [&](auto& backend) {
      using AnyBackend = std::remove_reference_t<decltype(backend)>;
      const Subdomain& part = backend.part();
      const StaggeredField<AnyBackend> field(backend, StaggeredLayout(part.points()));
      const SumAndLargest<Real> kernel{field.view_const()};
      LateReductions<AnyBackend> late(backend);
      const std::array places{late.template place<1, 1>(), late.template place<1, 1>()};
      const auto never_begun = late.template place<3, 2>();
      const auto begin = [&] {
        for (std::size_t n = 0; n < boxes.size(); ++n)
          late.begin(places[n], part_of(boxes[n], part), kernel);
      };
      for (int round = 0; round < 5; ++round) {
        const bool has_nan = round == 3 && backend.communicator().rank() == 0;
        std::array<Reduction<double, 1, 1>, 2> expected;
        fill(backend, field, part, round, has_nan ? std::nan("") : 1.5);
        for (std::size_t n = 0; n < boxes.size(); ++n)
          expected[n] = backend.template reduce<1, 1>(part_of(boxes[n], part), kernel);
        fill(backend, field, part, 100);
        begin();  // replaced by those that follow
        fill(backend, field, part, round, has_nan ? std::nan("") : 1.5);
        begin();
        late.close();
        fill(backend, field, part, 200 + round);
        begin();  // replaced in the next round
        late.finish();
        for (std::size_t n = 0; n < boxes.size(); ++n) {
          const auto found = late[places[n]];
          if (round == 3) {
            EXPECT_TRUE(std::isnan(found.sum[0]) && std::isnan(found.maximum[0])) << n;
          } else {
            EXPECT_GT(found.sum[0], 0) << n;
            expect_same(found, expected[n]);
          }
        }
        for (const double zero : late[never_begun].sum) EXPECT_EQ(zero, 0);
      }
    });
  }
}

TYPED_TEST_P(DistributedTest, profiles_are_those_of_the_whole_box_and_alike_on_all_ranks) {
  using Backend = typename TypeParam::Backend;
  using Real = typename Backend::Real;
  using Result = std::vector<Reduction<double, 1, 0>>;
  const Extents points{9, 6, 17};
  const Subdomain whole = box_along_z(points, false);
  for (const Box box : {Box{{}, {9, 6, 17}}, Box{{1, 2, 3}, {8, 6, 16}}, Box{{}, {9, 6, 4}}}) {
    for (int bits = 0; bits < 8; ++bits) {
      const PerAxis<bool> summed{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
      const auto reduced = [&](auto& backend, const Subdomain& part) {
        using AnyBackend = std::remove_reference_t<decltype(backend)>;
        const StaggeredField<AnyBackend> field(backend, StaggeredLayout(part.points()));
        fill(backend, field, part, 0);
        return backend.template reduce_profiles<1>(
            part_of(box, part), summed, SumOfPoint<Real>{field.view_const()});
      };
      Backend local = TypeParam::make();
      const Result expected = reduced(local, whole);
      for (const int ranks : {1, 2, 3}) {
        SCOPED_TRACE(::testing::Message() << ranks << " ranks, axes " << bits);
        const auto found = results_of_ranks<Result, TypeParam>(
            ranks, whole, [&](auto& backend) { return reduced(backend, backend.part()); });
        for (const Result& of_rank : found) {
          ASSERT_EQ(of_rank.size(), expected.size());
          for (std::size_t n = 0; n < expected.size(); ++n) {
            EXPECT_NEAR(of_rank[n].sum[0], expected[n].sum[0], 1e-11) << n;
            EXPECT_EQ(of_rank[n].sum[0], found[0][n].sum[0]) << n;
          }
        }
      }
    }
  }
}

TYPED_TEST_P(DistributedTest, lines_are_gathered_and_numbers_added_up) {
  constexpr int planes = 17;
  const Subdomain whole = box_along_z({4, 4, planes}, true);
  for (const int ranks : {1, 2, 3}) {
    SCOPED_TRACE(ranks);
    struct Found {
      std::vector<double> line;
      std::array<double, 2> sums;
    };
    const auto found = results_of_ranks<Found, TypeParam>(ranks, whole, [&](auto& backend) {
      const Subdomain& part = backend.part();
      std::vector<double> line(planes, -1);
      for (int k = part.part.begin.k; k < part.part.end.k; ++k) {
        line[k] = 0.5 * k;
      }
      // Memory of doubles, which is copied as numbers of any kind are.
      using Real = typename TypeParam::Backend::Real;
      constexpr std::size_t numbers = sizeof(double) / sizeof(Real);
      const auto memory = uploaded(backend, line);
      backend.gather_line(memory.data());
      const auto parts = backend.template allocate<Real>(planes * numbers);
      backend.copy(reinterpret_cast<const Real*>(memory.data()), parts.data(), planes * numbers);
      const std::vector<Real> host = downloaded(backend, parts, planes * numbers);
      std::memcpy(line.data(), host.data(), planes * sizeof(double));
      const double rank = backend.communicator().rank();
      return Found{line, backend.template sum_of_ranks<2>({1 + rank, 0.25})};
    });
    for (const Found& of_rank : found) {
      for (std::size_t k = 0; k < planes; ++k) {
        EXPECT_EQ(of_rank.line[k], 0.5 * static_cast<double>(k));
      }
      EXPECT_EQ(of_rank.sums[0], ranks * (ranks + 1) / 2);
      EXPECT_EQ(of_rank.sums[1], 0.25 * ranks);
    }
  }
}

/// Rows that overlap, none for the first of several ranks.
TYPED_TEST_P(DistributedTest, rows_of_lines_across_slabs_are_gathered) {
  using Real = typename TypeParam::Backend::Real;
  const Extents points{7, 6, 11};
  constexpr int pitch = 16;
  const auto value = [](int i, int j, int k) { return static_cast<Real>(i + 10 * j + 100 * k); };
  for (const int ranks : {1, 2, 3}) {
    SCOPED_TRACE(ranks);
    std::vector<RowRange> rows;
    for (int rank = 0; rank < ranks; ++rank)
      rows.push_back(rank + 1 < ranks && rank == 0 ? RowRange{} : RowRange{rank, rank + 3});
    const auto found = results_of_ranks<std::vector<Real>, TypeParam>(
        ranks, box_along_z(points, true), [&](auto& backend) {
          const Subdomain& part = backend.part();
          std::vector<Real> host(static_cast<std::size_t>(pitch * points.ny * part.points().nz));
          for_each_point({{}, {points.nx, points.ny, part.points().nz}}, [&](Index3 c) {
            host[(c.k * points.ny + c.j) * pitch + c.i] = value(c.i, c.j, c.k + part.first(2));
          });
          const auto slab = uploaded(backend, host);
          const std::vector<Real> nothing(static_cast<std::size_t>(pitch * points.nz * 3),
                                          Real(-1));
          const auto lines = uploaded(backend, nothing);
          backend.gather_rows({slab.data(), pitch, pitch * points.ny},
                              points.nx,
                              rows,
                              {lines.data(), pitch * points.nz, pitch});
          return downloaded(backend, lines, nothing.size());
        });
    for (int rank = 0; rank < ranks; ++rank) {
      const auto [begin, end] = rows[rank];
      for_each_point({{}, {points.nx, 3, points.nz}}, [&](Index3 c) {
        const auto place = static_cast<std::size_t>((c.j * points.nz + c.k) * pitch + c.i);
        EXPECT_EQ(found[rank][place], begin + c.j < end ? value(c.i, begin + c.j, c.k) : Real(-1));
      });
    }
  }
}

/// More of them than go at once; profiles of a rank's own points, to which others need not come.
TYPED_TEST_P(DistributedTest, numbers_are_added_up_and_own_profiles_are_not) {
  constexpr std::size_t count = 70000;
  for (const int ranks : {1, 2, 3}) {
    SCOPED_TRACE(ranks);
    struct Found {
      std::vector<double> sums;
      double own;
    };
    const auto found =
        results_of_ranks<Found, TypeParam>(ranks, box_along_z({4, 4, 9}, true), [&](auto& backend) {
          const int rank = backend.communicator().rank();
          std::vector<double> numbers;
          for (std::size_t n = 0; n < count; ++n)
            numbers.push_back(0.5 * static_cast<double>(n) + 1e6 * rank);
          backend.add_over_ranks(numbers);
          const Box points{{}, {4, 4, backend.part().points().nz}};
          const auto memory = backend.allocate_results(sizeof(double));
          auto* const own = reinterpret_cast<double*>(memory.get());
          *own = 0;
          for (int n = 0; n <= rank; ++n)
            backend.add_profile(points, {true, true, true}, CountOfPoints{}, own);
          backend.synchronize();
          return Found{numbers, *own};
        });
    for (int rank = 0; rank < ranks; ++rank) {
      const Found& of_rank = found[rank];
      for (std::size_t n = 0; n < count; ++n) {
        ASSERT_EQ(of_rank.sums[n],
                  0.5 * static_cast<double>(n) * ranks + 1e6 * ranks * (ranks - 1) / 2);
      }
      const Subdomain part = box_along_z({4, 4, 9}, true).slab(rank, ranks);
      EXPECT_EQ(of_rank.own, (rank + 1) * static_cast<double>(part.points().count()));
    }
  }
}

/// To every rank, the sender among them: two messages and an empty one between them, longer every
/// time.
TYPED_TEST_P(DistributedTest, messages_arrive_in_their_order) {
  using Real = typename TypeParam::Backend::Real;
  const auto value = [](int from, int to, std::size_t n) {
    return static_cast<Real>(100 * from + 10 * to + static_cast<int>(n % 7));
  };
  for (const int ranks : {1, 2, 3}) {
    SCOPED_TRACE(ranks);
    for (const std::size_t count : {3U, 1000U, 70000U}) {
      const auto both = 3 * count;  // `count` values, none, twice as many
      const auto found = results_of_ranks<std::vector<Real>, TypeParam>(
          ranks, box_along_z({4, 4, 8}, true), [&](auto& backend) {
            const int rank = backend.communicator().rank();
            std::vector<Real> host;
            for (int to = 0; to < ranks; ++to) {
              for (std::size_t n = 0; n < both; ++n) host.push_back(value(rank, to, n));
            }
            const auto from = uploaded(backend, host);
            const auto to = backend.template allocate<Real>(host.size());
            for (const std::size_t first : {count / 3, count}) {
              std::vector<SentMessage> sent;
              std::vector<ReceivedMessage> received;
              for (int other = 0; other < ranks; ++other) {
                const std::size_t start = static_cast<std::size_t>(other) * both;
                const auto add = [&](std::size_t begin, std::size_t values) {
                  const std::size_t bytes = values * sizeof(Real);
                  sent.push_back({other, from.data() + start + begin, bytes});
                  received.push_back({other, to.data() + start + begin, bytes});
                };
                add(0, first);
                add(first, 0);
                add(first, both - first);
              }
              backend.transfer(backend.communicator(), sent, received);
            }
            return downloaded(backend, to, host.size());
          });
      for (int rank = 0; rank < ranks; ++rank) {
        for (std::size_t n = 0; n < found[rank].size(); ++n) {
          ASSERT_EQ(found[rank][n], value(static_cast<int>(n / both), rank, n % both));
        }
      }
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(DistributedTest,
                            sweeps_across_slabs_are_those_of_the_whole_box,
                            sweeps_across_slabs_leave_points_outside_of_the_box_alone,
                            sweeps_in_passes_over_few_rows_of_lines_are_those_of_the_whole_box,
                            splitting_sweeps_across_slabs_are_those_of_the_whole_box,
                            splitting_sweeps_across_slabs_relax_what_lies_beyond_seams,
                            concurrent_sweeps_have_the_bits_of_sweeps_in_order,
                            sweeps_while_messages_pass_have_the_bits_of_sweeps_before_them,
                            sweeps_repeat_bit_for_bit,
                            exchange_fills_the_planes_beyond_seams_and_no_others,
                            reductions_are_those_of_the_whole_box_and_alike_on_all_ranks,
                            late_reductions_are_those_that_are_waited_for,
                            profiles_are_those_of_the_whole_box_and_alike_on_all_ranks,
                            lines_are_gathered_and_numbers_added_up,
                            rows_of_lines_across_slabs_are_gathered,
                            numbers_are_added_up_and_own_profiles_are_not,
                            messages_arrive_in_their_order);

}  // namespace dns::testing
