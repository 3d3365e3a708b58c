#include "solver/simulation/about_references.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "solver/config/references.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/probe_points.hpp"
#include "solver/simulation/flow_checks.hpp"

namespace dns {
namespace {

struct ScalarWithReference {
  int variable;  // its number
  double reference;
  std::string name, symbol;
};

std::vector<ScalarWithReference> scalars_of(const Case& resolved) {
  const std::vector<Variable> variables = solved_variables(resolved);
  const std::vector<double> references = references_of(resolved);
  std::vector<ScalarWithReference> scalars;
  for (int n = 0; n < std::ssize(references); ++n) {
    const Variable& variable = variables[first_scalar + n];
    scalars.push_back({first_scalar + n, references[n], variable.name, variable.symbol});
  }
  return scalars;
}

void add(double number, HostField& field) {
  with_real(field.precision(), [&]<class Real>(Real) {
    for (Real& value : field.values<Real>())
      value = static_cast<Real>(static_cast<double>(value) + number);
  });
}

/// Values in float, in the first half of the memory, become values in double, with a number added.
void widen(double number, HostField& field) {
  const auto from = std::as_const(field).narrowed();
  const auto narrow = from.values<float>();
  const auto wide = field.values<double>();
  for (std::size_t n = wide.size(); n-- > 0;) wide[n] = static_cast<double>(narrow[n]) + number;
}

/// What a restart copy of other references has changes by.
void shift(double number, const ScalarWithReference& scalar, FlowState& state) {
  for (HostField& field : state.fields) {
    if (field.name() != scalar.name) continue;
    field = field.duplicate();
    add(number, field);
  }
  for (NamedNumber& mean : state.numbers)
    if (mean.name == mean_number_of(scalar.name)) mean.value += number;
  for (StatisticsSums* const sums : {&state.statistics, &state.window}) {
    const auto found = std::ranges::find(sums->references, scalar.symbol, &NamedNumber::name);
    if (found == sums->references.end()) {
      sums->references.push_back({scalar.symbol, number});
    } else {
      found->value += number;
    }
  }
}

/// The scalars whose reference is not 0.
std::vector<ScalarWithReference> referred_scalars(const Case& resolved) {
  std::vector<ScalarWithReference> scalars = scalars_of(resolved);
  std::erase_if(scalars, [](const ScalarWithReference& scalar) { return scalar.reference == 0; });
  return scalars;
}

class SimulationAboutReferences final : public Simulation {
 public:
  SimulationAboutReferences(const Case& resolved, std::unique_ptr<Simulation> differences)
      : differences_(std::move(differences)),
        precision_(resolved.precision),
        all_scalars_(scalars_of(resolved)),
        scalars_(referred_scalars(resolved)),
        words_(references_in_words(resolved)) {
    for (const ProbeSample& sample : probe_samples(resolved)) {
      const auto of = std::ranges::find(scalars_, sample.variable, &ScalarWithReference::variable);
      of_samples_.push_back(of == scalars_.end() ? 0 : of->reference);
    }
    for (const std::string& name : differences_->diagnostic_names()) {
      const auto of = std::ranges::find(
          scalars_, name, [](const ScalarWithReference& one) { return mean_number_of(one.name); });
      of_diagnostics_.push_back(of == scalars_.end() ? 0 : of->reference);
    }
  }

  void set_state(const FlowState& state) override { differences_->set_state(about(state)); }
  void begin_anew(const FlowState* flow) override {
    if (flow == nullptr) return differences_->begin_anew(nullptr);
    const FlowState differences = about(*flow);
    differences_->begin_anew(&differences);
  }
  std::vector<DeviceField> device_fields() override {
    std::vector<DeviceField> fields = differences_->device_fields();
    std::erase_if(fields, [this](const DeviceField& field) {
      return std::ranges::find(scalars_, field.name, &ScalarWithReference::name) != scalars_.end();
    });
    return fields;
  }
  [[nodiscard]] int device_number() const override { return differences_->device_number(); }
  void change(const Case& changed) override { differences_->change(changed); }
  void set_source(int variable, const std::vector<double>& values) override {
    differences_->set_source(variable, values);
  }

  StepReport advance() override { return differences_->advance(); }
  void begin_diagnostics() override { differences_->begin_diagnostics(); }
  FlowDiagnostics finish_diagnostics() override {
    FlowDiagnostics diagnostics = differences_->finish_diagnostics();
    for (std::size_t n = 0; n < diagnostics.others.size(); ++n)
      diagnostics.others[n] += of_diagnostics_[n];
    return diagnostics;
  }
  [[nodiscard]] std::vector<std::string> diagnostic_names() const override {
    return differences_->diagnostic_names();
  }

  [[nodiscard]] FlowState allocate_state(CopyPurpose purpose) const override {
    FlowState state = differences_->allocate_state(purpose);
    if (purpose == CopyPurpose::restart) return state;
    for_each_scalar_in(state, [](const ScalarWithReference&, HostField& field) {
      if (field.precision() == Precision::double_precision) return;
      field = HostField(field.name(), field.extents(), Precision::double_precision);
    });
    return state;
  }
  void copy_state(FlowState& state, CopyPurpose purpose) const override {
    if (purpose == CopyPurpose::restart || scalars_.empty()) {
      differences_->copy_state(state, purpose);
      for (const ScalarWithReference& scalar : scalars_)
        state.numbers.push_back({reference_number_of(scalar.name), scalar.reference});
      return;
    }
    FlowState narrow = state;  // in the same memory
    const bool widens = precision_ == Precision::single_precision;
    if (widens) {
      for_each_scalar_in(
          narrow, [](const ScalarWithReference&, HostField& field) { field = field.narrowed(); });
    }
    differences_->copy_state(narrow, purpose);
    state.step = narrow.step;
    state.time = narrow.time;
    state.numbers = std::move(narrow.numbers);
    for_each_scalar_in(state, [&](const ScalarWithReference& scalar, HostField& field) {
      widens ? widen(scalar.reference, field) : add(scalar.reference, field);
    });
  }
  [[nodiscard]] bool one_copy_serves_both() const override {
    return scalars_.empty() && differences_->one_copy_serves_both();
  }

