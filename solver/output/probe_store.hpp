/// What becomes of the records of probes of a run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/config/case.hpp"
#include "solver/files/appended_table.hpp"
#include "solver/output/plane_store.hpp"
#include "solver/simulation/probe_values.hpp"

namespace dns {

/// Adds the records of points to probes_NAME.csv as they come, and collects those of lines for
/// pieces of probes_NAME.h5.
class ProbeStore {
 public:
  /// Opens the tables of points, or begins them. Throws IoError.
  ProbeStore(const Case& resolved, const std::string& case_yaml);

  /// Takes later records of all probes. Lines of more than 32 MiB are set down. Throws IoError.
  void add(const ProbeRecords& records);

  /// Returns when all records so far are on the disk. Throws IoError.
  void set_down();

  /// Of lines; see PlaneStore::write_lists.
  [[nodiscard]] Warnings write_lists() { return lines_.write_lists(); }

 private:
  /// A probe of the case, and which samples are its.
  struct Place {
    std::size_t first = 0;  // sample of its first point
    int points = 1;
  };

  void add_to_table(AppendedTable& table, std::size_t first, const ProbeRecords& records) const;
  void collect_lines(const ProbeRecords& records);
  void set_down_lines();

  Precision precision_;
  std::vector<int> variables_;  // of each point, in order
  std::vector<AppendedTable> tables_;
  std::vector<Place> points_, lines_places_;  // as tables_ and lines_
  PlaneStore lines_;
  std::vector<PlaneRecord> collected_;  // of lines
  std::size_t collected_bytes_ = 0;
};

}  // namespace dns
