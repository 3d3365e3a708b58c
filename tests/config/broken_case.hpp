/// A valid case file, one edit that breaks it, and what the reader must say about it.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "tests/message_of.hpp"

namespace dns {

inline const std::string valid_case = R"(case: base
scheme: splitting
grid:
  points: [8, 9, 10]
fluid:
  reynolds: 100
  prandtl: 0.7
boundaries:
  x_min: {type: inflow, velocity: [1, 0, 0], temperature: 1}
  x_max: {type: outflow}
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, temperature: 1}
  z: periodic
time:
  step: 0.01
  steps: 5
)";

/// The same for scheme projection.
inline const std::string valid_projection = R"(case: base
scheme: projection
grid:
  points: [8, 9, 4]
fluid:
  reynolds: 100
  prandtl: 0.7
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, temperature: 0}
  z: periodic
time:
  step: 0.01
  steps: 5
)";

/// Of tests/data/tetrahedron.stl, a surface of four triangles.
inline constexpr const char* tetrahedron_checksum = "f4bd32a2-506";

/// `valid_case` with the first `from` replaced by `to`; an empty `from` appends `to`.
inline std::string edited_case(const std::string& from,
                               const std::string& to,
                               std::string text = valid_case) {
  if (from.empty()) return text + to;
  const std::size_t found = text.find(from);
  if (found == std::string::npos) {
    ADD_FAILURE() << "the valid case does not hold: " << from;
    return text;
  }
  return text.replace(found, from.size(), to);
}

/// The messages about a case, one line each; empty when it is accepted.
inline std::string messages_of(const std::string& yaml,
                               const std::vector<Override>& overrides = {}) {
  return message_of<CaseError>([&] { return parse_case(yaml, "case.yaml", overrides); });
}

/// A test case of a table; `name` is a sentence.
struct BrokenCase {
  std::string name;
  std::string from, to;
  std::string messages;
};

// The name is prescribed by GoogleTest. NOLINTNEXTLINE(readability-identifier-naming)
inline void PrintTo(const BrokenCase& broken, std::ostream* stream) {
  *stream << broken.name;
}

inline std::string name_of_test(const testing::TestParamInfo<BrokenCase>& info) {
  return info.param.name;
}

}  // namespace dns
