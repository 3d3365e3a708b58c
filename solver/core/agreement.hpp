/// Errors that one rank meets become errors of all.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "solver/core/communicator.hpp"
#include "solver/core/error.hpp"

namespace dns {

/// An error by the class that sets its exit code.
struct Failure {
  enum class Kind : int { none, wrong_case, input_output, divergence, device, bug };
  Kind kind = Kind::none;
  std::string message;
};
/// How function() failed; errors of the system, such as too little memory, in words for a user.
Failure failure_of(const std::function<void()>& function);

/// Name of this machine: "node17".
std::string host_name();

/// "rank 3 on node17"; empty where there is but one rank.
std::string rank_in_words(const Communicator& communicator);

/// The texts of all ranks, in their order.
std::vector<std::string> gathered_texts(Communicator& communicator, const std::string& own);

/// What an error has that all ranks meet at the same place: none of them is left waiting for
/// messages, and one reports it for all. After any other error only Communicator::abort may follow.
class MetByAll {
 public:
  MetByAll() = default;
  MetByAll(const MetByAll&) = default;
  MetByAll& operator=(const MetByAll&) = default;
  virtual ~MetByAll() = default;
};

/// CaseError, IoError, ..., met by all ranks.
template <class Error>
class ErrorOfAll final : public Error, public MetByAll {
 public:
  explicit ErrorOfAll(const Error& error) : Error(error) {}
};

bool is_met_by_all(const std::exception& error);

/// Calls function() on all ranks, which send messages in it. Divergence, a case that cannot be
/// satisfied any more and a file that cannot be read are met by all of them: for divergence all
/// throw the error of the rank with the worst value.
template <class Function>
auto on_all_ranks(Communicator& communicator, const Function& function);

/// Calls function() on rank 0 alone, which may take its time with files; returns on all ranks the
/// text that it returned. An error is one of all ranks, but rank 0 alone has its words.
std::string text_of_first(Communicator& communicator, const std::function<std::string()>& function);

/// Throws on all ranks after an error that rank 0 alone met: `error` there, null elsewhere.
[[noreturn]] void throw_error_of_first(const std::exception_ptr& error);

/// Calls function() on all ranks. Where it throws on some of them, all get the error of the lowest
/// of these, whose message names the rank unless all ranks say the same; else null. Requires that
/// function sends no messages.
std::exception_ptr common_error(Communicator& communicator, const std::function<void()>& function);

/// Calls function() on all ranks, as common_error does, but throws the error on all of them.
void require_on_all_ranks(Communicator& communicator, const std::function<void()>& function);

/// Calls function() on one rank; its error is thrown again with the name of the rank.
void with_name_of_rank(const Communicator& communicator, const std::function<void()>& function);

/// What all ranks throw where each met divergence: the error of the rank with the worst value.
DivergenceError worst_of_ranks(Communicator& communicator, const DivergenceError& own);

template <class Function>
auto on_all_ranks(Communicator& communicator, const Function& function) {
  try {
    return function();
  } catch (const DivergenceError& error) {
    throw ErrorOfAll<DivergenceError>(worst_of_ranks(communicator, error));
  } catch (const CaseError& error) {
    throw ErrorOfAll<CaseError>(error);
  } catch (const IoError& error) {
    throw ErrorOfAll<IoError>(error);
  }
}

}  // namespace dns
