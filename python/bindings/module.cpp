/// Module dnsflow._dns: what dnsflow/simulation.py is made of.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/bindings/arrays.hpp"
#include "python/bindings/driven_run.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/views.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/version.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/case_grid.hpp"
#include "solver/instances/case_needs.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/output/plane_store.hpp"
#include "solver/output/record_transfer.hpp"
#include "solver/output/statistics_file.hpp"
#include "solver/ranks/mpi.hpp"
#include "solver/run/machine_findings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dns {
namespace {

using Overrides = std::vector<std::pair<std::string, std::string>>;  // path, YAML

std::vector<Override> overrides_of(const Overrides& given) {
  std::vector<Override> overrides;
  for (const auto& [path, value] : given) overrides.push_back({path, value, "set"});
  return overrides;
}

/// text: none for the file of this name.
Case case_of(const std::optional<std::string>& text,
             const std::string& name,
             const Overrides& given,
             Warnings& warnings) {
  const std::vector<Override> overrides = overrides_of(given);
  return text ? parse_case(*text, name, overrides, NamedFiles::looked_at, &warnings)
              : load_case(name, overrides, &warnings);
}

/// Begins a run on the processes of the MPI_Comm at an address; 0: on this one alone.
std::unique_ptr<DrivenRun> begun(const RunOptions& options, std::uintptr_t processes) {
  const nb::gil_scoped_release released;
  return std::make_unique<DrivenRun>(
      options,
      processes == 0 ? nullptr
                     : join_mpi(std::size_t{1} << 30, reinterpret_cast<const void*>(processes)));
}

/// Begins a run of the case `target`, as `text` says or as its file does.
std::unique_ptr<DrivenRun> begin(const std::string& target,
                                 const std::optional<std::string>& text,
                                 const Overrides& given,
                                 bool overwrites,
                                 bool writes_nothing,
                                 std::uintptr_t processes) {
  using From = RunOptions::From;
  return begun({.from = text ? From::case_text : From::case_file,
                .target = target,
                .text = text.value_or(""),
                .overrides = overrides_of(given),
                .overwrites = overwrites,
                .writes_nothing = writes_nothing},
               processes);
}

/// Goes on with the run of a folder, from its checkpoint of a step or the newest one.
std::unique_ptr<DrivenRun> resume(const std::string& folder,
                                  const Overrides& given,
                                  std::optional<std::int64_t> step,
                                  bool branches,
                                  bool overwrites,
                                  std::uintptr_t processes) {
  return begun({.from = RunOptions::From::folder,
                .target = folder,
                .text = {},
                .overrides = overrides_of(given),
                .resumes = true,
                .step = step,
                .branches = branches,
                .overwrites = overwrites},
               processes);
}

/// Takes steps without the lock of the interpreter, which it needs to look for signals only.
nb::tuple advance(DrivenRun& run, std::optional<std::int64_t> steps, std::optional<double> until) {
  Pause pause;
  {
    const nb::gil_scoped_release released;
    pause = run.advance(steps.value_or(std::numeric_limits<std::int64_t>::max()),
                        until.value_or(std::numeric_limits<double>::infinity()),
                        [] {
                          const nb::gil_scoped_acquire acquired;
                          if (PyErr_CheckSignals() != 0) throw nb::python_error();
                        });
  }
  return nb::make_tuple(pause.steps, pause.is_over, pause.due);
}

int watch(DrivenRun& run, std::int64_t steps, double time, double wall, bool exact) {
  return run.watch({.every = time > 0 ? Interval::of_time(time) : Interval(steps),
                    .is_exact = exact,
                    .wall_seconds = wall});
}

nb::dict copied(DrivenRun& run, CopyPurpose purpose) {
  FlowState state;
  {
    const nb::gil_scoped_release released;
    run.with_run([&](Run& used) {
      const Simulation& simulation = used.simulation();
      state = simulation.allocate_state(purpose);
      simulation.copy_state(state, purpose);
    });
  }
  return arrays_of(state);
}

/// Averages so far, as a file of a folder. False: there are no samples yet.
bool write_averages(DrivenRun& run, const std::string& folder) {
  const nb::gil_scoped_release released;
  return run.with_run([&](Run& used) {
    const Simulation& simulation = used.simulation();
    FlowState state;
    state.step = simulation.step();
    state.time = simulation.time();
    state.statistics = simulation.statistics();
    if (state.statistics.samples == 0) return false;
    write_statistics(folder, state, used.resolved(), to_yaml(used.resolved()));
    return true;
  });
}

/// The present flow in the planes that the case records, as a file of each in a folder, on rank 0.
void write_planes(DrivenRun& run, const std::string& folder) {
  const nb::gil_scoped_release released;
  run.with_run([&](Run& used) {
    Simulation& simulation = used.simulation();
    const PlaneRecord record{simulation.step(),
                             simulation.time(),
                             planes_of_all(run.team().communicator(), simulation.planes())};
    if (!run.team().is_first()) return;
    const Case& resolved = used.resolved();
    PlaneStore(folder, plane_grids(resolved), to_yaml(resolved)).set_down({record});
  });
}

/// Present values by the names of their columns in the time series.
nb::dict diagnostics(DrivenRun& run) {
  FlowDiagnostics of;
  std::vector<std::string> names;
  {
    const nb::gil_scoped_release released;
    run.with_run([&](Run& used) {
      of = used.diagnostics();
      names = used.simulation().diagnostic_names();
    });
  }
  nb::dict values;
  values["cfl"] = of.cfl;
  values["divergence_mean"] = of.divergence_mean;
  values["divergence_max"] = of.divergence_max;
  values["kinetic_energy"] = of.kinetic_energy;
  values["dissipation"] = of.dissipation;
  for (std::size_t n = 0; n < names.size(); ++n) values[names[n].c_str()] = of.others.at(n);
  return values;
}

nb::dict coordinates(const DrivenRun& run) {
  const Case& resolved = run.run().resolved();
  nb::dict found;
  for (int axis = 0; axis < 3; ++axis) {
    found[axis_name(axis).c_str()] = array_of(point_coordinates(resolved, axis));
    if (resolved.scheme == Scheme::projection)
      found[(axis_name(axis) + "_faces").c_str()] = array_of(face_coordinates(resolved.grid, axis));
  }
  return found;
}

/// Names of the fields of flow().
std::vector<std::string> variables(const DrivenRun& run) {
  const Case& resolved = run.run().resolved();
  std::vector<std::string> names;
  for (const Variable& variable : solved_variables(resolved)) names.push_back(variable.name);
  if (!resolved.solids.empty()) names.emplace_back(solid_name);
  return names;
}

nb::list said(DrivenRun& run) {
  nb::list lines;
  for (const Said& line : run.mailbox().take_said())
    lines.append(nb::make_tuple(line.is_warning, line.text));
  return lines;
}

nb::object progress(DrivenRun& run) {
  const std::optional<Progress> found = run.mailbox().take_progress();
  if (!found) return nb::none();
  nb::dict values;
  values["step"] = found->step;
  values["steps"] = found->steps == unlimited_steps ? nb::none() : nb::cast(found->steps);
  values["time"] = found->time;
  values["done"] = found->done;
  values["cfl"] = found->cfl;
  values["divergence"] = found->divergence;
  values["seconds_per_step"] = found->step_seconds;
  values["points_per_second"] = found->points_per_second;
  values["seconds_left"] = found->seconds_left;
  values["line"] = progress_line(*found, 100);
  return values;
}

/// Calls use(run) without the lock of the interpreter.
template <class Use>
void without_lock(DrivenRun& run, const Use& use) {
  const nb::gil_scoped_release released;
  run.with_run(use);
}

void set_flow(DrivenRun& run, const std::string& file, bool keeps_time) {
  const auto time = keeps_time ? Run::TimeOfFlow::kept : Run::TimeOfFlow::begun_anew;
  without_lock(run, [&](Run& used) { used.set_flow(file, time); });
}
void take_written_flow(DrivenRun& run) {
  without_lock(run, [](Run& used) { used.take_written_flow(); });
}
void change(DrivenRun& run, const Overrides& changes) {
  without_lock(run, [&](Run& used) { used.change(overrides_of(changes)); });
}
/// values: (nz, ny, nx) of this rank.
void set_source(
    DrivenRun& run,
    const std::string& variable,
    const nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>& values) {
  const std::vector<double> copied(values.data(), values.data() + values.size());
  without_lock(run, [&](Run& used) { used.set_source(variable, copied); });
}

/// View of a field on its device, by its name.
nb::object view(DrivenRun& run, Views& views, const std::string& name) {
  std::vector<DeviceField> fields;
  int device = -1;
  without_lock(run, [&](Run& used) {
    fields = used.simulation().device_fields();
    device = used.simulation().device_number();
  });
  for (const DeviceField& field : fields)
    if (field.name == name) return views.of(nb::find(run), field, device);
  throw nb::key_error(name.c_str());
}
std::vector<std::string> device_fields(DrivenRun& run) {
  std::vector<std::string> names;
  without_lock(run, [&](Run& used) {
    for (const DeviceField& field : used.simulation().device_fields()) names.push_back(field.name);
  });
  return names;
}

nb::list phases(const DrivenRun& run) {
  nb::list times;
  for (const PhaseTime& phase : run.run().simulation().phase_times())
    times.append(nb::make_tuple(phase.name, phase.seconds));
  return times;
}

/// Devices that can be used, and what was looked at with its cure.
std::pair<std::string, std::vector<std::vector<std::string>>> doctor() {
  const DeviceFacts facts = device_facts();
  std::vector<std::vector<std::string>> findings;
  for (const auto& [name, found, cure] : machine_findings(facts))
    findings.push_back({name, found, cure});
  return {usable_devices(facts), findings};
}

/// Case with all defaults, warnings about its file, and the bytes of memory that it needs.
nb::tuple checked(const std::optional<std::string>& text,
                  const std::string& name,
                  const Overrides& given) {
  Warnings warnings;
  Case resolved = case_of(text, name, given, warnings);
  resolved.device = resolve_device(resolved.device);
  const CaseNeeds needs = needs_of(resolved);
  return nb::make_tuple(to_yaml(resolved), warnings, needs.device_bytes);
}

}  // namespace
}  // namespace dns

