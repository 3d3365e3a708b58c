#include "solver/output/outputs.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/simulation/flow_checks.hpp"

namespace dns {

FlowMoment moment_of(const FlowState& checkpoint, const Case& resolved) {
  const double step = find_number(checkpoint, time_step_number).value_or(resolved.time.step);
  return {checkpoint.step,
          checkpoint.time,
          find_number(checkpoint, time_before_number).value_or(checkpoint.time - step)};
}

bool Output::has_file(std::string_view name) const {
  std::error_code ignored;
  return std::filesystem::exists(path(name), ignored);
}

bool Output::is_on_schedule(const Moment& moment) const {
  switch (moment.kind) {
    case Moment::Kind::begun:
    case Moment::Kind::stepped:
      return every_.is_due(moment.flow);
    case Moment::Kind::finished:
      return every_.is_any() && !is_done(moment.flow.step);
    default:
      return false;
  }
}

bool Output::was_on_schedule(const FlowState& checkpoint) const {
  return every_.is_any() &&
         (is_last(checkpoint) || every_.is_due(moment_of(checkpoint, context_.resolved)));
}

Outputs::Outputs(const Case& resolved, Communicator& communicator, bool is_live)
    : context_(std::make_unique<OutputContext>(
          OutputContext{resolved, to_yaml(resolved), communicator, is_live})) {
#define DNS_MAKE_OUTPUT(name) list_.push_back(make_##name(*context_));
  DNS_OUTPUTS(DNS_MAKE_OUTPUT)
#undef DNS_MAKE_OUTPUT
}

void Outputs::take_changes(const Case& changed) {
  if (!context_) return;
  context_->resolved.forcing = changed.forcing;
  context_->resolved.faces = changed.faces;
  context_->resolved.time = changed.time;
  context_->case_yaml = to_yaml(context_->resolved);
}

Output::FileKind Outputs::kind_of(std::string_view name) const {
  for (const auto& output : list_) {
    const Output::FileKind kind = output->kind_of(name);
    if (kind != Output::FileKind::foreign) return kind;
  }
  return Output::FileKind::foreign;
}

RemovedFiles Outputs::cut_back(const FlowState& checkpoint) const {
  RemovedFiles removed;
  for (const auto& output : list_) {
    RemovedFiles more = output->cut_back(checkpoint);
    removed.count += more.count;
    add_warnings(std::move(more.warnings), removed.warnings);
  }
  return removed;
}

Outputs::Set Outputs::owed(const FlowState& checkpoint) const {
  Set owed;
  for (std::size_t n = 0; n < list_.size(); ++n) owed[n] = list_[n]->is_owed(checkpoint);
  return owed;
}

std::vector<std::string> Outputs::open(const RunOpening& opening) const {
  std::vector<std::string> record;
  for (const auto& output : list_) {
    const std::vector<std::string> more = output->open(opening);
    record.insert(record.end(), more.begin(), more.end());
  }
  return record;
}

bool Outputs::is_scheduled(const FlowMoment& flow) const {
  return std::ranges::any_of(list_, [&](const auto& output) { return output->is_scheduled(flow); });
}

Asks Outputs::asks(bool is_writer_idle) const {
  Asks asks{};
  for (std::size_t n = 0; n < list_.size(); ++n) asks.at(n) = list_[n]->asks(is_writer_idle);
  return asks;
}

Asks Outputs::asks_for_waiting() const {
  Asks asks{};
  for (std::size_t n = 0; n < list_.size(); ++n)
    if (list_[n]->waits_in_simulation()) asks.at(n) = Ask::now;
  return asks;
}

Outputs::Set Outputs::due(Moment& moment, const Asks& asks, Set due) const {
  const auto add_due = [&] {
    for (std::size_t n = 0; n < list_.size(); ++n) {
      const Output& output = *list_[n];
      if (moment.kind == Moment::Kind::diverged && output.needs().has_any()) continue;
      if (output.is_due(moment, asks.at(n))) due.set(n);
    }
  };
  add_due();
  for (const Output* output : of(due)) moment.others |= output->needs();
  moment.has_others = due.any();
  add_due();
  return due;
}

std::vector<Output*> Outputs::of(const Set& set) const {
  std::vector<Output*> outputs;
  for (std::size_t n = 0; n < list_.size(); ++n)
    if (set[n]) outputs.push_back(list_[n].get());
  return outputs;
}

RemovedFiles remove_after(std::int64_t last_step,
                          const std::string& directory,
                          std::string_view prefix,
                          Warnings warnings) {
  RemovedFiles removed{0, std::move(warnings)};
  for (const NumberedFile& file : numbered_files(directory, prefix)) {
    if (file.step <= last_step) continue;
    remove_file(path_in(directory, file.name));
    ++removed.count;
  }
  return removed;
}

}  // namespace dns
