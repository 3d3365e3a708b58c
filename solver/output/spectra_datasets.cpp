#include "solver/output/spectra_datasets.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "solver/core/names.hpp"

namespace dns {
namespace {

std::vector<double> multiples(double step, int count) {
  std::vector<double> values;
  for (int n = 0; n < count; ++n) values.push_back(n * step);
  return values;
}

}  // namespace

void write_spectra(Hdf5File& file,
                   const std::vector<Spectrum>& spectra,
                   const std::array<const DatasetWriter*, 3>& scales) {
  Scales own_scales;
  for (const Spectrum& spectrum : spectra) {
    const std::string& own = spectrum.scale;
    const int count = spectrum.extents[std::max(spectrum.axis, 0)];
    if (!own_scales.contains(own))
      add_scale(file, own, multiples(spectrum.step, count), own_scales);
    std::vector<std::pair<std::string, const DatasetWriter*>> axes;  // slowest first
    DatasetLayout layout;
    for (const int axis : {2, 1, 0}) {
      const bool is_own = axis == std::max(spectrum.axis, 0);
      const DatasetWriter* const kept = scales.at(static_cast<std::size_t>(axis));
      if (!is_own && (kept == nullptr || spectrum.axis < 0)) continue;
      layout.shape.push_back(static_cast<hsize_t>(spectrum.extents[axis]));
      axes.emplace_back(is_own ? own : axis_name(axis), is_own ? &own_scales.at(own) : kept);
    }
    DatasetWriter dataset = file.create_dataset(spectrum.name, layout);
    dataset.append(layout.shape[0], spectrum.values.data());
    for (const auto& [label, scale] : axes) dataset.label_axis(label, scale);
    dataset.close();
  }
  for (auto& [name, scale] : own_scales) scale.label_axis(name, nullptr);
  close_all(own_scales);
}

}  // namespace dns
