#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "solver/config/bound_keys.hpp"
#include "solver/config/case_reader.hpp"

namespace dns {
namespace {

/// "{planes: /data/a/planes_inlet.h5, content: 1a2b3c4d-684, beyond: repeat}"
std::string file_text(const InflowFileCase& given) {
  const bool has_end = given.kind == InflowFileCase::Kind::planes;
  return fmt::format("{{{}: {}, content: {}{}{}}}",
                     name_in(InflowFileCase::kind_names, given.kind),
                     yaml_text(given.file.path),
                     yaml_text(given.file.content),
                     has_end ? ", beyond: " : "",
                     has_end ? name_in(InflowFileCase::beyond_names, given.beyond) : "");
}

/// Empty where nothing is given.
std::string scalar_text(const ScalarAtFace& scalar) {
  if (scalar.file) return file_text(*scalar.file);
  const std::string value = yaml_text(scalar.given);
  switch (scalar.condition) {
    case ScalarAtFace::Condition::by_default:
      return {};
    case ScalarAtFace::Condition::gradient:
      return fmt::format("{{gradient: {}}}", value);
    case ScalarAtFace::Condition::transfer:
      return fmt::format("{{transfer: {}, outside: {}}}", yaml_text(scalar.transfer), value);
    case ScalarAtFace::Condition::value:
      break;
  }
  return value;
}

/// The shear of a face; empty where it gives none.
std::string shear_of_face(const Case& resolved, std::size_t face) {
  const FaceCase& wall = resolved.faces[face];
  if (!wall.has_shear()) return {};
  std::array<Expression, 3> all;
  for (std::size_t axis = 0; axis < all.size(); ++axis) {
    if (wall.shear[axis]) all[axis] = *wall.shear[axis];
  }
  return yaml_text(all);
}

/// "{salt: 1, dye: {gradient: 0}}": those besides temperature.
std::string scalars_of_face(const Case& resolved, std::size_t face) {
  std::vector<std::string> entries;
  std::size_t place = resolved.faces[face].scalars.size() - resolved.scalars.size();
  for (const ScalarCase& scalar : resolved.scalars) {
    const std::string text = scalar_text(resolved.faces[face].scalars[place++]);
    if (!text.empty() && resolved.faces[face].kind != FaceKind::periodic)
      entries.push_back(yaml_text(scalar.name) + ": " + text);
  }
  return entries.empty() ? "" : fmt::format("{{{}}}", fmt::join(entries, ", "));
}

// Two or three lines a key: a table.
// clang-format off

/// A key that names a file which gives the values of an inflow.
Key file_key(std::string_view path, std::string_view condition, std::string_view meaning) {
  return {.path = path, .kind = KeyKind::text, .condition = condition, .is_alternative = true,
          .meaning = meaning};
}

/// What follows the last of recorded planes.
Key beyond_key(std::string_view path, std::string_view meaning) {
  const auto& names = InflowFileCase::beyond_names;
  return {.path = path, .kind = KeyKind::choice,
          .default_text = std::string(name_in(names, InflowFileCase{}.beyond)),
          .condition = "with planes only", .choices = {names.begin(), names.end()},
          .meaning = meaning};
}

/// Newton's law of cooling: the coefficient, and what is outside.
Key transfer_key(std::string_view path, std::string_view meaning) {
  return {.path = path, .kind = KeyKind::number, .only = Scheme::projection,
          .condition = "instead of a value, with outside; 0: nothing passes", .range = at_least(0),
          .is_alternative = true, .unit = "1/L", .meaning = meaning};
}
Key outside_key(std::string_view path, std::string_view unit, std::string_view meaning) {
  return {.path = path, .kind = KeyKind::formula, .only = Scheme::projection,
          .condition = "with transfer: required; else not allowed", .variables = "x, y, z, t",
          .unit = unit, .meaning = meaning};
}

/// The checksum of such a file.
Key content_key(std::string_view path) {
  return {.path = path, .kind = KeyKind::text,
          .condition = "with a file only; default: that of the file",
          .meaning = "checksum that the file must have"};
}

}  // namespace

std::vector<Key> keys_of_boundaries() {
  const auto face = [](auto& c, std::size_t n) { return &c.faces[n]; };
  const auto turbulence = [](auto& c, std::size_t n) { return held(c.faces[n].turbulence); };
  return {
      section("boundaries", {.is_required = true},
          "per axis either AXIS: periodic, or both faces, AXIS_min and AXIS_max"),
      {.path = "boundaries.AXIS", .kind = KeyKind::choice, .condition = "instead of both faces",
       .choices = {"periodic"}, .meaning = "the flow repeats itself along the axis",
       .written = [](const Case& c, std::size_t n) -> std::string {
         return c.is_periodic(static_cast<int>(n)) ? "periodic" : ""; }},
      section("boundaries.FACE", {.condition = "instead of AXIS: periodic"},
          "boundary conditions of one face"),
      choice("boundaries.FACE.type", face, &FaceCase::kind, face_kind_names,
          {.is_required = true, .choices = {face_kind_names.begin() + 1, face_kind_names.end()},
           .is_written = [](const Case& c, std::size_t n) {
             return !c.is_periodic(static_cast<int>(n / 2)); }},
          "kind of boundary condition"),
      {.path = "boundaries.FACE.velocity", .kind = KeyKind::formula_or_section, .is_vector = true,
       .condition = "inflow: required; wall: formulas, default [0, 0, 0]; else not allowed",
       .variables = "x, y, z, t", .kinds = {"wall", "inflow"}, .needed_by = {"inflow"}, .unit = "U",
       .meaning = "velocity at the face",
       .written = [](const Case& c, std::size_t n) {
         const auto& file = c.faces[n].velocity_file;
         return file ? file_text(*file) : yaml_text(c.faces[n].velocity); }},
      {.path = "boundaries.FACE.shear", .kind = KeyKind::formula, .is_vector = true,
       .only = Scheme::projection,
       .condition = "wall, instead of the velocity along it; 0 across the wall; [0, 0, 0]: free slip",
       .variables = "x, y, z, t", .kinds = {"wall"}, .unit = "U/L",
       .meaning = "derivative du/dn of the velocity along the wall, n into the fluid",
       .written = shear_of_face},
      key("boundaries.FACE.slip_length", face, &FaceCase::slip_length,
          {.only = Scheme::projection, .condition = "wall; default: 0, no slip",
           .range = at_least(0), .kinds = {"wall"}, .unit = "L",
           .is_written = [](const Case& c, std::size_t n) { return c.faces[n].slip_length > 0; }},
          "l of Navier's slip along the wall, u - velocity = l du/dn, n into the fluid"),
      file_key("boundaries.FACE.velocity.profile",
          "inflow, instead of formulas; relative to the case file",
          "table of coordinates across the face and u, v, w: a text file with the names of its "
          "columns in the first line"),
      file_key("boundaries.FACE.velocity.planes",
          "inflow, instead of formulas; relative to the case file",
          "planes_NAME.h5 recorded by another run (output.planes); its first record is that of "
          "t = 0"),
      beyond_key("boundaries.FACE.velocity.beyond",
          "what follows the last record: the first one again, the last one held, or the end of the "
          "run"),
      content_key("boundaries.FACE.velocity.content"),
      {.path = "boundaries.FACE.temperature", .kind = KeyKind::formula_or_section,
       .condition = "wall, inflow: required where the flow has a temperature; symmetry, outflow: "
                    "scheme projection, default: no gradient, or what is carried out",
       .variables = "x, y, z, t", .unit = "T0", .meaning = "temperature at the face",
       .is_written = [](const Case& c, std::size_t n) {
         return c.has_temperature() && c.faces[n].gives(first_scalar); },
       .written = [](const Case& c, std::size_t n) { return scalar_text(c.faces[n].scalar(first_scalar)); }},
      {.path = "boundaries.FACE.temperature.gradient", .kind = KeyKind::formula,
       .condition = "instead of a temperature; 0: no heat passes", .variables = "x, y, z, t",
       .is_alternative = true, .unit = "T0/L",
       .meaning = "derivative of the temperature along the outward normal"},
      transfer_key("boundaries.FACE.temperature.transfer",
          "h of dT/dn = h (outside - T), along the outward normal: a heat transfer coefficient over "
          "the conductivity"),
      outside_key("boundaries.FACE.temperature.outside", "T0", "temperature outside"),
      file_key("boundaries.FACE.temperature.profile",
          "inflow, instead of a formula; relative to the case file",
          "table of coordinates across the face and T, as for the velocity"),
      file_key("boundaries.FACE.temperature.planes",
          "inflow, instead of a formula; relative to the case file",
          "planes recorded by another run, as for the velocity"),
      beyond_key("boundaries.FACE.temperature.beyond",
          "what follows the last record, as for the velocity"),
      content_key("boundaries.FACE.temperature.content"),
      {.path = "boundaries.FACE.scalars", .only = Scheme::projection,
       .condition = "wall, inflow: required where there are scalars; symmetry, outflow: as of the "
                    "temperature",
       .meaning = "scalars at the face",
       .written = scalars_of_face},
      {.path = "boundaries.FACE.scalars.NAME", .kind = KeyKind::formula_or_section,
       .condition = "wall, inflow: one for each of scalars", .variables = "x, y, z, t",
       .meaning = "scalar at the face, without G . x", .named = "scalar", .marks = "_"},
      {.path = "boundaries.FACE.scalars.NAME.gradient", .kind = KeyKind::formula,
       .condition = "instead of a value; 0: nothing passes", .variables = "x, y, z, t",
       .is_alternative = true, .unit = "1/L",
       .meaning = "derivative of the scalar along the outward normal"},
      transfer_key("boundaries.FACE.scalars.NAME.transfer",
          "h of ds/dn = h (outside - s), along the outward normal"),
      outside_key("boundaries.FACE.scalars.NAME.outside", "", "the scalar outside"),
      file_key("boundaries.FACE.scalars.NAME.profile",
          "inflow, instead of a formula; relative to the case file",
          "table of coordinates across the face and a column NAME, as for the velocity"),
      file_key("boundaries.FACE.scalars.NAME.planes",
          "inflow, instead of a formula; relative to the case file",
          "planes recorded by another run, as for the velocity"),
      beyond_key("boundaries.FACE.scalars.NAME.beyond",
          "what follows the last record, as for the velocity"),
      content_key("boundaries.FACE.scalars.NAME.content"),
      choice("boundaries.FACE.backflow", face, &FaceCase::backflow, backflow_names,
          {.only = Scheme::projection, .has_default = true, .condition = "outflow only",
           .kinds = {"outflow"}},
          "fluid that comes back in through the face is slowed down (stabilised), or not"),
      section("boundaries.FACE.turbulence",
          {.condition = "inflow only; default: none", .kinds = {"inflow"}},
          "synthetic turbulence (Jarrin et al. 2006), added to the velocity"),
      key("boundaries.FACE.turbulence.stresses", turbulence, &InflowTurbulenceCase::stresses,
          {.is_required = true, .condition = "relative to the case file", .unit = "U^2"},
          "table of coordinates across the face and the Reynolds stresses uu, vv, ww, uv, uw, vw "
          "(0 where they have no column)"),
      key("boundaries.FACE.turbulence.lengths", turbulence, &InflowTurbulenceCase::lengths,
          {.is_required = true, .range = above(0), .unit = "L"},
          "integral lengths along x, y, z"),
      key("boundaries.FACE.turbulence.seed", turbulence, &InflowTurbulenceCase::seed,
          {.has_default = true, .range = at_least(0)},
          "seed of the random numbers"),
      {.path = "boundaries.FACE.turbulence.content", .kind = KeyKind::text,
       .condition = "default: that of the file",
       .meaning = "checksum that the file of stresses must have",
       .written = [](const Case& c, std::size_t n) {
         const auto& inflow_turbulence = c.faces[n].turbulence;
         return inflow_turbulence ? yaml_text(inflow_turbulence->stresses.content) : ""; }},
  };
}

// clang-format on

namespace {

/// Reads one face. What its type does not use is still read, so that every mistake is found.
class FaceReader {
 public:
  FaceReader(ValueReader& reader, Case& read, std::size_t face)
      : reader_(reader),
        read_(read),
        number_(face),
        face_(read.faces.at(face)),
        path_("boundaries." + face_names.at(face)) {}

