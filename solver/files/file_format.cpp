#include "solver/files/file_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solver/core/error.hpp"
#include "solver/core/version.hpp"

namespace dns {
namespace {

/// The version written, unless another one is asked for.
std::int64_t version_of(std::string_view format) {
  return format == checkpoint_format ? 2 : 1;
}
/// The last version that is read.
std::int64_t last_version_of(std::string_view format) {
  return format == checkpoint_format ? version_with_references : version_of(format);
}

}  // namespace

void write_common_attributes(Hdf5File& file,
                             std::string_view format,
                             std::int64_t step,
                             double time,
                             Precision precision,
                             const std::string& case_yaml,
                             std::optional<std::int64_t> version_of_format) {
  file.write_text("format", std::string(format));
  file.write_integer("format_version", version_of_format.value_or(version_of(format)));
  file.write_integer("step", step);
  file.write_real("time", time);
  file.write_text("precision", std::string(name_of(precision)));
  file.write_text("version", std::string(version()));
  file.write_text("case", case_yaml);
}

void check_format(const Hdf5File& file, std::string_view format) {
  if (!file.has_attribute("format"))
    throw IoError(fmt::format("{}: not a {} (no attribute format)", file.path(), format));
  if (const auto found = file.read_text("format"); found != format)
    throw IoError(fmt::format("{}: not a {} but a {}", file.path(), format, found));
  const std::int64_t found = file.read_integer("format_version");
  if (found >= version_of(format) && found <= last_version_of(format)) return;
  throw IoError(
      fmt::format("{}: format_version is {}, but this program reads {}; use a program "
                  "like the one that wrote it: version {}",
                  file.path(),
                  found,
                  last_version_of(format),
                  file.has_attribute("version") ? file.read_text("version") : "unknown"));
}

std::int64_t read_step(const Hdf5File& file) {
  constexpr std::int64_t most_steps = 1'000'000'000'000'000;  // of 1 us each for 30 years
  const std::int64_t step = file.read_integer("step");
  if (step < 0 || step > most_steps) {
    throw IoError(
        fmt::format("{}: step is {}, but must be from 0 to {}", file.path(), step, most_steps));
  }
  return step;
}

double read_time(const Hdf5File& file) {
  const double time = file.read_real("time");
  if (!std::isfinite(time) || time < 0)
    throw IoError(fmt::format("{}: time is {}, but must be >= 0", file.path(), time));
  return time;
}

double read_finite(const Hdf5File& file, const std::string& name) {
  const double value = file.read_real(name);
  if (!std::isfinite(value))
    throw IoError(fmt::format("{}: attribute {} is {}", file.path(), name, value));
  return value;
}

Precision read_precision(const Hdf5File& file) {
  const std::string text = file.read_text("precision");
  if (text == name_of(Precision::single_precision)) return Precision::single_precision;
  if (text == name_of(Precision::double_precision)) return Precision::double_precision;
  throw IoError(fmt::format("{}: precision is {}, but must be float or double", file.path(), text));
}

void write_columns(Hdf5File& file,
                   const std::string& name,
                   hsize_t columns,
                   const std::vector<double>& values,
                   Precision precision,
                   const std::vector<std::string>& labels) {
  if (values.empty()) return;
  std::vector<hsize_t> shape{values.size() / columns};
  if (columns > 1) shape.push_back(columns);
  DatasetWriter dataset = file.create_dataset(name, {.shape = shape, .precision = precision});
  for (std::size_t axis = 0; axis < std::min(shape.size(), labels.size()); ++axis)
    dataset.label_axis(labels[axis], nullptr);
  with_real(precision, [&]<class Real>(Real) {
    const std::vector<Real> converted(values.begin(), values.end());
    dataset.append(shape[0], converted.data());
  });
  dataset.close();
}

}  // namespace dns
