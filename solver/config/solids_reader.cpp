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
  BodyReader(ValueReader& reader, std::string name, std::string folder)
      : reader_(reader), name_(std::move(name)), folder_(std::move(folder)) {}

  SolidCase read() {
    SolidCase body;
    body.name = name_;
    if (!is_name(name_, "_", 50)) {  // part of the names of columns
      reader_.add_problem(path_,
                          "the name of a body is made of letters, digits and '_', 50 at most");
      return body;
    }
    for (const std::string& face : face_names) {
      if (name_ == "flux_" + face)
        reader_.add_problem(path_, "heat_" + name_ + " is a wall's column of timeseries.csv");
    }
    const std::optional<std::string> shape = reader_.choice(path("shape"));
    body.velocity = reader_.numbers(path("velocity")).value_or(body.velocity);
    body.rotation = reader_.numbers(path("rotation")).value_or(body.rotation);
    read_temperature(body);
    if (!shape) return body;
    body.shape = value_named<Shape>(*shape, SolidCase::shape_names).value();
    refuse_keys_of_others(body.shape);
    body.center = reader_.numbers(path("center")).value_or(body.center);
    if ((body.shape == Shape::sphere || body.shape == Shape::cylinder) && !is_given("center"))
      reader_.add_missing(path("center"));
    body.radius = number("radius", 0);
    if (is_given("axis"))
      body.axis = value_named<int>(reader_.choice(path("axis")).value_or("z"), axis_names).value();
    if (is_given("length")) body.length = reader_.number(path("length"));
    read_corners(body);
    if (is_given("inside")) body.inside = reader_.formula(path("inside")).value_or(Expression{1.0});
    body.scale = number("scale", 1);
    const std::array<double, 3> zero{};
    body.orientation = numbers("orientation").value_or(zero);
    body.translation = numbers("translation").value_or(zero);
    if (body.shape == Shape::stl && is_given("path")) {
      const FileCase file =
          read_file(reader_, path("path"), path("content"), folder_).value_or(FileCase{});
      body.path = file.path;
      body.content = file.content;
    }
    return body;
  }

 private:
  [[nodiscard]] std::string path(const std::string& word) const { return path_ + "." + word; }
  [[nodiscard]] bool is_given(const std::string& word) const {
    return reader_.is_given(path(word));
  }
  double number(const std::string& word, double otherwise) {
    return is_given(word) ? reader_.number(path(word)).value_or(otherwise) : otherwise;
  }
  std::optional<std::array<double, 3>> numbers(const std::string& word) {
    return is_given(word) ? reader_.numbers(path(word)) : std::nullopt;
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

  void read_corners(SolidCase& body) {
    const auto low = numbers("min");
    const auto high = numbers("max");
    if (!low || !high || body.shape != Shape::box) return;
    body.low = *low;
    body.high = *high;
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
  std::string folder_;
  std::string path_ = "solids." + name_;
};

}  // namespace

std::vector<SolidCase> read_solids(ValueReader& reader, const std::string& folder) {
  std::vector<SolidCase> bodies;
  for (const std::string& name : reader.words_in("solids")) {
    const bool is_key = find_key("solids." + name) != nullptr;  // else it has been refused
    if (is_key) bodies.push_back(BodyReader(reader, name, folder).read());
  }
  return bodies;
}

}  // namespace dns
