/// Particles over time: particles_NAME_STEP.h5, and particles_NAME.xdmf, which opens them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/files/file_format.hpp"
#include "solver/files/hdf5_file.hpp"
#include "solver/files/run_files.hpp"
#include "solver/files/xdmf.hpp"
#include "solver/output/outputs.hpp"

namespace dns {
namespace {

constexpr std::string_view particles_format = "dns particles";
constexpr std::string_view position_name = "position";
constexpr std::string_view fluid_velocity_name = "fluid_velocity";
constexpr std::string_view vertex_name = "vertex";

/// An array over particles, or over particles and components.
void write_array(Hdf5File& file,
                 std::string_view name,
                 hsize_t columns,
                 const std::vector<double>& values,
                 Precision precision) {
  write_columns(file, std::string(name), columns, values, precision, {"particle", "component"});
}

/// 0, 1, 2 ..., which takes some bytes in a thousand.
void write_vertices(Hdf5File& file, std::size_t count) {
  if (count == 0) return;
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  DatasetWriter dataset =
      file.create_dataset(std::string(vertex_name), {.shape = {count}, .compression = 1});
  dataset.label_axis("particle", nullptr);
  dataset.append(count, numbers.data());
  dataset.close();
}

/// The element of a list that opens a file; empty where it holds no particles. Throws IoError.
std::string element_of(const std::string& directory, const std::string& name) {
  const Hdf5File file = Hdf5File::open(path_in(directory, name));
  check_format(file, particles_format);
  const std::int64_t count = file.read_integer("count");
  if (count == 0) return {};
  const std::size_t bytes = bytes_of(read_precision(file));
  const std::string vectors = fmt::format("{} 3", count);
  XdmfPoints points{.name = file.read_text("species"),
                    .time = read_time(file),
                    .count = count,
                    .places = xdmf_item_of_dataset(vectors, bytes, name, position_name),
                    .vertices = {},
                    .values = {}};
  if (file.has_dataset(std::string(vertex_name))) {
    points.vertices =
        xdmf_item_of_dataset(std::to_string(count), sizeof(double), name, vertex_name);
  }
  points.values.push_back(
      {"id", false, xdmf_item_of_dataset(std::to_string(count), sizeof(double), name, "id")});
  for (const std::string_view vector : {velocity_name, fluid_velocity_name, unwrapped_name}) {
    if (!file.has_dataset(std::string(vector))) continue;
    points.values.push_back(
        {std::string(vector), true, xdmf_item_of_dataset(vectors, bytes, name, vector)});
  }
  if (file.has_dataset(std::string(diameter_name))) {
    points.values.push_back(
        {std::string(diameter_name),
         false,
         xdmf_item_of_dataset(std::to_string(count), bytes, name, diameter_name)});
  }
  return xdmf_text(points);
}

class TrajectoryOutput final : public Output {
 public:
  explicit TrajectoryOutput(const OutputContext& context)
      : Output(context,
               {},
               context.output().trajectories ? context.output().trajectories->every : Interval{},
               particles_prefix) {}

  [[nodiscard]] FileKind kind_of(std::string_view name) const override {
    if (name.ends_with(".xdmf") && !plane_of_file(name, particles_prefix).empty())
      return FileKind::list;
    return Output::kind_of(name);
  }

  RemovedFiles cut_back(const FlowState& checkpoint) override {
    Warnings warnings;
    for (const std::string& species : planes_with_files(directory(), particles_prefix))
      write_list(species, checkpoint.step, warnings);  // first: it never names a file that is gone
    return remove_after(checkpoint.step, directory(), particles_prefix, std::move(warnings));
  }

  [[nodiscard]] bool is_scheduled(const FlowMoment& flow) const override {
    return is_asked_for() && every().is_due(flow, context_.output().trajectories->start);
  }
  [[nodiscard]] bool is_due(const Moment& moment, Ask /*ask*/) const override {
    const bool is_step = moment.kind == Moment::Kind::begun || moment.kind == Moment::Kind::stepped;
    return is_step && is_scheduled(moment.flow);
  }

