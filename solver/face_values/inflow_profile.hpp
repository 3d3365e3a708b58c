/// An inflow whose values are a table.
#pragma once

#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/face_values/face_points.hpp"
#include "solver/face_values/face_source.hpp"
#include "solver/face_values/profile.hpp"

namespace dns {

/// Values from columns of a Profile; 0 where there is no such column. Before and after its times
/// those of the first and the last one.
class InflowProfile final : public FaceSource {
 public:
  /// key: such as boundaries.x_min.velocity, for messages; columns: of the variables from `first`
  /// on. Throws IoError where the table cannot be read, CaseError where it is none of this face:
  /// other coordinates, not all of the face, or none of the columns.
  InflowProfile(const InflowFileCase& given,
                const std::string& key,
                const FacePoints& face,
                int first,
                std::vector<std::string> columns);

  std::vector<double> at(int variable,
                         const std::vector<double>& first,
                         const std::vector<double>& second,
                         double t) override;
  [[nodiscard]] bool is_steady(int /*variable*/) const override { return profile_.times().empty(); }

 private:
  FacePoints face_;
  Profile profile_;
  int first_;
  std::vector<std::string> columns_;
};

/// Throws CaseError, which begins with `key`, unless the coordinates of a table are those of axes
/// in the face and cover it.
void require_cover(const Profile& profile, const std::string& key, const FacePoints& face);

/// Throws CaseError, which begins with `key`, unless a table has one of these columns.
void require_column(const Profile& profile,
                    const std::string& key,
                    const std::vector<std::string>& names);

/// A column of a table at time t and the points first x second of a face, the first fastest; 0
/// without such a column.
[[nodiscard]] std::vector<double> column_on_face(const Profile& profile,
                                                 const std::string& column,
                                                 const FacePoints& face,
                                                 const std::vector<double>& first,
                                                 const std::vector<double>& second,
                                                 double t = 0);

}  // namespace dns
