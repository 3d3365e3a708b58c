/// The output of a run for tests, which ask for it by name.
#pragma once

#include <algorithm>
#include <string_view>

#include "solver/output/output_writer.hpp"
#include "solver/output/outputs.hpp"

namespace dns {

/// What is asked for; what goes with it is written too.
struct Wanted {
  bool snapshot = false;
  bool checkpoint = false;
  bool statistics = false;
  bool slices = false;  // as files
  bool live = false;    // for the page alone
  bool planes = false;
  bool probes = false;
};

/// The simulation of a rank's slab, and the other ranks; null: alone.
struct OutputSource {
  OutputSource(Simulation& of_slab, OtherRanks* other_ranks = nullptr)
      : slab(of_slab), others(other_ranks) {}

  Simulation& slab;
  OtherRanks* others;
};

class OutputOfRun {
 public:
  OutputOfRun(const Case& resolved,
              const OutputSource& source,
              Communicator& communicator = alone(),
              bool is_live = false)
      : simulation_(source.slab),
        outputs_(resolved, communicator, is_live),
        writer_(source.slab, source.others) {
    if (communicator.rank() == 0) static_cast<void>(outputs_.open({.simulation = simulation_}));
  }

  /// What is recorded of the present step.
  void record() {
    for (const auto& output : outputs_) output->record(simulation_);
  }

  /// Whether this much has been recorded that it should be written.
  [[nodiscard]] bool has_much() const {
    const Asks asks = outputs_.asks(false);
    return std::ranges::find(asks, Ask::now) != asks.end();
  }

  void write(const Wanted& wanted) {
    Outputs::Set asked;
    const auto ask = [&](bool is_asked, std::string_view name) {
      std::size_t place = 0;
      for (const auto& output : outputs_) {
        if (is_asked && output->kind_of(name) != Output::FileKind::foreign) asked.set(place);
        ++place;
      }
    };
    ask(wanted.snapshot, "fields_00000000.h5");
    ask(wanted.checkpoint, "checkpoint_00000000.h5");
    ask(wanted.statistics, "statistics.h5");
    ask(wanted.slices || wanted.live, "slice_lid_00000000.png");
    ask(wanted.planes, "planes_lid.h5");
    ask(wanted.probes, "probes_wake.csv");
    Moment moment{.kind = wanted.slices ? Moment::Kind::resumed : Moment::Kind::asked,
                  .flow = {simulation_.step(), simulation_.time(), simulation_.time_before()}};
    const Outputs::Set due = outputs_.due(moment, {}, asked);
    if (due.any()) writer_.write(outputs_.of(due), moment);
  }

  void finish() { writer_.finish(); }
  [[nodiscard]] const Outputs& outputs() const { return outputs_; }

 private:
  Simulation& simulation_;
  Outputs outputs_;
  OutputWriter writer_;
};

}  // namespace dns
