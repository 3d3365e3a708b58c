/// The given values on the faces of a case.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "solver/config/case.hpp"

namespace dns {

/// Evaluates what faces of type wall and inflow give: formulas, profiles, recorded planes, with
/// synthetic turbulence added. Values are functions of position and time alone: ranks and runs that
/// go on find the same. Not for several threads at once.
class FaceValues {
 public:
  FaceValues();  // of no faces
  /// Reads the files that the case names. Throws IoError where one cannot be read, CaseError where
  /// one does not fit the case.
  explicit FaceValues(const Case& resolved);
  FaceValues(FaceValues&& other) noexcept;
  FaceValues& operator=(FaceValues&& other) noexcept;
  FaceValues(const FaceValues&) = delete;
  FaceValues& operator=(const FaceValues&) = delete;
  ~FaceValues();

  /// Values of a variable (u, v, w, T), or its given outward normal derivative, at time t and the
  /// points first x second of a face, by the coordinates along the axes of the face in the order x,
  /// y, z; the first fastest. 0 where the face gives none. Throws IoError.
  [[nodiscard]] std::vector<double> at(int face,
                                       int variable,
                                       const std::vector<double>& first,
                                       const std::vector<double>& second,
                                       double t);

  /// Evaluates ahead what values at time t are made of, at the points asked for last, where that
  /// takes long: while a device is busy. Values are the same bits without it. Throws IoError.
  void prepare(double t);

  /// From then on recorded planes give no values, as they are to end there (beyond: stop); infinite
  /// where none do [L/U].
  [[nodiscard]] double end() const;

 private:
  struct Source;
  std::vector<Source> sources_;  // of the faces, see face_index
};

}  // namespace dns
