#include <fmt/format.h>

#include <array>
#include <climits>
#include <cstddef>

#include "solver/core/error.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/file_format.hpp"
#include "solver/output/hdf5_file.hpp"

namespace dns {
namespace {

constexpr const char* advice_on_checksums =
    "; whoever changed them on purpose may delete its attribute crc32";

/// Reads an array (nz, ny, nx, names.size()), or (nz, ny, nx) for one name, into one field each.
template <class Real, std::size_t count>
void read_components(const DatasetReader& dataset,
                     const std::array<std::string_view, count>& names,
                     FlowState& state) {
  const auto& shape = dataset.shape();
  const Extents extents{.nx = static_cast<int>(shape[2]),
                        .ny = static_cast<int>(shape[1]),
                        .nz = static_cast<int>(shape[0])};
  std::array<Real*, count> targets{};
  for (std::size_t n = 0; n < count; ++n) {
    state.fields.emplace_back(std::string(names[n]), extents, dataset.precision());
    targets[n] = state.fields.back().template values<Real>().data();
  }
  const std::size_t plane_points = extents.count() / shape[0];
  const auto separate = [&](hsize_t first, hsize_t planes, const void* values) {
    const auto* from = static_cast<const Real*>(values);
    const std::size_t end = (first + planes) * plane_points;
    for (std::size_t point = first * plane_points; point < end; ++point) {
      for (std::size_t n = 0; n < count; ++n) targets[n][point] = *from++;
    }
  };
  dataset.read(separate, advice_on_checksums);
}

template <std::size_t count>
void read_variable(const Hdf5File& file,
                   const std::string& variable,
                   const std::array<std::string_view, count>& names,
                   FlowState& state) {
  const DatasetReader dataset = file.open_dataset(variable);
  const auto& shape = dataset.shape();
  bool fits = count == 1 ? shape.size() == 3 : (shape.size() == 4 && shape[3] == count);
  for (const hsize_t n : shape) fits = fits && n <= INT_MAX;
  if (!fits) {
    throw IoError(fmt::format("{}: dataset {}: not an array (nz, ny, nx{})",
                              file.path(),
                              variable,
                              count == 1 ? "" : ", 3"));
  }
  with_real(dataset.precision(),
            [&]<class Real>(Real) { read_components<Real>(dataset, names, state); });
}

}  // namespace

std::string read_case_text(const std::string& path) {
  return Hdf5File::open(path).read_text("case");
}

FlowState read_flow(const std::string& path) {
  const Hdf5File file = Hdf5File::open(path);
  if (file.has_attribute("format") && file.read_text("format") == checkpoint_format) {
    check_format(file, checkpoint_format);
    return read_checkpoint_state(file);
  }
  check_format(file, snapshot_format);
  FlowState state;
  state.step = read_step(file);
  state.time = read_time(file);
  read_variable(file, "velocity", velocity_names, state);
  for (const std::string_view scalar : {temperature_name, pressure_name}) {
    if (!file.has_dataset(std::string(scalar))) continue;
    read_variable(file, std::string(scalar), std::array{scalar}, state);
    if (state.fields.front().extents() != state.fields.back().extents())
      throw IoError(fmt::format("{}: velocity and {} differ in shape", path, scalar));
  }
  return state;
}

}  // namespace dns
