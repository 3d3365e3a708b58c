#include <fmt/format.h>

#include <regex>
#include <string>
#include <string_view>

#include "solver/config/key_table.hpp"
#include "solver/config/load_case.hpp"

namespace dns {
namespace {

constexpr std::string_view introduction =
    R"page(<!-- Made by the program: dns keys --markdown > docs/case_file.md -->
# Case files

A case file says in YAML what to compute. Every key is checked before anything is allocated, and all
mistakes are reported at once, with line, rule and the nearest known key. A short one:

```yaml
scheme: projection
grid: {points: [32, 32, 32], length: [6.283185307179586, 6.283185307179586, 6.283185307179586]}
fluid: {reynolds: 100}
boundaries: {x: periodic, y: periodic, z: periodic}
initial: {velocity: ["sin(x)*cos(y)", "-cos(x)*sin(y)", 0]}
time: {cfl: 0.5, end: 1}
```

- All numbers are non-dimensional: lengths in L, velocities in U, times in L/U, temperatures in T0. The scales L,
  U and T0 are yours to choose; `fluid.reynolds` is U L over the kinematic viscosity.
- A formula is a number, or text with the variables that the table names, `pi` and `e`: `"1 - y^2"`, `"sin(pi*x)*exp(-t)"`,
  `"x < 0.5 ? 1 : 0"`. Operators, from the loosest: `a ? b : c`; `||`; `&&`; `<`, `<=`, `>`, `>=`, `==`, `!=`; `+`, `-`; `*`, `/`, signs; `^`.
  Comparisons do not chain: `0.25 < x && x < 0.75`. Functions: `sin`, `cos`, `tan`, `asin`, `acos`, `atan`, `atan2`, `sinh`, `cosh`, `tanh`, `asinh`, `acosh`, `atanh`, `exp`, `ln` or `log`,
  `log2`, `log10`, `sqrt`, `abs`, `sign`, `rint` (halves to even); `min`, `max`, `sum` and `avg` of any number of values.
  A formula with an undefined part (`0/0`) is undefined, too; but `a ? b : c` needs only the chosen one, `a && b` is 0 where one of them is 0,
  `a || b` is 1 where one of them is true.
- Wherever a number stands, a formula of constants may stand: `2*pi`, `1/64`. `parameters: {Ra: 1e6, Pr: 0.71}` gives names to
  numbers; formulas may use them: `fluid: {reynolds: "sqrt(Ra/Pr)", prandtl: Pr}`. `--set parameters.Ra=1e7` changes all
  that depends on one. The complete case holds the numbers, and their formulas as comments.
- Intervals of output: a bare whole number counts steps, `0.5 L/U` is a time. With `output.exact_times: true` steps end at these times.
- Any key can be given on the command line instead: `--set fluid.reynolds=200`,
  `--set grid.points=[64,64,64]`. Flags beat environment variables, which beat the case file, which beats
  defaults.
- `dns new NAME` writes a commented case to start from. `dns check CASE.yaml` shows a case with its memory,
  limits and time, `dns keys PATH` explains one key, and `dns schema` prints a JSON schema for editors.
  The folder of a run holds the case with every default spelt out: `case.yaml`.

In keys AXIS stands for x, y or z, FACE for x_min, x_max, y_min, y_max, z_min or z_max, and NAME for a word
of your choice.
)page";

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
  std::string text(introduction);
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
