/// Reynolds stresses at a point, and the velocity fluctuations that have them.
#pragma once

#include "solver/core/index.hpp"

namespace dns {

/// R_ij, the means of u'_i u'_j [U^2].
struct ReynoldsStresses {
  double uu = 0, vv = 0, ww = 0, uv = 0, uw = 0, vw = 0;
};

/// The lower triangle a of R = a a^T: u'_i = sum over j <= i of a_ij e_j has the stresses R where
/// the e_j are uncorrelated and of variance 1.
struct StressFactor {
  PerAxis<PerAxis<double>> rows{};  // [U]; 0 above the diagonal

  /// u'_component of three such e.
  [[nodiscard]] double velocity(int component, const PerAxis<double>& e) const {
    const PerAxis<double>& row = rows[component];
    return row[0] * e[0] + row[1] * e[1] + row[2] * e[2];
  }
  /// sqrt(R_ii) [U]
  [[nodiscard]] double deviation(int component) const;
};

/// The Cholesky factor. A component without variance is 0. What lies between stresses that are
/// realizable is so too, so that tables of them may be interpolated linearly.
/// Throws CaseError where no velocity has these stresses: a variance is negative or not finite,
/// R_ij^2 > R_ii R_jj, or the determinant is negative, each by more than round-off.
/// Source: Lund, Wu & Squires, J. Comput. Phys. 140 (1998) 233-258.
[[nodiscard]] StressFactor cholesky_factor(const ReynoldsStresses& stresses);

}  // namespace dns
