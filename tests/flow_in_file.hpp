/// The flow in a file as a run that starts from it reads it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/files/flow_file.hpp"

namespace dns {

/// One field for each component of a dataset, whose values have been compared with their checksum.
inline void append_fields(const FlowFile::Dataset& dataset,
                          const std::vector<std::string_view>& names,
                          FlowState& state) {
  with_real(dataset.precision, [&]<class Real>(Real) {
    const std::size_t first = state.fields.size();
    for (const std::string_view name : names)
      state.fields.emplace_back(std::string(name), dataset.extents, dataset.precision);
    const auto [nx, ny, nz] = dataset.extents;
    const std::size_t plane = Extents{nx, ny, 1}.count();
    read_all_planes(dataset, [&](int k, const void* values) {
      const auto* from = static_cast<const Real*>(values);
      for (std::size_t at = static_cast<std::size_t>(k) * plane, end = at + plane; at < end; ++at) {
        for (std::size_t n = 0; n < names.size(); ++n)
          state.fields[first + n].template values<Real>()[at] = *from++;
      }
    });
  });
}

/// Step, time, velocity (as `velocity`, else as its components) and, where the file has them,
/// temperature and pressure. Throws as FlowFile does.
inline FlowState flow_in_file(const std::string& path) {
  const FlowFile file(path);
  FlowState state;
  state.step = file.step();
  state.time = file.time();
  if (file.has("velocity")) {
    append_fields(file.dataset("velocity"), {velocity_names.begin(), velocity_names.end()}, state);
  } else {
    for (const std::string_view name : velocity_names)
      append_fields(file.dataset(std::string(name)), {name}, state);
  }
  for (const std::string_view name : {temperature_name, pressure_name}) {
    if (file.has(std::string(name))) append_fields(file.dataset(std::string(name)), {name}, state);
  }
  return state;
}

}  // namespace dns
