/// What a run writes, by name: columns of time series, arrays and numbers of files.
#pragma once

#include <string>

namespace dns {

/// `dns keys WORD`: describe_keys(word), and each quantity of this name, such as "nusselt_y_min" or
/// "budget_uv_production", with the file where it is, its unit and its meaning. Throws CaseError
/// where there is neither.
[[nodiscard]] std::string explain(const std::string& word);

}  // namespace dns
