/// The probes of a case, taken from the flow on its device.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "solver/core/backend.hpp"
#include "solver/flow/variables.hpp"
#include "solver/grid/probe_points.hpp"
#include "solver/numerics/probe_samples.hpp"
#include "solver/simulation/probe_values.hpp"
#include "solver/simulation/step_phases.hpp"

namespace dns {

/// Records gather in a small array on the device. The host waits for them only when that is full,
/// and when they are taken.
template <class Backend>
class ProbeSampler {
 public:
  using Real = typename Backend::Real;

  /// part: that of this rank, whose samples are the only ones taken.
  ProbeSampler(Backend& backend, const Case& resolved, const Subdomain& part) {
    if (!resolved.output.probes) return;
    variables_ = static_cast<int>(solved_variables(resolved).size());
    assert(variables_ <= most_sampled_variables);
    every_ = resolved.output.probes->every;
    start_ = resolved.output.probes->start;
    Stencils all = stencils_of(resolved, part);
    kept_.samples = std::move(all.samples);
    count_ = kept_.samples.size();
    capacity_ = records_on_device(count_, sizeof(Real));
    if (count_ == 0) return;
    upload(backend, all.variable, variable_);
    upload(backend, all.first, first_);
    upload(backend, all.point, point_);
    upload(backend, all.weight, weight_);
    on_device_ = backend.template allocate<Real>(capacity_ * count_);
    on_host_ = Backend::allocate_host(capacity_ * count_ * sizeof(Real));
  }

  /// Forgets what has been recorded, and records the flow at step 0, if that is where it is.
  template <class FieldOf>
  void begin(Backend& backend, const FlowMoment& at, const FieldOf& field) {
    on_device_records_ = 0;
    static_cast<void>(take_kept());
    if (at.step == 0) record_if_due(backend, at, field);
  }

  /// Enqueues the samples of a flow whose variables are field(variable), a StridedField<const Real>
  /// with valid ghost points.
  template <class FieldOf>
  void record_if_due(Backend& backend, const FlowMoment& at, const FieldOf& field) {
    if (!every_.is_due(at, start_)) return;
    if (on_device_records_ == capacity_) download(backend);
    kept_.steps.push_back(at.step);
    kept_.times.push_back(at.time);
    if (count_ > 0) {
      SampleAtPoints<Real> sample{.variables = {},
                                  .variable = variable_.data(),
                                  .first = first_.data(),
                                  .point = point_.data(),
                                  .weight = weight_.data(),
                                  .samples = on_device_.data() + on_device_records_ * count_};
      for (int variable = 0; variable < variables_; ++variable)
        sample.variables[variable] = field(variable);
      backend.for_each({{}, {static_cast<int>(count_), 1, 1}}, sample);
    }
    ++on_device_records_;
  }

  /// What has been recorded since the last time.
  ProbeRecords take(Backend& backend) {
    download(backend);
    return take_kept();
  }

 private:
  template <class T>
  using Memory = decltype(std::declval<Backend&>().template allocate<T>(0));

  /// The points of all samples of a part, one after the other.
  struct Stencils {
    std::vector<std::size_t> samples;
    std::vector<int> variable, first{0};
    std::vector<Index3> point;
    std::vector<Real> weight;
  };

  static Stencils stencils_of(const Case& resolved, const Subdomain& part) {
    Stencils all;
    const ProbeStencils stencils(resolved);
    const std::vector<ProbeSample> samples = probe_samples(resolved);
    for (std::size_t number = 0; number < samples.size(); ++number) {
      const ProbeSample& sample = samples[number];
      const auto place = resolved.output.probes->probes[sample.probe].place(sample.point);
      const int plane = stencils.owned_plane(place[2], sample.variable);
      if (plane < part.part.begin.k || plane >= part.part.end.k) continue;
      for (WeightedPoint from : stencils.at(place, sample.variable)) {
        from.point.k -= part.first(2);
        all.point.push_back(from.point);
        all.weight.push_back(static_cast<Real>(from.weight));
      }
      all.samples.push_back(number);
      all.variable.push_back(sample.variable);
      all.first.push_back(static_cast<int>(all.point.size()));
    }
    return all;
  }

  template <class T>
  static void upload(Backend& backend, const std::vector<T>& values, Memory<T>& memory) {
    memory = backend.template allocate<T>(values.size());
    backend.upload_values(values.data(), memory.data(), values.size());
  }

  /// Puts the records on the device behind those kept here, and waits for them.
  void download(Backend& backend) {
    const std::size_t values = on_device_records_ * count_;
    on_device_records_ = 0;
    if (values == 0) return;
    backend.enter(phase::copy);
    Real* const host = reinterpret_cast<Real*>(on_host_.get());
    const auto words = static_cast<int>(values);
    backend.download(
        StridedField<const Real>{on_device_.data(), 1, words, words}, {words, 1, 1}, host);
    backend.synchronize();
    backend.enter(phase::other);
    kept_.values.insert(kept_.values.end(), host, host + values);
  }

  ProbeRecords take_kept() {
    ProbeRecords taken;
    taken.samples = kept_.samples;
    std::swap(taken, kept_);
    return taken;
  }

  int variables_ = 0;
  Interval every_;  // none: no probes
  double start_ = 0;
  std::size_t count_ = 0;     // samples of a record
  std::size_t capacity_ = 0;  // records on the device
  std::size_t on_device_records_ = 0;
  Memory<int> variable_, first_;
  Memory<Index3> point_;
  Memory<Real> weight_, on_device_;
  std::shared_ptr<std::byte[]> on_host_;
  ProbeRecords kept_;
};

}  // namespace dns
