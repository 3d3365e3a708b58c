/// Arrays of Python on the memory of the solver.
#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "solver/simulation/simulation.hpp"

namespace dns {

/// Views of device_fields(), counted: while one is referenced no step may be taken, since a step
/// writes the memory and swaps levels of time.
class Views {
 public:
  /// Array (nz, ny, nx) of NumPy on the memory of a field of a run, which lives as long; of a GPU
  /// an object that DLPack takes.
  nanobind::object of(const nanobind::object& run, const DeviceField& field, int device_number);
  /// Names of the fields that something still refers to.
  [[nodiscard]] std::vector<std::string> in_use() const;

 private:
  std::map<std::string, std::shared_ptr<int>> uses_;
};

}  // namespace dns
