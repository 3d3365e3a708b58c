/// The files of recorded planes: pieces, what joins them, and how another run reads them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "plane_testing.hpp"
#include "solver/config/load_case.hpp"
#include "solver/files/file_facts.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/files/plane_piece.hpp"
#include "solver/files/plane_records.hpp"
#include "solver/files/plane_series.hpp"
#include "solver/files/run_files.hpp"
#include "tests/values_in_file.hpp"

namespace dns::test_plane_files {
namespace {

constexpr std::size_t last_plane = 2;

/// Two pieces of all planes of a case: of steps 0 and 5, and of steps 10, 15 and 20.
class PlaneFiles : public FolderTest {
 protected:
  [[nodiscard]] Case case_of(Scheme scheme, Precision precision) const {
    return known_case_with_planes(
        scheme == Scheme::projection ? known_case_of_cells(folder()) : known_case(folder()),
        precision);
  }
  void write(const Case& resolved, const std::vector<std::int64_t>& steps) const {
    std::vector<PlaneRecord> records;
    records.reserve(steps.size());
    for (const std::int64_t step : steps) records.push_back(known_record(resolved, step));
    for (std::size_t which = 0; which <= last_plane; ++which) {
      const PlaneCase& plane = resolved.output.planes->planes[which];
      write_plane_piece(folder(), plane_grid(resolved, plane), records, which, to_yaml(resolved));
      PlaneSeries(folder(), plane.name).write(steps.back());
    }
  }
  void write_two(const Case& resolved) const {
    write(resolved, {0, 5});
    write(resolved, {10, 15, 20});
  }
  /// Of the plane across x.
  [[nodiscard]] std::string series() const { return in_folder("planes_across_x.h5"); }
  [[nodiscard]] std::string last_piece() const { return in_folder("planes_across_x_00000020.h5"); }

  /// Overwrites a byte of the values of a dataset.
  static void damage(const std::string& path, const std::string& dataset) {
    const std::size_t place = Hdf5File::open(path).open_dataset(dataset).place().value();
    std::string content = read_whole(path);
    content[place + 3] = static_cast<char>(content[place + 3] ^ 1);
    write_whole(path, content);
  }
};

TEST_F(PlaneFiles, give_another_run_every_value_at_its_own_points) {
  for (const Scheme scheme : {Scheme::splitting, Scheme::projection}) {
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      const Case resolved = case_of(scheme, precision);
      write_two(resolved);
      for (const PlaneCase& plane : resolved.output.planes->planes) {
        const PlaneRecords records(in_folder("planes_" + plane.name + ".h5"));
        EXPECT_EQ(records.grid().axis, plane.axis);
        EXPECT_EQ(records.grid().at, plane.at);
        EXPECT_EQ(records.grid().is_of_cells, scheme == Scheme::projection);
        EXPECT_EQ(records.times(), (std::vector<double>{0, 2.5, 5, 7.5, 10}));
        EXPECT_EQ(records.number_of("temperature"), first_scalar);
        EXPECT_EQ(records.number_of("velocity"), std::nullopt);
        EXPECT_EQ(records.grid().along[0].axis, plane.axis == 0 ? 1 : 0);
        EXPECT_EQ(records.grid().along[1].axis, plane.axis == 2 ? 1 : 2);
        EXPECT_EQ(records.grid().along[0].points,
                  point_coordinates(resolved, records.grid().along[0].axis));
        EXPECT_EQ(records.grid().along[1].faces.size(),
                  scheme == Scheme::projection ? records.grid().along[1].points.size() + 1 : 0);
        // Forwards, backwards and across the end of the first piece.
        for (const std::size_t record : {0U, 1U, 2U, 4U, 3U, 1U, 0U}) {
          const PlaneRecord known = known_record(resolved, static_cast<std::int64_t>(5 * record));
          for (int variable = 0; variable <= first_scalar; ++variable) {
            EXPECT_EQ(records.values(variable, record), known.planes[plane.axis][variable])
                << plane.name << " " << variable << " " << record;
          }
        }
      }
      for (const std::string& name : names()) std::filesystem::remove(in_folder(name));
    }
  }
}

TEST_F(PlaneFiles, hold_velocities_at_centres_as_means_of_faces) {
  const Case resolved = case_of(Scheme::projection, Precision::double_precision);
  write_two(resolved);
  const Hdf5File file = Hdf5File::open(in_folder("planes_across_y_00000020.h5"));
  // Linear in both indices: the mean of two faces is the value half an index further.
  const Extents n = resolved.grid.points;
  for (const int variable : {0, 1, 2, 3, 4}) {
    const std::array<std::string, 5> dataset{
        "velocity_x", "velocity_y", "velocity_z", "temperature", "pressure"};
    const std::vector<double> at_centres = values_in(file, dataset.at(variable));
    ASSERT_EQ(at_centres.size(), static_cast<std::size_t>(3 * n.nx * n.nz));
    std::size_t at = 0;
    for (const std::int64_t step : {10, 15, 20}) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(n.nz); ++k) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(n.nx); ++i) {
          const double half = variable == 0 ? 0.125 : variable == 2 ? 1 : 0;
          EXPECT_EQ(at_centres[at++], known_in_plane(variable, i, k, step) + half);
        }
      }
    }
  }
  EXPECT_EQ(file.open_dataset("velocity_x_faces").shape(), (std::vector<hsize_t>{3, 3, 8}));
  EXPECT_EQ(file.open_dataset("velocity_z_faces").shape(), (std::vector<hsize_t>{3, 4, 7}));
  EXPECT_FALSE(file.has_dataset("velocity_y_faces"));
}

