/// The given values of variables at the nodes.
#pragma once

#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/face_values/face_values.hpp"

namespace dns {

/// The given values of a variable, or its given outward normal derivatives, at the nodes of a part
/// on a face at time t; 0 where the face gives none. Shape (nz, ny), (nz, nx) or (ny, nx) for a
/// face across x, y or z.
std::vector<double> given_at_nodes(FaceValues& values,
                                   const Case& resolved,
                                   const Subdomain& part,
                                   int face,
                                   int variable,
                                   double t);

}  // namespace dns