  void read() {
    reader_.read_section(path_, read_, number_);
    const bool has_type = reader_.is_right(path("type"));
    const bool may_be_inflow = !has_type || face_.kind == FaceKind::inflow;
    if (!has_type || face_.gives_velocity()) read_velocity();
    if (!has_type || face_.kind == FaceKind::wall) read_shear();
    if (has_type) check_type();
    read_scalars();
    if (may_be_inflow && reader_.is_given(path("turbulence"))) {
      face_.turbulence.emplace();
      reader_.read_section(path("turbulence"), read_, number_);
    }
  }

 private:
  [[nodiscard]] std::string path(const std::string& word) const { return path_ + "." + word; }

  /// The keys that go with the type, which is known.
  void check_type() {
    reader_.check_keys_of_kind(path_, "type", name_of(face_.kind));
    if (face_.kind == FaceKind::wall) check_flow_through_wall();
    reader_.refuse_without_temperature(path("temperature"));
    if (face_.gives_velocity()) {
      if (reader_.has_temperature()) reader_.require(path("temperature"));
      for (const ScalarCase& scalar : read_.scalars)
        reader_.require(path("scalars." + scalar.name));
    } else if (reader_.scheme() == Scheme::splitting) {
      reader_.refuse(path("temperature"),
                     fmt::format("not used by type {} in scheme splitting; leave it out",
                                 name_of(face_.kind)));
    }
    refuse_unknown_scalars(reader_, read_, path("scalars"));
  }

