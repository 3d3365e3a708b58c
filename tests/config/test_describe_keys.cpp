/// The table of keys: what describes a key is what reads it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"
#include "tests/config/broken_case.hpp"

namespace dns::test_describe_keys {
namespace {

TEST(key_table, holds_each_key_once_after_its_section) {
  const std::vector<Key>& table = key_table();
  for (auto key = table.begin(); key != table.end(); ++key) {
    const auto is_same = [key](const Key& other) { return other.path == key->path; };
    EXPECT_EQ(std::count_if(table.begin(), table.end(), is_same), 1) << key->path;
    const std::string_view section = section_of(key->path);
    const auto is_section = [section](const Key& other) { return other.path == section; };
    EXPECT_TRUE(section.empty() || std::any_of(table.begin(), key, is_section)) << key->path;
    EXPECT_FALSE(key->meaning.empty()) << key->path;
  }
}

/// "boundaries.FACE.type" -> "boundaries.y_max.type"
std::string written_out(std::string_view path) {
  std::string text(path);
  if (const std::size_t found = text.find("AXIS"); found != std::string::npos) {
    text.replace(found, 4, "z");
  }
  if (const std::size_t found = text.find("FACE"); found != std::string::npos) {
    text.replace(found, 4, "y_max");
  }
  for (std::size_t found = 0; (found = text.find("NAME")) != std::string::npos;)
    text.replace(found, 4, "floor");
  return text;
}

/// A value that no key of this kind can have: a reader that looks at the key says so.
std::string wrong_value(const Key& key) {
  return key.kind == KeyKind::text ? "\" \"" : "[[1]]";
}

const std::string particle = "{count: 5, positions: [0.5, 0.5, 0.5]}";

/// A value that suits `key` in a case where everything else is right.
std::string right_value(const Key& key) {
  if (!key.default_text.empty()) return std::string(key.default_text);
  if (key.path == "particles.NAME.file" || key.path == "solids.NAME.file")
    return DNS_TEST_DATA_FOLDER "/tetrahedron.stl";
  if (key.path == "particles.NAME.content") return tetrahedron_checksum;
  if (key.path == "solids.NAME.path") return DNS_TEST_DATA_FOLDER "/tetrahedron.stl";
  const bool is_of_inflow = key.path.starts_with("boundaries.FACE.");
  if (is_of_inflow && key.path.ends_with(".content")) return tetrahedron_checksum;
  if (is_of_inflow && key.kind == KeyKind::text) return DNS_TEST_DATA_FOLDER "/tetrahedron.stl";
  if (key.path == "boundaries.FACE.velocity") return "[0, 0, 0]";
  if (key.path == "boundaries.FACE.turbulence")
    return "{stresses: " DNS_TEST_DATA_FOLDER "/tetrahedron.stl, lengths: [1, 1, 1]}";
  if (key.path == "solids.NAME.content") return tetrahedron_checksum;
  if (key.path.starts_with("solids.NAME.") && key.path.ends_with(".gradient")) return "0";
  if (key.path.ends_with("mean_gradient")) return "[5, 0, 5]";  // along periodic axes
  if (key.path == "scalars") return "{floor: {prandtl: 5}}";
  if (key.path == "scalars.NAME") return "{prandtl: 5}";
  if (key.path.ends_with(".scalars")) return "{floor: 1}";
  if (key.path == "solids.NAME")
    return "{shape: sphere, center: [1, 1, 1], radius: 1, temperature: 1}";
  if (key.path == "solids.NAME.free") return "{density: 2}";
  if (key.path == "forcing.type") return "formula";
  if (key.kind == KeyKind::text) return "name";
  if (key.kind == KeyKind::choice) return std::string(key.choices[0]);
  if (key.path == "boundaries.FACE") return "{type: outflow}";
  if (key.path == "grid.stretching.AXIS") return "{type: uniform}";
  if (key.path == "grid.stretching.AXIS.ratio") return "1.1";
  if (key.kind == KeyKind::parts) return "[0, 1, 0.25]";
  if (key.path == "output.slices.planes.NAME.at") return "0.5";
  if (key.path == "output.planes.NAME.at") return "0.5";
  if (key.path == "output.planes") return "{every: 5, floor: {axis: y, at: 0.5}}";
  if (key.path == "output.planes.NAME") return "{axis: y, at: 0.5}";
  if (key.path == "output.probes") return "{floor: {at: [0.5, 0.5, 0.5]}}";
  if (key.path == "output.probes.NAME") return "{at: [0.5, 0.5, 0.5]}";
  for (const char* const place : {"at", "from", "to"})
    if (key.path == fmt::format("output.probes.NAME.{}", place)) return "[0.5, 0.5, 0.5]";
  if (key.path == "particles.NAME") return particle;
  if (key.path == "particles.NAME.diameter") return "1e-3";
  if (key.path == "particles.NAME.forces") return "[drag, added_mass]";
  if (key.path == "buoyancy") return "{rayleigh: 1}";
  if (key.path == "rotation") return "{rate: [0, 1, 0]}";
  if (key.path == "magnetic") return "{hartmann: 1}";
  if (key.path == "forcing") return "{type: formula}";
  if (key.path == "output.statistics.phase") return "{period: 5}";
  if (key.path == "forcing.drag.NAME") return "{rate: 1}";
  if (key.path == "forcing.sponges.NAME") return "{rate: 1, velocity: [0, 0, 0]}";
  if (key.kind == KeyKind::section) return "";
  if (key.kind == KeyKind::choice_list) return "[" + std::string(key.choices[0]) + "]";
  if (key.kind == KeyKind::coordinates) return "[0, 0.2, 0.5, 0.8, 1]";
  if (key.kind == KeyKind::formula_or_section) return "{gradient: 0}";
  if (key.kind == KeyKind::formula) return key.is_vector ? "[0, 0, 0]" : "0";
  return key.is_vector ? "[5, 5, 5]" : "5";
}

/// The keys that one of a body needs beside it: a body of a shape that has the key.
const std::string one_scalar = "scalars: {floor: 1}";

std::vector<Override> companions_in_body(const std::string& path) {
  const std::string word = path.substr(path.rfind('.') + 1);
  std::string others = "shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.3";
  if (word == "axis" || word == "length")
    others = "shape: cylinder, center: [0.5, 0.5, 0.5], radius: 0.3";
  if (word == "min" || word == "max") others = "shape: box, min: [0, 0, 0], max: [9, 9, 9]";
  if (word == "surface") others = "shape: formula, surface: x";
  for (const char* const of_stl : {"path", "content", "scale", "orientation", "translation"}) {
    if (word == of_stl) others = "shape: stl, path: " DNS_TEST_DATA_FOLDER "/tetrahedron.stl";
  }
  for (const char* const of_free : {".free.", ".spring", ".collisions"})
    if (path.find(of_free) != std::string::npos)
      others = "shape: sphere, center: [0.5, 0.5, 0.5], radius: 0.3, free: {density: 2}";
  const std::string several = "shape: sphere, radius: 0.3, free: {density: 2}";
  if (path == "solids.floor.file") others = several;
  for (const char* const of_several : {"count", "positions", "seed"})
    if (word == of_several) others = several + ", count: 5, positions: [n, 0.5, 0.5]";
  const bool is_of_transfer = word == "transfer" || word == "outside";
  const std::string value = is_of_transfer ? "{transfer: 1, outside: 0}" : "1";
  if (path.find(".scalars") != std::string::npos) others += ", scalars: {floor: " + value + "}";
  return {{"solids.floor", "{" + others + ", temperature: " + value + "}", "--set"}};
}

/// An inflow with a file; only its name and checksum matter here.
std::vector<Override> companions_in_face(const std::string& path) {
  const std::string file = DNS_TEST_DATA_FOLDER "/tetrahedron.stl";
  const std::string from_file = path.ends_with("planes") || path.ends_with("beyond")
                                    ? "{planes: " + file + "}"
                                    : "{profile: " + file + "}";
  const bool is_of_velocity = path.find(".velocity.") != std::string::npos;
  const bool is_of_transfer = path.ends_with(".transfer") || path.ends_with(".outside");
  if (is_of_transfer || path.ends_with(".backflow")) {
    const std::string passes = "{transfer: 1, outside: 0}";
    const bool is_of_scalar = path.find(".scalars.") != std::string::npos;
    const std::string type = is_of_transfer ? "symmetry" : "outflow";
    const std::string scalars = is_of_scalar ? ", scalars: {floor: " + passes + "}" : "";
    return {{"boundaries.y_max",
             "{type: " + type + ", temperature: " + passes + scalars + "}",
             "--set"}};
  }
  const bool is_of_temperature = path.find(".temperature.") != std::string::npos;
  std::string face = "type: inflow";
  if (path.find(".scalars.") != std::string::npos) face += ", scalars: {floor: " + from_file + "}";
  face += ", velocity: " + (is_of_velocity ? from_file : "[0, 0, 0]");
  face += ", temperature: " + (is_of_temperature ? from_file : "1");
  if (path.find(".turbulence.") != std::string::npos)
    face += ", turbulence: {stresses: " + file + ", lengths: [1, 1, 1]}";
  return {{"boundaries.y_max", "{" + face + "}", "--set"}};
}

/// A scalar that the other faces and the body give.
std::vector<Override> companions_of_scalar() {
  std::vector<Override> overrides;
  std::string faces = "{x: periodic, z: periodic";
  for (const std::string face : {"y_min", "y_max"})
    faces += ", " + face + ": {type: wall, temperature: 1, " + one_scalar + "}";
  overrides.push_back({"boundaries", faces + "}", "--set"});
  overrides.push_back({"scalars.floor.prandtl", "5", "--set"});
  overrides.push_back({"buoyancy.rayleigh", "1", "--set"});
  overrides.push_back({"forcing", "{type: formula}", "--set"});
  overrides.push_back({"forcing.sponges.floor", "{rate: 1, velocity: [0, 0, 0]}", "--set"});
  return overrides;
}

/// A species that has the key.
std::vector<Override> companions_of_particles(const std::string& path) {
  if (path.ends_with(".file")) return {};
  if (path.ends_with(".content"))
    return {{"particles.floor.file", DNS_TEST_DATA_FOLDER "/tetrahedron.stl", "--set"}};
  const std::string coupling = path.ends_with(".represents") ? ", coupling: two_way" : "";
  return {{"particles.floor",
           "{count: 5, positions: [0.5, 0.5, 0.5], diameter: 1e-3, density: 2" + coupling + "}",
           "--set"}};
}

/// The keys that `path` needs beside it.
std::vector<Override> companions_of(const std::string& path) {
  if (path.find("scalars") != std::string::npos) {
    std::vector<Override> overrides = companions_of_scalar();
    const bool is_of_body = path.starts_with("solids.");
    const bool is_of_file = path.find(".scalars.floor.") != std::string::npos &&
                            !path.ends_with("gradient") && !is_of_body;
    if (is_of_body || is_of_file) {
      for (const Override& more : is_of_body ? companions_in_body(path) : companions_in_face(path))
        overrides.push_back(more);
    }
    return overrides;
  }
  for (const char* const of_inflow : {"profile",
                                      "planes",
                                      "beyond",
                                      "content",
                                      "turbulence",
                                      "transfer",
                                      "outside",
                                      "backflow"}) {
    const bool is_of_face = path.starts_with("boundaries.y_max.");
    if (is_of_face && path.find(of_inflow) != std::string::npos) return companions_in_face(path);
  }
  if (const std::size_t word = path.find("fine_at"); word != std::string::npos)
    return {{path.substr(0, word) + "factor", "1.5", "--set"}};
  if (path == "grid.stretching.z.uniform") return {{"grid.stretching.z.ratio", "1.1", "--set"}};
  if (path == "grid.stretching.z.ratio")
    return {{"grid.stretching.z.uniform", "[0, 1, 0.25]", "--set"}};
  if (path == "parameters.floor") return {{"fluid.reynolds", "100 + 0*floor", "--set"}};
  if (path == "initial.path") return {{"initial.type", "file", "--set"}};
  if (path == "time.body_projections")
    return {{"solids.floor",
             "{shape: sphere, center: [1, 1, 1], radius: 1, temperature: 1, motion: {}}",
             "--set"}};
  if (path == "time.explicit_diffusion") return {{"time.scheme", "runge_kutta", "--set"}};
  if (path == "time.global_tolerance") return {{"time.max_global_iterations", "9", "--set"}};
  if (path == "time.max_global_iterations") return {{"time.global_tolerance", "1", "--set"}};
  if (path == "forcing.value") return {{"forcing.type", "pressure_gradient", "--set"}};
  const Override formula{"forcing.type", "formula", "--set"};
  if (path.starts_with("forcing.sponges.floor"))
    return {formula, {"forcing.sponges.floor", "{rate: 1, velocity: [0, 0, 0]}", "--set"}};
  if (path.starts_with("forcing.") && path != "forcing.type") return {formula};
  if (path.starts_with("solids.")) return companions_in_body(path);
  if (path == "output.statistics.phase.bins")
    return {{"output.statistics.phase.period", "5", "--set"}};
  if (path.starts_with("output.planes."))
    return {{"output.planes", "{every: 5, floor: {axis: y, at: 0.5}}", "--set"}};
  if (path == "output.probes.every" || path == "output.probes.start")
    return {{"output.probes", "{floor: {at: [0.5, 0.5, 0.5]}}", "--set"}};
  for (const char* const of_line : {"from", "to", "count"}) {
    if (path == fmt::format("output.probes.floor.{}", of_line))
      return {{"output.probes", "{floor: {from: [0, 0, 0], to: [1, 1, 1], count: 3}}", "--set"}};
  }
  if (path.starts_with("particles.floor.")) return companions_of_particles(path);
  if (path.starts_with("output.trajectories") || path.starts_with("output.particle_statistics"))
    return {{"particles.floor", particle, "--set"}};
  if (path.starts_with("magnetic.") && path != "magnetic.hartmann")
    return {{"magnetic.hartmann", "1", "--set"}};
  if (path == "buoyancy.richardson") return {};
  if (path.starts_with("buoyancy.")) return {{"buoyancy.rayleigh", "1", "--set"}};
  for (const char* const of_channel : {"direction", "bulk_velocity", "amplitude"}) {
    if (path == std::string("initial.") + of_channel)
      return {{"initial.type", "turbulent_channel", "--set"}};
  }
  return {};
}

/// A valid case of a scheme that has the key.
const std::string& case_with(const Key& key) {
  return key.only == Scheme::projection ? valid_projection : valid_case;
}

TEST(key_table, holds_no_key_that_is_not_read) {
  for (const Key& key : key_table()) {
    const std::string path = written_out(key.path);
    std::vector<Override> overrides = companions_of(path);
    overrides.push_back({path, wrong_value(key), "--set"});
    const std::string complaint = path + " is " + wrong_value(key) + ", but must be ";
    const std::string messages = messages_of(case_with(key), overrides);
    EXPECT_NE(messages.find(complaint), std::string::npos) << path << "\n" << messages;
  }
}

TEST(key_table, holds_no_key_that_is_not_accepted) {
  for (const Key& key : key_table()) {
    if (key.kind == KeyKind::section && key.is_required) continue;  // in every case of these tests
    const std::string path = written_out(key.path);
    std::vector<Override> overrides = companions_of(path);
    overrides.push_back({path, right_value(key), "--set"});
    EXPECT_EQ(messages_of(case_with(key), overrides), "") << path;
  }
}

TEST(key_description, lists_every_key_with_kind_default_meaning_and_unit) {
  const std::string text = describe_keys("");
  for (const Key& key : key_table()) {
    const std::string line = "\n" + std::string(key.path) + ": " + kind_text(key);
    EXPECT_NE(("\n" + text).find(line), std::string::npos) << key.path;
    EXPECT_NE(text.find("    " + meaning_text(key) + "\n"), std::string::npos) << key.path;
  }
  EXPECT_NE(text.find("FACE: x_min, x_max, y_min, y_max, z_min, z_max"), std::string::npos);
}

/// How many bars end a cell of a table: all but those behind a backslash.
int ends_of_cells(const std::string& row) {
  int count = 0;
  for (std::size_t n = 0; n < row.size(); ++n) {
    if (row[n] == '|' && (n == 0 || row[n - 1] != '\\')) ++count;
  }
  return count;
}

TEST(keys_as_markdown, has_one_row_for_each_key_and_a_heading_for_each_section) {
  const std::string page = keys_as_markdown();
  for (const Key& key : key_table()) {
    const bool is_heading = section_of(key.path).empty() && key.kind == KeyKind::section;
    const std::string path(key.path);
    const std::string begin = is_heading ? "\n## " + path + "\n" : "\n| `" + path + "` | ";
    EXPECT_NE(page.find(begin), std::string::npos) << path;
  }
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) continue;
    EXPECT_EQ(ends_of_cells(line), 5) << line;
  }
}

