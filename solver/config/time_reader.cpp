#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "solver/config/case_reader.hpp"
#include "solver/config/order_of_axes.hpp"
#include "solver/config/step_limit.hpp"
#include "solver/config/time_scheme.hpp"
#include "solver/core/index.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

const std::string order_key = "accuracy.order";
const std::string scheme_key = "time.scheme";

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
    read.time.scheme = default_time_scheme(read);
  } else if (read.accuracy.is_high() && read.time.scheme == TimeScheme::implicit &&
             !reader.is_wrong(scheme_key)) {
    reader.add_mistake(scheme_key,
                       "runge_kutta",
                       fmt::format("; implicit steps have order 2, but accuracy.order is {}",
                                   std::ranges::max(read.accuracy.order)));
  }
}

/// time.explicit_diffusion has axes of equal cells, of time.scheme runge_kutta.
void check_explicit_diffusion(ValueReader& reader, const Case& read) {
  const std::string key = "time.explicit_diffusion";
  if (!reader.is_right(key) || read.time.explicit_diffusion == PerAxis<bool>{}) return;
  if (read.time.scheme != TimeScheme::runge_kutta)
    reader.add_problem(key,
                       "is of time.scheme runge_kutta; diffusion of implicit steps is implicit");
  for (int axis = 0; axis < 3; ++axis) {
    if (!read.time.explicit_diffusion[axis] || may_have_explicit_diffusion(read, axis)) continue;
    reader.add_mistake(key,
                       "axes of equal cells whose order is the same everywhere",
                       fmt::format("; {} {}",
                                   axis_name(axis),
                                   read.is_stretched(axis) ? "is stretched"
                                                           : "has rows of their own across walls"));
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

/// An order that is given for one axis, along which it is not there with the same weights
/// everywhere; order 4 may go across boundaries along y.
void check_order_of_axis(ValueReader& reader, Case& read, int axis, std::string obstacle) {
  int& order = read.accuracy.order[axis];
  const bool has_boundaries = !read.is_periodic(axis);
  if (order == 4 && has_boundaries) {
    obstacle = obstacle_across_walls(read, axis);
    if (obstacle.empty()) return;
  }
  const bool may_be_4 = order != 4 && has_boundaries && obstacle_across_walls(read, axis).empty();
  order = 2;
  reader.add_item_mistake(order_key, axis, may_be_4 ? "2 or 4" : "2", "; " + obstacle);
}

}  // namespace

void read_accuracy(ValueReader& reader, Case& read) {
  reader.read_section("accuracy", read);
  const bool is_list = reader.is_given(order_key) && reader.find(order_key)->is_list();
  for (int axis = 0; axis < 3; ++axis) {
    int& order = read.accuracy.order[axis];
    const std::string obstacle = obstacle_to(order, read, axis);
    if (obstacle.empty()) continue;
    if (is_list) {
      check_order_of_axis(reader, read, axis, obstacle);
    } else {
      order = 2;
    }
  }
}

void read_time(ValueReader& reader, Case& read) {
  reader.read_section("time", read);
  settle_step(reader, read.time);
  settle_duration(reader, read.time);
  check_iterations(reader, read.time);
  if (reader.may_be(Scheme::projection)) choose_time_scheme(reader, read);
  check_explicit_diffusion(reader, read);
  if (read.time.scheme == TimeScheme::runge_kutta) check_runge_kutta(reader, read);
  check_turn(reader, read);
}

}  // namespace dns
