#include "solver/config/case_problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "solver/core/error.hpp"

namespace dns {

void CaseProblems::add(Position position, const std::string& message) {
  problems_.emplace_back(position, placed(position, message));
  constexpr std::size_t most_problems = 1000;  // nobody reads more; finding all may take long
  if (problems_.size() >= most_problems) throw_if_any();
}

void CaseProblems::throw_if_any() const {
  if (problems_.empty()) return;
  std::vector<std::pair<Position, std::string>> sorted = problems_;
  std::ranges::stable_sort(sorted, {}, [](const auto& problem) {
    const Position& position = problem.first;
    return std::tuple(position.source, position.line, position.column);
  });
  std::vector<std::string> messages;
  messages.reserve(sorted.size());
  for (auto& problem : sorted) messages.push_back(std::move(problem.second));
  throw CaseError(std::move(messages));
}

std::string CaseProblems::placed(Position position, const std::string& message) const {
  if (position.source == 0)
    return fmt::format("{}:{}:{}: {}", file_, position.line, position.column, message);
  const Override& given = overrides_.at(position.source - 1);
  // The other options of the command line each stand for one key: "--precision float".
  if (given.from != "--set") return fmt::format("{} {}: {}", given.from, given.value, message);
  return fmt::format("--set {}={}: {}", given.path, given.value, message);
}

}  // namespace dns
