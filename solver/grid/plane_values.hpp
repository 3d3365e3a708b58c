/// The flow in planes, as a simulation hands it over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dns {

/// The variables that are solved for in a plane, each at its own points there (is_at_faces),
/// the first axis fastest.
using PlaneValues = std::vector<std::vector<double>>;

/// The flow in all planes of a case at one time.
struct PlaneRecord {
  std::int64_t step = 0;
  double time = 0;                  // [L/U]
  std::vector<PlaneValues> planes;  // in the order of the case
};

/// Bytes of its values.
[[nodiscard]] inline std::size_t bytes_of(const PlaneRecord& record) {
  std::size_t values = 0;
  for (const PlaneValues& plane : record.planes)
    for (const std::vector<double>& of_variable : plane) values += of_variable.size();
  return values * sizeof(double);
}

}  // namespace dns
