/// The port of `--live [PORT]`, and how to reach it.
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

/// How to reach a port of this machine, `host`, from the one that somebody sits at; empty where
/// `ssh_connection`, the variable SSH_CONNECTION or null, says that this is the one.
std::string tunnel_in_words(int port, const char* ssh_connection, const std::string& host);

/// The name of this machine; "HOST" where the system does not tell.
std::string name_of_this_machine();

}  // namespace dns
