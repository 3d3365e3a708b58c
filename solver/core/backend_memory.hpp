/// What a backend takes of memory beside the fields of a scheme.
#pragma once

#include <cstddef>
#include <limits>

namespace dns {

/// A GPU solves lines of at most so many points without work space in its main memory.
inline constexpr int longest_line_on_chip = 1024;

/// Known before a backend exists.
struct BackendMemory {
  std::size_t interleaved_bytes = 0;  // of variables side by side at a node; 0: one by itself
  int longest_line = std::numeric_limits<int>::max();  // solved without work space
  bool stages_copies = false;  // of interleaved variables, in a field by itself

  /// Bytes that a node has in a group of variables side by side; word: of a number.
  [[nodiscard]] constexpr std::size_t node_bytes(std::size_t word) const {
    return interleaved_bytes > 0 ? interleaved_bytes : word;
  }
};

}  // namespace dns