NB_MODULE(_dns, m) {
  using namespace dns;
  translate_errors();
  m.def("version", [] { return std::string(version()); });
  m.def("describe_keys", &describe_keys);
  m.def("key_names", &key_names);
  m.def("case_schema", &case_schema);
  m.def("checked", &checked, "text"_a.none(), "name"_a, "given"_a);
  m.def("doctor", &doctor);
  m.def("begin", &begin);
  m.def("resume", &resume);
  m.def("mpi_library", [] { return mpi_facts().version; });

  nb::class_<Views>(m, "Views").def(nb::init<>()).def("in_use", &Views::in_use);
  nb::class_<DrivenRun>(m, "DrivenRun")
      .def("set_flow", &set_flow)
      .def("take_written_flow", &take_written_flow)
      .def("change", &change)
      .def("set_source", &set_source)
      .def("view", &view)
      .def("device_fields", &device_fields)
      .def_prop_ro("device_number",
                   [](const DrivenRun& run) { return run.run().simulation().device_number(); })
      .def("advance", &advance, "steps"_a.none(), "until"_a.none())
      .def("watch", &watch, "steps"_a, "time"_a, "wall"_a, "exact"_a)
      .def("forget", &DrivenRun::forget)
      .def("finish", &DrivenRun::finish, nb::call_guard<nb::gil_scoped_release>())
      .def("flow", [](DrivenRun& run) { return copied(run, CopyPurpose::viewing); })
      .def("stored_flow", [](DrivenRun& run) { return copied(run, CopyPurpose::restart); })
      .def("write_averages", &write_averages)
      .def("write_planes", &write_planes)
      .def("write_records",
           [](DrivenRun& run) { without_lock(run, [](Run& used) { used.write_records(); }); })
      .def("diagnostics", &diagnostics)
      .def("coordinates", &coordinates)
      .def("said", &said)
      .def("variables", &variables)
      .def("stop",
           [](DrivenRun& run, const std::string& reason) {
             run.with_run([&](Run& used) { used.stop(reason); });
           })
      .def(
          "write_output",
          [](DrivenRun& run, const std::string& who) {
            run.with_run([&](Run& used) { used.write_for(who); });
          },
          nb::call_guard<nb::gil_scoped_release>())
      .def("progress", &progress)
      .def_prop_ro("has_flow", [](const DrivenRun& run) { return run.run().has_simulation(); })
      .def("phases", &phases)
      .def("is_any", &DrivenRun::is_any, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("rank", [](DrivenRun& run) { return run.team().communicator().rank(); })
      .def_prop_ro("ranks", [](DrivenRun& run) { return run.team().ranks(); })
      .def_prop_ro("planes",
                   [](const DrivenRun& run) {
                     const Box& part = run.run().simulation().subdomain().part;
                     return std::pair(part.begin.k, part.end.k);
                   })
      .def("tell_progress_every",
           [](DrivenRun& run, double seconds) { run.mailbox().tell_progress_every(seconds); })
      .def("ask_to_stop",
           [](DrivenRun& run, const std::string& reason) { run.mailbox().ask_to_stop(reason); })
      .def("ask_for_output",
           [](DrivenRun& run, const std::string& who) { run.mailbox().ask_for_output(who); })
      .def_prop_ro("step", [](const DrivenRun& run) { return run.run().simulation().step(); })
      .def_prop_ro("time", [](const DrivenRun& run) { return run.run().simulation().time(); })
      .def_prop_ro("time_step",
                   [](const DrivenRun& run) { return run.run().simulation().time_step(); })
      .def_prop_ro("memory",
                   [](const DrivenRun& run) { return run.run().simulation().memory_bytes(); })
      .def_prop_ro("device_name",
                   [](const DrivenRun& run) { return run.run().simulation().device_name(); })
      .def_prop_ro("methods", [](const DrivenRun& run) { return run.run().simulation().methods(); })
      .def_prop_ro("case_text", [](const DrivenRun& run) { return to_yaml(run.run().resolved()); })
      .def_prop_ro("folder",
                   [](const DrivenRun& run) { return run.run().resolved().output.directory; })
      .def_prop_ro("stop_reason",
                   [](const DrivenRun& run) { return run.run().summary().result.stop_reason; })
      .def_prop_ro("sound_step",
                   [](const DrivenRun& run) { return run.run().summary().result.sound_step; })
      .def_prop_ro("diverged_step",
                   [](const DrivenRun& run) { return run.run().summary().result.diverged_step; })
      .def_prop_ro("good_checkpoint",
                   [](const DrivenRun& run) { return run.run().summary().result.good_checkpoint; });
}
