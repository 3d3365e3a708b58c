#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>

#include "solver/config/section_readers.hpp"

namespace dns {
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
    const bool may_give_values = !has_type || face_.gives_values();
    if (may_give_values) read_velocity();
    if (has_type) check_type();
    if (may_give_values) read_temperature();
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
    if (face_.kind == FaceKind::wall) refuse_flow_through_wall();
    if (!face_.gives_values()) return;
    if (reader_.has_temperature()) reader_.require(path("temperature"));
    reader_.refuse_without_temperature(path("temperature"));
  }

  void read_velocity() {
    if (reader_.is_map(path("velocity"))) {
      read_file("velocity", face_.velocity_file);
    } else {
      reader_.read(path("velocity"), face_.velocity);
    }
  }

  void read_temperature() {
    const std::string temperature = path("temperature");
    if (!reader_.is_map(temperature)) {
      reader_.read(temperature, face_.temperature);
    } else if (reader_.is_given(temperature + ".profile") ||
               reader_.is_given(temperature + ".planes")) {
      read_file("temperature", face_.temperature_file);
    } else {
      face_.temperature_condition = TemperatureCondition::gradient;
      reader_.read(temperature + ".gradient", face_.temperature);
      reader_.require(temperature + ".gradient");
    }
  }

  /// The file that gives a variable, in a section with exactly one of the words that name it.
  void read_file(const std::string& variable, std::optional<InflowFileCase>& file) {
    using Kind = InflowFileCase::Kind;
    const std::string section = path(variable);
    if (face_.kind != FaceKind::inflow)
      return reader_.add_problem(section, "a file gives values to faces of type inflow alone");
    const bool is_profile = reader_.is_given(section + ".profile");
    if (is_profile == reader_.is_given(section + ".planes"))
      return reader_.add_problem(section, "needs either profile or planes");
    InflowFileCase given;
    given.kind = is_profile ? Kind::profile : Kind::planes;
    const std::string beyond = section + ".beyond";
    if (std::string word; reader_.read(beyond, word))
      given.beyond =
          value_named<InflowFileCase::Beyond>(word, InflowFileCase::beyond_names).value();
    if (is_profile) reader_.refuse(beyond, "a profile has no end; leave it out");
    if (reader_.read(section + (is_profile ? ".profile" : ".planes"), given.file)) file = given;
  }

  void refuse_flow_through_wall() {
    const std::size_t axis = number_ / 2;
    const Expression& normal = face_.velocity.at(axis);
    if (!normal.is_constant() || normal.is_zero()) return;
    reader_.add_item_mistake(path("velocity"),
                             axis,
                             "0",
                             "; no flow passes a wall, through a face of type inflow it does");
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
  if (!reader.has_text(path, "periodic")) return false;
  const std::string remark =
      fmt::format("; for a periodic axis write {0}: periodic, without {0}_min and {0}_max", axis);
  reader.add_mistake(path, joined_with_or(find_key(path)->choices), remark);
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
  for (int axis = 0; axis < 3; ++axis) read_axis(reader, read, axis);
}

}  // namespace dns
