/// particle_statistics.h5: means over particles by their place along an axis.
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "solver/config/face_coordinates.hpp"
#include "solver/files/file_format.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/files/run_files.hpp"
#include "solver/output/outputs.hpp"

namespace dns {
namespace {

constexpr std::string_view file_name = "particle_statistics.h5";
constexpr std::string_view format_name = "dns particle statistics";

// What a bin sums up, in this order: see ParticleSum of solver/numerics/particle_sums.hpp.
constexpr std::size_t velocity_sum = 1, product_sum = 4, fluid_velocity_sum = 10, sums_in_bin = 13;
constexpr double quantum = 1.0 / (1 << 30);
constexpr double unit_of_high = 4294967296.0;  // 2^32

/// The edges of the bins [L].
std::vector<double> edges_of(const Case& resolved) {
  const ParticleStatisticsCase& statistics = *resolved.output.particle_statistics;
  std::vector<double> faces = face_coordinates(resolved.grid, statistics.axis);
  if (statistics.bins == 0) return faces;
  const double low = faces.front();
  const double length = faces.back() - low;
  faces.clear();
  for (int bin = 0; bin <= statistics.bins; ++bin)
    faces.push_back(low + length * bin / statistics.bins);
  return faces;
}

/// The means of a species in all bins; NaN where a bin had no particles.
class MeansOfSpecies {
 public:
  explicit MeansOfSpecies(const ParticleSums& sums) : sums_(sums) {}

  [[nodiscard]] double sum(std::size_t bin, std::size_t which) const {
    const std::size_t n = bin * sums_in_bin + which;
    if (n >= sums_.high.size()) return 0;
    return (static_cast<double>(sums_.high[n]) * unit_of_high + static_cast<double>(sums_.low[n])) *
           quantum;
  }
  [[nodiscard]] double mean(std::size_t bin, std::size_t which) const {
    const double number = sum(bin, 0);
    return number > 0 ? sum(bin, which) / number : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  const ParticleSums& sums_;
};

class ParticleStatisticsOutput final : public Output {
 public:
  explicit ParticleStatisticsOutput(const OutputContext& context) : Output(context, {}) {}

  [[nodiscard]] FileKind kind_of(std::string_view name) const override {
    return name == file_name ? FileKind::data : FileKind::foreign;
  }
  [[nodiscard]] bool is_due(const Moment& moment, Ask /*ask*/) const override {
    return context_.output().particle_statistics &&
           (moment.is_end() || moment.others.snapshot || moment.others.restart);
  }
  void collect(Simulation& simulation, const Moment& moment, std::size_t slot) override {
    Output::collect(simulation, moment, slot);
    of_slots_.at(slot) = {moment.flow.step, moment.flow.time, simulation.particle_sums()};
  }

  /// Unless there are no samples yet.
  Warnings write(const CopiedFlow& flow) override {
    const Slot& slot = of_slots_.at(flow.slot);
    if (slot.sums.empty() || slot.sums.front().samples == 0) return {};
    const Case& resolved = context_.resolved;
    const std::string axis = axis_name(resolved.output.particle_statistics->axis);
    const std::vector<double> edges = edges_of(resolved);
    std::vector<double> centres;
    for (std::size_t bin = 0; bin + 1 < edges.size(); ++bin)
      centres.push_back((edges[bin] + edges[bin + 1]) / 2);
    AsideFile aside(path(file_name));
    Hdf5File file = Hdf5File::create(aside.part_path(), Hdf5Format::compatible);
    write_common_attributes(
        file, format_name, slot.step, slot.time, Precision::double_precision, context_.case_yaml);
    file.write_text("axis", axis);
    file.write_integer("samples", slot.sums.front().samples);
    file.write_real("first_time", slot.sums.front().first_time);
    file.write_real("last_time", slot.sums.front().last_time);
    Scales scales;
    add_scale(file, axis, centres, scales);
    add_scale(file, axis + "_faces", edges, scales);
    for (std::size_t n = 0; n < slot.sums.size(); ++n)
      write_species(file, resolved.particles[n].name, slot.sums[n], edges, scales.at(axis), axis);
    close_all(scales);
    file.close();
    verify_datasets(Hdf5File::open(aside.part_path()));
    aside.commit();
    return {};
  }

 private:
  struct Slot {
    std::int64_t step = 0;
    double time = 0;
    std::vector<ParticleSums> sums;
  };

  static void write_species(Hdf5File& file,
                            const std::string& species,
                            const ParticleSums& sums,
                            const std::vector<double>& edges,
                            const DatasetWriter& scale,
                            const std::string& axis) {
    const MeansOfSpecies of(sums);
    const std::size_t bins = edges.size() - 1;
    const auto write = [&](const std::string& name, const auto& value_in) {
      std::vector<double> values(bins);
      for (std::size_t bin = 0; bin < bins; ++bin) values[bin] = value_in(bin);
      DatasetWriter dataset = file.create_dataset(
          species + "_" + name, {.shape = {bins}, .precision = Precision::double_precision});
      dataset.label_axis(axis, &scale);
      dataset.append(bins, values.data());
      dataset.close();
    };
    double all = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) all += of.sum(bin, 0);
    const double length = edges.back() - edges.front();
    const auto samples = static_cast<double>(sums.samples);
    write("count", [&](std::size_t bin) { return of.sum(bin, 0) / samples; });
    write("concentration", [&](std::size_t bin) {
      return of.sum(bin, 0) / all * length / (edges[bin + 1] - edges[bin]);
    });
    for (std::size_t a = 0; a < 3; ++a) {
      const std::string along(1, "xyz"[a]);
      const auto v = [&, a](std::size_t bin) { return of.mean(bin, velocity_sum + a); };
      const auto u = [&, a](std::size_t bin) { return of.mean(bin, fluid_velocity_sum + a); };
      write("velocity_" + along, v);
      write("fluid_velocity_" + along, u);
      write("slip_" + along, [&](std::size_t bin) { return u(bin) - v(bin); });
    }
    constexpr std::array<std::array<std::size_t, 2>, 6> pairs{
        {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
    for (std::size_t n = 0; n < pairs.size(); ++n) {
      const auto [one, other] = pairs.at(n);
      const std::string name = std::string("stress_") + "xyz"[one] + "xyz"[other];
      write(name, [&, n, a = one, b = other](std::size_t bin) {
        return of.mean(bin, product_sum + n) -
               of.mean(bin, velocity_sum + a) * of.mean(bin, velocity_sum + b);
      });
    }
  }

  std::array<Slot, copy_slots> of_slots_;
};

}  // namespace

std::unique_ptr<Output> make_particle_statistics(const OutputContext& context) {
  return std::make_unique<ParticleStatisticsOutput>(context);
}

}  // namespace dns