TEST(keys_as_markdown, is_the_page_in_docs) {
  std::ifstream file(DNS_CASE_REFERENCE);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(page == keys_as_markdown())
      << DNS_CASE_REFERENCE << " is not what the program says of its keys; please type\n"
      << "  dns keys --markdown > docs/case_file.md";
}

TEST(key_names, are_all_keys_with_every_axis_and_face) {
  std::istringstream lines(key_names(""));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) names.push_back(line);
  for (const std::string& name : names) EXPECT_NE(find_key(name), nullptr) << name;
  for (const Key& key : key_table()) {
    // A name of the user's choice is not known.
    const bool stays = placeholder_of(key.path) == "NAME";
    std::string name = stays ? std::string(key.path) : written_out(key.path);
    constexpr std::string_view of_scalar = ".scalars.floor";
    if (const auto found = name.find(of_scalar); found != std::string::npos)
      name.replace(found, of_scalar.size(), ".scalars.NAME");
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  }
  EXPECT_EQ(key_names("initial.noise"),
            "initial.noise\ninitial.noise.amplitude\ninitial.noise.seed\n");
}

TEST(key_description, of_one_key_is_that_key) {
  EXPECT_EQ(describe_keys("grid.length"),
            "grid.length: a list of 3 numbers > 0; default [1, 1, 1]; along an axis with "
            "coordinates: their span\n    size of the domain along x, y, z [L]\n");
}

