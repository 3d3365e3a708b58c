#include "solver/output/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/packed_bytes.hpp"
#include "solver/core/slab_planes.hpp"
#include "solver/files/checksum.hpp"
#include "solver/files/file_format.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/flow_datasets.hpp"

namespace dns {
namespace {

// The lists of what a checkpoint holds, as text attributes with blanks between the items; sums and
// numbers have a prefix (for sums the name of their list), so that they cannot clash with fields
// and other attributes.
const std::string fields_list = "fields";
const std::string numbers_list = "numbers";
const std::string sums_list = "statistics";
const std::string window_list = "window";             // sums of the window of time under way
const std::string last_suffix = "_last";              // of the list of the last sample
const std::string phases_suffix = "_phases";          // of the list of sums by phase
const std::string references_suffix = "_references";  // of the list of their numbers
const std::string offsets_suffix = "_offsets";        // likewise
const std::string particles_list = "particles";       // names of species
const std::string bodies_list = "bodies";             // names of numbers of bodies

/// Prefix of the attributes of a list of numbers.
std::string prefix_of(const std::string& list) {
  return list == numbers_list ? std::string(number_prefix) : list + "_";
}

/// "velocity_x:double:3x5x7": the entry of a field in a list, sizes slowest axis first.
std::string listed(const std::string& name, Extents extents, Precision precision) {
  const auto [nx, ny, nz] = extents;
  return fmt::format("{}:{}:{}x{}x{}", name, name_of(precision), nz, ny, nx);
}

DatasetWriter create_field(Hdf5File& file,
                           const std::string& name,
                           Extents extents,
                           Precision precision) {
  return file.create_dataset(name,
                             {.shape = {static_cast<hsize_t>(extents.nz),
                                        static_cast<hsize_t>(extents.ny),
                                        static_cast<hsize_t>(extents.nx)},
                              .precision = precision});
}

/// A field that a list describes, in the dataset of its name with `prefix`.
struct FoundField {
  std::string name;
  Extents extents;
  DatasetReader dataset;
};

FoundField find_field(const Hdf5File& file, const std::string& item, const std::string& prefix) {
  const std::string called = item.substr(0, item.find(':'));
  const std::string name = prefix + called;
  DatasetReader dataset = file.open_dataset(name);
  const auto& shape = dataset.shape();
  const bool is_box = shape.size() == 3 && std::all_of(shape.begin(), shape.end(), [](hsize_t n) {
                        return n <= INT_MAX;
                      });
  if (!is_box)
    throw IoError(fmt::format("{}: dataset {}: not an array (nz, ny, nx)", file.path(), name));
  const Extents extents{.nx = static_cast<int>(shape[2]),
                        .ny = static_cast<int>(shape[1]),
                        .nz = static_cast<int>(shape[0])};
  if (const std::string found = listed(called, extents, dataset.precision()); found != item) {
    throw IoError(
        fmt::format("{}: dataset {}: is {}, but must be {}", file.path(), name, found, item));
  }
  if (!dataset.has_checksum())
    throw IoError(fmt::format("{}: dataset {}: it has no checksum", file.path(), name));
  if (!dataset.place())
    throw IoError(fmt::format("{}: dataset {}: it is not in one piece", file.path(), name));
  return {called, extents, std::move(dataset)};
}

HostField read_field(const Hdf5File& file, const std::string& item, const std::string& prefix) {
  const auto [name, extents, dataset] = find_field(file, item, prefix);
  HostField field(name, extents, dataset.precision());
  const std::size_t plane_bytes = field.bytes() / extents.nz;
  auto* const bytes = static_cast<std::byte*>(field.data());
  dataset.read([&](hsize_t first, hsize_t count, const void* values) {
    std::memcpy(bytes + first * plane_bytes, values, count * plane_bytes);
  });
  return field;
}

/// Writes every item with `write_item`, which returns what the list says of it, then the list.
template <class Item, class WriteItem>
void write_list(Hdf5File& file,
                const std::string& list,
                const std::vector<Item>& items,
                WriteItem write_item) {
  std::string text;
  for (const Item& item : items) text += (text.empty() ? "" : " ") + write_item(item);
  file.write_text(list, text);
}

std::vector<std::string> listed_items(const Hdf5File& file, const std::string& list) {
  if (list != fields_list && !file.has_attribute(list)) return {};
  std::istringstream text(file.read_text(list));
  std::vector<std::string> items;
  for (std::string item; text >> item;) items.push_back(item);
  return items;
}

void write_listed(Hdf5File& file, const std::string& list, const std::vector<HostField>& fields) {
  if (fields.empty()) return;
  write_list(file, list, fields, [&](const HostField& field) {
    DatasetWriter dataset =
        create_field(file, list + "_" + field.name(), field.extents(), field.precision());
    dataset.append(static_cast<hsize_t>(field.extents().nz), field.data());
    dataset.close();
    return listed(field.name(), field.extents(), field.precision());
  });
}

/// Writes a list of numbers, which are attributes with the prefix of the list.
void write_numbers(Hdf5File& file,
                   const std::string& list,
                   const std::vector<NamedNumber>& numbers) {
  if (numbers.empty()) return;
  write_list(file, list, numbers, [&](const NamedNumber& number) {
    file.write_real(prefix_of(list) + number.name, number.value);
    return number.name;
  });
}

void write_sums(Hdf5File& file, const std::string& list, const StatisticsSums& statistics) {
  file.write_integer(list + "_samples", statistics.samples);
  file.write_real(list + "_first_time", statistics.first_time);
  file.write_real(list + "_last_time", statistics.last_time);
  file.write_real(list + "_duration", statistics.duration);
  if (list == window_list) file.write_integer(list + "_last_step", statistics.last_step);
  write_numbers(file, list + references_suffix, statistics.references);
  write_numbers(file, list + offsets_suffix, statistics.offsets);
  write_listed(file, list, statistics.sums);
  write_listed(file, list + last_suffix, statistics.last);
  write_listed(file, list + phases_suffix, statistics.phases);
}

std::vector<HostField> read_listed(const Hdf5File& file, const std::string& list) {
  std::vector<HostField> fields;
  for (const std::string& item : listed_items(file, list))
    fields.push_back(read_field(file, item, list + "_"));
  return fields;
}

std::vector<NamedNumber> read_numbers(const Hdf5File& file, const std::string& list) {
  std::vector<NamedNumber> numbers;
  for (const std::string& name : listed_items(file, list))
    numbers.push_back({name, read_finite(file, prefix_of(list) + name)});
  return numbers;
}

/// The sums of a list; none where the file has no such list.
StatisticsSums read_sums(const Hdf5File& file, const std::string& list) {
  StatisticsSums statistics;
  statistics.sums = read_listed(file, list);
  if (statistics.sums.empty()) return statistics;
  const auto read_count = [&](const std::string& name) {
    const std::int64_t count = file.read_integer(list + name);
    if (count < 0) {
      throw IoError(fmt::format(
          "{}: attribute {}{} is {}, but must be >= 0", file.path(), list, name, count));
    }
    return count;
  };
  statistics.samples = read_count("_samples");
  statistics.first_time = read_finite(file, list + "_first_time");
  statistics.last_time = read_finite(file, list + "_last_time");
  statistics.duration = read_finite(file, list + "_duration");
  statistics.last = read_listed(file, list + last_suffix);
  statistics.phases = read_listed(file, list + phases_suffix);
  statistics.references = read_numbers(file, list + references_suffix);  // 0 before there were any
  statistics.offsets = read_numbers(file, list + offsets_suffix);
  const bool is_single = statistics.samples > 0 && !(statistics.duration > 0);
  if (list == sums_list && is_single && statistics.last.size() != statistics.sums.size())
    throw IoError(fmt::format("{}: its averages lack their only sample", file.path()));
  if (list == window_list) statistics.last_step = read_count("_last_step");
  return statistics;
}

/// Arrays of a species begin with particles_NAME_, as do its numbers.
std::string prefix_of_species(const std::string& name) {
  return particles_list + "_" + name + "_";
}

/// Ids are whole numbers below 2^53, stored as numbers in double.
void write_particles(Hdf5File& file, const FlowState& state, Precision precision) {
  if (state.particles.empty()) return;
  write_list(file, particles_list, state.particles, [&](const ParticleCopy& species) {
    const std::string prefix = prefix_of_species(species.name);
    file.write_integer(prefix + "count", static_cast<std::int64_t>(species.ids.size()));
    file.write_integer(prefix + "next_id", species.next_id);
    write_numbers(file, prefix + "left", species.numbers);
    write_columns(file,
                  prefix + "id",
                  1,
                  {species.ids.begin(), species.ids.end()},
                  Precision::double_precision);
    write_columns(file, prefix + "position", 3, species.positions, Precision::double_precision);
    write_columns(file, prefix + "velocity", 3, species.velocities, precision);
    if (!species.turns.empty())
      write_columns(file, prefix + "turns", 3, species.turns, Precision::double_precision);
    if (!species.diameters.empty())
      write_columns(file, prefix + "diameter", 1, species.diameters, Precision::double_precision);
    const ParticleSums& sums = species.sums;
    file.write_integer(prefix + "samples", sums.samples);
    if (sums.samples == 0) return species.name;
    file.write_real(prefix + "first_time", sums.first_time);
    file.write_real(prefix + "last_time", sums.last_time);
    write_columns(file,
                  prefix + "sums",
                  1,
                  {sums.high.begin(), sums.high.end()},
                  Precision::double_precision);
    write_columns(file,
                  prefix + "low_sums",
                  1,
                  {sums.low.begin(), sums.low.end()},
                  Precision::double_precision);
    return species.name;
  });
}

/// count: how many numbers there must be; none: as many as there are.
std::vector<double> read_columns(const Hdf5File& file,
                                 const std::string& name,
                                 std::optional<std::size_t> count) {
  if (count == std::size_t{0}) return {};
  const DatasetReader dataset = file.open_dataset(name);
  if (!dataset.has_checksum())
    throw IoError(fmt::format("{}: dataset {}: it has no checksum", file.path(), name));
  std::vector<double> values = dataset.read_doubles();
  if (!count || values.size() == *count) return values;
  throw IoError(fmt::format("{}: dataset {}: has {} numbers, but must have {}",
                            file.path(),
                            name,
                            values.size(),
                            *count));
}

void write_bodies(Hdf5File& file, const FlowState& state) {
  if (state.bodies.empty()) return;
  write_list(file, bodies_list, state.bodies, [&](const NamedList& list) {
    write_columns(file, bodies_list + "_" + list.name, 1, list.values, Precision::double_precision);
    return list.name;
  });
}

std::vector<NamedList> read_bodies(const Hdf5File& file) {
  std::vector<NamedList> all;
  for (const std::string& name : listed_items(file, bodies_list))
    all.push_back(
        {name, read_columns(file, fmt::format("{}_{}", bodies_list, name), std::nullopt)});
  return all;
}

ParticleSums read_particle_sums(const Hdf5File& file, const std::string& prefix) {
  ParticleSums sums;
  sums.samples = file.read_integer(prefix + "samples");
  if (sums.samples == 0) return sums;
  sums.first_time = read_finite(file, prefix + "first_time");
  sums.last_time = read_finite(file, prefix + "last_time");
  for (const double high : read_columns(file, prefix + "sums", std::nullopt))
    sums.high.push_back(static_cast<std::int64_t>(high));
  for (const double low : read_columns(file, prefix + "low_sums", sums.high.size()))
    sums.low.push_back(static_cast<std::int64_t>(low));
  return sums;
}

std::vector<ParticleCopy> read_particles(const Hdf5File& file) {
  std::vector<ParticleCopy> all;
  if (!file.has_attribute(particles_list)) return all;
  for (const std::string& name : listed_items(file, particles_list)) {
    const std::string prefix = prefix_of_species(name);
    const std::int64_t count = file.read_integer(prefix + "count");
    if (count < 0)
      throw IoError(fmt::format("{}: attribute {}count is {}", file.path(), prefix, count));
    ParticleCopy& species = all.emplace_back();
    species.name = name;
    species.next_id = file.read_integer(prefix + "next_id");
    species.numbers = read_numbers(file, prefix + "left");
    const std::size_t particles = count;
    for (const double id : read_columns(file, prefix + "id", particles))
      species.ids.push_back(static_cast<std::int64_t>(id));
    species.positions = read_columns(file, prefix + "position", 3 * particles);
    species.velocities = read_columns(file, prefix + "velocity", 3 * particles);
    if (file.has_dataset(prefix + "turns"))
      species.turns = read_columns(file, prefix + "turns", 3 * particles);
    if (file.has_dataset(prefix + "diameter"))
      species.diameters = read_columns(file, prefix + "diameter", particles);
    species.sums = read_particle_sums(file, prefix);
  }
  return all;
}

/// Averages of versions that weighed all samples alike.
bool has_sums_of_samples(const Hdf5File& file) {
  return file.has_attribute(sums_list) && !file.has_attribute(sums_list + "_duration");
}

/// All but the fields. Throws IoError for whatever is missing or damaged.
FlowState read_head(const Hdf5File& file) {
  FlowState state;
  state.step = read_step(file);
  state.time = read_time(file);
  state.numbers = read_numbers(file, numbers_list);
  state.particles = read_particles(file);
  state.bodies = read_bodies(file);
  if (has_sums_of_samples(file)) return state;
  state.statistics = read_sums(file, sums_list);
  state.window = read_sums(file, window_list);
  return state;
}

/// The planes of a field that the slab `part` holds, straight from their place in the file; returns
/// what the rank owns of them.
PartOfDataset read_planes(const FileDescriptor& file,
                          const DatasetReader& dataset,
                          const std::string& where,
                          const Subdomain& part,
                          HostField& field) {
  const std::size_t plane_bytes = field.bytes() / field.extents().nz;
  const auto first = static_cast<std::uint64_t>(held(whole_planes(field, part), part).first);
  file.read_at(*dataset.place() + first * plane_bytes, field.data(), field.bytes(), where);
  const Planes own = owned(whole_planes(field, part), part);
  const HostField planes = field.planes(own.first - part.first(2), own.count);
  Checksum checksum;
  checksum.add(planes.data(), planes.bytes());
  return {.bytes = planes.bytes(), .checksum = checksum.value()};
}

/// Reads and checks the checkpoint of a step. Throws IoError.
Checkpoint read_checkpoint(const std::string& path, std::int64_t step) {
  const Hdf5File file = Hdf5File::open(path);
  check_format(file, checkpoint_format);
  Checkpoint checkpoint;
  checkpoint.path = path;
  checkpoint.case_yaml = file.read_text("case");
  checkpoint.state = read_head(file);
  if (has_sums_of_samples(file)) {
    checkpoint.warnings.push_back(
        path + ": its averages are over samples, not over time: averages begin anew");
  }
  for (const std::string& item : listed_items(file, fields_list)) {
    const auto [name, extents, dataset] = find_field(file, item, "");
    dataset.read([](hsize_t, hsize_t, const void*) {});
    checkpoint.state.fields.emplace_back(name, extents, dataset.precision(), nullptr);
  }
  if (checkpoint.state.fields.empty()) throw IoError(fmt::format("{}: it holds no fields", path));
  if (const std::int64_t found = checkpoint.state.step; found != step)
    throw IoError(fmt::format("{}: its step is {}, but its name says {}", path, found, step));
  return checkpoint;
}

/// Reads back what was written, lest a file that cannot be read becomes the newest; the values of
/// the flow have been. Throws IoError.
void verify_checkpoint(const std::string& path,
                       const std::string& case_yaml,
                       const std::vector<KnownChecksum>& known) {
  const Hdf5File file = Hdf5File::open(path);
  check_format(file, checkpoint_format);
  if (file.read_text("case") != case_yaml)
    throw IoError(fmt::format("{}: attribute case is not what was written", path));
  verify_datasets(file, known);
}

}  // namespace

void write_checkpoint(const std::string& directory,
                      const WholeFlow& flow,
                      const std::string& case_yaml,
                      int keep) {
  const FlowState& state = flow.slab();
  AsideFile aside(path_in(directory, numbered_name(checkpoint_prefix, state.step)));
  Hdf5File file = Hdf5File::create(aside.part_path(), Hdf5Format::checksummed);
  FlowDatasets datasets(flow);
  write_list(file, fields_list, state.fields, [&](const HostField& field) {
    const Extents extents = flow.extents_of(field);
    datasets.add({.name = field.name(), .fields = {field.name()}, .precision = field.precision()},
                 create_field(file, field.name(), extents, field.precision()));
    return listed(field.name(), extents, field.precision());
  });
  const Precision precision =
      state.fields.empty() ? Precision::double_precision : state.fields.front().precision();
  const bool has_references = std::ranges::any_of(state.numbers, [](const NamedNumber& number) {
    return number.name.starts_with(reference_prefix);
  });
  write_common_attributes(file,
                          checkpoint_format,
                          state.step,
                          state.time,
                          precision,
                          case_yaml,
                          has_references ? std::optional(version_with_references) : std::nullopt);
  write_numbers(file, numbers_list, state.numbers);
  write_particles(file, state, precision);
  write_bodies(file, state);
  if (!state.statistics.sums.empty()) write_sums(file, sums_list, state.statistics);
  if (!state.window.sums.empty()) write_sums(file, window_list, state.window);
  datasets.write(file);
  file.close();
  verify_checkpoint(aside.part_path(), case_yaml, datasets.checked(aside.part_path()));
  aside.commit();
  remove_other_checkpoints(directory, state.step, keep, LaterCheckpoints::removed);
}

void remove_other_checkpoints(const std::string& directory,
                              std::int64_t step,
                              int keep,
                              LaterCheckpoints later) {
  auto files = numbered_files(directory, checkpoint_prefix);
  const auto is_later = [=](const NumberedFile& file) { return file.step > step; };
  const auto first_later = std::ranges::find_if(files, is_later);
  const auto kept = std::min<std::ptrdiff_t>(std::max(keep, 1), first_later - files.begin());
  files.erase(first_later - kept, later == LaterCheckpoints::removed ? first_later : files.end());
  std::error_code ignored;  // what cannot be removed does no harm
  for (const NumberedFile& file : files)
    std::filesystem::remove(path_in(directory, file.name), ignored);
}

Checkpoint read_newest_checkpoint(const std::string& directory) {
  auto files = numbered_files(directory, checkpoint_prefix);
  std::reverse(files.begin(), files.end());
  if (files.empty()) {
    std::error_code ignored;
    const std::string case_path = path_in(directory, "case.yaml");
    const bool has_case = std::filesystem::is_regular_file(case_path, ignored);
    throw IoError(fmt::format("no checkpoint in {}; {}",
                              directory,
                              has_case ? fmt::format("to begin anew: dns run {} --force", case_path)
                                       : "it holds no run: give the folder of one"));
  }
  std::vector<std::string> warnings;
  for (const NumberedFile& file : files) {
    try {
      Checkpoint checkpoint = read_checkpoint(path_in(directory, file.name), file.step);
      checkpoint.warnings.insert(checkpoint.warnings.begin(), warnings.begin(), warnings.end());
      return checkpoint;
    } catch (const IoError& error) {
      warnings.push_back(fmt::format("checkpoint skipped: {}", error.what()));
    }
  }
  std::string message = fmt::format("no checkpoint in {} can be used:", directory);
  for (const std::string& warning : warnings) message += "\n  " + warning;
  throw IoError(message);
}

Checkpoint read_checkpoint_of(const std::string& directory, std::int64_t step) {
  std::string steps;
  for (const NumberedFile& file : numbered_files(directory, checkpoint_prefix)) {
    if (file.step == step) return read_checkpoint(path_in(directory, file.name), step);
    steps += fmt::format("{}{}", steps.empty() ? "" : ", ", file.step);
  }
  throw IoError(fmt::format("no checkpoint of step {} in {}; it has those of: {}",
                            step,
                            directory,
                            steps.empty() ? "none" : steps));
}

FlowState read_slab(Communicator& communicator, const std::string& path, const Subdomain& part) {
  FlowState slab;
  std::vector<PartOfDataset> own;
  std::vector<std::uint32_t> expected;
  require_on_all_ranks(communicator, [&] {
    const FileDescriptor bytes = open_of_all_ranks(path, O_RDONLY, part);
    const Hdf5File file = Hdf5File::open(path);
    slab = read_head(file);
    for (const std::string& item : listed_items(file, fields_list)) {
      auto [name, extents, dataset] = find_field(file, item, "");
      extents.nz = held(extents.nz, part).count;
      HostField& field = slab.fields.emplace_back(name, extents, dataset.precision());
      const std::string where = fmt::format("{}: dataset {}", path, name);
      own.push_back(read_planes(bytes, dataset, where, part, field));
      expected.push_back(*dataset.checksum());
    }
  });
  const std::vector<std::string> of_all = gathered_texts(communicator, packed(own));
  require_on_all_ranks(communicator, [&] {
    const std::vector<std::uint32_t> found = joined_checksums(of_all);
    for (std::size_t n = 0; n < found.size(); ++n) {
      if (found[n] == expected.at(n)) continue;
      throw IoError(
          fmt::format("{}: dataset {}: its values, read by {} ranks, do not match their checksum; "
                      "do all see the same file, in a shared file system?",
                      path,
                      slab.fields[n].name(),
                      of_all.size()));
    }
  });
  return slab;
}

}  // namespace dns
