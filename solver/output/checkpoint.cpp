#include "solver/output/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "solver/core/error.hpp"
#include "solver/output/file_format.hpp"
#include "solver/output/hdf5_file.hpp"
#include "solver/output/run_files.hpp"

namespace dns {
namespace {

std::string path_in(const std::string& directory, const std::string& name) {
  return (std::filesystem::path(directory) / name).string();
}

void write_field(Hdf5File& file, const HostField& field) {
  const auto [nx, ny, nz] = field.extents();
  const auto planes = static_cast<hsize_t>(nz);
  const std::size_t plane_bytes = field.bytes() / static_cast<std::size_t>(nz);
  DatasetLayout layout;
  layout.shape = {planes, static_cast<hsize_t>(ny), static_cast<hsize_t>(nx)};
  layout.precision = field.precision();
  layout.planes_per_chunk = planes_per_block(planes, plane_bytes);
  layout.has_checksum = true;
  auto dataset = file.create_dataset(field.name(), layout);
  dataset.write_planes(0, planes, field.data());
}

HostField read_field(const Hdf5File& file, const std::string& name, Precision precision) {
  const Hdf5Dataset dataset = file.open_dataset(name);
  const auto& shape = dataset.shape();
  const bool is_box = shape.size() == 3 && std::all_of(shape.begin(), shape.end(), [](hsize_t n) {
                        return n > 0 && n <= INT_MAX;
                      });
  if (!is_box || dataset.precision() != precision) {
    throw IoError(fmt::format(
        "{}: dataset {}: not a {} array (nz, ny, nx)", file.path(), name, name_of(precision)));
  }
  const Extents extents{.nx = static_cast<int>(shape[2]),
                        .ny = static_cast<int>(shape[1]),
                        .nz = static_cast<int>(shape[0])};
  HostField field(name, extents, precision);
  dataset.read_planes(0, shape[0], field.data());
  return field;
}

/// Reads and checks one checkpoint. Throws IoError.
Checkpoint read_checkpoint(const std::string& path) {
  const Hdf5File file = Hdf5File::open(path);
  check_format(file, checkpoint_format);
  Checkpoint checkpoint;
  checkpoint.path = path;
  checkpoint.case_yaml = file.read_text("case");
  checkpoint.state = read_checkpoint_state(file);
  return checkpoint;
}

/// Removes the checkpoints of `directory` but those of `step` and of the keep-1 steps before it.
/// Those of later steps were damaged or left by a run that went on from here: they go as well, or
/// the next resume would try them first.
void remove_other_checkpoints(const std::string& directory, std::int64_t step, int keep) {
  const auto files = numbered_files(directory, checkpoint_prefix);
  const auto after = std::find_if(
      files.begin(), files.end(), [=](const NumberedFile& file) { return file.step > step; });
  const auto kept_from = after - std::min<std::ptrdiff_t>(after - files.begin(), std::max(keep, 1));
  std::error_code ignored;  // what cannot be removed does no harm
  for (auto file = files.begin(); file != files.end(); ++file) {
    if (file < kept_from || file >= after)
      std::filesystem::remove(path_in(directory, file->name), ignored);
  }
  for (std::filesystem::directory_iterator entry(directory, ignored), end; entry != end;
       entry.increment(ignored)) {
    const auto path = entry->path();
    if (path.extension() == ".part" && step_of_name(checkpoint_prefix, path.stem().string()))
      std::filesystem::remove(path, ignored);
  }
}

}  // namespace

FlowState read_checkpoint_state(const Hdf5File& file) {
  FlowState state;
  state.step = file.read_integer("step");
  state.time = file.read_real("time");
  const Precision precision = read_precision(file);
  std::istringstream names(file.read_text("fields"));
  for (std::string name; names >> name;) {
    state.fields.push_back(read_field(file, name, precision));
    if (state.fields.back().extents() != state.fields.front().extents()) {
      throw IoError(fmt::format("{}: dataset {}: its shape differs from that of {}",
                                file.path(),
                                name,
                                state.fields.front().name()));
    }
  }
  if (state.fields.empty()) throw IoError(fmt::format("{}: it holds no fields", file.path()));
  return state;
}

void write_checkpoint(const std::string& directory,
                      const FlowState& state,
                      const std::string& case_yaml,
                      int keep) {
  AsideFile aside(path_in(directory, numbered_name(checkpoint_prefix, state.step)));
  Hdf5File file = Hdf5File::create(aside.part_path(), Hdf5Format::checksummed);
  std::string names;
  Precision precision = Precision::double_precision;
  for (const HostField& field : state.fields) {
    write_field(file, field);
    precision = field.precision();
    names += (names.empty() ? "" : " ") + field.name();
  }
  write_common_attributes(file, checkpoint_format, state, precision, case_yaml);
  file.write_text("fields", names);
  file.close();
  aside.commit();
  remove_other_checkpoints(directory, state.step, keep);
}

Checkpoint read_newest_checkpoint(const std::string& directory) {
  auto files = numbered_files(directory, checkpoint_prefix);
  std::reverse(files.begin(), files.end());
  if (files.empty()) throw IoError(fmt::format("no checkpoint in {}", directory));
  std::vector<std::string> warnings;
  for (const NumberedFile& file : files) {
    try {
      Checkpoint checkpoint = read_checkpoint(path_in(directory, file.name));
      checkpoint.warnings = std::move(warnings);
      return checkpoint;
    } catch (const IoError& error) {
      warnings.push_back(fmt::format("checkpoint skipped: {}", error.what()));
    }
  }
  std::string message = fmt::format("no checkpoint in {} can be used:", directory);
  for (const std::string& warning : warnings) message += "\n  " + warning;
  throw IoError(message);
}

}  // namespace dns
