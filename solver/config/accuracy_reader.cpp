#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "solver/config/section_readers.hpp"
#include "solver/config/step_limit.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

const std::string order_key = "accuracy.order";
const std::string scheme_key = "time.scheme";

/// Why an axis has no differences of an order; empty where it has.
std::string obstacle_to(int order, const Case& read, int axis) {
  const std::string& name = axis_name(axis);
  if (order == 2) return {};
  if (!read.is_periodic(axis)) return fmt::format("{} is not periodic", name);
  if (read.is_stretched(axis)) return fmt::format("{} is stretched", name);
  if (read.grid.points[axis] < order)
    return fmt::format("{} has {} cells", name, read.grid.points[axis]);
  return {};
}

}  // namespace

void read_accuracy(ValueReader& reader, Case& read) {
  reader.read_section("accuracy", read);
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    int& order = read.accuracy.order.at(a);
    const std::string obstacle = obstacle_to(order, read, axis);
    if (obstacle.empty()) continue;
    order = 2;
    if (reader.is_list(order_key)) reader.add_item_mistake(order_key, a, "2", "; " + obstacle);
  }
}

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

void check_runge_kutta(ValueReader& reader, const Case& read) {
  const std::string path = reader.is_given(scheme_key) ? scheme_key : order_key;
  const auto refuse = [&](const std::string& what) {
    reader.add_problem(path,
                       fmt::format("time.scheme runge_kutta has no {}; leave them out, or set "
                                   "time.scheme: implicit and accuracy.order: 2",
                                   what));
  };
  if (!read.solids.empty()) refuse("solids");
  const auto any_face = [&read](FaceKind kind) {
    return std::ranges::any_of(read.faces,
                               [kind](const FaceCase& face) { return face.kind == kind; });
  };
  if (any_face(FaceKind::inflow)) refuse("inflow faces");
  if (any_face(FaceKind::outflow)) refuse("outflow faces");
  const std::string no_iterations =
      "time.scheme runge_kutta has no global iterations; leave it out, or set time.scheme: "
      "implicit and accuracy.order: 2";
  if (read.time.global_iterations > 1) reader.add_problem("time.global_iterations", no_iterations);
  if (read.time.global_tolerance) reader.add_problem("time.global_tolerance", no_iterations);
  if (reader.is_given("time.cfl") || !(read.time.step > 0) || !(read.fluid.reynolds > 0) ||
      read.grid.points.nx <= 0)
    return;
  const double longest = step_limit(read).diffusive_step();
  if (read.time.step > longest && !reader.is_wrong("time.step"))
    reader.add_mistake("time.step",
                       fmt::format("at most {:.3g}, which explicit diffusion allows", longest),
                       "; with time.cfl steps are as short as they must be");
}

}  // namespace dns
