/// What an action that must fail says.
#pragma once

#include <string>

namespace dns {

/// The message of the `Error` that `action` throws; empty when it throws nothing.
template <class Error, class Action>
std::string message_of(const Action& action) {
  try {
    static_cast<void>(action());
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace dns
