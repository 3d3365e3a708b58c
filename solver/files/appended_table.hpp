/// Tables of numbers over steps as text, to which a run adds lines.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

#include "solver/core/file_descriptor.hpp"

namespace dns {

/// A file of lines "step,...", the first of which names the columns.
class AppendedTable {
 public:
  /// Opens it for a run that goes on after `last_step`: lines of later steps are dropped, and what
  /// is left of half a line (aside and renamed). Where there is none it is begun. `header` ends in
  /// a new line; `what` it is, for messages: "a time series". Throws CaseError for a
  /// table with other columns, IoError.
  AppendedTable(std::string path,
                std::string header,
                std::int64_t last_step,
                const std::string& what);

  /// Adds complete lines, in one write. Throws IoError.
  void append(const std::string& lines);
  /// Returns when all lines so far are on the disk. Throws IoError.
  void flush_to_disk() const;

 private:
  std::string path_;
  std::string header_;
  FileDescriptor file_;
};

/// Drops the lines of steps after `last_step` of such a file, whatever its columns. Throws IoError.
void cut_table(const std::string& path, std::int64_t last_step);

/// The shortest text that reads back to the same number.
template <class Number>
std::string shortest_text(Number value) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.begin(), buffer.end(), value).ptr};
}

}  // namespace dns
