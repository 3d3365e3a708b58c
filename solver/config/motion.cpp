#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "solver/config/case_reader.hpp"
#include "solver/core/names.hpp"
#include "solver/core/number_text.hpp"
#include "solver/numerics/formula.hpp"

namespace dns {
namespace {

/// Refuses formulas of the motion that have no value at the start.
void check_formulas_of_motion(ValueReader& reader, const SolidCase& body) {
  const std::string path = "solids." + body.name + ".motion";
  const auto check_start = [&](const PerAxis<Expression>& formulas, const char* key) {
    const std::string at = path + "." + key;
    if (!reader.is_right(at)) return;
    for (int axis = 0; axis < 3; ++axis) {
      const auto depends_on_place = [](const Instruction& instruction) {
        return instruction.operation >= Operation::x && instruction.operation <= Operation::z;
      };
      if (std::ranges::any_of(formulas[axis].program(), depends_on_place))
        reader.add_item_mistake(at, axis, "a number or a formula of t", "; a body is rigid");
      const double value = formulas[axis](0, 0, 0, 0);
      if (!std::isfinite(value)) {
        reader.add_item_mistake(
            at, axis, "finite at t = 0", fmt::format("; there it is {}", value));
      }
    }
  };
  check_start(body.motion->velocity, "velocity");
  check_start(body.motion->rotation, "rotation");
}

/// Refuses what cannot go with a body that moves by `motion` or `free`.
void check_mobile_body(ValueReader& reader, const Case& read, const SolidCase& body) {
  const std::string word = body.motion ? "motion" : "free";
  const std::string path = "solids." + body.name + "." + word;
  const PerAxis<double> rest{};
  if (body.velocity != rest) reader.refuse_beside("solids." + body.name + ".velocity", path);
  if (body.rotation != rest) reader.refuse_beside("solids." + body.name + ".rotation", path);
  for (int n = 0; n < std::ssize(body.scalars); ++n) {
    if (body.scalars[n].is_insulated()) {
      reader.add_problem(path,
                         fmt::format("no {} may pass the surface, which needs a body at rest; give "
                                     "a value there, or leave out {}",
                                     read.name_of_scalar(first_scalar + n),
                                     word));
    }
  }
  if (read.time.scheme == TimeScheme::runge_kutta) {
    reader.add_problem(path,
                       "bodies move in implicit steps only, but time.scheme is runge_kutta; set "
                       "time.scheme: implicit");
  }
  if (read.rotation)
    reader.add_problem(path, "in a frame that rotates bodies have no motion; leave one out");
}

/// Refuses a free body that is wider than the box along an axis, or sticks out of it at the start.
/// Its mass would count the part outside, and walls would push it in.
void check_place_of_free_body(ValueReader& reader,
                              const Case& read,
                              const SolidCase& body,
                              int axis) {
  const std::string path = "solids." + body.name;
  const double length = read.grid.length[axis];
  if (!(length > 0) || !reader.is_right(path + ".radius")) return;
  if (2 * body.radius > length) {
    reader.add_mistake(path + ".radius",
                       fmt::format("at most {}", number_text(length / 2)),
                       fmt::format("; the box is {} long along {}, and the body is free",
                                   number_text(length),
                                   axis_name(axis)));
    return;
  }
  if (read.is_periodic(axis) || !reader.is_right(path + ".center")) return;
  const double low = read.grid.origin[axis] + body.radius;
  const double high = read.grid.origin[axis] + length - body.radius;
  const double round_off = 1e-9 * length;
  if (body.center[axis] >= low - round_off && body.center[axis] <= high + round_off) return;
  reader.add_item_mistake(path + ".center",
                          axis,
                          fmt::format("from {} to {}", number_text(low), number_text(high)),
                          "; a free body starts inside the box, all of it");
}

/// Refuses bodies that cannot move freely, and springs that are too fast for the step.
void check_free_body(ValueReader& reader, const Case& read, const SolidCase& body) {
  const std::string solid = "solids." + body.name;
  const std::string path = solid + ".free";
  if (body.motion) reader.refuse_beside(path, solid + ".motion");
  if (read.time.most_iterations() > 1) {
    reader.add_problem(path,
                       "a body is free in steps of one pass alone; leave out "
                       "time.global_iterations and time.global_tolerance, or set them to 1");
  }
  const bool is_cylinder = body.shape == SolidCase::Shape::cylinder;
  for (int axis = 0; axis < 3; ++axis) {
    if (is_cylinder && axis == body.axis) continue;
    check_place_of_free_body(reader, read, body, axis);
  }
  if (!is_cylinder || !reader.is_right(solid + ".shape")) return;
  if (body.length) {
    reader.add_problem(path, "a free cylinder is endless; leave out " + solid + ".length");
  } else if (!read.is_periodic(body.axis)) {
    reader.add_problem(path,
                       fmt::format("a free cylinder lies along a periodic axis, but {} is not; "
                                   "make boundaries.{} periodic, or give another axis",
                                   axis_name(body.axis),
                                   axis_name(body.axis)));
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (axis == body.axis || body.free->rotation[axis] == 0) continue;
    reader.add_item_mistake(
        path + ".rotation", axis, "0", "; an endless cylinder turns about its axis alone");
  }
}

}  // namespace

void check_motion(ValueReader& reader, const Case& read) {
  const bool has_motion = read.has_moving_bodies();
  for (const SolidCase& body : read.solids) {
    const std::string path = "solids." + body.name;
    if (body.motion) check_formulas_of_motion(reader, body);
    if (body.free) check_free_body(reader, read, body);
    if (body.is_mobile()) check_mobile_body(reader, read, body);
    if (!body.free) {
      for (const char* const key : {".spring", ".collisions"})
        reader.refuse(path + key, "only a free body has them; leave it out, or give free too");
    }
    if (has_motion && body.shape == SolidCase::Shape::stl && reader.is_right(path + ".shape")) {
      reader.add_problem(path,
                         "a body of shape stl cannot be in a case with motion: where its surface "
                         "lies is known at the start only; give the shape by a formula");
    }
    for (int n = 0; has_motion && n < std::ssize(body.scalars); ++n) {
      if (body.scalars[n].gives_value() || body.scalars[n].is_insulated()) continue;
      reader.add_problem(path,
                         fmt::format("in a case with motion bodies neither give a flux of {} nor "
                                     "conduct it, nor take part in its transfer; give its value",
                                     read.name_of_scalar(first_scalar + n)));
    }
  }
  if (!has_motion) reader.refuse("time.body_projections", "no body of the case moves");
  if (reader.is_right("time.step") && !read.time.cfl &&
      read.time.step > read.longest_spring_step()) {
    reader.add_mistake("time.step",
                       fmt::format("at most {}", number_text(read.longest_spring_step())),
                       "; springs of free bodies turn by 0.3 in a step at most");
  }
}

}  // namespace dns
