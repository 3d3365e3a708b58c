/// Bodies of entries with several over time: bodies_NAME.h5.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/files/file_format.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/files/run_files.hpp"
#include "solver/flow/body_quantities.hpp"
#include "solver/output/outputs.hpp"

namespace dns {
namespace {

constexpr std::string_view bodies_format = "dns bodies";
constexpr std::string_view bodies_prefix = "bodies_";
constexpr std::int64_t all_steps = std::numeric_limits<std::int64_t>::max();

/// Rows of a file: at one time each.
struct BodyRows {
  std::vector<double> steps, times;
  std::vector<std::vector<double>> values;  // of each row: body after body

  [[nodiscard]] bool is_empty() const { return steps.empty(); }
};

/// An array of a file: a number of each row, or of each body in it.
struct BodyArray {
  std::string name;
  std::vector<hsize_t> of_row{};  // sizes of its part of a row
};

bool is_file_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// The name of an entry in that of a file; empty of other files.
std::string_view entry_of_file(std::string_view name) {
  constexpr std::string_view ending = ".h5";
  if (!name.starts_with(bodies_prefix) || !name.ends_with(ending)) return {};
  name.remove_prefix(bodies_prefix.size());
  name.remove_suffix(ending.size());
  return name;
}

/// Writes an array: the first `kept` rows of a file, then others.
void write_rows(Hdf5File& file,
                const BodyArray& array,
                const Hdf5File* old,
                hsize_t kept,
                const std::vector<double>& added) {
  hsize_t size = 1;
  for (const hsize_t of_row : array.of_row) size *= of_row;
  const hsize_t rows = added.size() / size;
  DatasetLayout layout{.shape = {kept + rows}};
  layout.shape.insert(layout.shape.end(), array.of_row.begin(), array.of_row.end());
  DatasetWriter writer = file.create_dataset(array.name, layout);
  constexpr std::array<const char*, 3> labels{"time", "body", "component"};
  for (std::size_t axis = 0; axis < layout.shape.size(); ++axis)
    writer.label_axis(labels.at(axis), nullptr);
  if (kept > 0) {
    const DatasetReader reader = old->open_dataset(array.name);
    std::vector<hsize_t> shape = reader.shape();
    if (shape.empty()) shape.push_back(0);
    const bool has_rows = shape[0] >= kept;
    shape[0] = layout.shape[0];
    if (shape != layout.shape || !has_rows || reader.precision() != Precision::double_precision ||
        !reader.has_checksum()) {
      throw IoError(
          fmt::format("{}: dataset {}: does not fit the bodies of the case; remove the "
                      "file, or set another output.directory",
                      old->path(),
                      array.name));
    }
    reader.read([&](hsize_t first, hsize_t count, const void* values) {
      if (first < kept) writer.append(std::min(count, kept - first), values);
    });
  }
  if (rows > 0) writer.append(rows, added.data());
  writer.close();
}

/// The part of an array in rows.
std::vector<double> part_of_rows(const BodyRows& rows,
                                 std::size_t first,
                                 std::size_t components,
                                 std::size_t of_body) {
  std::vector<double> part;
  for (const std::vector<double>& row : rows.values) {
    for (std::size_t body = 0; body < row.size(); body += of_body) {
      const auto begin = row.begin() + static_cast<std::ptrdiff_t>(body + first);
      part.insert(part.end(), begin, begin + static_cast<std::ptrdiff_t>(components));
    }
  }
  return part;
}

/// Writes a file anew, aside, and renames it: its rows up to a step, then others. Without rows it
/// is removed. Throws IoError.
void rewrite(const std::string& path,
             const std::string& entry,
             const std::vector<BodyQuantity>& quantities,
             const BodyRows& rows,
             const std::string& case_yaml,
             std::int64_t last_step = all_steps) {
  std::optional<Hdf5File> old;
  std::vector<double> steps;
  std::vector<double> times;
  if (is_file_there(path)) {
    old = Hdf5File::open(path);
    check_format(*old, bodies_format);
    steps = read_list(*old, "step");
    times = read_list(*old, "time");
  }
  const auto is_later = [&](double step) { return step > static_cast<double>(last_step); };
  const std::size_t kept = std::ranges::find_if(steps, is_later) - steps.begin();
  if (kept == steps.size() && rows.is_empty()) return;
  if (kept == 0 && rows.is_empty()) {
    old.reset();
    return remove_file(path);
  }
  std::size_t of_body = 0;
  for (const BodyQuantity& quantity : quantities) of_body += quantity.components;
  const auto bodies = static_cast<hsize_t>(rows.is_empty() ? old->read_integer("count")
                                                           : rows.values[0].size() / of_body);
  AsideFile aside(path);
  Hdf5File file = Hdf5File::create(aside.part_path(), Hdf5Format::compatible);
  const bool has_new = !rows.is_empty();
  write_common_attributes(
      file,
      bodies_format,
      static_cast<std::int64_t>(has_new ? rows.steps.back() : steps.at(kept - 1)),
      has_new ? rows.times.back() : times.at(kept - 1),
      Precision::double_precision,
      case_yaml);
  file.write_text("entry", entry);
  file.write_integer("count", static_cast<std::int64_t>(bodies));
  const Hdf5File* const from = old ? &*old : nullptr;
  write_rows(file, {"step"}, from, kept, rows.steps);
  write_rows(file, {"time"}, from, kept, rows.times);
  std::size_t first = 0;
  for (const BodyQuantity& quantity : quantities) {
    BodyArray array{quantity.name, {bodies}};
    if (quantity.components > 1) array.of_row.push_back(quantity.components);
    write_rows(file, array, from, kept, part_of_rows(rows, first, quantity.components, of_body));
    first += quantity.components;
  }
  file.close();
  verify_datasets(Hdf5File::open(aside.part_path()));
  old.reset();
  aside.commit();
}

/// Rows of the steps of the time series wait in memory; with checkpoints, at the end and every few
/// seconds the files are written anew.
class BodiesOutput final : public Output {
 public:
  explicit BodiesOutput(const OutputContext& context)
      : Output(context, {}, context.output().timeseries_every) {
    for (const SolidCase& entry : context.resolved.solids) {
      if (entry.is_several() && every().is_any()) entries_.push_back(&entry);
    }
    rows_.resize(entries_.size());
    for (auto& slot : of_slots_) slot.resize(entries_.size());
  }

