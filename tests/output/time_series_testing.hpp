/// The time series of a run that goes on after some step.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fake_simulation.hpp"
#include "solver/output/outputs.hpp"

namespace dns {

class TimeSeries {
 public:
  TimeSeries(const std::string& folder,
             std::int64_t last_step,
             std::vector<std::string> diagnostic_names)
      : simulation_(std::move(diagnostic_names)),
        context_{case_in(folder), "", alone()},
        output_(make_time_series(context_)) {
    FlowState state;
    state.step = last_step;
    simulation_.set_state(state);
    output_->open({.simulation = simulation_});
  }

  void append(const StepFigures& figures) { output_->record_figures(figures); }

 private:
  class Named final : public FakeSimulation {
   public:
    explicit Named(std::vector<std::string> names) : names_(std::move(names)) {}
    [[nodiscard]] std::vector<std::string> diagnostic_names() const override { return names_; }

   private:
    std::vector<std::string> names_;
  };

  static Case case_in(const std::string& folder) {
    Case resolved = known_case(folder);
    resolved.output.timeseries_every = 1;
    return resolved;
  }

  Named simulation_;
  OutputContext context_;
  std::unique_ptr<Output> output_;
};

}  // namespace dns
