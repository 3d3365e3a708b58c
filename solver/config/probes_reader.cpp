#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "solver/config/number_text.hpp"
#include "solver/config/section_readers.hpp"

namespace dns {
namespace {

const std::string section_of_probes = "output.probes";

/// A place in the box, given at `path`.
std::array<double, 3> read_place(ValueReader& reader,
                                 const std::string& path,
                                 const GridCase& grid) {
  const auto place = reader.numbers(path);
  if (!place) return grid.origin;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double first = grid.origin.at(axis);
    const double last = first + grid.length.at(axis);
    if (place->at(axis) >= first && place->at(axis) <= last) continue;
    reader.add_item_mistake(path,
                            axis,
                            fmt::format("from {} to {}", number_text(first), number_text(last)),
                            fmt::format("; that is the domain along {}", axis_names.at(axis)));
  }
  return *place;
}

ProbeCase read_line(ValueReader& reader, const GridCase& grid, const std::string& path) {
  ProbeCase line;
  for (const char* const word : {".from", ".to", ".count"}) {
    if (!reader.is_given(path + word)) reader.add_missing(path + word);
  }
  line.from = read_place(reader, path + ".from", grid);
  line.to = read_place(reader, path + ".to", grid);
  line.count = static_cast<int>(reader.whole(path + ".count").value_or(2));
  const bool are_both_given = reader.is_given(path + ".from") && reader.is_given(path + ".to");
  if (are_both_given && line.from == line.to)
    reader.add_problem(path, "a line ends at another place than it begins; at makes it a point");
  return line;
}

ProbeCase read_probe(ValueReader& reader, const GridCase& grid, const std::string& path) {
  const bool is_point = reader.is_given(path + ".at");
  const bool is_line =
      std::ranges::any_of(std::array{".from", ".to", ".count"},
                          [&](const char* word) { return reader.is_given(path + word); });
  if (is_point && is_line) {
    reader.add_problem(path, "a point has at, a line from, to and count, but none has both");
    return {};
  }
  if (is_line) return read_line(reader, grid, path);
  if (!is_point) {
    if (reader.may_be_missed(path + ".at"))
      reader.add_problem(path, "needs at, the place of a point, or from, to and count, a line");
    return {};
  }
  ProbeCase point;
  point.from = point.to = read_place(reader, path + ".at", grid);
  return point;
}

}  // namespace

ProbesCase read_probes(ValueReader& reader, const Case& read) {
  ProbesCase probes;
  probes.every = reader.whole(section_of_probes + ".every").value_or(1);
  probes.start = reader.number(section_of_probes + ".start").value_or(0);
  bool names_any = false;
  for (const std::string& name : reader.words_in(section_of_probes)) {
    const std::string path = fmt::format("{}.{}", section_of_probes, name);
    const Key* const key = find_key(path);
    if (key == nullptr || key->path != section_of_probes + ".NAME") continue;  // refused, or a key
    names_any = true;
    if (!is_plane_name(name)) {
      reader.add_problem(path,
                         "the name of a probe is made of letters, digits, '_' and '-', 50 at most");
      continue;
    }
    if (ends_like_a_piece(name)) {
      reader.add_problem(path, "the name of a probe must not end in '_' and eight digits or more");
      continue;
    }
    probes.probes.push_back(read_probe(reader, read.grid, path));
    probes.probes.back().name = name;
  }
  if (!names_any && reader.is_map(section_of_probes))
    reader.add_problem(section_of_probes, "names no point, such as wake: {at: [2, 0, 0]}");
  return probes;
}

}  // namespace dns
