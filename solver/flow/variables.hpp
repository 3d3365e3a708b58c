/// The variables of a flow: a table made from its case.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

/// What holds for a variable at a face of the box: as FaceCase::given says, or 0 where the kind of
/// the face does. slip: FaceCase::slip_length.
enum class FaceCondition { periodic, value, gradient, slip, transfer, open };

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
  double diffusivity = 0;                     // of what is transported [U L]
  std::array<FaceCondition, 6> conditions{};  // of what is transported; in the order of Case::faces
};

/// What holds at a face for a velocity component or a scalar.
[[nodiscard]] FaceCondition condition_on(const FaceCase& face, int axis, int variable);

/// What is solved for; a variable's number is its place here: u, v, w, scalars, pressure.
[[nodiscard]] std::vector<Variable> solved_variables(const Case& resolved);

/// The same, then what snapshots may hold besides: solid, and all that is derived.
[[nodiscard]] std::vector<Variable> variables_of(const Case& resolved);

/// The variables that are transported: velocity components and scalars.
[[nodiscard]] inline int transported_variables(const Case& resolved) {
  return first_scalar + resolved.scalar_count();
}

}  // namespace dns
