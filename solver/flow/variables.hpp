/// The variables of a flow: a table made from its case.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

struct Variable {
  enum class Kind { solved, derived, constant };
  enum class Location { nodes, cells, faces };  // faces: of cells, across `axis`
  enum class Transport { none, momentum, scalar };

  std::string name{};     // of its field: velocity_x
  std::string dataset{};  // of its array in snapshots, which the components of a vector share
  std::string symbol{};  // u, T, the name of another scalar; in the names of averages; empty unless
                         // it is solved for
  std::string unit{};    // empty: none
  Kind kind = Kind::solved;
  Location location = Location::nodes;
  int axis = -1;  // of a component of a vector; else -1
  Transport transport = Transport::none;
  double diffusivity = 0;  // of what is transported [U L]
};

/// What is solved for; a variable's number is its place here: u, v, w, scalars, pressure.
[[nodiscard]] std::vector<Variable> solved_variables(const Case& resolved);

/// The solved variables, then what snapshots may hold besides: solid, and all that is derived.
[[nodiscard]] std::vector<Variable> variables_of(const Case& resolved);

/// The variables that are transported: velocity components and scalars.
[[nodiscard]] inline int transported_variables(const Case& resolved) {
  return first_scalar + resolved.scalar_count();
}

}  // namespace dns
