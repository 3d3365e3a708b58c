#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "solver/config/case_reader.hpp"
#include "solver/config/step_limit.hpp"
#include "solver/core/index.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

const std::string order_key = "accuracy.order";
const std::string scheme_key = "time.scheme";

/// Whether no line along an axis meets the surface of a body: an endless cylinder along it, or a
/// box from end to end. Of bodies by formula and from files that is not known.
bool spans(const SolidCase& body, const Case& read, int axis) {
  if (body.shape == SolidCase::Shape::cylinder) return body.axis == axis && !body.length;
  const double low = read.grid.origin[axis];
  return body.shape == SolidCase::Shape::box && body.low[axis] <= low &&
         body.high[axis] >= low + read.grid.length[axis];
}

/// Why an axis has no differences of an order; empty where it has. Buoyancy across planes of
/// symmetry is not symmetric, nor is rotation about another axis: the slope of the pressure would
/// jump there. Scalars with a condition of their own on such a plane are no mirror images.
std::string obstacle_to(int order, const Case& read, int axis) {
  const std::string& name = axis_name(axis);
  if (order == 2) return {};
  if (!read.is_periodic(axis)) {
    const std::array faces{face_index(axis, false), face_index(axis, true)};
    for (const int face : faces) {
      if (read.faces[face].kind != FaceKind::symmetry)
        return fmt::format("{} is neither periodic nor between two faces of type symmetry", name);
    }
    for (const int face : faces) {
      for (int n = 0; n < read.scalar_count(); ++n) {
        const int variable = first_scalar + n;
        if (read.faces[face].gives(variable))
          return fmt::format("the {} given at {} is not symmetric to it",
                             read.name_of_scalar(variable),
                             face_names[face]);
      }
    }
    if (read.buoyancy && read.buoyancy->direction[axis] != 0)
      return fmt::format("buoyancy acts across the planes of symmetry along {}", name);
    const PerAxis<double> rate = read.coriolis_rate();
    if (std::abs(rate[axis]) < read.coriolis_frequency())
      return fmt::format("rotation acts across the planes of symmetry along {}", name);
  }
  if (read.is_stretched(axis)) return fmt::format("{} is stretched", name);
  if (read.grid.points[axis] < order)
    return fmt::format("{} has {} cells", name, read.grid.points[axis]);
  for (const SolidCase& body : read.solids) {
    if (!spans(body, read, axis))
      return fmt::format("the surface of {} crosses lines along {}", body.name, name);
  }
  return {};
}

/// Either time.steps or time.end.
void settle_duration(ValueReader& reader, TimeCase& time) {
  reader.require_one_of("time.steps", "time.end");
  if (reader.is_given("time.steps") || !time.end) return;
  if (time.cfl) {
    time.steps = unlimited_steps;
  } else if (time.step > 0 && *time.end / time.step > largest_whole_number) {
    const std::string remark = "; time.step is " + number_text(time.step);
    reader.add_mistake("time.end", "within 2^53 steps", remark);
  } else if (time.step > 0) {
    time.begin_at(0, 0);
  }
}

/// The numbers of iterations go with the rule that ends them.
void check_iterations(ValueReader& reader, TimeCase& time) {
  const bool has_tolerance = reader.is_given("time.global_tolerance");
  const bool has_most = reader.is_given("time.max_global_iterations");
  if (has_tolerance && !has_most) {
    reader.add_missing("time.max_global_iterations", "a whole number, for time.global_tolerance");
  } else if (has_most && !has_tolerance) {
    reader.add_problem("time.max_global_iterations",
                       "has an effect only with time.global_tolerance; give that too");
  } else if (!has_most) {
    time.max_global_iterations = time.global_iterations;
  } else if (time.max_global_iterations < time.global_iterations &&
             !reader.is_wrong("time.max_global_iterations") &&
             !reader.is_wrong("time.global_iterations")) {
    reader.add_mistake("time.max_global_iterations",
                       ">= time.global_iterations",
                       fmt::format("; that is {}", time.global_iterations));
  }
}

/// One of time.step and, in scheme projection, time.cfl, or both.
void settle_step(ValueReader& reader, TimeCase& time) {
  const bool has_cfl = reader.may_be(Scheme::projection) && reader.is_given("time.cfl");
  if (!has_cfl && !reader.is_given("time.step") && reader.may_be_missed("time.cfl")) {
    reader.add_missing("time.step",
                       reader.scheme() == Scheme::projection ? "a number > 0, or time.cfl instead"
                                                             : "a number > 0");
  }
  if (has_cfl && time.step == 0) time.step = std::numeric_limits<double>::infinity();
}

/// Chooses the scheme where it is not given; implicit steps have order 2 alone.
void choose_time_scheme(ValueReader& reader, Case& read) {
  if (!reader.is_given(scheme_key)) {
    if (read.accuracy.is_high()) read.time.scheme = TimeScheme::runge_kutta;
  } else if (read.accuracy.is_high() && read.time.scheme == TimeScheme::implicit &&
             !reader.is_wrong(scheme_key)) {
    reader.add_mistake(scheme_key,
                       "runge_kutta",
                       fmt::format("; implicit steps have order 2, but accuracy.order is {}",
                                   std::ranges::max(read.accuracy.order)));
  }
}

/// Refuses what time.scheme runge_kutta does not have.
void check_runge_kutta(ValueReader& reader, const Case& read) {
  const std::string no_iterations =
      "time.scheme runge_kutta has no global iterations; leave it out, or set time.scheme: "
      "implicit and accuracy.order: 2";
  if (read.time.global_iterations > 1) reader.add_problem("time.global_iterations", no_iterations);
  if (read.time.global_tolerance) reader.add_problem("time.global_tolerance", no_iterations);
  if (reader.is_given("time.cfl") || !(read.time.step > 0) || !(read.fluid.reynolds > 0) ||
      read.grid.points.nx <= 0)
    return;
  const double longest = step_limit(read).diffusive_step();
  if (read.time.step > longest && !reader.is_wrong("time.step")) {
    reader.add_mistake("time.step",
                       fmt::format("at most {:.3g}, which explicit diffusion allows", longest),
                       "; with time.cfl steps are as short as they must be");
  }
}

/// Steps of time.scheme implicit turn little with the frame: waves would grow in longer ones.
void check_turn(ValueReader& reader, const Case& read) {
  if (read.time.cfl || !reader.is_right("time.step") || read.time.step <= read.longest_turn())
    return;
  reader.add_mistake("time.step",
                     fmt::format("at most {:.6g}", read.longest_turn()),
                     "; time.scheme implicit has 2 |rotation.rate| dt of 1 at most");
}

}  // namespace

void read_accuracy(ValueReader& reader, Case& read) {
  reader.read_section("accuracy", read);
  for (int axis = 0; axis < 3; ++axis) {
    int& order = read.accuracy.order[axis];
    const std::string obstacle = obstacle_to(order, read, axis);
    if (obstacle.empty()) continue;
    order = 2;
    if (reader.is_given(order_key) && reader.find(order_key)->is_list())
      reader.add_item_mistake(order_key, axis, "2", "; " + obstacle);
  }
}

void read_time(ValueReader& reader, Case& read) {
  reader.read_section("time", read);
  settle_step(reader, read.time);
  settle_duration(reader, read.time);
  check_iterations(reader, read.time);
  if (reader.may_be(Scheme::projection)) choose_time_scheme(reader, read);
  if (read.time.scheme == TimeScheme::runge_kutta) check_runge_kutta(reader, read);
  check_turn(reader, read);
}

}  // namespace dns
