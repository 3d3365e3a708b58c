/// From a Precision known at run time to a type.
#pragma once

#include <utility>

#include "solver/core/flow_state.hpp"

namespace dns {

/// Calls function(Real{}) with Real = float or double as `precision` says.
template <class Function>
void with_real(Precision precision, Function&& function) {
  if (precision == Precision::single_precision) {
    std::forward<Function>(function)(float{});
  } else {
    std::forward<Function>(function)(double{});
  }
}

}  // namespace dns
