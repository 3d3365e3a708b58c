#include "solver/ranks/led_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/packed_bytes.hpp"
#include "solver/ranks/plane_transfer.hpp"
#include "solver/ranks/probe_transfer.hpp"
#include "solver/ranks/rank_tasks.hpp"
#include "solver/ranks/state_transfer.hpp"
#include "solver/simulation/flow_checks.hpp"

namespace dns {
namespace {

/// The box whose first slab is `first`.
Subdomain whole_box_of(const Subdomain& first, int ranks) {
  Subdomain whole = first;
  whole.part = {{}, {first.whole.nx, first.whole.ny, first.whole.nz}};
  if (ranks == 1) return whole;
  whole.ends[2].fill(first.ends[2][0] == End::neighbour ? End::periodic : End::boundary);
  return whole;
}

/// What every rank does alike: where one diverges all do, and throw the same.
template <class Function>
auto on_this_rank(Communicator& communicator, const Function& function) {
  try {
    return function();
  } catch (const DivergenceError& error) {
    throw worst_of_ranks(communicator, error);
  }
}

/// Of a rank's share of the ranks of a host, as `asked` is of a run on one rank.
double measured_on_all(Simulation& own, Communicator& communicator, std::size_t spare_host_bytes) {
  const double here = own.measure_copy_bandwidth(
      {.run_bytes = own.memory_bytes(), .spare_host_bytes = spare_host_bytes});
  const std::vector<double> of_ranks = communicator.gathered(here);
  const bool is_known = std::ranges::all_of(of_ranks, [](double speed) { return speed > 0; });
  return is_known ? std::accumulate(of_ranks.begin(), of_ranks.end(), 0.0) : 0;
}

/// This rank's slab of a flow in a file. Throws IoError on all ranks where one cannot read its own,
/// or where what they have read together is not what the file should hold.
FlowState read_slab(Communicator& communicator,
                    const Subdomain& part,
                    const std::string& description,
                    const std::string& file,
                    const SlabReader& reader) {
  FlowState slab = slab_described(description, part);
  std::string read;
  std::exception_ptr error =
      common_error(communicator, [&] { read = reader.read(file, part, slab); });
  if (error) std::rethrow_exception(error);
  const std::vector<std::string> of_all = gathered_texts(communicator, read);
  error = common_error(communicator, [&] { reader.require_sound(file, of_all); });
  if (error) std::rethrow_exception(error);
  return slab;
}

}  // namespace

LedSimulation::LedSimulation(std::unique_ptr<Simulation> own, Lead& lead)
    : own_(std::move(own)),
      lead_(lead),
      communicator_(lead.communicator),
      whole_(whole_box_of(own_->subdomain(), communicator_.size())),
      memory_of_ranks_(communicator_.gathered(own_->memory_bytes())) {
  lead_.is_in_step = true;
}

/// Divergence and a case that cannot be satisfied any more are met by all ranks; after any other
/// error of this one the others wait for messages that never come.
template <class Function>
auto LedSimulation::in_step(const Function& function) const {
  try {
    auto result = on_this_rank(communicator_, function);
    lead_.is_in_step = true;
    return result;
  } catch (const DivergenceError&) {
    lead_.is_in_step = true;
    throw;
  } catch (const CaseError&) {
    lead_.is_in_step = true;
    throw;
  } catch (const IoError&) {  // of a file that all ranks read
    lead_.is_in_step = true;
    throw;
  }
}

void LedSimulation::set_initial_flow(const InitialFlow& initial) {
  lead_.give({.kind = OrderKind::set_initial_flow});
  FlowState state;
  const std::exception_ptr error =
      common_error(communicator_, [&] { state = initial(own_->subdomain()); });
  if (error) {
    lead_.is_in_step = true;
    std::rethrow_exception(error);
  }
  in_step([&] {
    own_->set_state(state);
    return true;
  });
}

/// Says what the simulation of the whole box would say.
void LedSimulation::require_extents(const FlowState& state) const {
  const Extents points = whole_.points();
  const auto fits = [&](const HostField& field, int ghosts) {
    const Extents n = field.extents();
    return n.nx == points.nx + ghosts && n.ny == points.ny + ghosts && n.nz == points.nz + ghosts;
  };
  for (const HostField& field : state.fields) {
    if (fits(field, 0) || fits(field, 2)) continue;
    refuse_extents(field, points, state.numbers.empty() ? 0 : 1);  // ghosts go with numbers
  }
}

void LedSimulation::set_state(const FlowState& state) {
  require_extents(state);
  const std::string description = described(state);
  lead_.give({.kind = OrderKind::set_state, .bytes = description.size()});
  give_text(communicator_, description);
  scatter(communicator_, own_->subdomain(), state);
  in_step([&] {
    own_->set_state(slab_of(state, own_->subdomain()));
    return true;
  });
}

void LedSimulation::read_state(const FlowState& head,
                               const std::string& file,
                               const SlabReader& reader) {
  require_extents(head);
  const std::string description = described(head);
  BytePacker packer;
  packer.add_text(description);
  packer.add_text(file);
  const std::string text = packer.take();
  lead_.give({.kind = OrderKind::read_state, .bytes = text.size()});
  give_text(communicator_, text);
  in_step([&] {
    own_->set_state(read_slab(communicator_, own_->subdomain(), description, file, reader));
    return true;
  });
}

StepReport LedSimulation::advance() {
  lead_.give({.kind = OrderKind::advance});
  return in_step([&] { return own_->advance(); });
}

FlowDiagnostics LedSimulation::diagnostics() {
  lead_.give({.kind = OrderKind::find_diagnostics});
  return in_step([&] { return own_->diagnostics(); });
}

std::vector<PlaneValues> LedSimulation::planes() {
  lead_.give({.kind = OrderKind::take_planes});
  return in_step([&] { return planes_of_all(communicator_, own_->planes()); });
}

ProbeRecords LedSimulation::take_probes() {
  lead_.give({.kind = OrderKind::take_probes});
  return in_step([&] { return probes_of_all(communicator_, own_->take_probes()); });
}

std::size_t LedSimulation::memory_bytes() const {
  return std::accumulate(memory_of_ranks_.begin(), memory_of_ranks_.end(), std::size_t{0});
}

double LedSimulation::measure_copy_bandwidth(const CopyMeasurement& asked) {
  const std::size_t spare = asked.spare_host_bytes / memory_of_ranks_.size();
  lead_.give({.kind = OrderKind::measure_copy_bandwidth, .bytes = spare});
  return in_step([&] { return measured_on_all(*own_, communicator_, spare); });
}

namespace {

/// What a rank that follows keeps from one order to the next.
class Follower {
 public:
  Follower(Simulation& own, Communicator& communicator, const Duties& duties)
      : own_(own),
        communicator_(communicator),
        duties_(duties),
        task_(duties.output, communicator) {}