TEST(key_description, of_a_section_lists_what_it_holds) {
  const std::string text = describe_keys("initial.noise");
  EXPECT_EQ(text,
            "initial.noise: a section\n"
            "    random disturbance of the start\n"
            "initial.noise.amplitude: a number >= 0; default 0\n"
            "    largest disturbance of each velocity component [U]\n"
            "initial.noise.seed: a whole number >= 0; default 1\n"
            "    seed of the random numbers\n");
}

TEST(key_description, names_the_face_that_was_asked_for) {
  EXPECT_EQ(describe_keys("boundaries.y_min.type"),
            "boundaries.y_min.type: wall, inflow, outflow or symmetry; required\n    kind of "
            "boundary condition\n");
}

TEST(key_description, names_the_axis_and_the_scheme) {
  EXPECT_EQ(describe_keys("grid.stretching.y.factor"),
            "grid.stretching.y.factor: a number > 0 and <= 10; scheme projection only; type tanh: "
            "required; else not allowed\n"
            "    b in face_j = L (1 + tanh(b (2j/n - 1))/tanh(b))/2; the larger, the finer at the "
            "ends\n");
}

TEST(key_description, names_the_plane_that_was_asked_for) {
  EXPECT_EQ(describe_keys("output.slices.planes.floor.at"),
            "output.slices.planes.floor.at: a number; default: the middle\n"
            "    where the plane cuts that axis [L]\n");
  EXPECT_NE(describe_keys("output.slices").find("\nNAME: a word of your choice\n"),
            std::string::npos);
}

