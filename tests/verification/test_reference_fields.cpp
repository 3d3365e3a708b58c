#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "solver/core/reduction.hpp"
#include "tests/verification/devices.hpp"

namespace dns::testing::test_reference_fields {
namespace {

std::string data_path(const std::string& file) {
  return std::string(DNS_TEST_DATA) + "/" + file;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<double> read_reference(const std::string& file,
                                   const std::string& dataset,
                                   std::size_t count) {
  const hid_t handle = H5Fopen(data_path(file).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(handle, dataset.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(data);
  EXPECT_EQ(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)), count);
  std::vector<double> values(count);
  EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(handle);
  return values;
}

double reference_divergence(const std::string& file, const std::string& group) {
  const hid_t handle = H5Fopen(data_path(file).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t attribute =
      H5Aopen_by_name(handle, group.c_str(), "divergence_mean", H5P_DEFAULT, H5P_DEFAULT);
  double value = 0;
  EXPECT_GE(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), 0);
  H5Aclose(attribute);
  H5Fclose(handle);
  return value;
}

/// Largest difference of a field from that of the same name in a reference file; NaN if any is.
double largest_error(const HostField& field, const std::string& file, const std::string& group) {
  const auto computed = in_doubles(field);
  const auto reference = read_reference(file, group + "/" + field.name(), computed.size());
  double largest = 0;
  for (std::size_t n = 0; n < computed.size(); ++n) {
    largest = larger_or_nan(largest, std::abs(computed[n] - reference[n]));
  }
  return largest;
}

/// The pressure that a copy for restart has at the cells of `like`.
HostField pressure_of_step(const Simulation& simulation, const HostField& like) {
  const FlowState state = state_of(simulation);
  const auto found = std::ranges::find(state.fields, pressure_name, &HostField::name);
  if (found == state.fields.end()) throw std::out_of_range("no pressure");
  const Extents n = like.extents();
  HostField inside(like.name(), n, found->precision());
  const std::size_t bytes = bytes_of(found->precision());
  for (int k = 0; k < n.nz; ++k) {
    for (int j = 0; j < n.ny; ++j) {
      const auto from = (static_cast<std::size_t>(k + 1) * (n.ny + 2) + j + 1) * (n.nx + 2) + 1;
      const auto to = (static_cast<std::size_t>(k) * n.ny + j) * n.nx;
      std::memcpy(static_cast<std::byte*>(inside.data()) + to * bytes,
                  static_cast<const std::byte*>(found->data()) + from * bytes,
                  n.nx * bytes);
    }
  }
  return inside;
}

class ReferenceFields : public OnEveryTarget {
 protected:
  /// Runs the case of NAME.yaml and compares all nodes after steps 1 and 10 with NAME.h5.
  static void compare(const std::string& name) {
    const Case resolved = case_of(text_of(data_path(name + ".yaml")));
    const double tolerance = is_double() ? 1e-12 : 1e-5;
    auto simulation = started(resolved);
    while (simulation->step() < resolved.time.steps) {
      simulation->advance();
      const auto step = simulation->step();
      if (step != 1 && step != 10) continue;
      const std::string group = step == 1 ? "step000001" : "step000010";
      const FlowDiagnostics diagnostics = simulation->diagnostics();
      EXPECT_NEAR(diagnostics.divergence_mean,
                  reference_divergence(name + ".h5", group),
                  is_double() ? 1e-11 : 1e-5);
      for (const HostField& field : state_of(*simulation).fields) {
        const double largest = largest_error(field, name + ".h5", group);
        EXPECT_LE(largest, tolerance) << field.name() << " after step " << step;
      }
    }
  }
};

TEST_P(ReferenceFields, closed_box_between_inflows_is_reproduced) {
  compare("splitting_box");
}

TEST_P(ReferenceFields, channel_with_outflow_and_heat_flux_is_reproduced) {
  compare("splitting_channel");
}

/// Scheme projection: fields at cell centres, from an independent program (numpy) of the same
/// scheme; the attribute `source` of the files says so. Their pressure is that of the middle of the
/// step, which is in copies for restart.
class ProjectionReferenceFields : public OnEveryTarget {
 protected:
  /// Runs the case of NAME.yaml and compares all cells after steps 1 and 6 with NAME.h5.
  static void compare(const std::string& name) {
    const Case resolved = case_of(text_of(data_path(name + ".yaml")));
    const double tolerance = is_double() ? 1e-11 : 2e-5;
    auto simulation = started(resolved);
    FlowState state = simulation->allocate_state(CopyPurpose::viewing);
    while (simulation->step() < resolved.time.steps) {
      simulation->advance();
      const auto step = simulation->step();
      if (step != 1 && step != 6) continue;
      const std::string group = step == 1 ? "step000001" : "step000006";
      simulation->copy_state(state, CopyPurpose::viewing);
      for (HostField field : state.fields) {
        if (field.name() == pressure_name) field = pressure_of_step(*simulation, field);
        const double largest = largest_error(field, name + ".h5", group);
        EXPECT_LE(largest, tolerance) << field.name() << " after step " << step;
        RecordProperty(field.name(), fmt::format("{:.2e}", largest));
      }
    }
  }
};

TEST_P(ProjectionReferenceFields, periodic_box_is_reproduced) {
  compare("projection_periodic");
}

TEST_P(ProjectionReferenceFields, stretched_channel_is_reproduced) {
  compare("projection_walls");
}

INSTANTIATE_TEST_SUITE_P(Devices, ProjectionReferenceFields, all_targets(), name_of_target);

INSTANTIATE_TEST_SUITE_P(Devices, ReferenceFields, all_targets(), name_of_target);

}  // namespace
}  // namespace dns::testing::test_reference_fields
