#include <cmath>

#include "solver/config/key_table.hpp"
#include "solver/config/yaml_text.hpp"

namespace dns {
namespace {

using Shape = SolidCase::Shape;

const SolidCase& body_of(const Case& resolved, std::size_t number) {
  return resolved.solids[number];
}

/// What only some shapes have.
template <Shape shape, class Value>
std::string of_shape(const SolidCase& body, Value SolidCase::*member) {
  return body.shape == shape ? yaml_text(body.*member) : std::string{};
}

}  // namespace

std::vector<Key> keys_of_solids() {
  using enum KeyKind;
  return {
      {.path = "solids",
       .kind = section,
       .condition = "default: none",
       .meaning = "solid bodies in the flow"},
      {.path = "solids.NAME",
       .kind = section,
       .meaning = "one body; columns of the time series have its NAME (letters, digits, '_')"},
      {.path = "solids.NAME.shape",
       .kind = choice,
       .is_required = true,
       .choices = {SolidCase::shape_names.begin(), SolidCase::shape_names.end()},
       .written =
           [](const Case& c, std::size_t n) {
             return yaml_text(
                 SolidCase::shape_names.at(static_cast<std::size_t>(body_of(c, n).shape)));
           },
       .meaning =
           "shape of the body; formula: any shape, stl: a closed surface of triangles in a file"},
      {.path = "solids.NAME.center",
       .kind = number,
       .is_vector = true,
       .condition = "sphere, cylinder: required; else default [0, 0, 0]",
       .unit = "L",
       .written = [](const Case& c, std::size_t n) { return yaml_text(body_of(c, n).center); },
       .meaning = "centre of the body, about which its surface turns and torques are taken"},
      {.path = "solids.NAME.radius",
       .kind = number,
       .condition = "sphere, cylinder: required; else not allowed",
       .minimum = 0,
       .minimum_is_excluded = true,
       .unit = "L",
       .written = [](const Case& c, std::size_t n) -> std::string {
         const SolidCase& body = body_of(c, n);
         return body.shape == Shape::sphere || body.shape == Shape::cylinder
                    ? yaml_text(body.radius)
                    : "";
       },
       .meaning = "radius"},
      {.path = "solids.NAME.axis",
       .kind = choice,
       .condition = "cylinder only; default z",
       .choices = {"x", "y", "z"},
       .written = [](const Case& c, std::size_t n) -> std::string {
         const SolidCase& body = body_of(c, n);
         return body.shape == Shape::cylinder ? axis_name(body.axis) : "";
       },
       .meaning = "axis of the cylinder"},
      {.path = "solids.NAME.length",
       .kind = number,
       .condition = "cylinder only; default: endless",
       .minimum = 0,
       .minimum_is_excluded = true,
       .unit = "L",
       .written = [](const Case& c, std::size_t n) { return yaml_text(body_of(c, n).length); },
       .meaning = "length of the cylinder, half of it on each side of center"},
      {.path = "solids.NAME.min",
       .kind = number,
       .is_vector = true,
       .condition = "box: required; else not allowed",
       .unit = "L",
       .written =
           [](const Case& c, std::size_t n) {
             return of_shape<Shape::box>(body_of(c, n), &SolidCase::low);
           },
       .meaning = "lowest corner of the box"},
      {.path = "solids.NAME.max",
       .kind = number,
       .is_vector = true,
       .condition = "box: required; else not allowed",
       .unit = "L",
       .written =
           [](const Case& c, std::size_t n) {
             return of_shape<Shape::box>(body_of(c, n), &SolidCase::high);
           },
       .meaning = "highest corner of the box"},
      {.path = "solids.NAME.inside",
       .kind = formula,
       .condition = "formula: required; else not allowed",
       .variables = "x, y, z",
       .written =
           [](const Case& c, std::size_t n) {
             return of_shape<Shape::formula>(body_of(c, n), &SolidCase::inside);
           },
       .meaning = "a continuous function, > 0 outside the body and <= 0 in it"},
      {.path = "solids.NAME.path",
       .kind = text,
       .condition = "stl: required, relative to the case file; else not allowed",
       .written =
           [](const Case& c, std::size_t n) {
             return of_shape<Shape::stl>(body_of(c, n), &SolidCase::path);
           },
       .meaning =
           "STL file, text or binary; its surface must be closed; shells that overlap are a union, "
           "one within another is a cavity"},
      {.path = "solids.NAME.content",
       .kind = text,
       .condition = "stl only; default: that of the file",
       .written =
           [](const Case& c, std::size_t n) {
             return of_shape<Shape::stl>(body_of(c, n), &SolidCase::content);
           },
       .meaning = "checksum that the STL file must have"},
      {.path = "solids.NAME.scale",
       .kind = number,
       .condition = "stl only; default 1",
       .minimum = 0,
       .minimum_is_excluded = true,
       .written =
           [](const Case& c, std::size_t n) {
             return of_shape<Shape::stl>(body_of(c, n), &SolidCase::scale);
           },
       .meaning = "factor of the coordinates in the STL file"},
      {.path = "solids.NAME.orientation",
       .kind = number,
       .is_vector = true,
       .condition = "stl only; default [0, 0, 0]",
       .unit = "degrees",
       .written =
           [](const Case& c, std::size_t n) {
             return of_shape<Shape::stl>(body_of(c, n), &SolidCase::orientation);
           },
       .meaning = "angles by which the scaled body is turned about x, y and z in turn"},
      {.path = "solids.NAME.translation",
       .kind = number,
       .is_vector = true,
       .condition = "stl only; default [0, 0, 0]",
       .unit = "L",
       .written =
           [](const Case& c, std::size_t n) {
             return of_shape<Shape::stl>(body_of(c, n), &SolidCase::translation);
           },
       .meaning = "distances by which the turned body is moved along x, y and z"},
      {.path = "solids.NAME.velocity",
       .kind = number,
       .is_vector = true,
       .default_text = "[0, 0, 0]",
       .unit = "U",
       .written = [](const Case& c, std::size_t n) { return yaml_text(body_of(c, n).velocity); },
       .meaning = "velocity of the surface; the body itself stays where it is"},
      {.path = "solids.NAME.rotation",
       .kind = number,
       .is_vector = true,
       .default_text = "[0, 0, 0]",
       .unit = "U/L",
       .written = [](const Case& c, std::size_t n) { return yaml_text(body_of(c, n).rotation); },
       .meaning = "angular velocity of the surface about center"},
      {.path = "solids.NAME.temperature",
       .kind = formula_or_section,
       .condition = "required where the flow has a temperature; else not allowed",
       .unit = "T0",
       .written = [](const Case& c, std::size_t n) -> std::string {
         if (!c.has_temperature()) return "";
         const SolidCase& body = body_of(c, n);
         return body.is_adiabatic ? "{gradient: 0}" : yaml_text(body.temperature);
       },
       .meaning = "temperature of the surface"},
      {.path = "solids.NAME.temperature.gradient",
       .kind = number,
       .condition = "instead of a temperature: no heat passes",
       .minimum = 0,
       .maximum = 0,
       .is_alternative = true,
       .unit = "T0/L",
       .meaning = "derivative of the temperature along the outward normal"},
  };
}

}  // namespace dns
