#include "solver/start/start_in_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solver/start/source_flow.hpp"

namespace dns {
namespace {

/// "128 x 96 x 96 cells", "65 x 33 x 33 nodes"
std::string grid_in_words(const Extents& points, const std::string& kind) {
  return fmt::format("{} x {} x {} {}", points.nx, points.ny, points.nz, kind);
}

std::string grid_in_words(const Case& resolved) {
  return grid_in_words(resolved.grid.points,
                       resolved.scheme == Scheme::splitting ? "nodes" : "cells");
}

/// "; x repeated 2 times, z scaled by 1.05"
std::string fit_in_words(const Case& source, const Case& target) {
  std::vector<std::string> words;
  for (int axis = 0; axis < 3; ++axis) {
    const AxisFit fit = axis_fit(source, target, axis);
    const std::string& name = axis_name(axis);
    if (fit.repeats > 1) words.push_back(fmt::format("{} repeated {} times", name, fit.repeats));
    if (fit.scale != 1) words.push_back(fmt::format("{} scaled by {:.6g}", name, fit.scale));
  }
  return words.empty() ? "" : fmt::format("; {}", fmt::join(words, ", "));
}

bool has_centres_alone(const SourceFlow& source) {
  return source.datasets().front().storage == Storage::centres;
}

std::string grids_in_words(const SourceFlow& source, const Case& target) {
  const Case& made_with = source.made_with();
  const bool is_staggered = target.scheme == Scheme::projection;
  const bool is_plain = source.file().kind() == FlowFile::Kind::plain;
  if (source.is_on_same_grid()) {
    if (!is_staggered) return fmt::format("the same {}, values as they are", grid_in_words(target));
    return fmt::format("the same {}, {}; divergence removed",
                       grid_in_words(target),
                       has_centres_alone(source) ? "velocity from centres to faces (linear)"
                                                 : "values as they are");
  }
  const bool is_of_other_scheme = made_with.scheme != target.scheme;
  return fmt::format(
      "{}{} interpolated to {} (cubic){}{}",
      is_plain ? grid_in_words(source.points(), "points") : grid_in_words(made_with),
      is_of_other_scheme ? fmt::format(" of scheme {}", name_of(made_with.scheme)) : "",
      grid_in_words(target),
      fit_in_words(made_with, target),
      is_staggered ? "; divergence removed" : "");
}

/// "checkpoint PATH: step 100, t = 2.5", "file PATH: datasets velocity, temperature"
std::string first_line(const SourceFlow& source) {
  const FlowFile& file = source.file();
  if (file.kind() == FlowFile::Kind::plain) {
    std::vector<std::string> names;
    for (const SourceDataset& dataset : source.datasets()) names.push_back(dataset.values.name);
    return fmt::format("file {}: datasets {}", file.path(), fmt::join(names, ", "));
  }
  const bool is_checkpoint = file.kind() == FlowFile::Kind::checkpoint;
  return fmt::format("{} {}: step {}, t = {:g}",
                     is_checkpoint ? "checkpoint" : "snapshot",
                     file.path(),
                     file.step(),
                     file.time());
}

/// Datasets of a plain file that are neither values that the flow takes nor coordinates: one may be
/// misspelt.
std::vector<std::string> unused_datasets(const SourceFlow& source) {
  if (source.file().kind() != FlowFile::Kind::plain) return {};
  std::vector<std::string> names = source.file().names();
  for (const SourceDataset& dataset : source.datasets()) std::erase(names, dataset.values.name);
  for (int axis = 0; axis < 3; ++axis) {
    std::erase(names, axis_name(axis));
    std::erase(names, axis_name(axis) + "_faces");
  }
  return names;
}

}  // namespace

std::vector<std::string> start_in_words(const Case& resolved) {
  return about_start_file([&] {
    const SourceFlow source(resolved);
    std::vector<std::string> lines{first_line(source), grids_in_words(source, resolved)};
    const auto names_of = [](const Case& of) {
      std::vector<std::string> names;
      for (int n = 0; n < of.scalar_count(); ++n)
        names.push_back(of.name_of_scalar(first_scalar + n));
      return names;
    };
    const std::vector<std::string> own = names_of(resolved);
    for (const std::string& name : own) {
      const std::string key =
          name == temperature_name ? "initial.temperature" : "scalars." + name + ".initial";
      if (!source.has(name))
        lines.push_back(fmt::format("{} from {}: the file has none", name, key));
    }
    for (const std::string& name : unused_datasets(source))
      lines.push_back(fmt::format("its dataset {} is left out", name));
    for (const std::string& name : names_of(source.made_with())) {
      if (source.has(name) && std::ranges::find(own, name) == own.end())
        lines.push_back(fmt::format("its {} is left out: this flow has none", name));
    }
    return lines;
  });
}

}  // namespace dns
