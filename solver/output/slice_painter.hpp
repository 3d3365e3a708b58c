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

struct SlicePicture {
  SliceCase plane;
  std::int64_t step = 0;
  double time = 0;  // [L/U]
  ColourRange range;
  std::string png;  // the content of a file
};

/// Draws the planes of a case. A picture shows the plane in its top left corner, its first axis to
/// the right and its second upwards, a colour bar with the values of its ends on its right, and a
/// caption below. Velocities and pressure of both signs get the diverging colours, zero in the
/// middle; everything else viridis.
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
