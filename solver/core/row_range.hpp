/// Some rows of a field.
#pragma once

namespace dns {

/// Rows of points along x, by their index along y.
struct RowRange {
  int begin = 0, end = 0;
};

}  // namespace dns