TEST_F(PlaneFiles, say_what_they_hold) {
  write_two(case_of(Scheme::projection, Precision::single_precision));
  const FileFacts facts = read_file_facts(series());
  EXPECT_EQ(facts.format, "dns planes");
  EXPECT_EQ(facts.step, 20);
  EXPECT_EQ(facts.time, 10);
  const auto joined = std::ranges::find(facts.arrays, "velocity_y_faces", &FileFacts::Array::name);
  ASSERT_NE(joined, facts.arrays.end());
  EXPECT_EQ(joined->shape, (std::vector<std::size_t>{5, 3, 6}));
  EXPECT_FALSE(joined->precision);  // joined from the pieces
  EXPECT_EQ(read_file_facts(last_piece()).format, "dns planes piece");
  EXPECT_EQ(Hdf5File::open(series()).read_integer("z_is_periodic"), 0);
}

TEST_F(PlaneFiles, that_are_damaged_missing_or_of_another_run_are_refused) {
  const Case resolved = case_of(Scheme::projection, Precision::single_precision);
  write_two(resolved);
  const std::string whole = read_whole(last_piece());
  const auto message = [&] { return io_error_of([&] { PlaneRecords{series()}; }); };

  damage(last_piece(), "velocity_y_faces");
  const PlaneRecords records(series());  // which does not read all values
  EXPECT_EQ(records.values(1, 1)[0], known_in_plane(1, 0, 0, 5));
  EXPECT_EQ(io_error_of([&] { static_cast<void>(records.values(1, 3)); }),
            last_piece() + ": dataset velocity_y_faces: its values do not match their checksum");
  EXPECT_EQ(records.values(0, 3)[0], known_in_plane(0, 0, 0, 15));

  write_whole(last_piece(), whole);
  damage(last_piece(), "time");
  EXPECT_TRUE(contains(message(), last_piece() + ": dataset time: its values do not match"));

  write_whole(last_piece(), whole.substr(0, whole.size() / 2));
  EXPECT_TRUE(contains(message(), last_piece()));

  std::filesystem::remove(last_piece());
  EXPECT_TRUE(contains(message(), last_piece() + ": opening the file: No such file"));

  Case shifted = resolved;
  shifted.output.planes->planes[0].at += 1;
  write_plane_piece(folder(),
                    plane_grid(shifted, shifted.output.planes->planes[0]),
                    {known_record(shifted, 20)},
                    0,
                    to_yaml(shifted));
  EXPECT_TRUE(
      contains(message(), last_piece() + ": the plane is not what planes_across_x.h5 lists"));

  std::vector<PlaneRecord> other{
      known_record(resolved, 10), known_record(resolved, 15), known_record(resolved, 20)};
  other[1].planes[0][2][0] = std::nan("");
  write_plane_piece(folder(),
                    plane_grid(resolved, resolved.output.planes->planes[0]),
                    other,
                    0,
                    to_yaml(resolved));
  EXPECT_TRUE(contains(message(), "dataset velocity_z: its checksum is not what"));

  write_whole(last_piece(), whole);
  EXPECT_EQ(PlaneRecords(series()).times().size(), 5U);
  EXPECT_TRUE(contains(io_error_of([&] { PlaneRecords{last_piece()}; }), "not a dns planes but a"));
}

TEST_F(PlaneFiles, list_what_fits_the_newest_piece) {
  Case resolved = case_of(Scheme::projection, Precision::single_precision);
  write_two(resolved);
  resolved.output.planes->planes[0].at += 0.5;
  write(resolved, {25});
  EXPECT_EQ(PlaneRecords(series()).times(), std::vector<double>{12.5});
  PlaneSeries(folder(), "across_x").write(24);
  EXPECT_EQ(PlaneRecords(series()).times().size(), 5U);
  PlaneSeries(folder(), "across_x").write(9);
  EXPECT_EQ(PlaneRecords(series()).times().size(), 2U);
  PlaneSeries(folder(), "across_x").write(-1);
  EXPECT_FALSE(std::filesystem::exists(series()));
  EXPECT_FALSE(std::filesystem::exists(in_folder("planes_across_x.xdmf")));
}

TEST(names_of_plane_files, tell_pieces_from_what_joins_them) {
  EXPECT_EQ(plane_piece_name("in_let", 120), "planes_in_let_00000120.h5");
  EXPECT_EQ(step_of_name(planes_prefix, "planes_in_let_00000120.h5"), 120);
  EXPECT_EQ(plane_of_file("planes_in_let_00000120.h5"), "in_let");
  EXPECT_EQ(plane_of_file("planes_in_let.h5"), "in_let");
  EXPECT_EQ(plane_of_file("planes_a-1.xdmf"), "a-1");
  for (const char* const name :
       {"planes_.h5", "planes_x.png", "planes_a b.h5", "plane_x.h5", "planes_00000120.h5.part"})
    EXPECT_EQ(plane_of_file(name), "") << name;
  EXPECT_FALSE(step_of_name(planes_prefix, "planes_in_let.h5"));
  EXPECT_FALSE(step_of_name(planes_prefix, "planes_00000120.h5"));
  EXPECT_FALSE(step_of_name(planes_prefix, "fields_x_00000120.h5"));
}

}  // namespace
}  // namespace dns::test_plane_files