  void carry_out(const Order& order) {
    switch (order.kind) {
      case OrderKind::set_state:
        return set_state(order);
      case OrderKind::read_state:
        return read_state(order);
      case OrderKind::set_initial_flow:
        return set_initial_flow();
      case OrderKind::advance:
        own_.advance();
        return;
      case OrderKind::find_diagnostics:
        own_.diagnostics();
        return;
      case OrderKind::take_planes:
        send_planes(communicator_, own_.planes());
        return;
      case OrderKind::take_probes:
        send_probes(communicator_, own_.take_probes());
        return;
      case OrderKind::copy_output:
        return duties_.output.copy(order.argument);
      case OrderKind::start_task:
        return task_.start(receive_text(communicator_, order.bytes));
      case OrderKind::collect_result:
        return task_.give_result();
      case OrderKind::measure_copy_bandwidth:
        measured_on_all(own_, communicator_, static_cast<std::size_t>(order.bytes));
        return;
      case OrderKind::make_simulation:
      case OrderKind::end:
        throw std::logic_error("an order that is none for a simulation");
    }
  }

 private:
  void set_state(const Order& order) {
    const std::string description = receive_text(communicator_, order.bytes);
    own_.set_state(receive_slab(communicator_, own_.subdomain(), description));
  }

  void read_state(const Order& order) {
    const std::string text = receive_text(communicator_, order.bytes);
    ByteUnpacker unpacker(text);
    const std::string description = unpacker.next_text();
    const std::string file = unpacker.next_text();
    own_.set_state(read_slab(communicator_, own_.subdomain(), description, file, duties_.reader));
  }

  void set_initial_flow() {
    FlowState state;
    const std::exception_ptr error =
        common_error(communicator_, [&] { state = duties_.initial(own_.subdomain()); });
    if (!error) own_.set_state(state);  // else rank 0 reports it
  }

  Simulation& own_;
  Communicator& communicator_;
  const Duties& duties_;
  TaskOfRank task_;
};

}  // namespace

int follow(Simulation& own, Communicator& communicator, const Duties& duties) {
  static_cast<void>(communicator.gathered(own.memory_bytes()));
  Follower follower(own, communicator, duties);
  for (;;) {
    const Order order = await_order(communicator);
    if (order.kind == OrderKind::end) return order.argument;
    try {
      on_this_rank(communicator, [&] { follower.carry_out(order); });
    } catch (const DivergenceError&) {  // rank 0 says what all ranks met
    } catch (const CaseError&) {
    } catch (const IoError&) {
    }
  }
}

}  // namespace dns
