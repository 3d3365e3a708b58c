#include <fmt/format.h>

#include <regex>
#include <string>
#include <string_view>

#include "config_texts.hpp"
#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"

namespace dns {
namespace {

/// Text for a cell of a table, which a '|' would end.
std::string as_cell(const std::string& text) {
  return std::regex_replace(text, std::regex("[|]"), "\\|");
}

std::string row_of(const Key& key) {
  return fmt::format("| `{}` | {} | {} | {} |\n",
                     key.path,
                     as_cell(kind_text(key)),
                     as_cell(requirement_text(key)),
                     as_cell(meaning_text(key)));
}

/// A heading, what stands below it, and the head of a table.
std::string head_of(std::string_view title, const std::string& about) {
  return fmt::format(
      "\n## {}\n\n{}.\n\n| key | value | default, condition | meaning |\n|---|---|---|---|\n",
      title,
      about);
}

}  // namespace

std::string keys_as_markdown() {
  std::string text(case_file_introduction);
  text += head_of("general", "what is computed, and where");
  for (const Key& key : key_table()) {
    const std::string requirement = requirement_text(key);
    const std::string about = meaning_text(key) + (requirement.empty() ? "" : "; ") + requirement;
    const bool begins_section = section_of(key.path).empty() && key.kind == KeyKind::section;
    text += begins_section ? head_of(key.path, about) : row_of(key);
  }
  return text;
}

}  // namespace dns
