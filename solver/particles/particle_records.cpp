#include "solver/particles/particle_records.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace dns {
namespace {

void add_three(const std::vector<double>& from, std::size_t n, std::vector<double>& to) {
  if (from.empty()) return;
  const auto first = from.begin() + static_cast<std::ptrdiff_t>(3 * n);
  to.insert(to.end(), first, first + 3);
}

/// Appends on rank 0 the values of the other ranks, of which rank n has counts[n] times `of_each`.
template <class Value>
void gather(Communicator& communicator,
            const std::vector<std::size_t>& counts,
            std::size_t of_each,
            std::vector<Value>& values) {
  std::vector<SentMessage> sent;
  std::vector<ReceivedMessage> received;
  if (communicator.rank() > 0) {
    if (!values.empty()) sent.push_back({0, values.data(), values.size() * sizeof(Value)});
  } else {
    std::size_t next = values.size();
    const std::size_t all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    values.resize(all * of_each);
    for (int rank = 1; rank < communicator.size(); ++rank) {
      const std::size_t count = counts[static_cast<std::size_t>(rank)] * of_each;
      if (count > 0) received.push_back({rank, values.data() + next, count * sizeof(Value)});
      next += count;
    }
  }
  communicator.transfer(sent, received);
  if (communicator.rank() > 0) values.clear();
}

}  // namespace

void ParticleRecords::add(const ParticleRecords& others, std::size_t n) {
  ids.push_back(others.ids[n]);
  add_three(others.positions, n, positions);
  add_three(others.velocities, n, velocities);
  add_three(others.fluid_velocities, n, fluid_velocities);
}

ParticleRecords records_of_all(Communicator& communicator, ParticleRecords own) {
  if (communicator.size() > 1) {
    const std::vector<std::size_t> counts = communicator.gathered(own.count());
    const std::array has{!own.velocities.empty(), !own.fluid_velocities.empty()};
    bool has_velocities = false;
    bool has_fluid_velocities = false;
    for (const auto& of_rank : communicator.gathered(has)) {
      has_velocities |= of_rank[0];
      has_fluid_velocities |= of_rank[1];
    }
    gather(communicator, counts, 1, own.ids);
    gather(communicator, counts, 3, own.positions);
    if (has_velocities) gather(communicator, counts, 3, own.velocities);
    if (has_fluid_velocities) gather(communicator, counts, 3, own.fluid_velocities);
  }
  std::vector<std::size_t> order(own.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t n) { return own.ids[n]; });
  ParticleRecords sorted;
  sorted.ids.reserve(own.count());
  sorted.positions.reserve(own.positions.size());
  sorted.velocities.reserve(own.velocities.size());
  sorted.fluid_velocities.reserve(own.fluid_velocities.size());
  for (const std::size_t n : order) sorted.add(own, n);
  return sorted;
}

}  // namespace dns
