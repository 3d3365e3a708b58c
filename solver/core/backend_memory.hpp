/// Memory that a backend needs in addition to the fields of a scheme.
#pragma once

#include <cstddef>
#include <limits>

namespace dns {

/// A GPU solves lines of up to this many points without work space in device memory.
inline constexpr int longest_line_on_chip = 1024;

/// Known before a backend exists.
struct BackendMemory {
  std::size_t interleaved_bytes = 0;  // of the variables side by side at a node; 0: no interleaving
  int longest_line = std::numeric_limits<int>::max();  // solved without work space
  bool stages_copies = false;  // of interleaved variables, through one field more

  /// Bytes of a node in a group of variables side by side. word: bytes of a number.
  [[nodiscard]] constexpr std::size_t node_bytes(std::size_t word) const {
    return interleaved_bytes > 0 ? interleaved_bytes : word;
  }
};

}  // namespace dns