  void read_velocity() {
    if (reader_.is_map(path("velocity"))) {
      read_file(path("velocity"), face_.velocity_file);
    } else {
      reader_.read(path("velocity"), face_.velocity);
    }
  }

  void read_shear() {
    const std::string key = path("shear");
    std::array<Expression, 3> shear;
    if (!reader_.read(key, shear)) return;
    const std::size_t axis = number_ / 2;
    reader_.refuse(path("slip_length"), "given together with shear; keep one of the two");
    if (!shear.at(axis).is_zero()) {
      reader_.add_item_mistake(
          key, axis, "0", fmt::format("; {} is across the wall", axis_names.at(axis)));
    }
    for (std::size_t along = 0; along < shear.size(); ++along) {
      if (along == axis) continue;
      face_.shear.at(along) = shear.at(along);
      if (reader_.is_right(path("velocity")) && !face_.velocity.at(along).is_zero()) {
        reader_.add_item_mistake(
            path("velocity"), along, "0", "; shear gives the derivative of this component instead");
      }
    }
  }

  /// The temperature is looked at where the flow has none, too.
  void read_scalars() {
    ScalarAtFace temperature;
    read_scalar(path("temperature"), temperature);
    if (read_.has_temperature()) face_.scalars.front() = std::move(temperature);
    std::size_t place = face_.scalars.size() - read_.scalars.size();
    for (const ScalarCase& scalar : read_.scalars)
      read_scalar(path("scalars." + scalar.name), face_.scalars.at(place++));
  }

