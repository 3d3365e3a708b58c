#include "solver/ranks/state_transfer.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "solver/core/packed_bytes.hpp"
#include "solver/core/slab_planes.hpp"

namespace dns {
namespace {

void add_shape(BytePacker& packer, const HostField& field) {
  packer.add_text(field.name());
  packer.add(field.extents());
  packer.add(field.precision());
}

/// A field whose extents along z are those that planes(extents) returns.
template <class PlanesOf>
HostField next_field(ByteUnpacker& unpacker, const PlanesOf& planes) {
  const std::string name = unpacker.next_text();
  auto extents = unpacker.next<Extents>();
  extents.nz = planes(extents);
  return {name, extents, unpacker.next<Precision>()};
}

void add_sums(BytePacker& packer, const StatisticsSums& statistics) {
  packer.add(statistics.samples);
  packer.add(statistics.first_time);
  packer.add(statistics.last_time);
  packer.add(statistics.last_step);
  packer.add(statistics.duration);
  for (const std::vector<HostField>* const fields : {&statistics.sums, &statistics.last}) {
    packer.add(fields->size());
    for (const HostField& field : *fields) {
      add_shape(packer, field);
      packer.add_bytes(field.data(), field.bytes());
    }
  }
}

StatisticsSums next_sums(ByteUnpacker& unpacker) {
  StatisticsSums statistics;
  statistics.samples = unpacker.next<std::int64_t>();
  statistics.first_time = unpacker.next<double>();
  statistics.last_time = unpacker.next<double>();
  statistics.last_step = unpacker.next<std::int64_t>();
  statistics.duration = unpacker.next<double>();
  for (std::vector<HostField>* const fields : {&statistics.sums, &statistics.last}) {
    const auto count = unpacker.next<std::size_t>();
    for (std::size_t n = 0; n < count; ++n) {
      HostField& field = fields->emplace_back(
          next_field(unpacker, [](const Extents& extents) { return extents.nz; }));
      std::memcpy(field.data(), unpacker.next_bytes(field.bytes()), field.bytes());
    }
  }
  return statistics;
}

HostField planes_of(const HostField& field, Planes planes) {
  return field.planes(planes.first, planes.count);
}

}  // namespace

std::string described(const FlowState& state) {
  BytePacker packer;
  packer.add(state.step);
  packer.add(state.time);
  packer.add(state.numbers.size());
  for (const NamedNumber& number : state.numbers) {
    packer.add_text(number.name);
    packer.add(number.value);
  }
  add_sums(packer, state.statistics);
  add_sums(packer, state.window);
  packer.add(state.fields.size());
  for (const HostField& field : state.fields) add_shape(packer, field);
  return packer.take();
}

FlowState slab_of(const FlowState& whole, const Subdomain& part) {
  FlowState slab = whole;
  for (HostField& field : slab.fields) field = planes_of(field, held(field.extents().nz, part));
  return slab;
}

void scatter(Communicator& communicator, const Subdomain& part, const FlowState& whole) {
  const int ranks = communicator.size();
  for (const HostField& field : whole.fields) {
    std::vector<SentMessage> sent;
    for (int rank = 1; rank < ranks; ++rank) {
      const HostField slab = planes_of(field, held(field.extents().nz, part.slab(rank, ranks)));
      sent.push_back({rank, slab.data(), slab.bytes()});
    }
    communicator.transfer(sent, {});
  }
}

FlowState slab_described(const std::string& description, const Subdomain& part) {
  ByteUnpacker unpacker(description);
  FlowState state;
  state.step = unpacker.next<std::int64_t>();
  state.time = unpacker.next<double>();
  state.numbers.resize(unpacker.next<std::size_t>());
  for (NamedNumber& number : state.numbers) {
    number.name = unpacker.next_text();
    number.value = unpacker.next<double>();
  }
  state.statistics = next_sums(unpacker);
  state.window = next_sums(unpacker);
  const auto fields = unpacker.next<std::size_t>();
  for (std::size_t n = 0; n < fields; ++n) {
    state.fields.push_back(
        next_field(unpacker, [&](const Extents& whole) { return held(whole.nz, part).count; }));
  }
  return state;
}

FlowState receive_slab(Communicator& communicator,
                       const Subdomain& part,
                       const std::string& description) {
  FlowState state = slab_described(description, part);
  for (HostField& field : state.fields) {
    const ReceivedMessage message{0, field.data(), field.bytes()};
    communicator.transfer({}, {&message, 1});
  }
  return state;
}

}  // namespace dns
