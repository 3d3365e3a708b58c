#include "solver/output/record_transfer.hpp"

#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include "solver/core/packed_bytes.hpp"

namespace dns {
namespace {

/// On rank 0 the texts of all ranks; its own is not sent and empty. Nothing on the others.
std::vector<std::string> texts_on_first(Communicator& communicator, const std::string& own) {
  const std::vector<std::size_t> bytes = communicator.gathered(own.size());
  std::vector<std::string> texts;
  std::vector<ReceivedMessage> received;
  std::vector<SentMessage> sent;
  if (communicator.rank() > 0) {
    sent.push_back({0, own.data(), own.size()});
  } else {
    for (const std::size_t count : bytes) texts.emplace_back(count, '\0');
    for (std::size_t rank = 1; rank < texts.size(); ++rank)
      received.push_back({static_cast<int>(rank), texts[rank].data(), texts[rank].size()});
  }
  communicator.transfer(sent, received);
  return texts;
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

std::vector<PlaneValues> planes_of_all(Communicator& communicator, std::vector<PlaneValues> own) {
  if (communicator.size() == 1) return own;
  BytePacker packer;
  if (communicator.rank() > 0) {
    for (const PlaneValues& plane : own)
      for (const std::vector<double>& values : plane) packer(values);
  }
  const std::vector<std::string> texts = texts_on_first(communicator, packer.take());
  if (communicator.rank() > 0) return {};
  for (std::size_t rank = 1; rank < texts.size(); ++rank) {
    ByteUnpacker unpacker(texts[rank]);
    for (PlaneValues& plane : own)
      for (std::vector<double>& values : plane) unpacker.append_list(values);
  }
  return own;
}

ProbeRecords probes_of_all(Communicator& communicator, ProbeRecords own) {
  if (communicator.size() == 1) return own;
  const std::vector<std::string> texts = texts_on_first(
      communicator, communicator.rank() > 0 ? packed(own.samples, own.values) : std::string());
  if (communicator.rank() > 0) return {};
  std::vector<ProbeRecords> of_ranks{std::move(own)};
  for (std::size_t rank = 1; rank < texts.size(); ++rank) {
    ProbeRecords& records = of_ranks.emplace_back();
    ByteUnpacker unpacker(texts[rank]);
    unpacker(records.samples, records.values);
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

}  // namespace dns
