/// The table of all keys of a case file: reading, checking, describing and the schema of case files
/// use this table and nothing else.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/config/key_path.hpp"

namespace dns {

enum class KeyKind {
  section,             // a map of further keys
  text,                // any text but the empty one
  choice,              // one of `choices`
  flag,                // true or false
  choice_list,         // some of `choices`, each once
  whole,               // a whole number
  order,               // 2, 4, 6 or 8, or a list of three of them
  direction,           // x, y, z, or a list of three numbers
  number,              // a finite number
  interval,            // a whole number of steps, or a time with its unit
  coordinates,         // a list of numbers, or a text file of them
  parts,               // a list of first, last and width, or a list of such lists
  formula,             // a number or an Expression of `variables`
  formula_or_section,  // the same, or a section with one of its keys that are alternatives
  duration             // seconds, "HH:MM:SS" or "11h30m"
};

[[nodiscard]] constexpr bool takes_formulas(KeyKind kind) {
  return kind == KeyKind::formula || kind == KeyKind::formula_or_section;
}

/// The numbers that a key may have.
struct Range {
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_is_excluded = false;
};
[[nodiscard]] constexpr Range at_least(double minimum) {
  return {.minimum = minimum};
}
[[nodiscard]] constexpr Range between(double minimum, double maximum) {
  return {.minimum = minimum, .maximum = maximum};
}
[[nodiscard]] constexpr Range above(double minimum,
                                    double maximum = std::numeric_limits<double>::infinity()) {
  return {.minimum = minimum, .maximum = maximum, .minimum_is_excluded = true};
}

class ValueReader;

/// One key. Its path may hold the placeholders AXIS (x, y, z), FACE (x_min ... z_max) and NAME (a
/// word of the user's choice); the `n` of functions counts what it stands for. Keys are made by
/// KeysOf (solver/config/bound_keys.hpp).
struct Key {
  std::string path = {};
  std::string_view former = {};       // its last word before it was renamed, read with a warning
  std::string_view other_names = {};  // small words of other codes and of everyday use for it
  KeyKind kind = KeyKind::section;
  bool is_vector = false;           // a list of three, for x, y, z
  bool may_be_two = false;          // of the three, see write_out_shorthands
  bool may_be_auto = false;         // in scheme projection: each of the three, or all
  std::string_view word = {};       // what may stand for the value; of whole numbers for 0
  std::optional<Scheme> only = {};  // the one scheme that has the key; none: all schemes
  bool is_required = false;
  bool has_default = true;          // that of the member of Case it is bound to; not if required
  std::string default_text = {};    // the same in YAML; empty: none
  std::string_view condition = {};  // when the key is needed or allowed, if not always
  Range range = {};
  bool may_be_empty = false;  // a list
  std::vector<std::string_view> choices = {};
  /// Words of other codes for choices, "gpu=cuda nvidia=cuda": they are refused with the choice.
  std::string_view other_choices = {};
  bool takes_scalars = false;       // besides `choices` the names of the case's scalars
  std::string_view variables = {};  // of a formula: "x, y, z"; empty: a number
  bool is_alternative = false;      // in a section that stands for a formula: one of those it needs
  bool needs_temperature = false;   // of the flow
  /// Whether another value makes another flow; none: as of its section, and not of the file.
  std::optional<bool> changes_flow = {};
  /// Beside a key `type` or `shape`: its choices that have this key (empty: all) and that need it.
  std::vector<std::string_view> kinds = {}, needed_by = {};
  std::string_view unit = {};  // in scales: L length, U velocity, T0 temperature
  std::string_view meaning = {};
  std::string_view meaning_in_projection = {};  // of scheme projection alone, if another one
  /// Whether a resolved case is written with the key; null: wherever it has the value.
  bool (*is_written)(const Case& resolved, std::size_t n) = nullptr;
  /// The value of a case in YAML, empty where the case has none. Null for sections, and where the
  /// key above writes it.
  std::function<std::string(const Case& resolved, std::size_t n)> written = {};
  /// Reads the value at `path` of a file into the case. Null where the reader of the section does.
  std::function<void(ValueReader&, const std::string& path, Case& read, std::size_t n)> read = {};
  /// The words that a case has for a NAME, in order.
  std::function<std::vector<std::string>(const Case& resolved)> names = {};
  std::string_view named = {};    // of a NAME: what it names, "plane"
  std::string_view marks = "_-";  // of a NAME: what it may have besides letters and digits
  bool names_records = false;     // of a NAME: files whose pieces end in "_" and the step

  /// Whether a scheme has the key; every one may where it is not known.
  [[nodiscard]] bool is_of(std::optional<Scheme> scheme) const {
    return !only || only == scheme.value_or(*only);
  }
};

/// Every key, sections before their keys, in the order in which a case file is best written. A key
/// belongs to the one scheme that has its section.
const std::vector<Key>& key_table();

/// Its parts that stand with the rules of their section, and the last two: time and what is written
/// of the flow, the rest. (One list of these would not fit into a small stack.)
std::vector<Key> keys_of_boundaries();
std::vector<Key> keys_of_forcing();
std::vector<Key> keys_of_scalars();
std::vector<Key> keys_of_solids();
std::vector<Key> keys_of_particles();
std::vector<Key> keys_of_time_and_fields();
std::vector<Key> keys_of_parts_of_the_flow();  // slices, planes, probes
std::vector<Key> keys_of_particle_output();
std::vector<Key> keys_of_the_run();

/// Types that `y: wall` and the like give to both faces of an axis: they need no further keys.
inline constexpr std::array<std::string_view, 2> kinds_of_both_faces{"wall", "symmetry"};

/// The placeholder in the path of a key of the table; empty when there is none.
std::string_view placeholder_of(std::string_view path);

/// The words that AXIS or FACE stands for, in order; none for NAME, a word of the user's choice.
std::vector<std::string> words_for(std::string_view placeholder);

/// The key that `path`, such as "boundaries.y_min.type", names; null when there is none.
const Key* find_key(std::string_view path);

/// The word for `word` in section `path`, such as "solids.rod": the present one of a renamed key,
/// else itself.
std::string present_word(std::string_view path, std::string_view word);

/// The keys directly in section `path`, such as "boundaries.y_min" ("" is the file).
std::vector<const Key*> keys_of_section(std::string_view path);

/// The last words of the keys directly in section `path` ("" is the file), placeholders written
/// out; without those of the other scheme where `scheme` is known.
std::vector<std::string> keys_in_section(std::string_view path, std::optional<Scheme> scheme);

/// Keys of which one is needed in the section of a key that may be a section; where Key::only is
/// set, those of that scheme.
std::vector<std::string_view> alternatives_to(const Key& key);

/// "a whole number from 4 to 65536", "a list of 3 formulas of x, y, z", "float or double".
std::string kind_text(const Key& key);

/// "> 0", "from 4 to 65536"; empty when every number is allowed.
std::string range_text(const Key& key);

/// "required; scheme projection only; default 0"; empty where nothing needs to be said.
std::string requirement_text(const Key& key);

/// "time step [L/U]"
std::string meaning_text(const Key& key);

/// "a, b or c" of words and a `last` word "or".
std::string joined_with(std::string_view last, const std::vector<std::string_view>& words);

}  // namespace dns
