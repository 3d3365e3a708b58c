/// A channel whose averages are compared with values made from its fields.
#pragma once

#include <string>

namespace dns::testing {

/// Entries of a case that are added to those of sampled_channel.
struct MoreOfChannel {
  std::string low_wall, high_wall, statistics;  // begin with ", "
  std::string keys;                             // lines
};

/// Case of odd and unequal extents, stretched along x and y, with samples after steps 2, 4 and 6.
inline std::string sampled_channel(const MoreOfChannel& more = {}) {
  return R"yaml(scheme: projection
grid:
  points: [11, 7, 5]
  length: [3, 2, 1.5]
  stretching: {x: {coordinates: [0, 0.2, 0.5, 0.7, 1, 1.3, 1.5, 1.8, 2.1, 2.4, 2.7, 3]}, y: {factor: 1.5}}
fluid: {reynolds: 30, prandtl: 0.7}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1)yaml" +
         more.low_wall + R"yaml(}
  y_max: {type: wall, velocity: [0.5, 0, -0.25], temperature: {gradient: 1})yaml" +
         more.high_wall + R"yaml(}
  z: periodic
initial:
  velocity: ["y*(2-y)+0.3*sin(2*pi*x/3)", "0.4*sin(2*pi*z/1.5)", "cos(2*pi*x/3)*y"]
  temperature: "1+0.1*cos(2*pi*x/3)*sin(y)"
time: {step: 0.02, steps: 6}
output: {statistics: {start: 0.03, every: 2)yaml" +
         more.statistics + "}}\n" + more.keys;
}

}  // namespace dns::testing
