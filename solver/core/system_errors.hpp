/// What the system refuses a program, in words for its user; the same on every rank.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace dns {

inline constexpr const char* out_of_memory =
    "not enough memory; a smaller grid or --precision float needs less";
inline constexpr const char* out_of_threads =
    "a thread cannot be made: too many are there (ulimit -u)";

/// A file or folder that could not be looked at: which, and why.
inline std::string in_words(const std::filesystem::filesystem_error& error) {
  const std::string path = error.path1().empty() ? "." : error.path1().string();
  return path + ": " + error.code().message();
}

/// "PATH: DOING: No space left on device", the words for `error_number`.
inline std::string system_message(std::string_view path, std::string_view doing, int error_number) {
  return std::string(path).append(": ").append(doing).append(": ").append(
      std::generic_category().message(error_number));
}

}  // namespace dns
