#include "solver/config/case_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "solver/config/key_table.hpp"
#include "solver/config/value_parsers.hpp"
#include "solver/core/nearest_key.hpp"
#include "solver/core/number_text.hpp"

namespace dns {
namespace {

/// The key for a word of other codes (docs/coming_from.md) and of everyday use, where capitals do
/// not count; empty where there is none, or its scheme is another one.
std::string key_for_word(std::string_view word, std::optional<Scheme> scheme) {
  const std::string wanted = " " + lower_case(word) + " ";
  for (const Key& key : key_table()) {
    const std::string names = " " + std::string(key.other_names) + " ";
    if (!word.empty() && names.find(wanted) != std::string::npos && key.is_of(scheme))
      return key.path;
  }
  return {};
}

/// A key of that very name in another section: "reynolds" -> "fluid.reynolds".
std::string key_elsewhere(std::string_view word, std::optional<Scheme> scheme) {
  for (const Key& key : key_table()) {
    const bool has_placeholder = !placeholder_of(key.path).empty();
    if (last_word_of(key.path) == word && !has_placeholder && key.is_of(scheme)) return key.path;
  }
  return {};
}

/// Answer to words for things that are not here, or that need more than another name.
struct Answer {
  std::string_view words;
  std::string_view answer;
};
constexpr std::array answers{
    Answer{" les rans sgs wale smagorinsky turbulence_model ", "there are no turbulence models"},
    Answer{" vof levelset two_phase surface_tension ", "there is one fluid"},
    Answer{" mach compressible ", "the flow is incompressible"},
    Answer{" nu viscosity visci xnu ", "It is U L/nu, \"1/nu\" in units of L and U"},
    Answer{" alphai kappa diffusivity ", "It is nu over the diffusivity"}};

/// Empty where there is nothing to say.
std::string_view answer_to(std::string_view word) {
  const std::string wanted = " " + lower_case(word) + " ";
  const auto has_word = [&](const Answer& answer) {
    return answer.words.find(wanted) != std::string_view::npos;
  };
  const auto* const found = std::ranges::find_if(answers, has_word);
  return word.empty() || found == answers.end() ? std::string_view{} : found->answer;
}

/// Checks the keys of `section`, which stands at `path`, and those below it.
void check_section(const CaseNode& section,
                   const std::string& path,
                   std::optional<Scheme> scheme,
                   CaseProblems& problems,
                   std::vector<std::string>& suggested) {
  for (const CaseEntry& entry : section.entries) {
    const std::string at = joined_path(path, entry.key);
    const auto refuse = [&](const std::string& message) { problems.add(entry.position, message); };
    const Key* const key = find_key(at);
    const CaseEntry* const first = section.find(entry.key);
    if (entry.key == "<<") {
      refuse(at +
             ": merge keys are not supported; write the keys out, or refer to a whole "
             "section by an alias (*name)");
    } else if (first != &entry) {
      refuse(fmt::format("{}: given twice; the first is in line {}", at, first->position.line));
    } else if (key == nullptr) {
      refuse(unknown_key_message(at, scheme));
      const std::string nearest = suggested_key(at, scheme);
      if (!nearest.empty()) suggested.push_back(nearest);
    } else if (!key->is_of(scheme)) {
      refuse(fmt::format("{}: belongs to scheme {}, but scheme is {}; leave it out",
                         at,
                         name_of(*key->only),
                         name_of(*scheme)));
    } else if (entry.value.is_map() &&
               (key->kind == KeyKind::section || key->kind == KeyKind::formula_or_section)) {
      check_section(entry.value, at, scheme, problems, suggested);
    } else if (key->kind == KeyKind::section && !entry.value.is_empty()) {
      const std::vector<std::string> keys = keys_in_section(at, scheme);
      const ValueMistake mistake(fmt::format("a section with the keys {}", fmt::join(keys, ", ")));
      refuse(mistake_message(at, entry.value, *key, mistake));
    }
  }
}

}  // namespace

std::optional<Scheme> scheme_of(const CaseNode& root) {
  const CaseEntry* const entry = find_entry(root, "scheme");
  if (entry == nullptr || !entry->value.is_scalar()) return std::nullopt;
  return value_named<Scheme>(entry->value.text, scheme_names);
}

void rename_keys(CaseNode& map, const std::string& path, CaseProblems& problems) {
  for (auto entry = map.entries.begin(); entry != map.entries.end();) {
    const std::string word = present_word(path, entry->key);
    const std::string now = joined_path(path, word);
    rename_keys(entry->value, now, problems);
    if (word != entry->key) {
      const std::string before = joined_path(path, entry->key);
      if (const CaseEntry* const same = map.find(word)) {
        problems.add(entry->position,
                     fmt::format("{}: former name of {}, which is given in line {}; leave it out",
                                 before,
                                 now,
                                 same->position.line));
        entry = map.entries.erase(entry);
        continue;
      }
      problems.warn(entry->position, fmt::format("{}: is now named {}", before, now));
      entry->key = word;
    }
    ++entry;
  }
}

std::vector<std::string> check_keys(const CaseNode& root, CaseProblems& problems) {
  std::vector<std::string> suggested;
  check_section(root, "", scheme_of(root), problems, suggested);
  return suggested;
}

std::string suggested_key(const std::string& path, std::optional<Scheme> scheme) {
  if (const std::string known = key_for_word(last_word_of(path), scheme); !known.empty()) {
    const std::string beside = joined_path(section_of(path), last_word_of(known));
    return find_key(beside) != nullptr ? beside : known;
  }
  std::string corrected;
  std::string_view rest = path;
  while (true) {
    const std::size_t dot = rest.find('.');
    const std::string word(rest.substr(0, dot));
    std::string known = joined_path(corrected, word);
    if (find_key(known) == nullptr) {
      const std::string nearest = nearest_key(word, keys_in_section(corrected, scheme));
      if (nearest.empty()) return key_elsewhere(last_word_of(path), scheme);
      known = joined_path(corrected, nearest);
    }
    corrected = known;
    if (dot == std::string_view::npos) return corrected;
    rest.remove_prefix(dot + 1);
  }
}

std::string unknown_key_message(const std::string& path, std::optional<Scheme> scheme) {
  const std::string_view word = last_word_of(path);
  const std::string_view answer = answer_to(word);
  const bool is_here = answer.empty() || !key_for_word(word, scheme).empty();
  const std::string nearest = is_here ? suggested_key(path, scheme) : "";
  if (!nearest.empty()) {
    return fmt::format(
        "{}: unknown key; did you mean {}?{}{}", path, nearest, answer.empty() ? "" : " ", answer);
  }
  if (!answer.empty()) return fmt::format("{}: unknown key; {}", path, answer);

  std::string_view section = section_of(path);
  while (!section.empty() && find_key(section) == nullptr) section = section_of(section);
  const std::vector<std::string> known = keys_in_section(section, scheme);
  if (known.empty()) return fmt::format("{}: unknown key; {} holds no keys", path, section);
  return fmt::format("{}: unknown key; known keys{}{}: {}",
                     path,
                     section.empty() ? "" : " of ",
                     section,
                     fmt::join(known, ", "));
}

}  // namespace dns
