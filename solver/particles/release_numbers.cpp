#include "solver/particles/release_numbers.hpp"

#include <fmt/format.h>

#include "solver/core/error.hpp"
#include "solver/core/random_numbers.hpp"
#include "solver/numerics/formula.hpp"

namespace dns {

ReleaseNumbers::ReleaseNumbers(std::int64_t n, std::uint64_t seed, std::size_t index)
    : values{static_cast<double>(n)} {
  for (int r = 0; r < 3; ++r) values.at(r + 1) = (random_number(seed, r, index) + 1) / 2;
}

double value_at(const Expression& formula, const PerAxis<double>& x, const ReleaseNumbers& of) {
  return value_of(formula.program().data(), formula.instructions(), x[0], x[1], x[2], 0, of);
}

std::vector<double> numbers_of(const Hdf5File& file, const std::string& name, std::size_t columns) {
  const DatasetReader dataset = file.open_dataset(name);
  const auto& shape = dataset.shape();
  const bool is_right = columns == 1 ? shape.size() == 1 : shape.size() == 2 && shape[1] == columns;
  if (!is_right) {
    throw IoError(fmt::format(
        "{}: dataset {}: must be an array {}", file.path(), name, columns == 1 ? "(N)" : "(N, 3)"));
  }
  return dataset.read_doubles();
}

}  // namespace dns
