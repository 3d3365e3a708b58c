/// What stands for all records of a plane: planes_NAME.h5, and planes_NAME.xdmf for ParaView.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "solver/files/plane_piece.hpp"
#include "solver/files/run_files.hpp"

namespace dns {

/// The two files of one plane, rewritten repeatedly during a run.
///
/// planes_NAME.h5 has the attributes and coordinates of its pieces, `step` and `time` of all
/// records, and of each piece `piece_step` (which names it), `piece_records` and `piece_checksums`
/// (pieces, datasets; the datasets are named in the attribute piece_datasets): the checksum of this
/// small file stands for the content of all. The datasets of the pieces appear joined along the
/// records, wherever the folder is. planes_NAME.xdmf opens the records as a time series.
///
/// A line of probes has probes_NAME.h5 alone.
class PlaneSeries {
 public:
  PlaneSeries(std::string directory, std::string name, std::string_view prefix = planes_prefix);

  /// Rewrites both from the pieces on disk, aside and renamed; without pieces they are removed.
  /// Pieces of steps beyond `last_step` are left out, as are those that are damaged or foreign, of
  /// which warnings are returned once, and, after a change of the plane, those of another plane
  /// than the newest. A piece that is known by now is not read again; where the system does not let
  /// us read another one, which may be sound, both files stay as they are. Throws IoError.
  Warnings write(std::int64_t last_step);

 private:
  Warnings look_at_pieces(std::int64_t last_step);

  std::string directory_;
  std::string name_;
  std::string_view prefix_;
  std::vector<PlanePiece> known_;  // pieces that have been read
  std::set<std::string> refused_;  // names of those that are damaged or foreign
};

/// A piece in planes_NAME.h5.
struct ListedPiece {
  std::string name;
  std::size_t records = 0;
  std::vector<std::uint32_t> checksums;  // as datasets_of
};

/// What planes_NAME.h5 says.
struct PlaneSeriesFacts {
  PlaneGrid grid;
  std::vector<double> steps, times;
  std::vector<ListedPiece> pieces;
};

/// Throws IoError for whatever is missing or does not fit; the pieces are not looked at.
PlaneSeriesFacts read_plane_series(const std::string& path);

}  // namespace dns
