#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "solver/config/named_file.hpp"
#include "solver/config/section_readers.hpp"
#include "solver/config/value_parsers.hpp"

namespace dns {
namespace {

using Shape = SolidCase::Shape;

/// The keys that only some shapes have.
struct KeyOfShapes {
  const char* word;
  std::vector<Shape> shapes;
  bool is_required;
};
const std::vector<KeyOfShapes>& keys_of_shapes() {
  static const std::vector<KeyOfShapes> keys{
      {"radius", {Shape::sphere, Shape::cylinder}, true},
      {"axis", {Shape::cylinder}, false},
      {"length", {Shape::cylinder}, false},
      {"min", {Shape::box}, true},
      {"max", {Shape::box}, true},
      {"inside", {Shape::formula}, true},
      {"path", {Shape::stl}, true},
      {"content", {Shape::stl}, false},
      {"scale", {Shape::stl}, false},
      {"orientation", {Shape::stl}, false},
      {"translation", {Shape::stl}, false},
  };
  return keys;
}

class BodyReader {
 public:
  BodyReader(ValueReader& reader, Case& read, std::string name)
      : reader_(reader), name_(std::move(name)), number_(read.solids.size()) {
    read.solids.emplace_back().name = name_;
  }

  void read(Case& read, const std::string& folder) {
    SolidCase& body = read.solids.at(number_);
    if (!is_name(name_, "_", 50)) {  // part of the names of columns
      return reader_.add_problem(
          path_, "the name of a body is made of letters, digits and '_', 50 at most");
    }
    for (const std::string& face : face_names) {
      if (name_ == "flux_" + face)
        reader_.add_problem(path_, "heat_" + name_ + " is a wall's column of timeseries.csv");
    }
    reader_.read_section(path_, read, number_);
    read_temperature(body);
    if (!reader_.is_given(path("shape")) || reader_.is_wrong(path("shape"))) return;
    refuse_keys_of_others(body.shape);
    if ((body.shape == Shape::sphere || body.shape == Shape::cylinder) && !is_given("center"))
      reader_.add_missing(path("center"));
    check_corners(body);
    if (body.shape == Shape::stl && is_given("path")) {
      const FileCase file =
          read_file(reader_, path("path"), path("content"), folder).value_or(FileCase{});
      body.path = file.path;
      body.content = file.content;
    }
  }

 private:
  [[nodiscard]] std::string path(const std::string& word) const { return path_ + "." + word; }
  [[nodiscard]] bool is_given(const std::string& word) const {
    return reader_.is_given(path(word));
  }

  void refuse_keys_of_others(Shape shape) {
    const std::string_view name = SolidCase::shape_names.at(static_cast<std::size_t>(shape));
    for (const KeyOfShapes& key : keys_of_shapes()) {
      const bool is_of_shape = std::ranges::find(key.shapes, shape) != key.shapes.end();
      if (is_of_shape && key.is_required && !is_given(key.word))
        reader_.add_missing(path(key.word));
      if (!is_of_shape && is_given(key.word))
        reader_.add_problem(path(key.word),
                            fmt::format("not used by shape {}; leave it out", name));
    }
  }

  void check_corners(const SolidCase& body) {
    const bool are_both_given = is_given("min") && is_given("max");
    const bool is_any_wrong = reader_.is_wrong(path("min")) || reader_.is_wrong(path("max"));
    if (body.shape != Shape::box || !are_both_given || is_any_wrong) return;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (body.low[axis] < body.high[axis]) continue;
      reader_.add_item_mistake(
          path("max"), axis, "> min", fmt::format("; that is {}", body.low[axis]));
    }
  }

  void read_temperature(SolidCase& body) {
    const std::string temperature = path("temperature");
    reader_.refuse_without_temperature(temperature);
    if (!reader_.has_temperature()) return;
    if (!reader_.is_given(temperature)) return reader_.add_missing(temperature);
    if (reader_.is_map(temperature)) {
      body.is_adiabatic = true;
      if (!reader_.is_given(temperature + ".gradient")) {
        reader_.add_missing(temperature + ".gradient");
      } else {
        static_cast<void>(reader_.number(temperature + ".gradient"));  // for its problems
      }
      return;
    }
    const std::optional<Expression> value = reader_.formula(temperature);
    if (!value) return;
    if (!value->is_constant())
      return reader_.add_mistake(temperature, "a number, or {gradient: 0}", "");
    body.temperature = (*value)(0, 0, 0, 0);
  }

  ValueReader& reader_;
  std::string name_;
  std::size_t number_;
  std::string path_ = "solids." + name_;
};

}  // namespace

void read_solids(ValueReader& reader, Case& read, const std::string& folder) {
  for (const std::string& name : reader.names_in("solids"))
    BodyReader(reader, read, name).read(read, folder);
}

}  // namespace dns
