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
  /// What is needed to draw axes and a colour bar around it, as JSON: name, variable and its unit;
  /// axis (normal to the plane) and at, its place; step, time; low, high: the values of the first
  /// and of the last colour; right, up: name, origin and length of the axes of the picture; width,
  /// height [pixels]; colours of equal parts of the range, from low on, six hexadecimal digits
  /// each.
  std::string facts;
  std::string png;  // the content of a file, which has the facts in it, see png_of
};

/// Shows pictures while a run goes on.
class PictureViewer {
 public:
  PictureViewer() = default;
  PictureViewer(const PictureViewer&) = delete;
  PictureViewer& operator=(const PictureViewer&) = delete;
  virtual ~PictureViewer() = default;

  /// Whether somebody looks.
  [[nodiscard]] virtual bool is_watched() const = 0;
  /// Whether somebody looks and time may be spent on pictures again. Cheap enough to be called
  /// every step.
  [[nodiscard]] virtual bool wants_pictures() const = 0;
  /// Reports the cost of pictures [s]: new ones wait until that is a small part of the run's time.
  virtual void spend(double seconds) = 0;
  /// The pictures of one flow, to be shown from now on. From any thread.
  virtual void put(std::vector<SlicePicture> pictures) = 0;
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
