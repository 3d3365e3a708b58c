#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "solver/config/section_readers.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

/// The place given at `path` is in the box.
void check_place(ValueReader& reader,
                 const std::string& path,
                 const GridCase& grid,
                 const std::array<double, 3>& place) {
  if (!reader.is_right(path)) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double first = grid.origin.at(axis);
    const double last = first + grid.length.at(axis);
    if (place.at(axis) >= first && place.at(axis) <= last) continue;
    reader.add_item_mistake(path,
                            axis,
                            fmt::format("from {} to {}", number_text(first), number_text(last)),
                            fmt::format("; that is the domain along {}", axis_names.at(axis)));
  }
}

void check_line(ValueReader& reader,
                const GridCase& grid,
                const ProbeCase& line,
                const std::string& path) {
  for (const char* const word : {".from", ".to", ".count"}) reader.require(path + word);
  check_place(reader, path + ".from", grid, line.from);
  check_place(reader, path + ".to", grid, line.to);
  const bool are_both_given = reader.is_given(path + ".from") && reader.is_given(path + ".to");
  if (are_both_given && line.from == line.to)
    reader.add_problem(path, "a line ends at another place than it begins; at makes it a point");
}

void check_probe(ValueReader& reader,
                 const GridCase& grid,
                 ProbeCase& probe,
                 const std::string& path) {
  const bool is_point = reader.is_given(path + ".at");
  const bool is_line =
      std::ranges::any_of(std::array{".from", ".to", ".count"},
                          [&](const char* word) { return reader.is_given(path + word); });
  if (is_point && is_line) {
    reader.add_problem(path, "a point has at, a line from, to and count, but none has both");
  } else if (is_line) {
    check_line(reader, grid, probe, path);
  } else if (is_point) {
    probe.to = probe.from;
    check_place(reader, path + ".at", grid, probe.from);
  } else if (reader.may_be_missed(path + ".at")) {
    reader.add_problem(path, "needs at, the place of a point, or from, to and count, a line");
  }
}

}  // namespace

void check_probes(ValueReader& reader, Case& read) {
  std::vector<ProbeCase>& probes = read.output.probes->probes;
  for (ProbeCase& probe : probes) {
    const std::string path = "output.probes." + probe.name;
    if (!reader.is_wrong(path)) check_probe(reader, read.grid, probe, path);
  }
  if (!probes.empty()) return;
  if (reader.is_map("output.probes"))
    reader.add_problem("output.probes", "names no point, such as wake: {at: [2, 0, 0]}");
  read.output.probes.reset();
}

}  // namespace dns
