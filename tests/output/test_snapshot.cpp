#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <array>
#include <vector>

#include "output_testing.hpp"
#include "solver/output/checkpoint.hpp"
#include "solver/output/snapshot.hpp"

namespace dns::test_snapshot {
namespace {

/// Reads a snapshot with plain HDF5 calls, as any other program would.
class SnapshotTest : public FolderTest {
 protected:
  void TearDown() override {
    if (snapshot >= 0) H5Fclose(snapshot);
    FolderTest::TearDown();
  }

  void write_and_open(const Case& resolved, const FlowState& state) {
    write_snapshot(folder(), state, resolved, "a device", "case: known\n");
    EXPECT_FALSE(names().contains("fields_00000100.h5.part"));
    snapshot = H5Fopen(in_folder("fields_00000100.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(snapshot, 0);
  }

  [[nodiscard]] std::vector<hsize_t> shape_of(const char* dataset) const {
    int rank = 0;
    EXPECT_GE(H5LTget_dataset_ndims(snapshot, dataset, &rank), 0) << dataset;
    std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
    H5LTget_dataset_info(snapshot, dataset, shape.data(), nullptr, nullptr);
    return shape;
  }

  [[nodiscard]] std::vector<double> values_of(const char* dataset) const {
    std::size_t count = 1;
    for (const hsize_t n : shape_of(dataset)) count *= n;
    std::vector<double> values(count);
    EXPECT_GE(H5LTread_dataset_double(snapshot, dataset, values.data()), 0) << dataset;
    return values;
  }

  [[nodiscard]] std::size_t value_bytes_of(const char* dataset) const {
    H5T_class_t kind = H5T_NO_CLASS;
    std::size_t bytes = 0;
    H5LTget_dataset_info(snapshot, dataset, nullptr, &kind, &bytes);
    EXPECT_EQ(kind, H5T_FLOAT);
    return bytes;
  }

  [[nodiscard]] std::string text_of(const char* attribute) const {
    H5T_class_t kind = H5T_NO_CLASS;
    std::size_t bytes = 0;
    EXPECT_GE(H5LTget_attribute_info(snapshot, "/", attribute, nullptr, &kind, &bytes), 0)
        << attribute;
    EXPECT_EQ(kind, H5T_STRING);
    std::string text(bytes, '\0');
    H5LTget_attribute_string(snapshot, "/", attribute, text.data());
    return text.substr(0, text.find('\0'));
  }

  [[nodiscard]] double number_of(const char* attribute) const {
    double value = -1;
    EXPECT_GE(H5LTget_attribute_double(snapshot, "/", attribute, &value), 0) << attribute;
    return value;
  }

  void expect_known_values(Extents extents) const {
    const auto [nx, ny, nz] = extents;
    const std::vector<double> velocity = values_of("velocity");
    const std::vector<double> temperatures = values_of("temperature");
    std::size_t point = 0;
    for (int k = 0; k < nz; ++k) {
      for (int j = 0; j < ny; ++j) {
        for (int i = 0; i < nx; ++i, ++point) {
          for (int c = 0; c < 3; ++c) {
            ASSERT_EQ(velocity[point * 3 + static_cast<std::size_t>(c)], known_value(c, i, j, k))
                << "component " << c << " at " << i << ' ' << j << ' ' << k;
          }
          ASSERT_EQ(temperatures[point], known_value(3, i, j, k)) << i << ' ' << j << ' ' << k;
        }
      }
    }
  }

  hid_t snapshot = -1;
};

using Shape = std::vector<hsize_t>;

struct Precisions {
  Precision run, file;
};

class SnapshotOfEachPrecisionTest : public SnapshotTest,
                                    public testing::WithParamInterface<Precisions> {};

TEST_P(SnapshotOfEachPrecisionTest, holds_each_value_at_its_place) {
  Case resolved = known_case(folder());
  resolved.output.fields.precision = GetParam().file;
  write_and_open(resolved, known_flow(GetParam().run));
  EXPECT_EQ(shape_of("velocity"), (Shape{3, 5, 7, 3}));
  EXPECT_EQ(shape_of("temperature"), (Shape{3, 5, 7}));
  EXPECT_EQ(value_bytes_of("velocity"), bytes_of(GetParam().file));
  EXPECT_EQ(value_bytes_of("temperature"), bytes_of(GetParam().file));
  EXPECT_EQ(text_of("precision"), name_of(GetParam().file));
  expect_known_values({7, 5, 3});
}

INSTANTIATE_TEST_SUITE_P(
    precisions,
    SnapshotOfEachPrecisionTest,
    testing::Values(Precisions{Precision::double_precision, Precision::single_precision},
                    Precisions{Precision::double_precision, Precision::double_precision},
                    Precisions{Precision::single_precision, Precision::single_precision},
                    Precisions{Precision::single_precision, Precision::double_precision}),
    [](const auto& chosen) {
      return std::string(name_of(chosen.param.run)) + "_to_" +
             std::string(name_of(chosen.param.file));
    });

TEST_F(SnapshotTest, of_many_blocks_holds_each_value_at_its_place) {
  // A plane of 31 x 29 velocities is 10.8 kB in float: more than two blocks of 1 MiB.
  constexpr Extents extents{31, 29, 227};
  write_and_open(known_case(folder()), known_flow(Precision::double_precision, extents));
  EXPECT_EQ(value_bytes_of("velocity"), sizeof(float));
  expect_known_values(extents);
}

TEST_F(SnapshotTest, compressed_holds_the_same_values_in_a_smaller_file) {
  constexpr Extents extents{31, 29, 227};
  Case resolved = known_case(folder());
  resolved.output.fields.compression = 6;
  write_and_open(resolved, known_flow(Precision::single_precision, extents));
  expect_known_values(extents);
  EXPECT_LT(std::filesystem::file_size(in_folder("fields_00000100.h5")),
            extents.count() * 4 * sizeof(float) / 2);
}

TEST_F(SnapshotTest, holds_only_the_variables_asked_for) {
  Case resolved = known_case(folder());
  std::erase(resolved.output.fields.variables, "velocity");
  write_and_open(resolved, known_flow(Precision::double_precision));
  EXPECT_EQ(H5Lexists(snapshot, "velocity", H5P_DEFAULT), 0);
  EXPECT_GT(H5Lexists(snapshot, "temperature", H5P_DEFAULT), 0);
}

TEST_F(SnapshotTest, has_the_coordinates_of_the_nodes) {
  // x periodic: 7 nodes on length 7, the end left out; y and z with both ends.
  write_and_open(known_case(folder()), known_flow(Precision::double_precision));
  EXPECT_EQ(values_of("x"), (std::vector<double>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values_of("y"), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(values_of("z"), (std::vector<double>{10, 10.5, 11}));
  for (const char* name : {"x", "y", "z"}) EXPECT_EQ(value_bytes_of(name), sizeof(double));
}

TEST_F(SnapshotTest, of_cells_holds_their_centres_and_faces_and_the_pressure) {
  write_and_open(known_case_of_cells(folder()), known_cells(Precision::double_precision));
  EXPECT_EQ(values_of("x_faces"), (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(values_of("x"), (std::vector<double>{0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5}));
  EXPECT_EQ(values_of("y_faces"), (std::vector<double>{-1, 0, 0.5, 0.75, 0.875, 1}));
  EXPECT_EQ(values_of("y"), (std::vector<double>{-0.5, 0.25, 0.625, 0.8125, 0.9375}));
  EXPECT_EQ(values_of("z_faces").size(), 4U);
  EXPECT_EQ(values_of("z").size(), 3U);
  expect_known_values({7, 5, 3});
  EXPECT_EQ(shape_of("pressure"), (Shape{3, 5, 7}));
  const std::vector<double> pressures = values_of("pressure");
  EXPECT_EQ(pressures.front(), known_value(4, 0, 0, 0));
  EXPECT_EQ(pressures.back(), known_value(4, 6, 4, 2));
  EXPECT_FALSE(contains(text_of("scales"), "heat capacity"));
}

TEST_F(SnapshotTest, has_dimension_scales_in_the_order_z_y_x) {
  write_and_open(known_case(folder()), known_flow(Precision::double_precision));
  constexpr std::array names = {"z", "y", "x", "component"};
  for (const char* variable : {"velocity", "temperature"}) {
    const hid_t dataset = H5Dopen2(snapshot, variable, H5P_DEFAULT);
    for (unsigned axis = 0; axis < shape_of(variable).size(); ++axis) {
      std::array<char, 16> label{};
      H5DSget_label(dataset, axis, label.data(), label.size());
      EXPECT_STREQ(label.data(), names[axis]);
      EXPECT_EQ(H5DSget_num_scales(dataset, axis), 1);
      const hid_t scale = H5Dopen2(snapshot, names[axis], H5P_DEFAULT);
      EXPECT_GT(H5DSis_scale(scale), 0);
      EXPECT_GT(H5DSis_attached(dataset, scale, axis), 0);
      H5Dclose(scale);
    }
    H5Dclose(dataset);
    std::array<char, 17> axes{};
    H5LTget_attribute_string(snapshot, variable, "axes", axes.data());
    EXPECT_STREQ(axes.data(), shape_of(variable).size() == 3 ? "z y x" : "z y x component");
  }
}

class SnapshotWithFacesTest : public SnapshotTest, public testing::WithParamInterface<int> {
 protected:
  /// The names of a dataset's axes, of each the one scale that is attached to it.
  [[nodiscard]] std::vector<std::string> axes_of(const char* name) const {
    std::vector<std::string> axes;
    const hid_t dataset = H5Dopen2(snapshot, name, H5P_DEFAULT);
    for (unsigned axis = 0; axis < shape_of(name).size(); ++axis) {
      EXPECT_EQ(H5DSget_num_scales(dataset, axis), 1) << name << axis;
      std::array<char, 16> label{};
      H5DSget_label(dataset, axis, label.data(), label.size());
      axes.emplace_back(label.data());
      const hid_t scale = H5Dopen2(snapshot, label.data(), H5P_DEFAULT);
      EXPECT_GT(H5DSis_attached(dataset, scale, axis), 0) << name << axis;
      EXPECT_EQ(shape_of(label.data()).at(0), shape_of(name).at(axis));
      H5Dclose(scale);
    }
    H5Dclose(dataset);
    return axes;
  }
  [[nodiscard]] std::string location_of(const char* name) const {
    std::array<char, 64> location{};
    EXPECT_GE(H5LTget_attribute_string(snapshot, name, "location", location.data()), 0) << name;
    return location.data();
  }
};

TEST_P(SnapshotWithFacesTest, holds_velocities_where_they_are_and_what_is_derived) {
  Case resolved = case_of_cells_and_more(folder());
  resolved.output.fields.compression = GetParam();
  resolved.output.fields.precision = Precision::double_precision;
  write_and_open(resolved, known_cells_and_more(Precision::double_precision));
  expect_known_values({7, 5, 3});
  const std::vector<double> vorticity = values_of("vorticity");
  EXPECT_EQ(shape_of("vorticity"), (Shape{3, 5, 7, 3}));
  EXPECT_EQ(vorticity.at(1), known_value(6, 0, 0, 0));
  EXPECT_EQ(vorticity.back(), known_value(7, 6, 4, 2));
  EXPECT_EQ(values_of("q_criterion").back(), known_value(8, 6, 4, 2));
  EXPECT_EQ(shape_of("velocity_x"), (Shape{3, 5, 8}));
  EXPECT_EQ(shape_of("velocity_y"), (Shape{3, 6, 7}));
  EXPECT_EQ(shape_of("velocity_z"), (Shape{4, 5, 7}));
  EXPECT_EQ(values_of("velocity_x").back(), known_value(0, 7, 4, 2));
  EXPECT_EQ(values_of("velocity_y").back(), known_value(0, 6, 5, 2));
  EXPECT_EQ(values_of("velocity_z").back(), known_value(0, 6, 4, 3));

  using Axes = std::vector<std::string>;
  EXPECT_EQ(axes_of("velocity"), (Axes{"z", "y", "x", "component"}));
  EXPECT_EQ(axes_of("vorticity"), (Axes{"z", "y", "x", "component"}));
  EXPECT_EQ(axes_of("q_criterion"), (Axes{"z", "y", "x"}));
  EXPECT_EQ(axes_of("velocity_x"), (Axes{"z", "y", "x_faces"}));
  EXPECT_EQ(axes_of("velocity_y"), (Axes{"z", "y_faces", "x"}));
  EXPECT_EQ(axes_of("velocity_z"), (Axes{"z_faces", "y", "x"}));
  EXPECT_EQ(location_of("velocity"), "cell centres, mean of both faces");
  EXPECT_EQ(location_of("pressure"), "cell centres");
  EXPECT_EQ(location_of("velocity_y"), "faces across y");
}

INSTANTIATE_TEST_SUITE_P(compressions, SnapshotWithFacesTest, testing::Values(0, 5));

TEST_F(SnapshotTest, of_nodes_says_so) {
  write_and_open(known_case(folder()), known_flow(Precision::double_precision));
  std::array<char, 64> location{};
  EXPECT_GE(H5LTget_attribute_string(snapshot, "velocity", "location", location.data()), 0);
  EXPECT_STREQ(location.data(), "nodes");
  EXPECT_EQ(H5Lexists(snapshot, "x_faces", H5P_DEFAULT), 0);
}

TEST_F(SnapshotTest, says_what_it_is) {
  write_and_open(known_case(folder()), known_flow(Precision::double_precision));
  EXPECT_EQ(number_of("step"), 100);
  EXPECT_EQ(number_of("time"), 0.1);
  EXPECT_EQ(number_of("format_version"), 1);
  EXPECT_EQ(text_of("format"), "dns snapshot");
  EXPECT_EQ(text_of("case"), "case: known\n");
  EXPECT_EQ(text_of("precision"), "float");
  EXPECT_EQ(text_of("device"), "a device");
  EXPECT_NE(text_of("version"), "");
  EXPECT_TRUE(contains(text_of("scales"), "time L/U"));
  EXPECT_TRUE(contains(text_of("scales"), "U L / viscosity = 500"));
}

TEST_F(SnapshotTest, keeps_a_case_of_many_kilobytes) {
  const std::string case_yaml(200'000, 'x');
  write_snapshot(folder(), known_flow(Precision::double_precision), known_case(""), "", case_yaml);
  snapshot = H5Fopen(in_folder("fields_00000100.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_EQ(text_of("case"), case_yaml);
}

TEST_F(SnapshotTest, without_a_field_asked_for_is_an_error_and_leaves_nothing) {
  FlowState state = known_flow(Precision::double_precision);
  state.fields.pop_back();
  const auto message =
      io_error_of([&] { write_snapshot(folder(), state, known_case(""), "", "case"); });
  EXPECT_EQ(message, "the flow to be written has no temperature");
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace dns::test_snapshot
