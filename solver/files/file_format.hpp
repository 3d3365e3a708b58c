/// What snapshots and checkpoints have in common: their root attributes and how they are known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/core/flow_state.hpp"
#include "solver/files/hdf5_file.hpp"

namespace dns {

inline constexpr std::string_view checkpoint_format = "dns checkpoint";
inline constexpr std::string_view snapshot_format = "dns snapshot";
/// The version of checkpoints that hold differences from references (reference_number_of).
inline constexpr std::int64_t version_with_references = 3;
/// Prefix of the names of the attributes that hold FlowState::numbers.
inline constexpr std::string_view number_prefix = "number_";

/// Writes the attributes format, format_version, step, time, precision (of the values in the file),
/// version and case. Throws IoError.
void write_common_attributes(Hdf5File& file,
                             std::string_view format,
                             std::int64_t step,
                             double time,
                             Precision precision,
                             const std::string& case_yaml,
                             std::optional<std::int64_t> version_of_format = {});

/// Throws IoError, saying what the file is instead, unless it has this format and the version of it
/// that this program knows.
void check_format(const Hdf5File& file, std::string_view format);

/// The attribute step. Throws IoError unless it is a number of steps that a run can have.
std::int64_t read_step(const Hdf5File& file);

/// The attribute time [L/U]. Throws IoError unless it is finite and not negative.
double read_time(const Hdf5File& file);

/// An attribute that holds a number. Throws IoError unless it is finite.
double read_finite(const Hdf5File& file, const std::string& name);

/// The attribute precision. Throws IoError.
Precision read_precision(const Hdf5File& file);

/// Writes values in rows of `columns` as an array (N), or (N, columns) where there are several;
/// without values there is none. labels: names of its axes, or none. Throws IoError.
void write_columns(Hdf5File& file,
                   const std::string& name,
                   hsize_t columns,
                   const std::vector<double>& values,
                   Precision precision,
                   const std::vector<std::string>& labels = {});

}  // namespace dns
