/// The records of a plane as another run reads them, for its inflow.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/files/plane_piece.hpp"

namespace dns {

/// planes_NAME.h5 with its pieces. The constructor uses the HDF5 library, of which one thread at a
/// time may make use; values() does not. One object belongs to one thread.
class PlaneRecords {
 public:
  /// Throws IoError, which names file, dataset and reason, where a piece is missing, is not that
  /// which planes_NAME.h5 lists, or does not fit the plane.
  explicit PlaneRecords(const std::string& path);

  /// The plane and its points.
  [[nodiscard]] const PlaneGrid& grid() const { return grid_; }

  /// Times of the records, ascending [L/U].
  [[nodiscard]] const std::vector<double>& times() const { return times_; }

  /// The number by which the records hold a scalar; the velocity has the numbers 0, 1, 2.
  [[nodiscard]] std::optional<int> number_of(std::string_view scalar) const;

  /// A variable, by its number, in one record, (second, first), the first axis fastest: at the
  /// points of both axes, but of cells a velocity along the plane at the faces across its axis.
  /// Throws IoError where the variable or the record is not there, or a piece cannot be read or
  /// does not have the checksum it had.
  ///
  /// A piece is read as a whole when it is first asked for, and the two asked for last are kept.
  [[nodiscard]] std::vector<double> values(int variable, std::size_t record) const;

 private:
  struct Piece {
    std::string path;
    std::size_t first_record = 0, records = 0;
    std::vector<PlanePiece::Values> values;  // as datasets_
  };
  /// A dataset of a piece, as it is in the file.
  struct Loaded {
    std::size_t piece = 0;
    std::vector<std::byte> bytes;
  };

  [[nodiscard]] std::size_t dataset_of(int variable) const;
  [[nodiscard]] const Loaded& loaded(int variable, std::size_t piece) const;

  std::string path_;
  PlaneGrid grid_;
  std::vector<PlaneDataset> datasets_;
  std::vector<double> times_;
  std::vector<Piece> pieces_;
  mutable std::vector<std::vector<Loaded>> loaded_;  // of each the latest last
};

}  // namespace dns
