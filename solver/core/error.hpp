/// Errors that a user can meet. Each class has its own exit code (`exit_code.hpp`); a message says
/// where, which key or file, which value, which rule, and what to do next.
#pragma once

#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dns {

/// Wrong usage or a wrong case file: the user mends it (exit code 2).
/// Holds every mistake found, one line each, in the order of the file.
class CaseError : public std::runtime_error {
 public:
  explicit CaseError(std::vector<std::string> messages)
      : std::runtime_error(joined(messages)), messages_(std::move(messages)) {}
  explicit CaseError(const std::string& message) : CaseError(std::vector{message}) {}

  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }

 private:
  static std::string joined(const std::vector<std::string>& messages) {
    std::string text;
    for (const std::string& message : messages) {
      if (!text.empty()) text += '\n';
      text += message;
    }
    return text;
  }

  std::vector<std::string> messages_;
};

/// A file could not be read or written (exit code 3).
class IoError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The system refused to open, look at, read or write a file. That may pass: unlike after any other
/// IoError, the file may be sound.
class FileSystemError : public IoError {
  using IoError::IoError;
};

/// The flow diverged: NaN, an infinite value, a runaway CFL number (exit code 4).
class DivergenceError : public std::runtime_error {
 public:
  /// worst: the magnitude of the value that `message` names; infinite also for NaN.
  explicit DivergenceError(const std::string& message,
                           double worst = std::numeric_limits<double>::infinity())
      : std::runtime_error(message), worst_(worst) {}

  [[nodiscard]] double worst() const { return worst_; }

 private:
  double worst_;
};

/// The device is missing, refuses work, or has too little memory (exit code 5).
class DeviceError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace dns
