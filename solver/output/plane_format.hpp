/// What the files of a recorded plane have in common: planes_NAME.h5, which stands for all records,
/// and its pieces planes_NAME_00000120.h5, which hold them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/output/hdf5_file.hpp"

namespace dns {

inline constexpr std::string_view planes_format = "dns planes";
inline constexpr std::string_view plane_piece_format = "dns planes piece";

/// A plane and its points as its files describe them.
struct PlaneGrid {
  /// One of the two axes in the plane.
  struct Along {
    int axis = 0;
    bool is_periodic = false;
    std::vector<double> points;  // cell centres or nodes [L]
    std::vector<double> faces;   // one more; none for nodes [L]
    friend bool operator==(const Along&, const Along&) = default;
  };
  std::string name;
  int axis = 0;   // normal to the plane
  double at = 0;  // along it [L]
  bool is_of_cells = false;
  bool has_temperature = false;
  bool has_pressure = false;
  Precision precision = Precision::single_precision;
  std::array<Along, 2> along;  // first, the faster one, and second
  friend bool operator==(const PlaneGrid&, const PlaneGrid&) = default;
};

PlaneGrid plane_grid(const Case& resolved, const PlaneCase& plane);

/// A dataset (records, second, first) of a piece.
struct PlaneDataset {
  std::string name;                 // velocity_y, velocity_y_faces, ...
  int variable = 0;                 // u, v, w, T, p
  bool is_at_faces = false;         // of cells, of a velocity along the plane
  std::array<std::string, 2> axes;  // of its coordinates: second, first
  std::array<std::size_t, 2> points{};
  [[nodiscard]] std::size_t count() const { return points[0] * points[1]; }
};

/// At the cell centres or nodes: velocity_x, velocity_y, velocity_z, temperature, pressure; of
/// cells then the two velocities along the plane at their own faces.
std::vector<PlaneDataset> datasets_of(const PlaneGrid& grid);

/// Writes the attributes name, axis, at, location, variables and whether its axes are periodic.
/// Throws IoError.
void write_plane(Hdf5File& file, const PlaneGrid& grid);

/// A dataset that stays open to be attached to others.
struct PlaneScale {
  std::string name;
  DatasetWriter dataset;
};
/// Writes a list of numbers in double. Throws IoError.
DatasetWriter write_list(Hdf5File& file,
                         const std::string& name,
                         const std::vector<double>& values);
/// Writes the coordinates of the plane's points as scales, and `time` of its records. Throws
/// IoError.
std::vector<PlaneScale> write_scales(Hdf5File& file,
                                     const PlaneGrid& grid,
                                     const std::vector<double>& times);

/// What these have written. Throws IoError for whatever is missing or does not fit.
PlaneGrid read_plane(const Hdf5File& file);

/// A list of numbers in double. Throws IoError.
std::vector<double> read_list(const Hdf5File& file, const std::string& name);

}  // namespace dns
