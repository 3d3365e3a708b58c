#include "solver/equations/staggered_copies.hpp"

#include <fmt/format.h>

#include "solver/core/error.hpp"

namespace dns {

double number_in(const FlowState& state, std::string_view name) {
  const auto found = std::ranges::find(state.numbers, name, &NamedNumber::name);
  if (found == state.numbers.end()) {
    throw CaseError(fmt::format("the flow to start from has no number {}", name));
  }
  return found->value;
}

}  // namespace dns