TEST(key_description, names_the_body_that_was_asked_for) {
  const std::string text = describe_keys("solids.rod.temperature");
  EXPECT_TRUE(text.starts_with(
      "solids.rod.temperature: a number, {gradient: ...}, {heat_flux: ...}, {transfer: ...} or "
      "{conducting: ...}; required where the flow has a temperature; else not allowed\n"
      "    temperature of the surface [T0]\n"
      "solids.rod.temperature.gradient: 0; instead of a temperature: no heat passes\n"
      "    derivative of the temperature along the outward normal [T0/L]\n"
      "solids.rod.temperature.heat_flux: a number; scheme projection only; instead of a value: a "
      "given flux\n"))
      << text;
  EXPECT_NE(text.find("\nsolids.rod.temperature.conducting.heat_capacity: a number > 0; "),
            std::string::npos)
      << text;
  EXPECT_NE(key_names("solids").find("\nsolids.NAME.shape\n"), std::string::npos);
  EXPECT_NE(key_names("solids.rod").find("solids.rod.temperature.gradient\n"), std::string::npos);
}

TEST(key_description, of_an_unknown_key_is_refused) {
  EXPECT_EQ(message_of<CaseError>([] { return describe_keys("grid.lenght"); }),
            "grid.lenght: unknown key; did you mean grid.length?");
}

}  // namespace
}  // namespace dns::test_describe_keys
