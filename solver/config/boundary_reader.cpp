#include <fmt/format.h>

#include <string>

#include "solver/config/named_file.hpp"
#include "solver/config/section_readers.hpp"

namespace dns {
namespace {

/// Reads one face. What its type does not use is still read, so that every mistake is found.
class FaceReader {
 public:
  FaceReader(ValueReader& reader, std::size_t face, const std::string& folder)
      : reader_(reader),
        folder_(folder),
        face_(face),
        axis_(face / 2),
        path_("boundaries." + face_names.at(face)) {}

  void read(Case& read) {
    FaceCase& face = read.faces.at(face_);
    reader_.read_section(path_, read, face_);
    const bool has_type = is_given("type") && !reader_.is_wrong(path("type"));
    const bool may_be_inflow = !has_type || face.kind == FaceKind::inflow;
    if (!has_type) {
      if (is_given("velocity")) read_velocity(face);
      if (is_given("temperature")) read_temperature(face);
    } else if (face.gives_values()) {
      if (is_given("velocity")) read_velocity(face);
      if (face.kind == FaceKind::wall) refuse_flow_through_wall(face);
      if (may_be_inflow && !is_given("velocity")) reader_.add_missing(path("velocity"));
      require_temperature(face);
    } else {
      refuse("velocity", face);
      refuse("temperature", face);
    }
    if (!may_be_inflow) {
      refuse("turbulence", face);
    } else if (is_given("turbulence")) {
      FileCase& stresses = face.turbulence.emplace().stresses;
      const std::string content = path("turbulence.content");
      stresses =
          read_file(reader_, path("turbulence.stresses"), content, folder_).value_or(FileCase{});
      reader_.read_section(path("turbulence"), read, face_);
    }
  }

 private:
  [[nodiscard]] std::string path(const std::string& word) const { return path_ + "." + word; }
  [[nodiscard]] bool is_given(const std::string& word) const {
    return reader_.is_given(path(word));
  }

  void read_velocity(FaceCase& face) {
    if (reader_.is_map(path("velocity"))) {
      if (face.kind != FaceKind::inflow) return belongs_to_inflows("velocity");
      face.velocity_file = read_file_of("velocity");
    } else {
      face.velocity = reader_.formulas(path("velocity")).value_or(face.velocity);
    }
  }

  /// The file that gives a variable, in a section with exactly one of the words that name it.
  std::optional<InflowFileCase> read_file_of(const std::string& variable) {
    const std::string section = path(variable);
    const auto given = [&](std::string_view word) {
      return reader_.is_given(section + "." + std::string(word));
    };
    InflowFileCase file;
    const auto& kinds = InflowFileCase::kind_names;
    if (given(kinds[0]) == given(kinds[1])) {
      reader_.add_problem(section, "needs either profile or planes");
      return std::nullopt;
    }
    if (given(kinds[1])) file.kind = InflowFileCase::Kind::planes;
    const std::string beyond = section + ".beyond";
    if (const auto choice = reader_.choice(beyond)) {
      file.beyond =
          value_named<InflowFileCase::Beyond>(*choice, InflowFileCase::beyond_names).value();
    }
    if (reader_.is_given(beyond) && file.kind == InflowFileCase::Kind::profile)
      reader_.add_problem(beyond, "a profile has no end; leave it out");
    const std::string key =
        section + "." + std::string(kinds.at(static_cast<std::size_t>(file.kind)));
    const auto named = read_file(reader_, key, section + ".content", folder_);
    if (!named) return std::nullopt;
    file.file = *named;
    return file;
  }

  void belongs_to_inflows(const std::string& word) {
    reader_.add_problem(path(word), "a file gives values to faces of type inflow alone");
  }

