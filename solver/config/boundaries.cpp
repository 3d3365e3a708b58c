#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "solver/config/bound_keys.hpp"
#include "solver/config/case_reader.hpp"
#include "solver/core/index.hpp"
#include "solver/core/text_file.hpp"

namespace dns {
namespace {

/// "{planes: /data/a/planes_inlet.h5, content: 1a2b3c4d-684, beyond: repeat}"
std::string file_text(const InflowFileCase& given) {
  const std::string_view kind = name_in(InflowFileCase::kind_names, given.kind);
  const std::string path = yaml_text(given.file.path);
  const std::string content = yaml_text(given.file.content);
  if (given.kind == InflowFileCase::Kind::profile && given.beyond == InflowFileCase::Beyond::repeat)
    return fmt::format("{{{}: {}, content: {}}}", kind, path, content);
  const std::string_view beyond = name_in(InflowFileCase::beyond_names, given.beyond);
  return fmt::format("{{{}: {}, content: {}, beyond: {}}}", kind, path, content, beyond);
}

/// Empty where nothing is given.
std::string text_at_face(const ScalarAtFace& scalar) {
  if (scalar.file) return file_text(*scalar.file);
  std::string value = yaml_text(scalar.given);
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
std::string shear_of_face(const Case& resolved, int face) {
  PerAxis<Expression> all;
  for (int axis = 0; axis < all.size(); ++axis)
    all[axis] = resolved.faces[face].shear[axis].value_or(Expression());
  return resolved.faces[face].has_shear() ? yaml_text(all) : "";
}

std::string scalars_of_face(const Case& resolved, int face) {
  const FaceCase& given = resolved.faces[face];
  return given.kind == FaceKind::periodic ? ""
                                          : text_of_scalars(resolved, given.scalars, text_at_face);
}

}  // namespace

// Two or three lines a key: a table.
// clang-format off

std::vector<Key> keys_of_boundaries() {
  const auto file = keys_of_case();
  const auto face = file.part("boundaries.FACE", &Case::faces);
  const auto turbulence = face.part("turbulence", &FaceCase::turbulence);
  const Key file_for_formulas{.kind = KeyKind::text,
      .condition = "inflow or wall, instead of formulas; relative to the case file",
      .is_alternative = true};
  const Key file_for_formula{.kind = KeyKind::text,
      .condition = "inflow or wall, instead of a formula; relative to the case file",
      .is_alternative = true};
  const auto& beyond_names = InflowFileCase::beyond_names;
  const Key beyond{.kind = KeyKind::choice,
      .default_text = std::string(name_in(beyond_names, InflowFileCase{}.beyond)),
      .condition = "with planes; with a profile that has a column t: hold",
      .choices = {beyond_names.begin(), beyond_names.end()}};
  const Key content{.kind = KeyKind::text,
      .condition = "with a file only; default: that of the file"};
  // Newton's law of cooling: the coefficient, and what is outside.
  const Key transfer{.kind = KeyKind::number, .only = Scheme::projection,
      .condition = "instead of a value, with outside; 0: nothing passes", .range = at_least(0),
      .is_alternative = true, .unit = "1/L"};
  const auto outside = [](std::string_view unit) -> Key {
    return {.kind = KeyKind::formula, .only = Scheme::projection,
            .condition = "with transfer: required; else not allowed", .variables = "x, y, z, t",
            .unit = unit}; };
  return {
      file.entry("boundaries",
          {.other_names = "nclx1 nclxn ncly1 nclyn nclz1 nclzn cbcvel bcvel bc",
           .is_required = true, .changes_flow = true},
          "per axis either AXIS, for both faces at once, or AXIS_min and AXIS_max"),
      file.entry("boundaries.AXIS", {.kind = KeyKind::choice, .condition = "instead of both faces",
           .choices = {"periodic", kinds_of_both_faces[0], kinds_of_both_faces[1]},
           .written = [](const Case& c, std::size_t n) -> std::string {
             return c.is_periodic(static_cast<int>(n)) ? "periodic" : ""; }},
          "what both faces are; a section holds for both, as that of one face does for one"),
      file.entry("boundaries.FACE", {.condition = "instead of AXIS"},
          "boundary conditions of one face"),
      face.choice("type", &FaceCase::kind, face_kind_names,
          {.is_required = true, .choices = {face_kind_names.begin() + 1, face_kind_names.end()},
           .other_choices = "noslip=wall dirichlet=wall fixedvalue=wall slip=symmetry "
               "freeslip=symmetry symmetric=symmetry inlet=inflow outlet=outflow open=outflow "
               "convective=outflow inletoutlet=outflow",
           .is_written = [](const Case& c, std::size_t n) {
             return !c.is_periodic(static_cast<int>(n / 2)); }}, "kind of boundary condition"),
      face.entry("velocity", {.kind = KeyKind::formula_or_section, .is_vector = true,
           .condition = "inflow: required; wall: default [0, 0, 0]; else not allowed",
           .variables = "x, y, z, t", .kinds = {"wall", "inflow"}, .needed_by = {"inflow"},
           .unit = "U", .written = [](const Case& c, std::size_t n) {
             const auto& given = c.faces[n].velocity_file;
             return given ? file_text(*given) : yaml_text(c.faces[n].velocity); }},
          "velocity at the face"),
      face.entry("shear", {.kind = KeyKind::formula, .is_vector = true, .only = Scheme::projection,
           .condition = "wall, instead of the velocity along it; 0 across the wall; [0, 0, 0]: "
               "free slip", .variables = "x, y, z, t", .kinds = {"wall"}, .unit = "U/L",
           .written = shear_of_face},
          "derivative du/dn of the velocity along the wall, n into the fluid"),
      face.key("slip_length", &FaceCase::slip_length, {.only = Scheme::projection,
           .has_default = false, .condition = "wall; >= 0; default: 0, no slip",
           .kinds = {"wall"}, .unit = "L", .is_written = [](const Case& c, std::size_t n) {
             return !c.faces[n].slip_length.is_zero(); }},
          "l of Navier's slip along the wall, u - velocity = l du/dn, n into the fluid"),
      face.entry("velocity.profile", file_for_formulas,
          "table of coordinates across the face and u, v, w: a text file with the names of its "
          "columns in the first line"),
      face.entry("velocity.planes", file_for_formulas,
          "planes_NAME.h5 recorded by another run (output.planes); its first record is that of t = "
          "0"),
      face.entry("velocity.beyond", beyond,
          "what follows the last record: the first one again, the last one held, or the end of the "
          "run"),
      face.entry("velocity.content", content, "checksum that the file must have"),
      face.entry("temperature", {.kind = KeyKind::formula_or_section,
           .condition = "wall, inflow: required where the flow has a temperature; symmetry, "
               "outflow: scheme projection, default: no gradient, or what is carried out",
           .variables = "x, y, z, t", .unit = "T0", .written = [](const Case& c, std::size_t n) {
             const bool is_given = c.has_temperature() && c.faces[n].gives(first_scalar);
             return is_given ? text_at_face(c.faces[n].scalar(first_scalar)) : ""; }},
          "temperature at the face"),
      face.entry("temperature.gradient",
          {.kind = KeyKind::formula, .condition = "instead of a temperature; 0: no heat passes",
           .variables = "x, y, z, t", .is_alternative = true, .unit = "T0/L"},
          "derivative of the temperature along the outward normal"),
      face.entry("temperature.transfer", transfer,
          "h of dT/dn = h (outside - T), along the outward normal: a heat transfer coefficient "
          "over the conductivity"),
      face.entry("temperature.outside", outside("T0"), "temperature outside"),
      face.entry("temperature.profile", file_for_formula,
          "table of coordinates across the face and T, as for the velocity"),
      face.entry("temperature.planes", file_for_formula,
          "planes recorded by another run, as for the velocity"),
      face.entry("temperature.beyond", beyond, "what follows the last record, as for the velocity"),
      face.entry("temperature.content", content, "checksum that the file must have"),
      face.entry("scalars", {.only = Scheme::projection,
           .condition = "wall, inflow: required where there are scalars; symmetry, outflow: as of "
               "the temperature", .written = scalars_of_face}, "scalars at the face"),
      face.entry("scalars.NAME", {.kind = KeyKind::formula_or_section,
           .condition = "wall, inflow: one for each of scalars", .variables = "x, y, z, t",
           .named = "scalar", .marks = "_"}, "scalar at the face, without G . x"),
      face.entry("scalars.NAME.gradient",
          {.kind = KeyKind::formula, .condition = "instead of a value; 0: nothing passes",
           .variables = "x, y, z, t", .is_alternative = true, .unit = "1/L"},
          "derivative of the scalar along the outward normal"),
      face.entry("scalars.NAME.transfer", transfer,
          "h of ds/dn = h (outside - s), along the outward normal"),
      face.entry("scalars.NAME.outside", outside(""), "the scalar outside"),
      face.entry("scalars.NAME.profile", file_for_formula,
          "table of coordinates across the face and a column NAME, as for the velocity"),
      face.entry("scalars.NAME.planes", file_for_formula,
          "planes recorded by another run, as for the velocity"),
      face.entry("scalars.NAME.beyond", beyond,
          "what follows the last record, as for the velocity"),
      face.entry("scalars.NAME.content", content, "checksum that the file must have"),
      face.choice("backflow", &FaceCase::backflow, backflow_names,
          {.only = Scheme::projection, .condition = "outflow only", .kinds = {"outflow"}},
          "fluid that comes back in through the face is slowed down (stabilised), or not"),
      face.entry("turbulence", {.condition = "inflow only; default: none", .kinds = {"inflow"}},
          "synthetic turbulence (Jarrin et al. 2006), added to the velocity"),
      turbulence.key("stresses", &InflowTurbulenceCase::stresses,
          {.is_required = true, .condition = "relative to the case file", .unit = "U^2"},
          "table of coordinates across the face and the Reynolds stresses uu, vv, ww, uv, uw, vw "
          "(0 where they have no column)"),
      turbulence.key("lengths", &InflowTurbulenceCase::lengths,
          {.is_required = true, .range = above(0), .unit = "L"}, "integral lengths along x, y, z"),
      turbulence.key("seed", &InflowTurbulenceCase::seed, {.range = at_least(0)},
          "seed of the random numbers"),
      turbulence.entry("content", {.kind = KeyKind::text, .condition = "default: that of the file",
           .written = [](const Case& c, std::size_t n) {
             const auto& inflow_turbulence = c.faces[n].turbulence;
             return inflow_turbulence ? yaml_text(inflow_turbulence->stresses.content) : ""; }},
          "checksum that the file of stresses must have"),
  };
}

// clang-format on

namespace {

/// Reads one face. What its type does not use is still read, so that every mistake is found.
class FaceReader {
 public:
  FaceReader(ValueReader& reader, Case& read, int face)
      : reader_(reader), read_(read), number_(face) {}

