/// Errors that one rank meets become errors of all.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "solver/core/communicator.hpp"
#include "solver/core/error.hpp"

namespace dns {

/// Of this machine: "node17".
std::string host_name();

/// "rank 3 on node17"; empty where there is but one rank.
std::string rank_in_words(const Communicator& communicator);

/// The texts of all ranks, in their order.
std::vector<std::string> gathered_texts(Communicator& communicator, const std::string& own);

/// Calls function() on all ranks. Where it throws on some of them, all get the error of the lowest
/// of these, whose message names the rank unless all ranks say the same; else null. Requires that
/// function sends no messages.
std::exception_ptr common_error(Communicator& communicator, const std::function<void()>& function);

/// Calls function() on one rank; its error is thrown again with the name of the rank.
void with_name_of_rank(const Communicator& communicator, const std::function<void()>& function);

/// What all ranks throw where each met divergence: the error of the rank with the worst value.
DivergenceError worst_of_ranks(Communicator& communicator, const DivergenceError& own);

}  // namespace dns
