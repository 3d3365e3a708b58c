/// Files of a run's folder: their names, and how they appear complete or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/file_descriptor.hpp"
#include "solver/core/system_errors.hpp"

namespace dns {

inline constexpr std::string_view snapshot_prefix = "fields_";
inline constexpr std::string_view checkpoint_prefix = "checkpoint_";
inline constexpr std::string_view slice_prefix = "slice_";
inline constexpr std::string_view planes_prefix = "planes_";
inline constexpr std::string_view probes_prefix = "probes_";
inline constexpr std::string_view particles_prefix = "particles_";
inline constexpr std::string_view statistics_prefix = "statistics_";  // of windows, or set aside
inline constexpr std::string_view timeseries_name = "timeseries.csv";
inline constexpr std::string_view picture_extension = ".png";

/// "checkpoint_00000100.h5": at least eight digits.
std::string numbered_name(std::string_view prefix,
                          std::int64_t step,
                          std::string_view extension = ".h5");

/// "slice_floor_00000050.png".
std::string slice_name(std::string_view plane, std::int64_t step);

/// "planes_inlet_00000120.h5": a piece of the records of a plane, the last of which is of that
/// step. Lines of probes, which are stored likewise, have another prefix.
std::string plane_piece_name(std::string_view plane,
                             std::int64_t step,
                             std::string_view prefix = planes_prefix);

/// The step of a name that these make with one of the prefixes above; none for any other name.
std::optional<std::int64_t> step_of_name(std::string_view prefix, std::string_view name);

/// "inlet" of the names that stand for all its records, "planes_inlet.h5" and "planes_inlet.xdmf",
/// and of a piece; empty for any other name.
std::string plane_of_file(std::string_view name, std::string_view prefix = planes_prefix);

/// "probes_wake.csv": the records of a point.
std::string probe_table_name(std::string_view probe);
/// "wake" of such a name; empty for any other.
std::string probe_of_table(std::string_view name);

/// What the user of a run should know, in lines; nothing has failed.
using Warnings = std::vector<std::string>;
void add_warnings(Warnings more, Warnings& warnings);

struct NumberedFile {
  std::int64_t step = 0;
  std::string name;  // without the folder
};

/// A file of a folder.
std::string path_in(const std::string& directory, std::string_view name);
/// The names of all files there. Throws IoError when the folder cannot be read.
std::vector<std::string> names_in(const std::string& directory);

/// Files of a folder whose names have a step (step_of_name), ordered by it; of slices, planes and
/// lines of probes those of one `word` alone unless it is empty. Throws as names_in.
std::vector<NumberedFile> numbered_files(const std::string& directory,
                                         std::string_view prefix,
                                         std::string_view word = {});
/// The planes that have files there, in alphabetical order.
std::vector<std::string> planes_with_files(const std::string& directory,
                                           std::string_view prefix = planes_prefix);
/// The points that have a table there, in alphabetical order.
std::vector<std::string> probes_with_tables(const std::string& directory);

/// A file written aside: the writer fills part_path(), and commit() gives it its name. Without
/// commit() the destructor removes it, so that under its name there is always a complete file, new
/// or old.
class AsideFile {
 public:
  explicit AsideFile(std::string path);
  ~AsideFile();
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;

  [[nodiscard]] const std::string& part_path() const { return part_path_; }  // PATH.part

  /// Waits until the (closed) file is on the disk, renames it, and flushes the name to disk as
  /// well. Throws IoError.
  void commit();

 private:
  std::string path_;
  std::string part_path_;
  bool is_committed_ = false;
};

/// Removes a file, if there is one. Throws IoError.
void remove_file(const std::string& path);

/// Writes a file, text or not, aside and renames it. Throws IoError.
void write_text_file(const std::string& path, std::string_view text);

/// Writes all of `text` to an open file, in a single write unless the system takes it piecewise.
/// Throws IoError "PATH: DOING: reason".
void write_all(int file, std::string_view text, const std::string& path, std::string_view doing);

}  // namespace dns
