/// Work on several boxes, each with a kernel of its own.
#pragma once

#include "solver/core/index.hpp"

namespace dns {

template <class Kernel>
struct WorkInBox {
  Box box;
  Kernel kernel;
};

template <class Kernel>
struct ReductionOfBox {
  Box box;
  Kernel kernel;
  double* numbers = nullptr;  // where its sums and maxima go, see ExecutionBackend
};

}  // namespace dns