  [[nodiscard]] FileKind kind_of(std::string_view name) const override {
    return entry_of_file(name).empty() ? FileKind::foreign : FileKind::data;
  }

  RemovedFiles cut_back(const FlowState& checkpoint) override {
    cut(checkpoint.step);
    return {};
  }

  std::vector<std::string> open(const RunOpening& opening) override {
    is_open_ = true;
    // Step 0 is recorded anew by every run that starts or goes on from there.
    const std::int64_t step = opening.simulation.step();
    cut(step == 0 || opening.drops_line_of_last_step ? step - 1 : step);
    return {};
  }

  void record_figures(const StepFigures& figures) override {
    const bool is_row = is_scheduled(figures.moment()) ||
                        context_.resolved.time.is_over(figures.step, figures.time);
    if (!is_open_ || !is_row) return;
    for (std::size_t n = 0; n < entries_.size(); ++n) {
      const auto found =
          std::ranges::find(figures.diagnostics.bodies, entries_[n]->name, &NamedList::name);
      if (found == figures.diagnostics.bodies.end()) continue;
      BodyRows& rows = rows_[n];
      rows.steps.push_back(static_cast<double>(figures.step));
      rows.times.push_back(figures.time);
      rows.values.push_back(found->values);
    }
  }

  [[nodiscard]] Ask asks(bool is_writer_idle) const override {
    const bool has_rows =
        std::ranges::any_of(rows_, [](const BodyRows& rows) { return !rows.is_empty(); });
    if (!has_rows) return Ask::nothing;
    const std::chrono::duration<double> since = Clock::now() - written_at_;
    return is_writer_idle && since.count() >= pause_ ? Ask::now : Ask::nothing;
  }

  [[nodiscard]] bool is_due(const Moment& moment, Ask ask) const override {
    return !entries_.empty() &&
           (moment.is_end() || moment.others.restart || moment.kind == Moment::Kind::diverged ||
            (moment.kind == Moment::Kind::asked && ask == Ask::now));
  }

  void collect(Simulation& simulation, const Moment& moment, std::size_t slot) override {
    Output::collect(simulation, moment, slot);
    written_at_ = Clock::now();
    std::ranges::swap(rows_, of_slots_.at(slot));
  }

  /// Takes what the last files took to be written: that is a twentieth of the time at most.
  void spent(double seconds) override { pause_ = std::max(shortest_pause, 20 * seconds); }

  void secure(const CopiedFlow& flow) override {
    std::vector<BodyRows>& rows = of_slots_.at(flow.slot);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      if (rows[n].is_empty()) continue;
      const SolidCase& entry = *entries_[n];
      rewrite(path(fmt::format("{}{}.h5", bodies_prefix, entry.name)),
              entry.name,
              quantities_of_bodies(context_.resolved, entry),
              rows[n],
              context_.case_yaml);
      rows[n] = {};
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double shortest_pause = 2;  // [s]

  /// Removes rows of later steps.
  void cut(std::int64_t last_step) const {
    for (const std::string& name : names_in(directory())) {
      const std::string entry(entry_of_file(name));
      if (entry.empty()) continue;
      const auto of_case = std::ranges::find(context_.resolved.solids, entry, &SolidCase::name);
      if (last_step < 0 || of_case == context_.resolved.solids.end() || !of_case->is_several()) {
        remove_file(path(name));
        continue;
      }
      const auto quantities = quantities_of_bodies(context_.resolved, *of_case);
      rewrite(path(name), entry, quantities, {}, context_.case_yaml, last_step);
    }
  }

  std::vector<const SolidCase*> entries_;  // with several bodies
  std::vector<BodyRows> rows_;             // of each that wait
  std::array<std::vector<BodyRows>, copy_slots> of_slots_;
  Clock::time_point written_at_ = Clock::now();
  double pause_ = shortest_pause;  // [s]
  bool is_open_ = false;           // on rank 0
};

}  // namespace

std::unique_ptr<Output> make_bodies(const OutputContext& context) {
  return std::make_unique<BodiesOutput>(context);
}

}  // namespace dns