  void read() {
    reader_.read_section(path_, read_, number_);
    const bool has_type = reader_.is_right(path("type"));
    const bool may_be_inflow = !has_type || face_.kind == FaceKind::inflow;
    if (!has_type || face_.gives_velocity()) read_velocity();
    if (!has_type || face_.kind == FaceKind::wall) read_shear();
    check_slip_length();
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

  /// A constant formula is the number.
  void check_slip_length() {
    Expression& length = face_.slip_length;
    if (!length.is_constant()) return;
    length = Expression(length(0, 0, 0, 0));
    if (length(0, 0, 0, 0) < 0) reader_.add_mistake(path("slip_length"), ">= 0");
  }

  void read_shear() {
    const std::string key = path("shear");
    PerAxis<Expression> shear;
    if (!reader_.read(key, shear)) return;
    const int axis = number_ / 2;
    reader_.refuse_beside(path("slip_length"), "shear");
    if (face_.velocity_file) reader_.refuse_beside(key, "a velocity by file");
    if (!shear[axis].is_zero()) {
      reader_.add_item_mistake(
          key, axis, "0", fmt::format("; {} is across the wall", axis_names[axis]));
    }
    for (int along = 0; along < shear.size(); ++along) {
      if (along == axis) continue;
      face_.shear[along] = shear[along];
      if (reader_.is_right(path("velocity")) && !face_.velocity[along].is_zero()) {
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
      reader_.refuse_beside(section + word, "transfer");
  }

  /// The file that gives a variable, in a section with exactly one of the words that name it.
  void read_file(const std::string& section, std::optional<InflowFileCase>& file) {
    using Kind = InflowFileCase::Kind;
    using Beyond = InflowFileCase::Beyond;
    if (!face_.gives_velocity())
      return reader_.add_problem(section, "a file gives values to faces of type inflow or wall");
    const bool is_profile = reader_.is_given(section + ".profile");
    if (is_profile == reader_.is_given(section + ".planes"))
      return reader_.add_problem(section, "needs either profile or planes");
    InflowFileCase given;
    given.kind = is_profile ? Kind::profile : Kind::planes;
    const std::string beyond = section + ".beyond";
    if (std::string word; reader_.read(beyond, word))
      given.beyond = value_named<Beyond>(word, InflowFileCase::beyond_names).value();
    if (reader_.read(section + (is_profile ? ".profile" : ".planes"), given.file)) file = given;
    if (is_profile && file) settle_end_of_profile(beyond, *file);
  }

  /// A profile with a column t is held beyond its times; others have no end.
  void settle_end_of_profile(const std::string& beyond, InflowFileCase& file) {
    using Beyond = InflowFileCase::Beyond;
    const bool is_hold = reader_.is_given(beyond) && file.beyond == Beyond::hold;
    const bool has_times = reader_.looks_at_files() ? has_column_of_time(file.file.path) : is_hold;
    if (!has_times) reader_.refuse(beyond, "a profile without a column t has no end; leave it out");
    if (has_times && reader_.is_given(beyond) && !is_hold)
      reader_.add_mistake(beyond, "hold", "; a profile has its last values beyond its times");
    file.beyond = has_times ? Beyond::hold : Beyond::repeat;
  }

  static bool has_column_of_time(const std::string& path) {
    try {
      const std::vector<TextLine> lines = lines_of_text(path);
      return !lines.empty() && std::ranges::count(lines.front().words, "t") > 0;
    } catch (const UnreadableText&) {  // refused where it is read
      return false;
    }
  }

  /// Blowing and suction by formulas have the mean 0 over the wall; those of files are checked in
  /// the run.
  void check_flow_through_wall() {
    const int axis = number_ / 2;
    const Expression& normal = face_.velocity[axis];
    const auto refuse = [&](const char* rule, const std::string& remark) {
      reader_.add_item_mistake(path("velocity"), axis, rule, remark);
    };
    if (normal.is_zero()) return;
    if (normal.is_constant())
      return refuse("0", "; no flow passes a wall, through a face of type inflow it does");
    const auto is_known = [](double length) { return length > 0; };
    if (!std::ranges::all_of(read_.grid.length, is_known)) return;
    constexpr double round_off = 0.01;  // of the sums below, for formulas that jump
    for (const double t : {0.0, 0.37, 1.618}) {
      const auto [mean, magnitude] = means_over_wall(normal, t);
      if (std::abs(mean) <= round_off * magnitude) continue;
      return refuse(
          "a formula whose mean over the wall is 0",
          fmt::format("; it is {:.3g} U at t = {}. As much has to be sucked out of the fluid as is "
                      "blown into it; net flow passes faces of type inflow and outflow",
                      mean,
                      t));
    }
  }

  struct Means {
    double value, magnitude;
  };
  /// The means of a formula and of its magnitude over the face.
  [[nodiscard]] Means means_over_wall(const Expression& formula, double t) const {
    constexpr int samples = 256;  // along each axis
    const int axis = number_ / 2;
    const auto [first, second] = axes_in_plane(axis);
    PerAxis<double> x = read_.grid.origin;
    if (number_ % 2 == 1) x[axis] += read_.grid.length[axis];
    const auto place = [&](Axis along, int sample) {
      x[along] = read_.grid.origin[along] + read_.grid.length[along] * (sample + 0.5) / samples;
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
  int number_;
  FaceCase& face_ = read_.faces[number_];
  std::string path_ = "boundaries." + face_names[number_];
};

void read_face(ValueReader& reader, Case& read, int face) {
  const std::string path = "boundaries." + face_names[face];
  if (reader.is_given(path)) return FaceReader(reader, read, face).read();
  reader.add_missing(
      path,
      fmt::format("such as {{type: wall, temperature: 1}}, or {}: periodic for both faces",
                  axis_names[face / 2]));
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
  const std::string& low = face_names[faces[0]];
  const std::string& high = face_names[faces[1]];
  if (reader.is_given(path)) {
    std::string word;
    const bool is_periodic = reader.read(path, word) && word == name_of(FaceKind::periodic);
    for (const int face : faces) {
      if (is_periodic) read.faces[face].kind = FaceKind::periodic;
      reader.refuse_beside("boundaries." + face_names[face], path);
    }
  } else if (!reader.is_given("boundaries." + low) && !reader.is_given("boundaries." + high)) {
    reader.add_missing(
        path, fmt::format("periodic, wall or symmetry, or both {} and {} instead", low, high));
  } else {
    for (const int face : faces)
      if (!is_one_sided_periodic(reader, face_names[face], name)) read_face(reader, read, face);
  }
}

}  // namespace

void read_boundaries(ValueReader& reader, Case& read) {
  for (FaceCase& face : read.faces) face.scalars.resize(read.scalar_count());
  for (int axis = 0; axis < 3; ++axis) read_axis(reader, read, axis);
}

}  // namespace dns