  void read_scalar(const std::string& section, ScalarAtFace& scalar) {
    if (!reader_.is_given(section)) {
      scalar.condition = ScalarAtFace::Condition::by_default;
    } else if (!reader_.is_map(section)) {
      reader_.read(section, scalar.given);
    } else if (reader_.is_given(section + ".transfer") || reader_.is_given(section + ".outside")) {
      read_transfer(section, scalar);
    } else if (reader_.is_given(section + ".profile") || reader_.is_given(section + ".planes")) {
      read_file(section, scalar.file);
    } else {
      scalar.condition = ScalarAtFace::Condition::gradient;
      reader_.read(section + ".gradient", scalar.given);
      reader_.require(section + ".gradient");
      const bool is_nothing_new = face_.kind == FaceKind::symmetry && scalar.given.is_zero();
      if (is_nothing_new) scalar.condition = ScalarAtFace::Condition::by_default;
    }
  }

  void read_transfer(const std::string& section, ScalarAtFace& scalar) {
    scalar.condition = ScalarAtFace::Condition::transfer;
    reader_.read(section + ".transfer", scalar.transfer);
    reader_.read(section + ".outside", scalar.given);
    for (const char* word : {".transfer", ".outside"}) reader_.require(section + word);
    for (const char* word : {".gradient", ".profile", ".planes"})
      reader_.refuse(section + word, "given together with transfer; keep one of the two");
  }

  /// The file that gives a variable, in a section with exactly one of the words that name it.
  void read_file(const std::string& section, std::optional<InflowFileCase>& file) {
    using Kind = InflowFileCase::Kind;
    using Beyond = InflowFileCase::Beyond;
    if (face_.kind != FaceKind::inflow)
      return reader_.add_problem(section, "a file gives values to faces of type inflow alone");
    const bool is_profile = reader_.is_given(section + ".profile");
    if (is_profile == reader_.is_given(section + ".planes"))
      return reader_.add_problem(section, "needs either profile or planes");
    InflowFileCase given;
    given.kind = is_profile ? Kind::profile : Kind::planes;
    const std::string beyond = section + ".beyond";
    if (std::string word; reader_.read(beyond, word))
      given.beyond = value_named<Beyond>(word, InflowFileCase::beyond_names).value();
    if (is_profile) reader_.refuse(beyond, "a profile has no end; leave it out");
    if (reader_.read(section + (is_profile ? ".profile" : ".planes"), given.file)) file = given;
  }

