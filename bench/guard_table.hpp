/// What the cases of `dns bench guard` took, by machine; docs/performance.md has the same table.
#pragma once

#include "bench/guard.hpp"

namespace dns::bench {

inline GuardTable usual_guard_table() {
  return {
      // {{"NVIDIA H100 80GB HBM3", "channel"}, 1.234}: a line for each that the guard prints
  };
}

}  // namespace dns::bench
