#include "solver/simulation/given_sources.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "solver/core/error.hpp"
#include "solver/flow/variables.hpp"

namespace dns {
namespace {

constexpr std::string_view source_prefix = "source_of_";

bool is_source(const HostField& field) {
  return field.name().starts_with(source_prefix);
}

}  // namespace

void GivenSources::set(const Case& resolved,
                       int variable,
                       Extents points,
                       const std::vector<double>& values) {
  HostField field(std::string(source_prefix) + solved_variables(resolved).at(variable).name,
                  points,
                  Precision::double_precision);
  std::ranges::copy(values, field.values<double>().begin());
  const auto known = std::ranges::find(fields_, field.name(), &HostField::name);
  if (known == fields_.end()) {
    fields_.push_back(std::move(field));
  } else {
    *known = std::move(field);  // copies that share the memory of the former one keep it
  }
}

void GivenSources::add_to(FlowState& copy) const {
  std::erase_if(copy.fields, is_source);
  std::ranges::copy(fields_, std::back_inserter(copy.fields));
}

void GivenSources::pass_on(const FlowState& from, FlowState& to) {
  std::ranges::copy_if(from.fields, std::back_inserter(to.fields), is_source);
}

std::vector<std::pair<int, std::vector<double>>> GivenSources::in(const FlowState& copy,
                                                                  const Case& resolved) {
  std::vector<std::pair<int, std::vector<double>>> found;
  const std::vector<Variable> variables = solved_variables(resolved);
  for (const HostField& field : copy.fields) {
    if (!is_source(field)) continue;
    const std::string name = field.name().substr(source_prefix.size());
    const auto of = std::ranges::find(variables, name, &Variable::name);
    const auto number = static_cast<int>(of - variables.begin());
    if (of == variables.end() || number >= transported_variables(resolved))
      throw CaseError("the flow has a source of " + name + ", which the case has not");
    if (!resolved.source_formula(number).is_zero()) continue;
    const auto values = field.values<double>();
    found.emplace_back(number, std::vector<double>(values.begin(), values.end()));
  }
  return found;
}

}  // namespace dns
