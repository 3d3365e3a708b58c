#include "solver/output/probe_store.hpp"

#include <filesystem>
#include <limits>
#include <utility>

#include "solver/files/run_files.hpp"
#include "solver/grid/probe_points.hpp"

namespace dns {
namespace {

std::vector<PlaneGrid> grids_of_lines(const Case& resolved) {
  std::vector<PlaneGrid> grids;
  if (!resolved.output.probes) return grids;
  for (const ProbeCase& probe : resolved.output.probes->probes) {
    if (probe.is_line()) grids.push_back(line_grid(resolved, probe));
  }
  return grids;
}

std::string name_of_variable(int variable) {
  if (variable == pressure_in_plane) return std::string(pressure_name);
  if (variable == temperature_variable) return std::string(temperature_name);
  return std::string(velocity_names.at(static_cast<std::size_t>(variable)));
}

std::string header_of(const std::vector<int>& variables) {
  std::string header = "step,time";
  for (const int variable : variables) header += ',' + name_of_variable(variable);
  return header + '\n';
}

}  // namespace

ProbeStore::ProbeStore(const Case& resolved, const std::string& case_yaml)
    : precision_(resolved.precision),
      variables_(variables_at_probes(resolved)),
      lines_(resolved.output.directory, grids_of_lines(resolved), case_yaml) {
  if (!resolved.output.probes) return;
  std::size_t first = 0;
  for (const ProbeCase& probe : resolved.output.probes->probes) {
    (probe.is_line() ? lines_places_ : points_).push_back({first, probe.count});
    first += static_cast<std::size_t>(probe.count) * variables_.size();
    if (probe.is_line()) continue;
    const std::filesystem::path folder(resolved.output.directory);
    tables_.emplace_back((folder / probe_table_name(probe.name)).string(),
                         header_of(variables_),
                         std::numeric_limits<std::int64_t>::max(),
                         "records of a probe");
  }
}

void ProbeStore::add(const ProbeRecords& records) {
  if (records.count() == 0) return;
  for (std::size_t n = 0; n < tables_.size(); ++n)
    add_to_table(tables_[n], points_[n].first, records);
  if (!lines_places_.empty()) collect_lines(records);
}

void ProbeStore::set_down() {
  for (const AppendedTable& table : tables_) table.flush_to_disk();
  set_down_lines();
}

/// Numbers of a run in single precision are written as such.
void ProbeStore::add_to_table(AppendedTable& table,
                              std::size_t first,
                              const ProbeRecords& records) const {
  std::string lines;
  for (std::size_t record = 0; record < records.count(); ++record) {
    lines += shortest_text(records.steps[record]);
    lines += ',' + shortest_text(records.times[record]);
    for (std::size_t n = 0; n < variables_.size(); ++n) {
      const double value = records.record(record)[first + n];
      lines += ',';
      lines += precision_ == Precision::single_precision ? shortest_text(static_cast<float>(value))
                                                         : shortest_text(value);
    }
    lines += '\n';
  }
  table.append(lines);
}

void ProbeStore::collect_lines(const ProbeRecords& records) {
  constexpr std::size_t most_bytes = std::size_t{32} << 20;
  for (std::size_t number = 0; number < records.count(); ++number) {
    PlaneRecord record{records.steps[number], records.times[number], {}};
    for (const Place& line : lines_places_) {
      PlaneValues& values = record.planes.emplace_back();
      const double* next = records.record(number) + line.first;
      for (int point = 0; point < line.points; ++point) {
        for (const int variable : variables_)
          values.at(static_cast<std::size_t>(variable)).push_back(*next++);
      }
    }
    collected_bytes_ += bytes_of(record);
    collected_.push_back(std::move(record));
    if (collected_bytes_ > most_bytes) set_down_lines();
  }
}

void ProbeStore::set_down_lines() {
  lines_.set_down(collected_);
  collected_.clear();
  collected_bytes_ = 0;
}

}  // namespace dns
