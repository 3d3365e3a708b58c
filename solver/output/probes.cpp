/// Probes of a run: probes_NAME.csv of points, probes_NAME.h5 of lines.
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>

#include "solver/config/references.hpp"
#include "solver/files/appended_table.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/probe_points.hpp"
#include "solver/output/outputs.hpp"
#include "solver/output/plane_store.hpp"
#include "solver/output/record_transfer.hpp"

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

std::string header_of(const Case& resolved) {
  const std::vector<Variable> variables = solved_variables(resolved);
  std::string header = "step,time";
  for (const int variable : variables_at_probes(resolved)) header += ',' + variables[variable].name;
  return header + '\n';
}

/// Records are taken off the device seldom, as the host waits for it, and only when the present
/// flow is sound: so are those before it.
class ProbeOutput final : public Output {
 public:
  explicit ProbeOutput(const OutputContext& context)
      : Output(context, {}),
        variables_(variables_at_probes(context.resolved)),
        references_(references_of(context.resolved)),
        lines_(directory(), grids_of_lines(context.resolved), context.case_yaml) {}

  [[nodiscard]] FileKind kind_of(std::string_view name) const override {
    if (!probe_of_table(name).empty()) return FileKind::data;
    return kind_of_plane_file(name, probes_prefix);
  }

  RemovedFiles cut_back(const FlowState& checkpoint) override {
    return remove_later(checkpoint.step);
  }

  std::vector<std::string> open(const RunOpening& opening) override {
    // Step 0 is recorded anew by a run that goes on from there.
    if (opening.simulation.step() == 0) remove_later(-1);
    std::vector<std::string> paths;
    if (!is_asked_for()) return paths;
    std::size_t first = 0;
    for (const ProbeCase& probe : context_.output().probes->probes) {
      (probe.is_line() ? places_of_lines_ : places_of_points_).push_back({first, probe.count});
      first += variables_.size() * probe.count;
      if (probe.is_line()) continue;
      paths.push_back(path(probe_table_name(probe.name)));
      tables_.emplace_back(paths.back(),
                           header_of(context_.resolved),
                           std::numeric_limits<std::int64_t>::max(),
                           "records of a probe");
    }
    return paths;
  }

  [[nodiscard]] bool waits_in_simulation() const override { return is_asked_for(); }

  /// Where the writer is busy for long they must not fill the memory.
  [[nodiscard]] Ask asks(bool is_writer_idle) const override {
    constexpr std::chrono::seconds pause{2};
    constexpr std::chrono::seconds longest{20};
    if (!is_asked_for()) return Ask::nothing;
    const auto since = Clock::now() - taken_at_;
    return since >= (is_writer_idle ? pause : longest) ? Ask::now : Ask::nothing;
  }

  [[nodiscard]] bool is_due(const Moment& moment, Ask ask) const override {
    return is_asked_for() &&
           (moment.is_end() || moment.others.restart || moment.kind == Moment::Kind::diverged ||
            (moment.kind == Moment::Kind::asked && ask == Ask::now));
  }

  void collect(Simulation& simulation, const Moment& moment, std::size_t slot) override {
    taken_at_ = Clock::now();
    Slot& to = of_slots_.at(slot);
    to.records = probes_of_all(context_.communicator, simulation.take_probes());
    to.records.drop_after(moment.flow.step);
    to.is_set_down = moment.others.restart || moment.is_end();
  }

  /// Records of points are written as they come; lines of more than 32 MiB are set down.
  void secure(const CopiedFlow& flow) override {
    const Slot& slot = of_slots_.at(flow.slot);
    if (slot.records.count() > 0) {
      for (std::size_t n = 0; n < tables_.size(); ++n)
        add_to_table(tables_[n], places_of_points_[n].first, slot.records);
      if (!places_of_lines_.empty()) collect_lines(slot.records);
    }
    if (!slot.is_set_down) return;
    for (const AppendedTable& table : tables_) table.flush_to_disk();
    set_down_lines();
  }

  Warnings write(const CopiedFlow& /*flow*/) override { return lines_.write_lists(); }

 private:
  using Clock = std::chrono::steady_clock;

  /// A probe of the case, and which samples are its.
  struct Place {
    std::size_t first = 0;  // sample of its first point
    int points = 1;
  };
  struct Slot {
    ProbeRecords records;
    bool is_set_down = false;
  };

  [[nodiscard]] bool is_asked_for() const { return context_.output().probes.has_value(); }

  /// Lines of tables and pieces of lines.
  RemovedFiles remove_later(std::int64_t last_step) {
    for (const std::string& probe : probes_with_tables(directory()))
      cut_table(path(probe_table_name(probe)), last_step);
    return remove_later_pieces(directory(), probes_prefix, last_step);
  }

  /// Whether a variable has more digits than those of the precision of the run.
  [[nodiscard]] bool is_exact(int variable) const {
    const std::size_t scalar = variable - first_scalar;
    return context_.resolved.precision == Precision::double_precision ||
           (variable >= first_scalar && scalar < references_.size() && references_[scalar] != 0);
  }

  /// Numbers of a run in single precision are written as such, but for scalars far from 0.
  void add_to_table(AppendedTable& table, std::size_t first, const ProbeRecords& records) const {
    std::string lines;
    for (std::size_t record = 0; record < records.count(); ++record) {
      lines += shortest_text(records.steps[record]);
      lines += ',' + shortest_text(records.times[record]);
      for (std::size_t n = 0; n < variables_.size(); ++n) {
        const double value = records.record(record)[first + n];
        lines += ',';
        lines += is_exact(variables_[n]) ? shortest_text(value)
                                         : shortest_text(static_cast<float>(value));
      }
      lines += '\n';
    }
    table.append(lines);
  }

  void collect_lines(const ProbeRecords& records) {
    for (std::size_t number = 0; number < records.count(); ++number) {
      PlaneRecord record{records.steps[number], records.times[number], {}};
      for (const Place& line : places_of_lines_) {
        PlaneValues& values = record.planes.emplace_back(variables_.size());
        const double* next = records.record(number) + line.first;
        for (int point = 0; point < line.points; ++point) {
          for (const int variable : variables_) values.at(variable).push_back(*next++);
        }
      }
      waiting_.add(std::move(record));
      if (waiting_.are_many()) set_down_lines();
    }
  }

  void set_down_lines() {
    lines_.set_down(waiting_.records());
    waiting_.take();
  }

  std::vector<int> variables_;  // of each point, in order
  std::vector<double> references_;
  std::vector<AppendedTable> tables_;
  std::vector<Place> places_of_points_, places_of_lines_;  // as tables_ and lines_
  PlaneStore lines_;
  WaitingRecords waiting_;  // of lines
  std::array<Slot, copy_slots> of_slots_;
  Clock::time_point taken_at_ = Clock::now();
};

}  // namespace

std::unique_ptr<Output> make_probes(const OutputContext& context) {
  return std::make_unique<ProbeOutput>(context);
}

}  // namespace dns