  [[nodiscard]] StatisticsSums statistics() const override {
    return with_offsets(differences_->statistics());
  }
  [[nodiscard]] StatisticsSums window() const override {
    return with_offsets(differences_->window());
  }
  std::vector<StatisticsSums> take_ended_windows() override {
    std::vector<StatisticsSums> windows = differences_->take_ended_windows();
    for (StatisticsSums& window : windows) window = with_offsets(std::move(window));
    return windows;
  }

  std::vector<PlaneValues> planes() override {
    std::vector<PlaneValues> planes = differences_->planes();
    for (PlaneValues& plane : planes) {
      for (const ScalarWithReference& scalar : scalars_)
        for (double& value : plane.at(scalar.variable)) value += scalar.reference;
    }
    return planes;
  }
  ProbeRecords take_probes() override {
    ProbeRecords records = differences_->take_probes();
    for (std::size_t n = 0; n < records.values.size(); ++n)
      records.values[n] += of_samples_[records.samples[n % records.samples.size()]];
    return records;
  }

  ParticleCopy particles(const ParticlesAsked& asked) override {
    return differences_->particles(asked);
  }
  std::vector<ParticleSums> particle_sums() override { return differences_->particle_sums(); }

  [[nodiscard]] std::int64_t step() const override { return differences_->step(); }
  [[nodiscard]] double time() const override { return differences_->time(); }
  [[nodiscard]] double time_step() const override { return differences_->time_step(); }
  [[nodiscard]] double time_before() const override { return differences_->time_before(); }
  [[nodiscard]] std::vector<std::string> methods() const override {
    std::vector<std::string> lines = differences_->methods();
    lines.insert(lines.end(), words_.begin(), words_.end());
    return lines;
  }
  [[nodiscard]] const Subdomain& subdomain() const override { return differences_->subdomain(); }
  [[nodiscard]] std::string device_name() const override { return differences_->device_name(); }
  [[nodiscard]] std::size_t memory_bytes() const override { return differences_->memory_bytes(); }
  double measure_copy_bandwidth(const CopyMeasurement& asked) override {
    return differences_->measure_copy_bandwidth(asked);
  }
  [[nodiscard]] std::vector<PhaseTime> phase_times() const override {
    return differences_->phase_times();
  }
  [[nodiscard]] std::string transport() const override { return differences_->transport(); }
  [[nodiscard]] Traffic traffic() const override { return differences_->traffic(); }

 private:
  /// Copy of a flow with scalars as their differences from the references of this simulation.
  [[nodiscard]] FlowState about(const FlowState& state) const {
    FlowState about = state;
    about.statistics.offsets.clear();
    about.window.offsets.clear();
    for (const ScalarWithReference& scalar : all_scalars_) {
      const double before = find_number(state, reference_number_of(scalar.name)).value_or(0);
      if (before != scalar.reference) shift(before - scalar.reference, scalar, about);
    }
    return about;
  }

  /// Calls use(scalar, field) for the scalars in a copy for viewing.
  template <class Use>
  void for_each_scalar_in(FlowState& state, const Use& use) const {
    for (const ScalarWithReference& scalar : scalars_) {
      const auto field = std::ranges::find(state.fields, scalar.name, &HostField::name);
      if (field != state.fields.end()) use(scalar, *field);
    }
  }

  [[nodiscard]] StatisticsSums with_offsets(StatisticsSums sums) const {
    for (const ScalarWithReference& scalar : scalars_)
      sums.offsets.push_back({scalar.symbol, scalar.reference});
    return sums;
  }

  std::unique_ptr<Simulation> differences_;
  Precision precision_;
  std::vector<ScalarWithReference> all_scalars_;
  std::vector<ScalarWithReference> scalars_;  // those whose reference is not 0
  std::vector<std::string> words_;
  std::vector<double> of_samples_;      // the reference of each of probe_samples
  std::vector<double> of_diagnostics_;  // that of each of diagnostic_names
};

}  // namespace

std::unique_ptr<Simulation> simulation_about_references(const Case& resolved,
                                                        std::unique_ptr<Simulation> differences) {
  return std::make_unique<SimulationAboutReferences>(resolved, std::move(differences));
}

std::vector<std::string> references_in_words(const Case& resolved) {
  std::vector<std::string> lines;
  for (const ScalarWithReference& scalar : referred_scalars(resolved)) {
    lines.push_back(
        fmt::format("{}: stored as its difference from {:g}", scalar.name, scalar.reference));
  }
  return lines;
}

std::size_t viewing_bytes_of_references(const Case& resolved, Extents points) {
  return referred_scalars(resolved).size() * points.count() *
         (sizeof(double) - bytes_of(resolved.precision));
}

}  // namespace dns
