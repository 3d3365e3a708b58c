/// Which spectra a case asks for, the sums that they are made of, and the pieces in which a rank
/// takes them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/core/index.hpp"
#include "solver/core/subdomain.hpp"
#include "solver/core/transforms.hpp"
#include "solver/grid/staggered_grid.hpp"

namespace dns {

/// The number of the pressure in averages.
inline constexpr int pressure_in_spectra = 4;

/// Shells of |k| of a periodic box, see ShellEnergy.
struct WaveShells {
  int count = 0;
  double width = 0;        // dk: the largest of 2 pi/L_x, 2 pi/L_y, 2 pi/L_z [1/L]
  PerAxis<double> step{};  // 2 pi/(L dk)

  [[nodiscard]] static WaveShells of(Extents points, const PerAxis<double>& lengths);
};

/// Lines are taken in pieces, so that little memory is needed: those of some planes along x and y;
/// those along z of some rows, which ranks share out among themselves.
struct SpectraPlan {
  PerAxis<bool> axes{};     // along which lines are taken
  bool has_shells = false;  // and waves in all directions
  int planes_at_once = 0;   // of lines along x and y
  int rows_at_once = 0;     // of lines along z
  /// 1 where the velocity along an axis is wanted at the faces behind the last cells too. If a
  /// periodic axis of equal cells is averaged over, the mean over one face of each cell is that
  /// over both.
  PerAxis<int> last_faces{};

  [[nodiscard]] static SpectraPlan of(const Case& resolved, const Subdomain& part, int ranks);

  [[nodiscard]] bool is_empty() const { return !(axes[0] || axes[1] || axes[2]); }
  /// The points of a piece, with these faces.
  [[nodiscard]] Extents piece_across_z(const Subdomain& part) const;
  [[nodiscard]] Extents piece_along_z(const Subdomain& part) const;
};

/// One of the sums that spectra are made of.
struct SpectrumSum {
  std::string name;
  Extents extents;  // one point along axes averaged over; along `axis` waves instead of points
  std::optional<int> axis;  // of the lines; none: shells
  int variable = 0;         // of lines: by its number in averages
};

/// The sums of the spectra of a case: spectrum_x_uu ... over the numbers of waves along an axis and
/// the axes that are kept, axis by axis, spectrum_k over shells.
[[nodiscard]] std::vector<SpectrumSum> spectra_sums(const Case& resolved);

}  // namespace dns
