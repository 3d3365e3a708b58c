/// What gives the values of variables on a face.
#pragma once

#include <limits>
#include <vector>

namespace dns {

class FaceSource {
 public:
  FaceSource() = default;
  FaceSource(const FaceSource&) = delete;
  FaceSource& operator=(const FaceSource&) = delete;
  virtual ~FaceSource() = default;

  /// Values of a variable (u, v, w, T) at the points first x second of the face at time t, the
  /// first fastest. Throws IoError where they come from a file that cannot be read, CaseError where
  /// a formula has no finite value.
  [[nodiscard]] virtual std::vector<double> at(int variable,
                                               const std::vector<double>& first,
                                               const std::vector<double>& second,
                                               double t) = 0;

  /// Evaluates ahead what values at time t are made of, at the points asked for last. Throws
  /// IoError.
  virtual void prepare(double /*t*/) {}

  /// Its values are the same at all times.
  [[nodiscard]] virtual bool is_steady(int variable) const = 0;

  /// From then on there are no values [L/U].
  [[nodiscard]] virtual double end() const { return std::numeric_limits<double>::infinity(); }
};

}  // namespace dns
