/// Pictures of planes of the flow, one after the other while a run goes on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/output/colour_map.hpp"
#include "solver/output/picture.hpp"
#include "solver/output/whole_flow.hpp"

namespace dns {

/// The values of the first and of the last colour.
struct ColourRange {
  double low = 0;
  double high = 0;
};

/// An axis of a picture.
struct PictureAxis {
  int axis = 0;       // 0, 1, 2: x, y, z
  double origin = 0;  // where the plane begins [L]
  double length = 0;  // of the plane [L]
};

struct SlicePicture {
  SliceCase plane;
  std::int64_t step = 0;
  double time = 0;  // [L/U]
  ColourRange range;
  std::array<PictureAxis, 2> axes;  // to the right, upwards
  std::vector<Colour> colours;      // of equal parts of the range, from its low end on
  Picture picture{0, 0};            // the plane alone, in square pixels
  std::string png;                  // that as the content of a file; empty until it is asked for
};

/// Draws the planes of a case, see axes_of_picture. Velocities and pressure of both signs get the
/// diverging colours, zero in the middle; everything else viridis. Bodies are grey.
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
