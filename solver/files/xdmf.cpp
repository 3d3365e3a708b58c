#include "solver/files/xdmf.hpp"

#include <fmt/format.h>

#include "solver/files/run_files.hpp"

namespace dns {

std::string xdmf_item(std::string_view sizes,
                      std::size_t bytes,
                      std::string_view format,
                      std::string_view content) {
  constexpr const char* item =
      R"(<DataItem Dimensions="{}" NumberType="Float" Precision="{}" {}>{}</DataItem>)";
  return fmt::format(item, sizes, bytes, format, content);
}

std::string xdmf_item_of_dataset(std::string_view sizes,
                                 std::size_t bytes,
                                 std::string_view file,
                                 std::string_view dataset) {
  return xdmf_item(sizes, bytes, R"(Format="HDF")", fmt::format("{}:/{}", file, dataset));
}

namespace {

std::string text_of_values(const XdmfGrid::Values& values, std::string_view center) {
  return fmt::format(
      "        <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"{}\">\n"
      "          {}\n"
      "        </Attribute>\n",
      values.name,
      values.is_vector ? "Vector" : "Scalar",
      center,
      values.item);
}

}  // namespace

std::string xdmf_text(const XdmfGrid& grid) {
  std::string text = fmt::format(
      "      <Grid Name=\"{}\" GridType=\"Uniform\">\n"
      "        <Time Value=\"{}\"/>\n"
      "        <Topology TopologyType=\"3DRectMesh\" Dimensions=\"{}\"/>\n"
      "        <Geometry GeometryType=\"VXVYVZ\">\n",
      grid.name,
      grid.time,
      grid.nodes);
  for (const std::string& item : grid.coordinates) text += fmt::format("          {}\n", item);
  text += "        </Geometry>\n";
  for (const XdmfGrid::Values& values : grid.values)
    text += text_of_values(values, grid.has_cells ? "Cell" : "Node");
  return text + "      </Grid>\n";
}

std::string xdmf_text(const XdmfPoints& points) {
  std::string text = fmt::format(
      "      <Grid Name=\"{}\" GridType=\"Uniform\">\n"
      "        <Time Value=\"{}\"/>\n"
      "        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\" "
      "NodesPerElement=\"1\">\n"
      "          {}\n"
      "        </Topology>\n"
      "        <Geometry GeometryType=\"XYZ\">\n"
      "          {}\n"
      "        </Geometry>\n",
      points.name,
      points.time,
      points.count,
      points.vertices,
      points.places);
  for (const XdmfGrid::Values& values : points.values) text += text_of_values(values, "Node");
  return text + "      </Grid>\n";
}

void write_xdmf(const std::string& path, std::string_view name, const std::string& grids) {
  if (grids.empty()) return remove_file(path);
  write_text_file(path,
                  fmt::format("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                              "<Xdmf Version=\"3.0\">\n"
                              "  <Domain>\n"
                              "    <Grid Name=\"{}\" GridType=\"Collection\" "
                              "CollectionType=\"Temporal\">\n"
                              "{}"
                              "    </Grid>\n"
                              "  </Domain>\n"
                              "</Xdmf>\n",
                              name,
                              grids));
}

}  // namespace dns
