#include "solver/particles/particle_records.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace dns {
namespace {

struct List {
  std::vector<double> ParticleRecords::*values;
  std::size_t of_each;
};
constexpr std::array<List, 5> lists{{{&ParticleRecords::positions, 3},
                                     {&ParticleRecords::velocities, 3},
                                     {&ParticleRecords::fluid_velocities, 3},
                                     {&ParticleRecords::turns, 3},
                                     {&ParticleRecords::diameters, 1}}};

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
      const std::size_t count = counts[rank] * of_each;
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
  for (const auto& [values, of_each] : lists) {
    const std::vector<double>& from = others.*values;
    if (from.empty()) continue;
    const double* const first = from.data() + of_each * n;
    (this->*values).insert((this->*values).end(), first, first + of_each);
  }
}

ParticleRecords records_of_all(Communicator& communicator, ParticleRecords own) {
  if (communicator.size() > 1) {
    const std::vector<std::size_t> counts = communicator.gathered(own.count());
    gather(communicator, counts, 1, own.ids);
    for (const auto& [values, of_each] : lists) {
      const std::vector<int> is_there = communicator.gathered((own.*values).empty() ? 0 : 1);
      if (std::ranges::count(is_there, 1) > 0) gather(communicator, counts, of_each, own.*values);
    }
  }
  std::vector<std::size_t> order(own.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t n) { return own.ids[n]; });
  ParticleRecords sorted;
  sorted.ids.reserve(own.count());
  for (const List& list : lists) (sorted.*list.values).reserve((own.*list.values).size());
  for (const std::size_t n : order) sorted.add(own, n);
  return sorted;
}

}  // namespace dns
