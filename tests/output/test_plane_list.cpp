/// planes_NAME.xdmf: the place of every value in the pieces.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <regex>
#include <string>
#include <vector>

#include "plane_testing.hpp"
#include "solver/config/load_case.hpp"
#include "solver/files/plane_piece.hpp"
#include "solver/files/plane_series.hpp"

namespace dns::test_plane_list {
namespace {

/// The values of one dataset in one record, as a list names them.
struct Item {
  std::string name;
  std::array<std::size_t, 3> points;  // along z, y, x
  std::size_t bytes_of_one;
  std::size_t place;
  std::string file;
};

std::vector<Item> items_of(const std::string& list) {
  static const std::regex item(
      R"~(<Attribute Name="(\w+)" AttributeType="Scalar" Center="Node">\s*)~"
      R"~(<DataItem Dimensions="(\d+) (\d+) (\d+)" NumberType="Float" Precision="([48])" )~"
      R"~(Format="Binary" Endian="Little" Seek="(\d+)">([\w.]+)</DataItem>)~");
  std::vector<Item> items;
  for (std::sregex_iterator at(list.begin(), list.end(), item); at != std::sregex_iterator();
       ++at) {
    const auto number = [&](std::size_t n) { return std::stoul((*at)[n]); };
    items.push_back({(*at)[1], {number(2), number(3), number(4)}, number(5), number(6), (*at)[7]});
  }
  return items;
}

/// Three records of all planes of a case in two pieces: of steps 0 and 5, and of step 10.
class PlaneList : public FolderTest {
 protected:
  void write(const Case& resolved) const {
    for (std::size_t which = 0; which < 3; ++which) {
      const PlaneGrid grid = plane_grid(resolved, resolved.output.planes->planes[which]);
      const std::string text = to_yaml(resolved);
      write_plane_piece(
          folder(), grid, {known_record(resolved, 0), known_record(resolved, 5)}, which, text);
      write_plane_piece(folder(), grid, {known_record(resolved, 10)}, which, text);
      PlaneSeries(folder(), grid.name).write(10);
    }
  }
  /// Number `n` of the values at an item's place.
  [[nodiscard]] double value(const Item& item, std::size_t n) const {
    const std::string content = read_whole(in_folder(item.file));
    const char* const at = content.data() + item.place + n * item.bytes_of_one;
    EXPECT_LE(item.place + (n + 1) * item.bytes_of_one, content.size());
    float single = 0;
    double number = 0;
    if (item.bytes_of_one == sizeof single) {
      std::memcpy(&single, at, sizeof single);
      return static_cast<double>(single);
    }
    std::memcpy(&number, at, sizeof number);
    return number;
  }
  /// All values of a record are those known at its points; velocities along a plane of cells are
  /// means of two faces, half an index further.
  void expect_known(const Item& item,
                    const PlaneGrid& grid,
                    const PlaneDataset& dataset,
                    int step) {
    const std::size_t firsts = grid.along[0].points.size();
    const bool is_mean = grid.is_of_cells && dataset.variable < 3 && dataset.variable != grid.axis;
    const double to_next = dataset.variable == grid.along[0].axis ? 0.25 : 2;
    for (std::size_t second = 0; second < grid.along[1].points.size(); ++second) {
      for (std::size_t first = 0; first < firsts; ++first) {
        EXPECT_EQ(
            value(item, first + firsts * second),
            known_in_plane(dataset.variable, first, second, step) + (is_mean ? to_next / 2 : 0))
            << grid.name << " " << item.name << " " << first << " " << second << " " << step;
      }
    }
  }
  void expect_list_of(const PlaneGrid& grid) {
    const std::string list = read_whole(in_folder("planes_" + grid.name + ".xdmf"));
    const std::vector<Item> items = items_of(list);
    std::array<std::size_t, 3> points{1, 1, 1};
    for (const PlaneGrid::Along& along : grid.along)
      points.at(2 - along.axis) = along.points.size();
    std::size_t at = 0;
    for (const int step : {0, 5, 10}) {
      for (const PlaneDataset& dataset : datasets_of(grid)) {
        if (dataset.is_at_faces) continue;
        ASSERT_LT(at, items.size());
        const Item& item = items[at++];
        EXPECT_EQ(item.name, dataset.name);
        EXPECT_EQ(item.points, points);
        EXPECT_EQ(item.bytes_of_one, grid.precision == Precision::single_precision ? 4U : 8U);
        EXPECT_EQ(item.file,
                  "planes_" + grid.name + (step == 10 ? "_00000010.h5" : "_00000005.h5"));
        expect_known(item, grid, dataset, step);
      }
    }
    EXPECT_EQ(at, items.size());
  }
};

TEST_F(PlaneList, names_the_place_of_every_value) {
  for (const Scheme scheme : {Scheme::splitting, Scheme::projection}) {
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      const bool is_of_cells = scheme == Scheme::projection;
      const Case resolved = known_case_with_planes(
          is_of_cells ? known_case_of_cells(folder()) : known_case(folder()), precision);
      write(resolved);
      for (const PlaneCase& plane : resolved.output.planes->planes)
        expect_list_of(plane_grid(resolved, plane));
    }
  }
}

TEST_F(PlaneList, has_points_of_a_flat_grid_at_each_time) {
  write(known_case_with_planes(known_case_of_cells(folder()), Precision::single_precision));
  const std::string list = read_whole(in_folder("planes_across_x.xdmf"));
  EXPECT_TRUE(contains(list, "<Time Value=\"2.5\"/>"));
  EXPECT_TRUE(contains(list, "TopologyType=\"3DRectMesh\" Dimensions=\"3 5 1\""));
  EXPECT_TRUE(contains(list,
                       "<DataItem Dimensions=\"5\" NumberType=\"Float\" Precision=\"8\" "
                       "Format=\"HDF\">planes_across_x.h5:/y</DataItem>"));
}

}  // namespace
}  // namespace dns::test_plane_list
