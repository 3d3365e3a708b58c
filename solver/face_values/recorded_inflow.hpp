/// An inflow that another run has recorded.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/face_values/face_points.hpp"
#include "solver/face_values/face_source.hpp"
#include "solver/face_values/recent.hpp"
#include "solver/files/plane_records.hpp"
#include "solver/grid/axis_places.hpp"

namespace dns {

/// Values on a face from the planes of output.planes, linear in time between two records and linear
/// in space between the points of a record. At t = 0 they are those of the first record. The mean
/// normal velocity over the face is that of the record, whatever the grids.
class RecordedInflow final : public FaceSource {
 public:
  /// key: such as boundaries.x_min.velocity, for messages. scalar: its name; empty: the velocity.
  /// Throws IoError where the records cannot
  /// be read; CaseError where they lie across another axis, cover another part of it, or lack a
  /// variable.
  RecordedInflow(const InflowFileCase& given,
                 const std::string& key,
                 const FacePoints& face,
                 std::string scalar);

  std::vector<double> at(int variable,
                         const std::vector<double>& first,
                         const std::vector<double>& second,
                         double t) override;
  void prepare(double t) override;
  [[nodiscard]] bool is_steady(int /*variable*/) const override { return false; }
  [[nodiscard]] double end() const override;

 private:
  /// Values of a record, interpolated to points of the face.
  struct Interpolated {
    std::size_t record = 0;
    std::vector<double> values;
  };
  /// Records of a variable at the points first x second that were needed last.
  struct OnFace {
    int variable = 0;
    std::vector<double> first, second;
    Recent<Interpolated> records{3};
  };

  void require_fit(const std::string& key) const;
  /// A time between two records.
  [[nodiscard]] Place moment_at(double t) const;
  [[nodiscard]] const AxisPlaces& axis_of(int variable, std::size_t in_plane) const;
  [[nodiscard]] double mean_of_record(std::size_t record);
  [[nodiscard]] OnFace& on_face(int variable,
                                const std::vector<double>& first,
                                const std::vector<double>& second);
  [[nodiscard]] std::vector<double> interpolated(const OnFace& points, std::size_t record) const;
  [[nodiscard]] const std::vector<double>& at_record(OnFace& points, std::size_t record) const;
  [[nodiscard]] std::vector<double> between_records(OnFace& points, const Place& moment) const;

  InflowFileCase given_;
  std::string scalar_;
  FacePoints face_;
  PlaneRecords records_;
  std::vector<double> times_;                   // from the first record [L/U]
  AxisPlaces within_;                           // these times
  std::array<std::vector<double>, 2> lengths_;  // of the record's points, as FaceAxis has
  std::vector<AxisPlaces> points_, faces_;      // of both axes; no faces of nodes
  Recent<OnFace> recent_{4};                    // u, v, w and the normal one on the whole face
  std::map<std::size_t, double> means_;         // of the normal velocity in a record
};

}  // namespace dns
