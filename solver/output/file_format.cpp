#include "solver/output/file_format.hpp"

#include <fmt/format.h>

#include "solver/core/error.hpp"
#include "solver/core/version.hpp"

namespace dns {
namespace {

constexpr std::int64_t format_version = 1;

}  // namespace

void write_common_attributes(Hdf5File& file,
                             std::string_view format,
                             const FlowState& state,
                             Precision precision,
                             const std::string& case_yaml) {
  file.write_text("format", std::string(format));
  file.write_integer("format_version", format_version);
  file.write_integer("step", state.step);
  file.write_real("time", state.time);
  file.write_text("precision", std::string(name_of(precision)));
  file.write_text("version", std::string(version()));
  file.write_text("case", case_yaml);
}

void check_format(const Hdf5File& file, std::string_view format) {
  if (!file.has_attribute("format"))
    throw IoError(fmt::format("{}: not a {} (no attribute format)", file.path(), format));
  if (const auto found = file.read_text("format"); found != format)
    throw IoError(fmt::format("{}: not a {} but a {}", file.path(), format, found));
  if (const auto found = file.read_integer("format_version"); found != format_version) {
    throw IoError(
        fmt::format("{}: format_version is {}, but this program reads {}; use a program "
                    "like the one that wrote it: version {}",
                    file.path(),
                    found,
                    format_version,
                    file.has_attribute("version") ? file.read_text("version") : "unknown"));
  }
}

Precision read_precision(const Hdf5File& file) {
  const std::string text = file.read_text("precision");
  if (text == name_of(Precision::single_precision)) return Precision::single_precision;
  if (text == name_of(Precision::double_precision)) return Precision::double_precision;
  throw IoError(fmt::format("{}: precision is {}, but must be float or double", file.path(), text));
}

}  // namespace dns
