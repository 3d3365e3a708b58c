/// The ratios that `dns bench guard` compares with, by machine and case.
#pragma once

#include "bench/guard.hpp"

namespace dns::bench {

inline GuardTable usual_guard_table() {
  return {
      // {{"NVIDIA H100 80GB HBM3", "channel"}, 1.234}: a line for each that the guard prints
  };
}

}  // namespace dns::bench
