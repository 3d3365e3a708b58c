/// Lists that open values in files as one time series: XDMF 3, as ParaView reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/index.hpp"

namespace dns {

/// Real numbers in a file: `sizes` "NZ NY NX", slowest axis first, of `bytes` each. `format` are
/// the attributes that say how `content` gives them: Format="HDF" with "FILE:/DATASET",
/// Format="XML" with the numbers themselves, or the place in a file of raw numbers.
std::string xdmf_item(std::string_view sizes,
                      std::size_t bytes,
                      std::string_view format,
                      std::string_view content);
/// The item of a dataset of an HDF5 file.
std::string xdmf_item_of_dataset(std::string_view sizes,
                                 std::size_t bytes,
                                 std::string_view file,
                                 std::string_view dataset);

/// One time of a list: a rectilinear grid and its values.
struct XdmfGrid {
  struct Values {
    std::string name;
    bool is_vector = false;
    std::string item;
  };
  std::string name;
  double time = 0;                   // [L/U]
  std::string nodes;                 // their numbers along z, y, x
  PerAxis<std::string> coordinates;  // items of the nodes along x, y, z
  bool has_cells = false;            // values belong to the cells between the nodes
  std::vector<Values> values;
};
std::string xdmf_text(const XdmfGrid& grid);

/// One time of a list: points and their values.
struct XdmfPoints {
  std::string name;
  double time = 0;  // [L/U]
  std::int64_t count = 0;
  std::string places;    // item
  std::string vertices;  // item: 0, 1, 2 ...; empty: readers of XDMF 3 then draw nothing
  std::vector<XdmfGrid::Values> values;
};
std::string xdmf_text(const XdmfPoints& points);

/// Writes the list `name` of the texts of grids, aside and renamed; one without grids is removed.
/// Throws IoError.
void write_xdmf(const std::string& path, std::string_view name, const std::string& grids);

}  // namespace dns