  void collect(Simulation& simulation, const Moment& moment, std::size_t slot) override {
    Output::collect(simulation, moment, slot);
    Slot& to = of_slots_.at(slot);
    to = {moment.flow.step, moment.flow.time, {}};
    for (const TracksCase& tracks : context_.output().trajectories->species) {
      to.particles.push_back(
          simulation.particles({.species = place_of(tracks),
                                .stride = tracks.stride,
                                .fluid_velocity = tracks.has(fluid_velocity_name)}));
    }
  }

  Warnings write(const CopiedFlow& flow) override {
    const Slot& slot = of_slots_.at(flow.slot);
    Warnings warnings;
    for (std::size_t n = 0; n < slot.particles.size(); ++n) {
      write_file(context_.output().trajectories->species[n], slot, slot.particles[n]);
      write_list(slot.particles[n].name, slot.step, warnings);
    }
    return warnings;
  }

 private:
  struct Slot {
    std::int64_t step = 0;
    double time = 0;
    std::vector<ParticleCopy> particles;
  };

  [[nodiscard]] bool is_asked_for() const { return context_.output().trajectories.has_value(); }
  [[nodiscard]] std::size_t place_of(const TracksCase& tracks) const {
    const auto& all = context_.resolved.particles;
    return std::ranges::find(all, tracks.name, &SpeciesCase::name) - all.begin();
  }

  [[nodiscard]] std::vector<double> unwrapped(const ParticleCopy& particles) const {
    std::vector<double> places = particles.positions;
    for (std::size_t n = 0; n < places.size(); ++n)
      places[n] += particles.turns.at(n) * context_.resolved.grid.length[n % 3];
    return places;
  }
  [[nodiscard]] std::vector<double> diameters(const TracksCase& tracks,
                                              const ParticleCopy& particles) const {
    if (!particles.diameters.empty()) return particles.diameters;
    return std::vector<double>(particles.ids.size(),
                               *context_.resolved.particles.at(place_of(tracks)).diameter);
  }

  void write_file(const TracksCase& tracks, const Slot& slot, const ParticleCopy& particles) {
    const Precision precision = context_.output().trajectories->precision;
    AsideFile aside(path(plane_piece_name(particles.name, slot.step, particles_prefix)));
    Hdf5File file = Hdf5File::create(aside.part_path(), Hdf5Format::compatible);
    write_common_attributes(
        file, particles_format, slot.step, slot.time, precision, context_.case_yaml);
    file.write_text("species", particles.name);
    file.write_integer("count", static_cast<std::int64_t>(particles.ids.size()));
    file.write_integer("stride", tracks.stride);
    write_array(
        file, "id", 1, {particles.ids.begin(), particles.ids.end()}, Precision::double_precision);
    write_vertices(file, particles.ids.size());
    write_array(file, position_name, 3, particles.positions, precision);
    if (tracks.has(velocity_name))
      write_array(file, velocity_name, 3, particles.velocities, precision);
    write_array(file, fluid_velocity_name, 3, particles.fluid_velocities, precision);
    if (tracks.has(unwrapped_name))
      write_array(file, unwrapped_name, 3, unwrapped(particles), precision);
    if (tracks.has(diameter_name))
      write_array(file, diameter_name, 1, diameters(tracks, particles), precision);
    file.close();
    verify_datasets(Hdf5File::open(aside.part_path()));
    aside.commit();
  }

  /// The list of the files of a species up to a step.
  void write_list(const std::string& species, std::int64_t last_step, Warnings& warnings) {
    std::string grids;
    for (const NumberedFile& file : numbered_files(directory(), particles_prefix, species)) {
      if (file.step > last_step) continue;
      try {
        auto known = elements_.find(file.name);
        if (known == elements_.end() || file.step == last_step)
          known = elements_.insert_or_assign(file.name, element_of(directory(), file.name)).first;
        grids += known->second;
      } catch (const IoError& error) {
        warnings.push_back(fmt::format("{}; the list of {} leaves it out", error.what(), species));
      }
    }
    write_xdmf(path(fmt::format("{}{}.xdmf", particles_prefix, species)), species, grids);
  }

  std::map<std::string, std::string> elements_;  // of lists, by the names of files
  std::array<Slot, copy_slots> of_slots_;
};

}  // namespace

std::unique_ptr<Output> make_trajectories(const OutputContext& context) {
  return std::make_unique<TrajectoryOutput>(context);
}

}  // namespace dns
