/// The port of `--live [PORT]`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dns {

/// Joins a number that follows --live to it, "--live 8080" to "--live=8080", and makes --live alone
/// "--live=0": a case file or a folder that follows stays what it is.
void join_port(std::vector<std::string>& arguments);

/// The port of "--live=TYPED"; none for an empty text. Throws CaseError when it is no port.
std::optional<int> port_of(const std::string& typed);

}  // namespace dns
