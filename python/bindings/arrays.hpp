/// Values of C++ as objects of Python.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "solver/core/flow_state.hpp"

namespace dns {

/// Array (nz, ny, nx) that shares the memory of a field and keeps it alive.
nanobind::object array_of(const HostField& field);

/// Dictionary of the arrays of a flow by name.
nanobind::dict arrays_of(const FlowState& state);

/// Array of its own with these values.
nanobind::object array_of(const std::vector<double>& values);

}  // namespace dns
