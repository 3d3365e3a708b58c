#include "solver/flow/body_quantities.hpp"

#include <algorithm>
#include <cmath>

namespace dns {

std::vector<BodyQuantity> quantities_of_bodies(const Case& resolved, const SolidCase& entry) {
  std::vector<BodyQuantity> quantities{{"force", 3}, {"torque", 3}};
  for (int n = 0; n < resolved.scalar_count(); ++n) {
    const int variable = first_scalar + n;
    quantities.push_back({resolved.is_temperature(variable)
                              ? std::string("heat")
                              : resolved.name_of_scalar(variable) + "_flux",
                          1});
  }
  for (const char* const name : {"position", "velocity", "rotation"})
    quantities.push_back({name, 3});
  if (entry.turns()) quantities.push_back({"quaternion", 4});
  return quantities;
}

double largest_speed(const Case& resolved, const NamedList& bodies) {
  const auto entry = std::ranges::find(resolved.solids, bodies.name, &SolidCase::name);
  if (entry == resolved.solids.end()) return 0;
  std::size_t numbers = 0;
  std::size_t velocity = 0;
  for (const BodyQuantity& quantity : quantities_of_bodies(resolved, *entry)) {
    if (quantity.name == "velocity") velocity = numbers;
    numbers += quantity.components;
  }
  double largest = 0;
  for (std::size_t body = 0; body + numbers <= bodies.values.size(); body += numbers) {
    const double* const v = bodies.values.data() + body + velocity;
    largest = std::max(largest, std::hypot(v[0], v[1], v[2]));
  }
  return largest;
}

}  // namespace dns
