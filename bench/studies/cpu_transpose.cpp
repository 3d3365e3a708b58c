#include <algorithm>

#include "bench/host.hpp"
#include "bench/studies/cpu_scalar.hpp"
#include "bench/studies/cpu_studies.hpp"
#include "bench/studies/random_values.hpp"
#include "cpu/pack.hpp"
#include "solver/core/host_cache.hpp"

namespace dns::bench {
namespace {

/// Squares of 32 x 32 values, so that what is read and what is written stays in the first-level
/// cache.
template <class Real>
void transpose_in_blocks(const Real* from, Real* to, int points) {
  constexpr std::ptrdiff_t block = 32;
  const std::ptrdiff_t n = points;
  for (std::ptrdiff_t z = 0; z < n; ++z) {
    for (std::ptrdiff_t y_begin = 0; y_begin < n; y_begin += block) {
      for (std::ptrdiff_t x_begin = 0; x_begin < n; x_begin += block) {
        for (std::ptrdiff_t x = x_begin; x < std::min(n, x_begin + block); ++x) {
          for (std::ptrdiff_t y = y_begin; y < std::min(n, y_begin + block); ++y) {
            to[y + n * (x + n * z)] = from[x + n * (y + n * z)];
          }
        }
      }
    }
  }
}

/// Squares of one vector register's width, transposed in registers. The last square of a row is
/// moved back to its end. Requires at least `width` points.
template <class Real>
void transpose_in_registers(const Real* from, Real* to, int points, int threads) {
  constexpr int width = static_cast<int>(vector_bytes / sizeof(Real));
  const std::ptrdiff_t n = points;
  const int squares = (points + width - 1) / width;
  const auto start = [&](int square) {
    return static_cast<std::ptrdiff_t>(std::min(square * width, points - width));
  };
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::ptrdiff_t z = 0; z < n; ++z) {
    for (int square_x = 0; square_x < squares; ++square_x) {
      for (int square_y = 0; square_y < squares; ++square_y) {
        const std::ptrdiff_t x = start(square_x);
        const std::ptrdiff_t y = start(square_y);
        Pack<Real, width> rows[width];
        for (int row = 0; row < width; ++row) {
          rows[row] = load(from + x + n * (y + row + n * z), PackPoint<width>{});
        }
        transpose(rows);
        for (int row = 0; row < width; ++row) {
          store(to + y + n * (x + row + n * z), rows[row], PackPoint<width>{});
        }
      }
    }
  }
}

template <class Real>
std::vector<Measurement> transposes(const Study& study) {
  const std::size_t field = study.count() * sizeof(Real);
  require_memory(2 * field, study.memory, "a field and its transpose");
  const int sets = sets_beyond_cache(2 * field, host_cache_bytes(), study.memory);
  const HostBuffers<Real> from(study.count(), sets, study.threads);
  const HostBuffers<Real> to(study.count(), sets, study.threads);
  from.fill([](std::size_t n) { return scattered_sign(n, 0); });

  const std::size_t points = study.points;
  Trial trial;
  trial.section = "transpose";
  trial.precision = precision_of_type<Real>;
  trial.points = study.points;
  trial.bytes = 2.0 * static_cast<double>(field);
  trial.poison = [&] { to.poison(0); };
  trial.error = [&] {
    return largest_error(study.count(), [&](std::size_t n) {
      const std::size_t y = n % points;
      const std::size_t x = n / points % points;
      const std::size_t z = n / points / points;
      return to.set(0)[n] == from.set(0)[x + points * (y + points * z)] ? 0.0 : 1.0;
    });
  };
  trial.seconds = [&](const Variant& variant) {
    return host_seconds(variant, sets, study.seconds);
  };

  std::vector<Measurement> results;
  results.push_back(measure(trial, {"naive", "", 1, [&](int set) {
                                      transpose_scalar(from.set(set), to.set(set), study.points);
                                    }}));
  results.push_back(measure(trial, {"blocked", "", 1, [&](int set) {
                                      transpose_in_blocks(from.set(set), to.set(set), study.points);
                                    }}));
  const auto in_registers = [&](int threads) {
    return Variant{"vector registers", "", threads, [&, threads](int set) {
                     transpose_in_registers(from.set(set), to.set(set), study.points, threads);
                   }};
  };
  results.push_back(measure(trial, in_registers(1)));
  if (study.threads > 1) results.push_back(measure(trial, in_registers(study.threads)));
  return results;
}

}  // namespace

std::vector<Measurement> transpose_on_cpu(Precision precision, const Study& study) {
  return precision == Precision::single_precision ? transposes<float>(study)
                                                  : transposes<double>(study);
}

}  // namespace dns::bench
