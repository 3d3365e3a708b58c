/// Where bodies that move may hold points of a grid.
#pragma once

#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/grid/staggered_grid.hpp"
#include "solver/solids/rigid_motion.hpp"

namespace dns {

/// The smallest box of coordinates that holds a body [L]; infinite along axes where it has no end.
struct BodyReach {
  PerAxis<double> low{}, high{};
};
/// A formula may reach everywhere.
[[nodiscard]] BodyReach reach_of(const SolidCase& body, const BodyPose& pose);
[[nodiscard]] BodyReach joint_reach(const BodyReach& a, const BodyReach& b);

/// Whether a reach goes beyond a face of the box that is not periodic.
[[nodiscard]] bool is_cut_by_faces(const BodyReach& reach, const StaggeredGrid& grid);

/// Boxes of the points of a part, ghost points included, within so many cells of those that a reach
/// meets; images across periodic ends have boxes of their own. No point is in two.
[[nodiscard]] std::vector<Box> boxes_near(const BodyReach& reach,
                                          int cells,
                                          const StaggeredGrid& grid,
                                          const Subdomain& part);
/// The smallest box of points of the part that holds all of these, empty where none is of the part.
[[nodiscard]] Box box_of_part(const std::vector<Box>& boxes, const Subdomain& part);

/// How far free bodies may overlap, and stick out of the box, over their radius.
inline constexpr double most_overlap = 0.2;

/// Throws CaseError, naming the key, where a step to time t [L/U] moves the surface of a body by
/// more than a cell, or the body sticks out of a face that is not periodic farther than at the
/// start, or than a free body may.
void require_fitting_step(const SolidCase& body,
                          const BodyPose& before,
                          const BodyPose& now,
                          double t,
                          const StaggeredGrid& grid);

}  // namespace dns
