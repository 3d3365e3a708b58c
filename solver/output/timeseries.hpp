/// timeseries.csv: one line per recorded step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/files/appended_table.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {

inline constexpr const char* timeseries_name = "timeseries.csv";

/// Appends to DIRECTORY/timeseries.csv, each line flushed. The header names each column.
class TimeSeries {
 public:
  /// Opens for a run that goes on after `last_step` (0: from the start): lines of later steps are
  /// dropped (aside and renamed), lines up to it are kept. Throws IoError.
  /// `diagnostic_names`: of FlowDiagnostics::others, see Simulation::diagnostic_names.
  TimeSeries(const std::string& directory,
             std::int64_t last_step,
             const std::vector<std::string>& diagnostic_names);

  /// Columns: step, time, dt, cfl, divergence_mean, divergence_max, kinetic_energy, dissipation,
  /// the other diagnostics by their names, global_iterations, iteration_change, wall_seconds (the
  /// last; the others are written so that they read back to the same double). Throws IoError.
  void append(std::int64_t step,
              double time,
              double dt,
              const FlowDiagnostics& diagnostics,
              const StepReport& report,
              double wall_seconds);

  /// Returns when all lines so far are on the disk. Throws IoError. Another thread may append.
  void flush_to_disk() const { table_.flush_to_disk(); }

 private:
  AppendedTable table_;
};

}  // namespace dns
