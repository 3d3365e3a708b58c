#include <fmt/format.h>

#include <algorithm>

#include "solver/files/plane_series.hpp"

namespace dns {
namespace {

/// A list of more times takes ParaView long to read.
constexpr std::size_t most_times = 2000;

/// Numbers of points along z, y and x, with a single one along the plane's normal.
std::string sizes(const PlaneGrid& grid) {
  std::array<std::size_t, 3> n{1, 1, 1};  // z, y, x
  for (const PlaneGrid::Along& along : grid.along)
    n.at(static_cast<std::size_t>(2 - along.axis)) = along.points.size();
  return fmt::format("{} {} {}", n[0], n[1], n[2]);
}

/// The coordinates along x, y and z.
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
        "Format=\"HDF\">{}:/{}</DataItem>\n",
        along.points.size(),
        series_name,
        axis_name(axis));
  }
  return text + "        </Geometry>\n";
}

/// The values of one record: numbers in its piece from byte Seek on. Of a part of an HDF5 dataset
/// no form is read by all of ParaView's readers: Xdmf3ReaderS and Xdmf3ReaderT skip
/// ItemType="HyperSlab", "XDMF Reader" knows nothing else.
std::string attribute(const PlanePiece& piece,
                      const PlaneDataset& dataset,
                      std::uint64_t place_of_first,
                      std::size_t record) {
  const std::size_t bytes = bytes_of(piece.grid.precision);
  return fmt::format(
      "        <Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"Node\">\n"
      "          <DataItem Dimensions=\"{}\" NumberType=\"Float\" Precision=\"{}\" "
      "Format=\"Binary\" Endian=\"Little\" Seek=\"{}\">{}</DataItem>\n"
      "        </Attribute>\n",
      dataset.name,
      sizes(piece.grid),
      bytes,
      place_of_first + record * dataset.count() * bytes,
      piece.name);
}

/// Points, of cells too: "XDMF Reader" reads no values of cells of a flat grid.
std::string grid_element(const std::string& series_name,
                         const PlanePiece& piece,
                         std::size_t record) {
  const PlaneGrid& grid = piece.grid;
  std::string text = fmt::format(
      "      <Grid Name=\"plane\" GridType=\"Uniform\">\n"
      "        <Time Value=\"{}\"/>\n"
      "        <Topology TopologyType=\"3DRectMesh\" Dimensions=\"{}\"/>\n",
      piece.times[record],
      sizes(grid));
  text += geometry(series_name, grid);
  const std::vector<PlaneDataset> datasets = datasets_of(grid);
  for (std::size_t number = 0; number < datasets.size(); ++number) {
    if (datasets[number].is_at_faces) continue;
    text += attribute(piece, datasets[number], piece.values[number].place, record);
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
  std::string list =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      "<Xdmf Version=\"3.0\">\n"
      "  <Domain>\n"
      "    <Grid Name=\"planes\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  std::size_t number = 0;
  for (const PlanePiece* piece : pieces) {
    for (std::size_t record = 0; record < piece->steps.size(); ++record) {
      if (number++ % step == 0) list += grid_element(series_name, *piece, record);
    }
  }
  list +=
      "    </Grid>\n"
      "  </Domain>\n"
      "</Xdmf>\n";
  write_text_file(path, list);
}

}  // namespace dns
