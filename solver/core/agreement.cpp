#include "solver/core/agreement.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <ios>
#include <new>
#include <stdexcept>
#include <system_error>

#include "solver/core/system_errors.hpp"

namespace dns {
namespace {

using Kind = Failure::Kind;

enum class MetBy { one_rank, all_ranks };

template <class Error>
std::exception_ptr pointer_to(const Error& error, MetBy met_by) {
  if (met_by == MetBy::one_rank) return std::make_exception_ptr(error);
  return std::make_exception_ptr(ErrorOfAll<Error>(error));
}

std::exception_ptr as_exception(const Failure& failure, MetBy met_by) {
  switch (failure.kind) {
    case Kind::wrong_case:
      return pointer_to(CaseError(failure.message), met_by);
    case Kind::input_output:
      return pointer_to(IoError(failure.message), met_by);
    case Kind::divergence:
      return pointer_to(DivergenceError(failure.message), met_by);
    case Kind::device:
      return pointer_to(DeviceError(failure.message), met_by);
    default:
      return pointer_to(std::runtime_error(failure.message), met_by);
  }
}

}  // namespace

Failure failure_of(const std::function<void()>& function) {
  try {
    function();
    return {};
  } catch (const CaseError& error) {
    return {Kind::wrong_case, error.what()};
  } catch (const IoError& error) {
    return {Kind::input_output, error.what()};
  } catch (const DivergenceError& error) {
    return {Kind::divergence, error.what()};
  } catch (const DeviceError& error) {
    return {Kind::device, error.what()};
  } catch (const std::bad_alloc&) {
    return {Kind::device, out_of_memory};
  } catch (const std::filesystem::filesystem_error& error) {
    return {Kind::input_output, in_words(error)};
  } catch (const std::ios_base::failure& error) {
    return {Kind::input_output, error.what()};
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) return {Kind::bug, error.what()};
    return {Kind::device, out_of_threads};
  } catch (const std::exception& error) {
    return {Kind::bug, error.what()};
  } catch (...) {
    return {Kind::bug, "an unknown error"};
  }
}

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string rank_in_words(const Communicator& communicator) {
  if (communicator.size() == 1) return "";
  return fmt::format("rank {} on {}", communicator.rank(), host_name());
}

std::vector<std::string> gathered_texts(Communicator& communicator, const std::string& own) {
  const std::vector<std::size_t> lengths = communicator.gathered(own.size());
  const std::size_t longest = *std::ranges::max_element(lengths);
  if (longest == 0) return std::vector<std::string>(lengths.size());
  std::string padded = own;
  padded.resize(longest);
  std::string of_all(longest * lengths.size(), '\0');
  communicator.all_gather(padded.data(), longest, of_all.data());
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < lengths.size(); ++rank)
    texts.push_back(of_all.substr(rank * longest, lengths[rank]));
  return texts;
}

bool is_met_by_all(const std::exception& error) {
  return dynamic_cast<const MetByAll*>(&error) != nullptr;
}

void throw_error_of_first(const std::exception_ptr& error) {
  if (!error) throw ErrorOfAll<IoError>(IoError("rank 0 failed"));
  try {
    std::rethrow_exception(error);
  } catch (const MetByAll&) {
    throw;
  } catch (const CaseError& all_mistakes) {
    throw ErrorOfAll<CaseError>(all_mistakes);
  } catch (...) {
    std::rethrow_exception(
        as_exception(failure_of([&] { std::rethrow_exception(error); }), MetBy::all_ranks));
  }
}

std::string text_of_first(Communicator& communicator,
                          const std::function<std::string()>& function) {
  if (communicator.size() == 1) return function();
  struct Head {
    std::uint64_t bytes = 0;
    bool has_failed = false;
  } head;
  std::string text;
  std::exception_ptr error;
  if (communicator.rank() == 0) {
    try {
      text = function();
    } catch (...) {
      error = std::current_exception();
    }
    head = {text.size(), error != nullptr};
  }
  communicator.broadcast_at_leisure(&head, sizeof head, 0);
  if (head.has_failed) throw_error_of_first(error);
  text.resize(head.bytes);
  communicator.broadcast(text.data(), text.size(), 0);
  return text;
}

std::exception_ptr common_error(Communicator& communicator, const std::function<void()>& function) {
  if (communicator.size() == 1) {
    try {
      function();
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }
  const Failure own = failure_of(function);
  const std::vector<Kind> kinds = communicator.gathered(own.kind);
  const auto first =
      std::ranges::find_if(kinds, [](Kind kind) { return kind != Kind::none; }) - kinds.begin();
  if (first == static_cast<std::ptrdiff_t>(kinds.size())) return nullptr;
  const std::size_t rank = first;
  const std::vector<std::string> messages = gathered_texts(communicator, own.message);
  const std::vector<std::string> names = gathered_texts(communicator, rank_in_words(communicator));
  const bool is_said_by_all =
      std::ranges::all_of(messages, [&](const auto& message) { return message == messages[rank]; });
  return as_exception(
      {kinds[rank],
       is_said_by_all ? messages[rank] : fmt::format("{}: {}", names[rank], messages[rank])},
      MetBy::all_ranks);
}

void require_on_all_ranks(Communicator& communicator, const std::function<void()>& function) {
  const std::exception_ptr error = common_error(communicator, function);
  if (error) std::rethrow_exception(error);
}

void with_name_of_rank(const Communicator& communicator, const std::function<void()>& function) {
  const Failure failure = failure_of(function);
  if (failure.kind == Kind::none) return;
  std::rethrow_exception(as_exception(
      {failure.kind, fmt::format("{}: {}", rank_in_words(communicator), failure.message)},
      MetBy::one_rank));
}

DivergenceError worst_of_ranks(Communicator& communicator, const DivergenceError& own) {
  const std::vector<double> worst = communicator.gathered(own.worst());
  const auto rank = std::ranges::max_element(worst) - worst.begin();  // the lowest of equals
  const std::vector<std::string> messages = gathered_texts(communicator, own.what());
  return DivergenceError(messages[rank], worst[rank]);
}

}  // namespace dns
