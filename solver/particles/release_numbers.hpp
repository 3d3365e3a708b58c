/// Numbers that formulas and files give to released particles and bodies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/config/expression.hpp"
#include "solver/core/index.hpp"
#include "solver/files/hdf5_file.hpp"

namespace dns {

/// n, r1, r2, r3 of a particle or body; the random numbers are functions of seed and index alone.
struct ReleaseNumbers {
  std::array<double, 4> values;

  ReleaseNumbers(std::int64_t n, std::uint64_t seed, std::size_t index);
  double operator()(int n) const { return values.at(n); }
};

/// A formula of x, y, z, n, r1, r2, r3.
[[nodiscard]] double value_at(const Expression& formula,
                              const PerAxis<double>& x,
                              const ReleaseNumbers& of);

/// The numbers of a dataset (N, columns), or (N) where columns is 1. Throws IoError.
[[nodiscard]] std::vector<double> numbers_of(const Hdf5File& file,
                                             const std::string& name,
                                             std::size_t columns);

}  // namespace dns
