#include "solver/core/nearest_key.hpp"

#include <algorithm>

#include "solver/core/number_text.hpp"

namespace dns {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table of distances between the first i letters of a and the first j of b.
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest_key(const std::string& word, const std::vector<std::string>& known) {
  const std::size_t longest_word = 100;  // nothing longer is a slip of the pen
  if (word.size() > longest_word) return {};
  const std::string wanted = lower_case(word);
  std::size_t allowed = std::max<std::size_t>(1, wanted.size() / 3);
  std::string nearest;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(wanted, lower_case(candidate));
    const bool shares_something = distance < std::max(wanted.size(), candidate.size());
    const bool is_closer = nearest.empty() ? distance <= allowed : distance < allowed;
    if (!shares_something || !is_closer) continue;
    allowed = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string or_nearest(const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = nearest_key(word, known);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace dns