  /// Blowing and suction are formulas whose mean over the wall is 0.
  void check_flow_through_wall() {
    const std::size_t axis = number_ / 2;
    const Expression& normal = face_.velocity.at(axis);
    if (normal.is_zero()) return;
    if (normal.is_constant()) {
      reader_.add_item_mistake(path("velocity"),
                               axis,
                               "0",
                               "; no flow passes a wall, through a face of type inflow it does");
      return;
    }
    const auto is_known = [](double length) { return length > 0; };
    if (!std::ranges::all_of(read_.grid.length, is_known)) return;
    constexpr double round_off = 0.01;  // of the sums below, for formulas that jump
    for (const double t : {0.0, 0.37, 1.618}) {
      const auto [mean, magnitude] = means_over_wall(normal, t);
      if (std::abs(mean) <= round_off * magnitude) continue;
      reader_.add_item_mistake(
          path("velocity"),
          axis,
          "a formula whose mean over the wall is 0",
          fmt::format("; it is {:.3g} U at t = {}. As much has to be sucked out of the fluid as is "
                      "blown into it; net flow passes faces of type inflow and outflow",
                      mean,
                      t));
      return;
    }
  }

  struct Means {
    double value, magnitude;
  };
  /// The means of a formula and of its magnitude over the face.
  [[nodiscard]] Means means_over_wall(const Expression& formula, double t) const {
    constexpr int samples = 256;  // along each axis
    const std::size_t axis = number_ / 2;
    const auto [first, second] = axes_in_plane(static_cast<Axis>(axis));
    std::array<double, 3> x = read_.grid.origin;
    if (number_ % 2 == 1) x.at(axis) += read_.grid.length.at(axis);
    const auto place = [&](Axis along, int sample) {
      const auto a = static_cast<std::size_t>(along);
      x.at(a) = read_.grid.origin.at(a) + read_.grid.length.at(a) * (sample + 0.5) / samples;
    };
    Means sums{};
    for (int one = 0; one < samples; ++one) {
      place(first, one);
      for (int other = 0; other < samples; ++other) {
        place(second, other);
        const double value = formula(x[0], x[1], x[2], t);
        sums.value += value;
        sums.magnitude += std::abs(value);
      }
    }
    return {sums.value / (samples * samples), sums.magnitude / (samples * samples)};
  }

  ValueReader& reader_;
  Case& read_;
  std::size_t number_;
  FaceCase& face_;
  std::string path_;
};

void read_face(ValueReader& reader, Case& read, std::size_t face) {
  const std::string path = "boundaries." + face_names.at(face);
  if (reader.is_given(path)) return FaceReader(reader, read, face).read();
  reader.add_missing(
      path,
      fmt::format("such as {{type: wall, temperature: 1}}, or {}: periodic for both faces",
                  axis_names.at(face / 2)));
}

/// A face of type periodic gets the one message that says how to write it.
bool is_one_sided_periodic(ValueReader& reader, const std::string& face, const std::string& axis) {
  const std::string path = "boundaries." + face + ".type";
  const CaseNode* const type = reader.find(path);
  if (type == nullptr || !type->is_scalar() || type->text != "periodic") return false;
  const std::string remark =
      fmt::format("; for a periodic axis write {0}: periodic, without {0}_min and {0}_max", axis);
  reader.add_mistake(path, joined_with("or", find_key(path)->choices), remark);
  return true;
}

void read_axis(ValueReader& reader, Case& read, int axis) {
  const std::string& name = axis_name(axis);
  const std::string path = "boundaries." + name;
  const std::array faces{face_index(axis, false), face_index(axis, true)};
  const std::string& low = face_names.at(faces[0]);
  const std::string& high = face_names.at(faces[1]);
  if (reader.is_given(path)) {
    std::string word;
    const bool is_periodic = reader.read(path, word);
    for (const std::size_t face : faces) {
      if (is_periodic) read.faces.at(face).kind = FaceKind::periodic;
      reader.refuse("boundaries." + face_names.at(face),
                    fmt::format("given together with {}; keep one of the two", path));
    }
  } else if (!reader.is_given("boundaries." + low) && !reader.is_given("boundaries." + high)) {
    reader.add_missing(path, fmt::format("periodic, or both {} and {} instead", low, high));
  } else {
    for (const std::size_t face : faces)
      if (!is_one_sided_periodic(reader, face_names.at(face), name)) read_face(reader, read, face);
  }
}

}  // namespace

void read_boundaries(ValueReader& reader, Case& read) {
  for (FaceCase& face : read.faces)
    face.scalars.resize(static_cast<std::size_t>(read.scalar_count()));
  for (int axis = 0; axis < 3; ++axis) read_axis(reader, read, axis);
}

}  // namespace dns
