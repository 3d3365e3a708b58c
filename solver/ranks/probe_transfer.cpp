#include "solver/ranks/probe_transfer.hpp"

#include <cstddef>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/packed_bytes.hpp"
#include "solver/ranks/orders.hpp"

namespace dns {
namespace {

template <class Value>
void add_list(BytePacker& packer, const std::vector<Value>& values) {
  packer.add(values.size());
  packer.add_bytes(values.data(), values.size() * sizeof(Value));
}

template <class Value>
std::vector<Value> next_list(ByteUnpacker& unpacker) {
  std::vector<Value> values(unpacker.next<std::size_t>());
  const char* const from = unpacker.next_bytes(values.size() * sizeof(Value));
  if (!values.empty()) std::memcpy(values.data(), from, values.size() * sizeof(Value));
  return values;
}

/// Puts the samples that one rank has recorded into the records of all.
void place(const ProbeRecords& of_rank, ProbeRecords& all) {
  for (std::size_t record = 0; record < all.count(); ++record) {
    const double* const from = of_rank.record(record);
    double* const to = all.values.data() + record * all.samples.size();
    for (std::size_t n = 0; n < of_rank.samples.size(); ++n) to[of_rank.samples[n]] = from[n];
  }
}

}  // namespace

ProbeRecords probes_of_all(Communicator& communicator, ProbeRecords own) {
  std::vector<ProbeRecords> of_ranks{std::move(own)};
  const std::vector<std::string> texts = texts_of_others(communicator);
  for (std::size_t rank = 1; rank < texts.size(); ++rank) {
    ByteUnpacker unpacker(texts[rank]);
    ProbeRecords& records = of_ranks.emplace_back();
    records.samples = next_list<std::size_t>(unpacker);
    records.values = next_list<double>(unpacker);
  }
  ProbeRecords all;
  all.steps = of_ranks[0].steps;
  all.times = of_ranks[0].times;
  for (const ProbeRecords& records : of_ranks)
    all.samples.resize(all.samples.size() + records.samples.size());
  std::iota(all.samples.begin(), all.samples.end(), std::size_t{0});
  all.values.resize(all.count() * all.samples.size());
  for (const ProbeRecords& records : of_ranks) place(records, all);
  return all;
}

void send_probes(Communicator& communicator, const ProbeRecords& own) {
  BytePacker packer;
  add_list(packer, own.samples);
  add_list(packer, own.values);
  send_text(communicator, packer.take());
}

}  // namespace dns
