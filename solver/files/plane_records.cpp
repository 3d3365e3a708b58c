#include "solver/files/plane_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/file_descriptor.hpp"
#include "solver/files/checksum.hpp"
#include "solver/files/plane_series.hpp"
#include "solver/files/run_files.hpp"

namespace dns {
namespace {

/// Throws IoError unless a piece is that which planes_NAME.h5 lists, of records from number `first`
/// on.
void require_same(const std::string& path,
                  const PlanePiece& piece,
                  const ListedPiece& listed,
                  const PlaneSeriesFacts& facts,
                  std::size_t first) {
  const auto is_listed = [&](const std::vector<double>& own, const std::vector<double>& of_all) {
    return own.size() == listed.records &&
           std::equal(own.begin(), own.end(), of_all.begin() + static_cast<std::ptrdiff_t>(first));
  };
  const auto refuse = [&](std::string_view what) {
    throw IoError(fmt::format("{}: {} not what {}{}.h5 lists; was it copied from another run?",
                              path,
                              what,
                              planes_prefix,
                              facts.grid.name));
  };
  if (piece.grid != facts.grid) refuse("the plane is");
  if (!is_listed(piece.steps, facts.steps)) refuse("dataset step is");
  if (!is_listed(piece.times, facts.times)) refuse("dataset time is");
  const std::vector<PlaneDataset> datasets = datasets_of(piece.grid);
  for (std::size_t n = 0; n < datasets.size(); ++n) {
    if (piece.values[n].checksum != listed.checksums[n])
      refuse(fmt::format("dataset {}: its checksum is", datasets[n].name));
  }
}

}  // namespace

PlaneRecords::PlaneRecords(const std::string& path) : path_(path) {
  const PlaneSeriesFacts facts = read_plane_series(path);
  grid_ = facts.grid;
  datasets_ = datasets_of(grid_);
  loaded_.resize(first_scalar + grid_.scalars.size());
  times_ = facts.times;
  for (std::size_t n = 1; n < times_.size(); ++n) {
    if (!(times_[n] > times_[n - 1]))
      throw IoError(fmt::format("{}: dataset time: not ascending", path));
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::size_t record = 0;
  for (const ListedPiece& listed : facts.pieces) {
    const std::string of_piece = (folder / listed.name).string();
    PlanePiece piece = read_plane_piece(folder.string(), listed.name);
    require_same(of_piece, piece, listed, facts, record);
    pieces_.push_back({of_piece, record, listed.records, std::move(piece.values)});
    record += listed.records;
  }
}

std::optional<int> PlaneRecords::number_of(std::string_view scalar) const {
  const auto found = std::ranges::find(grid_.scalars, scalar);
  if (found == grid_.scalars.end()) return std::nullopt;
  return first_scalar + static_cast<int>(found - grid_.scalars.begin());
}

/// The number of the dataset with a variable's own points: the last one of that variable.
std::size_t PlaneRecords::dataset_of(int variable) const {
  std::size_t found = 0;
  for (std::size_t n = 0; n < datasets_.size(); ++n) {
    if (datasets_[n].variable == variable) found = n;
  }
  return found;
}

const PlaneRecords::Loaded& PlaneRecords::loaded(int variable, std::size_t piece) const {
  constexpr std::size_t most_kept = 2;
  std::vector<Loaded>& kept = loaded_.at(variable);
  const auto known = std::ranges::find(kept, piece, &Loaded::piece);
  if (known != kept.end()) {
    std::rotate(known, known + 1, kept.end());
    return kept.back();
  }
  const Piece& from = pieces_[piece];
  const std::size_t number = dataset_of(variable);
  const PlaneDataset& dataset = datasets_[number];
  const std::string where = fmt::format("{}: dataset {}", from.path, dataset.name);
  const FileDescriptor file = open_regular(from.path);
  Loaded fresh{piece, {}};
  fresh.bytes.resize(from.records * dataset.count() * bytes_of(grid_.precision));
  file.read_at(from.values[number].place, fresh.bytes.data(), fresh.bytes.size(), where);
  Checksum checksum;
  checksum.add(fresh.bytes.data(), fresh.bytes.size());
  if (checksum.value() != from.values[number].checksum)
    throw IoError(fmt::format("{}: its values do not match their checksum", where));
  if (kept.size() == most_kept) kept.erase(kept.begin());
  kept.push_back(std::move(fresh));
  return kept.back();
}

std::vector<double> PlaneRecords::values(int variable, std::size_t record) const {
  if (variable < 0 || variable >= std::ssize(loaded_))
    throw IoError(fmt::format("{}: has no variable {}", path_, variable));
  if (record >= times_.size())
    throw IoError(fmt::format("{}: has no record {} but {}", path_, record, times_.size()));
  const auto after = std::ranges::upper_bound(pieces_, record, {}, &Piece::first_record);
  const std::size_t piece = after - pieces_.begin() - 1;
  const Loaded& from = loaded(variable, piece);
  std::vector<double> values(datasets_[dataset_of(variable)].count());
  with_real(grid_.precision, [&]<class Real>(Real) {
    std::vector<Real> stored(values.size());
    const std::size_t bytes = stored.size() * sizeof(Real);
    std::memcpy(
        stored.data(), from.bytes.data() + (record - pieces_[piece].first_record) * bytes, bytes);
    std::ranges::copy(stored, values.begin());
  });
  return values;
}

}  // namespace dns
