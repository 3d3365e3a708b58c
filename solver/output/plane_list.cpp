#include <fmt/format.h>

#include <algorithm>

#include "solver/output/plane_series.hpp"

namespace dns {
namespace {

/// A list of more times takes ParaView long to read.
constexpr std::size_t most_times = 2000;

/// Sizes of a thing in the plane, slowest axis first, with a single one along its normal.
std::string sizes(const PlaneGrid& grid, std::array<std::size_t, 2> in_plane) {
  std::array<std::size_t, 3> n{1, 1, 1};  // z, y, x
  n.at(static_cast<std::size_t>(2 - grid.along[1].axis)) = in_plane[0];
  n.at(static_cast<std::size_t>(2 - grid.along[0].axis)) = in_plane[1];
  return fmt::format("{} {} {}", n[0], n[1], n[2]);
}

std::size_t points_along(const PlaneGrid::Along& along) {
  return along.faces.empty() ? along.points.size() : along.faces.size();
}

/// The coordinates along x, y and z: those of the corners of cells, or of nodes.
std::string geometry(const std::string& series_name, const PlaneGrid& grid) {
  std::string text = "        <Geometry GeometryType=\"VXVYVZ\">\n";
  for (int axis = 0; axis < 3; ++axis) {
    if (axis == grid.axis) {
      text += fmt::format(
          "          <DataItem Dimensions=\"1\" NumberType=\"Float\" Precision=\"8\" "
          "Format=\"XML\">{}</DataItem>\n",
          grid.at);
      continue;
    }
    const PlaneGrid::Along& along = grid.along.at(axis == grid.along[0].axis ? 0 : 1);
    text += fmt::format(
        "          <DataItem Dimensions=\"{}\" NumberType=\"Float\" Precision=\"8\" "
        "Format=\"HDF\">{}:/{}{}</DataItem>\n",
        points_along(along),
        series_name,
        axis_name(axis),
        grid.is_of_cells ? "_faces" : "");
  }
  return text + "        </Geometry>\n";
}

/// One record of a dataset.
std::string attribute(const PlanePiece& piece, const PlaneDataset& dataset, std::size_t record) {
  const auto& [second, first] = dataset.points;
  const std::string dimensions = sizes(piece.grid, dataset.points);
  return fmt::format(
      "        <Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"{}\">\n"
      "          <DataItem ItemType=\"HyperSlab\" Dimensions=\"{}\">\n"
      "            <DataItem Dimensions=\"3 3\" Format=\"XML\">{} 0 0 1 1 1 1 {} {}</DataItem>\n"
      "            <DataItem Dimensions=\"{} {} {}\" NumberType=\"Float\" Precision=\"{}\" "
      "Format=\"HDF\">{}:/{}</DataItem>\n"
      "          </DataItem>\n"
      "        </Attribute>\n",
      dataset.name,
      piece.grid.is_of_cells ? "Cell" : "Node",
      dimensions,
      record,
      second,
      first,
      piece.steps.size(),
      second,
      first,
      bytes_of(piece.grid.precision),
      piece.name,
      dataset.name);
}

std::string grid_element(const std::string& series_name,
                         const PlanePiece& piece,
                         std::size_t record) {
  const PlaneGrid& grid = piece.grid;
  std::string text = fmt::format(
      "      <Grid Name=\"plane\" GridType=\"Uniform\">\n"
      "        <Time Value=\"{}\"/>\n"
      "        <Topology TopologyType=\"3DRectMesh\" Dimensions=\"{}\"/>\n",
      piece.times[record],
      sizes(grid, {points_along(grid.along[1]), points_along(grid.along[0])}));
  text += geometry(series_name, grid);
  for (const PlaneDataset& dataset : datasets_of(grid)) {
    if (!dataset.is_at_faces) text += attribute(piece, dataset, record);
  }
  return text + "      </Grid>\n";
}

}  // namespace

void write_plane_list(const std::string& path,
                      const std::string& series_name,
                      const std::vector<const PlanePiece*>& pieces) {
  std::size_t records = 0;
  for (const PlanePiece* piece : pieces) records += piece->steps.size();
  const std::size_t step = std::max<std::size_t>((records + most_times - 1) / most_times, 1);
  AsideText list(path);
  list.add(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      "<Xdmf Version=\"3.0\">\n"
      "  <Domain>\n"
      "    <Grid Name=\"planes\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
  std::size_t number = 0;
  for (const PlanePiece* piece : pieces) {
    for (std::size_t record = 0; record < piece->steps.size(); ++record) {
      if (number++ % step == 0) list.add(grid_element(series_name, *piece, record));
    }
  }
  list.add(
      "    </Grid>\n"
      "  </Domain>\n"
      "</Xdmf>\n");
  list.commit();
}

}  // namespace dns
