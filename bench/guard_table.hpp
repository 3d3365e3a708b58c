/// The ratios that `dns bench guard` compares with, by machine and case.
#pragma once

#include "bench/guard.hpp"

namespace dns::bench {

inline GuardTable usual_guard_table() {
  return {
      {{"NVIDIA H200", "channel float"}, 1.870},
      {{"NVIDIA H200", "channel large"}, 1.587},
      {{"NVIDIA H200", "order 6"}, 1.998},
      {{"NVIDIA H200", "orders 6 2 6 float"}, 2.653},
      {{"NVIDIA H200", "Runge-Kutta"}, 1.624},
      {{"NVIDIA H200", "scalars"}, 1.454},
      {{"NVIDIA H200", "body"}, 1.578},
      {{"NVIDIA H200", "long lines"}, 1.674},
      {{"NVIDIA H200", "splitting"}, 1.209},
      {{"NVIDIA H200", "splitting float"}, 1.274},
      {{"NVIDIA H200", "splitting long lines"}, 1.262},
  };
}

}  // namespace dns::bench