  void read_temperature(FaceCase& face) {
    const std::string temperature = path("temperature");
    const std::string gradient = temperature + ".gradient";
    if (!reader_.is_map(temperature)) {
      face.temperature = reader_.formula(temperature).value_or(Expression{});
      return;
    }
    if (reader_.is_given(temperature + ".profile") || reader_.is_given(temperature + ".planes")) {
      if (face.kind != FaceKind::inflow) return belongs_to_inflows("temperature");
      face.temperature_file = read_file_of("temperature");
      return;
    }
    face.temperature_condition = TemperatureCondition::gradient;
    face.temperature = reader_.formula(gradient).value_or(Expression{});
    if (!reader_.is_given(gradient)) reader_.add_missing(gradient);
  }

  void require_temperature(FaceCase& face) {
    if (reader_.has_temperature() && !is_given("temperature"))
      reader_.add_missing(path("temperature"));
    reader_.refuse_without_temperature(path("temperature"));
    if (is_given("temperature")) read_temperature(face);
  }

  void refuse_flow_through_wall(const FaceCase& face) {
    const Expression& normal = face.velocity.at(axis_);
    if (!normal.is_constant() || normal(0, 0, 0, 0) == 0) return;
    reader_.add_item_mistake(path("velocity"),
                             axis_,
                             "0",
                             "; no flow passes a wall, through a face of type inflow it does");
  }

  void refuse(const std::string& word, const FaceCase& face) {
    if (!is_given(word)) return;
    reader_.add_problem(path(word),
                        fmt::format("not used by type {}; leave it out", name_of(face.kind)));
  }

  ValueReader& reader_;
  const std::string& folder_;
  std::size_t face_;
  std::size_t axis_;
  std::string path_;
};

void read_face(ValueReader& reader, Case& read, std::size_t face, const std::string& folder) {
  const std::string path = "boundaries." + face_names.at(face);
  if (reader.is_given(path)) return FaceReader(reader, face, folder).read(read);
  reader.add_missing(
      path,
      fmt::format("such as {{type: wall, temperature: 1}}, or {}: periodic for both faces",
                  axis_names.at(face / 2)));
}

/// A face of type periodic gets the one message that says how to write it.
bool is_one_sided_periodic(ValueReader& reader, const std::string& face, const std::string& axis) {
  const std::string path = "boundaries." + face + ".type";
  if (!reader.has_text(path, "periodic")) return false;
  reader.add_mistake(path,
                     joined_with_or(find_key(path)->choices),
                     fmt::format("; for a periodic axis write {}: periodic, without {}_min and "
                                 "{}_max",
                                 axis,
                                 axis,
                                 axis));
  return true;
}

void read_axis(ValueReader& reader, Case& read, int axis, const std::string& folder) {
  const std::string& name = axis_name(axis);
  const std::string path = "boundaries." + name;
  const std::size_t low_face = face_index(axis, false);
  const std::size_t high_face = face_index(axis, true);
  const std::string& low = face_names.at(low_face);
  const std::string& high = face_names.at(high_face);
  const bool has_faces =
      reader.is_given("boundaries." + low) || reader.is_given("boundaries." + high);

  if (reader.is_given(path)) {
    if (reader.choice(path))
      read.faces.at(low_face).kind = read.faces.at(high_face).kind = FaceKind::periodic;
    for (const std::string& face : {low, high}) {
      if (!reader.is_given("boundaries." + face)) continue;
      reader.add_problem("boundaries." + face,
                         fmt::format("given together with {}; keep one of the two", path));
    }
    return;
  }
  if (!has_faces) {
    reader.add_missing(path, fmt::format("periodic, or both {} and {} instead", low, high));
    return;
  }
  const bool low_is_periodic = is_one_sided_periodic(reader, low, name);
  const bool high_is_periodic = is_one_sided_periodic(reader, high, name);
  if (!low_is_periodic) read_face(reader, read, low_face, folder);
  if (!high_is_periodic) read_face(reader, read, high_face, folder);
}

}  // namespace

void read_boundaries(ValueReader& reader, Case& read, const std::string& folder) {
  for (int axis = 0; axis < 3; ++axis) read_axis(reader, read, axis, folder);
}

}  // namespace dns
