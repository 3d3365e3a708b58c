/// The spectra of statistics.h5.
#pragma once

#include <array>
#include <vector>

#include "solver/files/hdf5_file.hpp"
#include "solver/statistics/energy_spectra.hpp"

namespace dns {

/// Writes spectra with their coordinates wavenumber_x, separation_x, ..., wavenumber. scales: those
/// of the axes that are kept, still open; null along the others. Throws IoError.
void write_spectra(Hdf5File& file,
                   const std::vector<Spectrum>& spectra,
                   const std::array<const DatasetWriter*, 3>& scales);

}  // namespace dns
