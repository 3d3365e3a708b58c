#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "solver/config/number_text.hpp"
#include "solver/config/section_readers.hpp"

namespace dns {
namespace {

/// Reads time.steps or time.end.
void read_duration(ValueReader& reader, TimeCase& time) {
  const bool has_steps = reader.is_given("time.steps");
  const bool has_end = reader.is_given("time.end");
  time.steps = reader.whole("time.steps").value_or(0);
  time.end = reader.number("time.end");
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

/// Reads the numbers of iterations and the rule that ends them.
void read_iterations(ValueReader& reader, TimeCase& time) {
  const auto global_iterations = reader.whole("time.global_iterations");
  time.global_iterations = static_cast<int>(global_iterations.value_or(1));
  if (reader.may_be(Scheme::splitting))
    time.local_iterations = static_cast<int>(reader.whole("time.local_iterations").value_or(1));
  time.global_tolerance = reader.number("time.global_tolerance");
  const auto most = reader.whole("time.max_global_iterations");
  time.max_global_iterations = static_cast<int>(most.value_or(time.global_iterations));

  const bool has_tolerance = reader.is_given("time.global_tolerance");
  const bool has_most = reader.is_given("time.max_global_iterations");
  if (has_tolerance && !has_most) {
    reader.add_missing("time.max_global_iterations", "a whole number, for time.global_tolerance");
  } else if (has_most && !has_tolerance) {
    reader.add_problem("time.max_global_iterations",
                       "has an effect only with time.global_tolerance; give that too");
  } else if (most && global_iterations && *most < *global_iterations) {
    reader.add_mistake("time.max_global_iterations",
                       ">= time.global_iterations",
                       fmt::format("; that is {}", *global_iterations));
  }
}

/// Reads time.step and, in scheme projection, time.cfl.
void read_step(ValueReader& reader, TimeCase& time) {
  const auto step = reader.number("time.step");
  if (reader.may_be(Scheme::projection)) time.cfl = reader.number("time.cfl");
  const bool has_cfl = reader.may_be(Scheme::projection) && reader.is_given("time.cfl");
  if (!has_cfl && !reader.is_given("time.step") && reader.may_be_missed("time.cfl")) {
    reader.add_missing("time.step",
                       reader.scheme() == Scheme::projection ? "a number > 0, or time.cfl instead"
                                                             : "a number > 0");
  }
  time.step = step.value_or(has_cfl ? std::numeric_limits<double>::infinity() : 0);
}

}  // namespace

TimeCase read_time(ValueReader& reader) {
  TimeCase time;
  read_step(reader, time);
  read_duration(reader, time);
  read_iterations(reader, time);
  if (reader.may_be(Scheme::projection))
    time.damping = reader.choice("time.damping").value_or("auto") == "auto";
  return time;
}

}  // namespace dns
