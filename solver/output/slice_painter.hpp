/// Pictures of planes of the flow, one after the other while a run goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/output/whole_flow.hpp"

namespace dns {

/// The values of the first and of the last colour.
struct ColourRange {
  double low = 0;
  double high = 0;
};

/// The plane alone, in square pixels.
struct SlicePicture {
  std::string name;  // of the plane
  std::int64_t step = 0;
  /// The content of a file. Its text (png_of) is what is needed to draw axes and a colour bar
  /// around it, as JSON: name, variable and its unit; axis (normal to the plane) and at, its place;
  /// step, time; low, high: the values of the first and of the last colour; right, up: name, origin
  /// and length of the axes of the picture; width, height [pixels]; colours of equal parts of the
  /// range, from low on, six hexadecimal digits each.
  std::string png;
};

/// Draws the planes of a case, see axes_of_picture. Velocities and pressure get the diverging
/// colours, zero in the middle; everything else viridis. Bodies are grey.
class SlicePainter {
 public:
  SlicePainter(Case resolved, SlicesCase slices);

  /// Draws all planes of a flow for viewing. Limits of the colours that are not given follow the
  /// flow: outwards at once, inwards slowly, so that colours do not flicker. Throws IoError.
  std::vector<SlicePicture> draw(const WholeFlow& viewing);

 private:
  Case case_;
  SlicesCase slices_;
  std::vector<std::optional<ColourRange>> ranges_;  // of the planes; none before the first picture
};

}  // namespace dns
