#include <fmt/format.h>

#include <string>

#include "solver/config/load_case.hpp"
#include "solver/config/number_text.hpp"
#include "solver/config/section_readers.hpp"
#include "solver/config/value_parsers.hpp"

namespace dns {
namespace {

const std::string planes_path = "output.slices.planes";

std::string path_of_plane(const std::string& name) {
  return fmt::format("{}.{}", planes_path, name);
}

/// A flow driven by buoyancy shows best in its temperature.
std::string default_variable(const Case& read) {
  return read.buoyancy && read.has_temperature() ? "temperature" : "velocity_magnitude";
}

double middle_of(const GridCase& grid, int axis) {
  const auto a = static_cast<std::size_t>(axis);
  return grid.origin.at(a) + grid.length.at(a) / 2;
}

std::vector<SliceCase> middle_planes(const Case& read) {
  std::vector<SliceCase> planes(3);
  for (int axis = 0; axis < 3; ++axis) {
    SliceCase& plane = planes.at(static_cast<std::size_t>(axis));
    plane.name = axis_name(axis);
    plane.axis = axis;
    plane.at = middle_of(read.grid, axis);
    plane.variable = default_variable(read);
  }
  return planes;
}

class PlaneReader {
 public:
  PlaneReader(ValueReader& reader, const Case& read, std::string name)
      : reader_(reader), read_(read), name_(std::move(name)) {}

  SliceCase read() {
    SliceCase plane;
    plane.name = name_;
    if (!is_name(name_, "_-", 50)) {  // part of a file name on every system
      reader_.add_problem(
          path_of_plane(name_),
          "the name of a plane is made of letters, digits, '_' and '-', 50 at most");
      return plane;
    }
    const std::string axis = reader_.choice(path("axis")).value_or("z");
    plane.axis = value_named<int>(axis, axis_names).value();
    plane.at = read_place_of_plane(
        reader_, path("at"), read_.grid, plane.axis, middle_of(read_.grid, plane.axis));
    plane.variable = read_variable();
    plane.low = reader_.number(path("min"));
    plane.high = reader_.number(path("max"));
    if (plane.low && plane.high && *plane.low >= *plane.high) {
      reader_.add_mistake(
          path("max"), "> min", fmt::format("; that is {}", number_text(*plane.low)));
    }
    return plane;
  }

 private:
  [[nodiscard]] std::string path(const char* word) const {
    return fmt::format("{}.{}", path_of_plane(name_), word);
  }

  std::string read_variable() {
    std::string variable = reader_.choice(path("variable")).value_or(default_variable(read_));
    if (variable == "temperature" && !read_.has_temperature()) {
      reader_.add_mistake(path("variable"),
                          "a variable that the flow has",
                          "; it has a temperature only with fluid.prandtl");
    }
    if (variable == "pressure" && !reader_.may_be(Scheme::projection)) {
      reader_.add_mistake(
          path("variable"), "a velocity or temperature", "; pressure belongs to scheme projection");
    }
    return variable;
  }

  ValueReader& reader_;
  const Case& read_;
  std::string name_;
};

}  // namespace

bool is_plane_name(const std::string& name) {
  constexpr std::size_t longest = 50;
  return !name.empty() && name.size() <= longest && std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
}

double read_place_of_plane(ValueReader& reader,
                           const std::string& path,
                           const GridCase& grid,
                           int axis,
                           double otherwise) {
  const auto a = static_cast<std::size_t>(axis);
  const double first = grid.origin.at(a);
  const double last = first + grid.length.at(a);
  const double at = reader.number(path).value_or(otherwise);
  if (at < first || at > last) {
    reader.add_mistake(path,
                       fmt::format("from {} to {}", number_text(first), number_text(last)),
                       fmt::format("; that is the domain along {}", axis_names[a]));
  }
  return at;
}

SlicesCase read_slices(ValueReader& reader, const Case& read) {
  SlicesCase slices;
  slices.every = reader.whole("output.slices.every").value_or(0);
  slices.pixels = static_cast<int>(reader.whole("output.slices.pixels").value_or(0));
  for (const std::string& name : reader.words_in(planes_path)) {
    const bool is_key = find_key(path_of_plane(name)) != nullptr;  // else it has been refused
    if (is_key) slices.planes.push_back(PlaneReader(reader, read, name).read());
  }
  if (slices.planes.empty()) slices.planes = middle_planes(read);
  return slices;
}

SlicesCase slices_to_draw(const Case& resolved) {
  if (resolved.output.slices) return *resolved.output.slices;
  const auto pixels = whole_number_from(find_key("output.slices.pixels")->default_text);
  return {.every = 0,
          .pixels = static_cast<int>(pixels.value_or(0)),
          .planes = middle_planes(resolved)};
}

}  // namespace dns
