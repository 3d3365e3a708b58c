#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "solver/config/number_text.hpp"
#include "solver/config/section_readers.hpp"

namespace dns {
namespace {

/// Reads the stretching of one axis.
class StretchingReader {
 public:
  StretchingReader(ValueReader& reader, std::size_t axis, std::string folder)
      : reader_(reader),
        path_("grid.stretching." + axis_names.at(axis)),
        folder_(std::move(folder)) {}

  StretchingCase read() {
    StretchingCase stretching;
    if (!reader_.is_given(path_)) return stretching;
    const bool has_coordinates = reader_.is_given(path("coordinates"));
    std::optional<std::string> type = reader_.choice(path("type"));
    if (!reader_.is_given(path("type"))) type = has_coordinates ? "coordinates" : "tanh";
    const auto factor = reader_.number(path("factor"));
    const auto fine_at = reader_.choice(path("fine_at"));
    auto coordinates = reader_.coordinates(path("coordinates"), folder_);
    if (!type) return stretching;
    require(*type, "tanh", "factor");
    refuse_unless(*type, "tanh", "fine_at");
    require(*type, "coordinates", "coordinates");
    if (*type == "tanh" && factor) {
      stretching = {StretchingCase::Kind::tanh, *factor, {}};
      if (fine_at) {
        stretching.fine_at =
            value_named<StretchingCase::FineAt>(*fine_at, StretchingCase::fine_at_names).value();
      }
    } else if (*type == "coordinates" && coordinates) {
      stretching = {StretchingCase::Kind::coordinates, 0, std::move(*coordinates)};
    }
    return stretching;
  }

 private:
  [[nodiscard]] std::string path(const std::string& word) const { return path_ + "." + word; }

  /// The key `word` must be given with `its_type`, and is allowed with no other.
  void require(const std::string& type, const std::string& its_type, const std::string& word) {
    if (type == its_type && !reader_.is_given(path(word))) reader_.add_missing(path(word));
    refuse_unless(type, its_type, word);
  }
  void refuse_unless(const std::string& type,
                     const std::string& its_type,
                     const std::string& word) {
    if (type != its_type && reader_.is_given(path(word)))
      reader_.add_problem(path(word), fmt::format("not used by type {}; leave it out", type));
  }

  ValueReader& reader_;
  std::string path_;
  std::string folder_;
};

/// A length or origin given with coordinates must agree with them, and is then exactly theirs.
void settle(ValueReader& reader,
            const std::string& path,
            std::size_t axis,
            double of_coordinates,
            double span,
            double& value) {
  constexpr double rounding = 1e-9;  // of numbers written by hand
  if (reader.is_given(path) && std::abs(value - of_coordinates) > rounding * span) {
    reader.add_item_mistake(
        path,
        axis,
        number_text(of_coordinates),
        fmt::format("; so say grid.stretching.{}.coordinates", axis_names.at(axis)));
  }
  value = of_coordinates;
}

void use_coordinates(ValueReader& reader, std::size_t axis, std::int64_t cells, GridCase& grid) {
  const std::vector<double>& faces = grid.stretching.at(axis).coordinates;
  const std::string path = "grid.stretching." + axis_names.at(axis) + ".coordinates";
  if (faces.size() != static_cast<std::size_t>(cells) + 1) {
    reader.add_problem(path,
                       fmt::format("holds {} numbers, but must hold {}, one more than the {} cells "
                                   "of grid.points[{}]",
                                   faces.size(),
                                   cells + 1,
                                   cells,
                                   axis));
    return;
  }
  const double span = faces.back() - faces.front();
  settle(reader, "grid.length", axis, span, span, grid.length.at(axis));
  settle(reader, "grid.origin", axis, faces.front(), span, grid.origin.at(axis));
}

}  // namespace

GridCase read_grid(ValueReader& reader, const std::string& folder) {
  GridCase grid;
  const auto points = reader.wholes("grid.points");
  if (points) {
    const auto& [nx, ny, nz] = *points;
    grid.points = {static_cast<int>(nx), static_cast<int>(ny), static_cast<int>(nz)};
    // Beyond it the fields of a step in double exceed the 2^47 bytes that a process can address.
    const std::int64_t most_points = std::int64_t{1} << 40U;
    if (nx * ny * nz > most_points) {
      reader.add_mistake("grid.points", "at most 2^40 points in all", "");
    }
  }
  grid.length = reader.numbers("grid.length").value_or(grid.length);
  grid.origin = reader.numbers("grid.origin").value_or(grid.origin);
  if (!reader.may_be(Scheme::projection)) return grid;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    StretchingCase& stretching = grid.stretching.at(axis);
    stretching = StretchingReader(reader, axis, folder).read();
    if (points && stretching.kind == StretchingCase::Kind::coordinates)
      use_coordinates(reader, axis, points->at(axis), grid);
  }
  return grid;
}

}  // namespace dns
