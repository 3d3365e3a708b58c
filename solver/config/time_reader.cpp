#include <fmt/format.h>

#include <limits>

#include "solver/config/section_readers.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

/// Either time.steps or time.end.
void settle_duration(ValueReader& reader, TimeCase& time) {
  const bool has_steps = reader.is_given("time.steps");
  const bool has_end = reader.is_given("time.end");
  if (has_steps && has_end) {
    reader.add_problem("time.end", "given together with time.steps; keep one of the two");
  } else if (!has_steps && !has_end) {
    if (reader.may_be_missed("time.end")) {
      reader.add_missing("time.steps", "a whole number >= 0, or time.end instead");
    }
  } else if (time.end && time.cfl) {
    time.steps = unlimited_steps;
  } else if (time.end && time.step > 0) {
    if (*time.end / time.step > largest_whole_number) {
      reader.add_mistake("time.end",
                         "within 2^53 steps",
                         fmt::format("; time.step is {}", number_text(time.step)));
    } else {
      time.begin_at(0, 0);
    }
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

}  // namespace

void read_time(ValueReader& reader, Case& read) {
  reader.read_section("time", read);
  settle_step(reader, read.time);
  settle_duration(reader, read.time);
  check_iterations(reader, read.time);
}

}  // namespace dns
