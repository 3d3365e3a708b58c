#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "solver/config/number_text.hpp"
#include "solver/config/section_readers.hpp"

namespace dns {
namespace {

/// The place given at `path` is in the box.
void check_place(ValueReader& reader,
                 const std::string& path,
                 const GridCase& grid,
                 const std::array<double, 3>& place) {
  if (!reader.is_given(path) || reader.is_wrong(path)) return;
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
  const std::array words{path + ".from", path + ".to", path + ".count"};
  for (const std::string& word : words) {
    if (!reader.is_given(word)) reader.add_missing(word);
  }
  check_place(reader, words[0], grid, line.from);
  check_place(reader, words[1], grid, line.to);
  const bool are_both_read = reader.is_given(words[0]) && reader.is_given(words[1]);
  if (are_both_read && line.from == line.to)
    reader.add_problem(path, "a line ends at another place than it begins; at makes it a point");
}

void read_probe(ValueReader& reader, Case& read, const std::string& name) {
  const std::string path = "output.probes." + name;
  if (!check_name_of_file(reader, path, "probe", name)) return;
  const std::size_t n = read.output.probes->probes.size();
  ProbeCase& probe = read.output.probes->probes.emplace_back();
  probe.name = name;
  reader.read_section(path, read, n);
  const bool is_point = reader.is_given(path + ".at");
  const bool is_line =
      std::ranges::any_of(std::array{".from", ".to", ".count"},
                          [&](const char* word) { return reader.is_given(path + word); });
  if (is_point && is_line) {
    reader.add_problem(path, "a point has at, a line from, to and count, but none has both");
  } else if (is_line) {
    check_line(reader, read.grid, probe, path);
  } else if (is_point) {
    probe.to = probe.from;
    check_place(reader, path + ".at", read.grid, probe.from);
  } else if (reader.may_be_missed(path + ".at")) {
    reader.add_problem(path, "needs at, the place of a point, or from, to and count, a line");
  }
}

}  // namespace

void read_probes(ValueReader& reader, Case& read) {
  read.output.probes.emplace();
  const std::string section = "output.probes";
  reader.read_section(section, read);
  const std::vector<std::string> names = reader.names_in(section);
  for (const std::string& name : names) read_probe(reader, read, name);
  if (names.empty() && reader.is_map(section))
    reader.add_problem(section, "names no point, such as wake: {at: [2, 0, 0]}");
  if (read.output.probes->probes.empty()) read.output.probes.reset();
}

}  // namespace dns
