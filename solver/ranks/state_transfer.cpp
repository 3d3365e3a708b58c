#include "solver/ranks/state_transfer.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "solver/core/agreement.hpp"
#include "solver/core/packed_bytes.hpp"
#include "solver/core/slab_planes.hpp"
#include "solver/simulation/flow_checks.hpp"

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

/// A flow as bytes, without the values of its fields but with those of its statistics.
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

/// The part of a flow that is described so, its fields without values.
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

void send_slabs(Communicator& communicator, const Subdomain& part, const FlowState& whole) {
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

void receive_values(Communicator& communicator, FlowState& slab) {
  for (HostField& field : slab.fields) {
    const ReceivedMessage message{0, field.data(), field.bytes()};
    communicator.transfer({}, {&message, 1});
  }
}

/// Says what the simulation of the whole box would say.
void require_extents(const FlowState& state, const Extents& points) {
  const auto fits = [&](const HostField& field, int ghosts) {
    const Extents n = field.extents();
    return n.nx == points.nx + ghosts && n.ny == points.ny + ghosts && n.nz == points.nz + ghosts;
  };
  for (const HostField& field : state.fields) {
    if (fits(field, 0) || fits(field, 2)) continue;
    refuse_extents(field, points, state.numbers.empty() ? 0 : 1);  // ghosts go with numbers
  }
}

void read_slab(Communicator& communicator,
               const Subdomain& part,
               const std::string& file,
               const SlabReader& reader,
               FlowState& slab) {
  std::string read;
  require_on_all_ranks(communicator, [&] { read = reader.read(file, part, slab); });
  const std::vector<std::string> of_all = gathered_texts(communicator, read);
  require_on_all_ranks(communicator, [&] { reader.require_sound(file, of_all); });
}

}  // namespace

FlowState slab_of(const FlowState& whole, const Subdomain& part) {
  FlowState slab = whole;
  for (HostField& field : slab.fields) field = planes_of(field, held(field.extents().nz, part));
  return slab;
}

FlowState slab_of_this_rank(Communicator& communicator,
                            const Subdomain& part,
                            const FlowState& whole,
                            const std::string& file,
                            const SlabReader& reader) {
  if (communicator.size() == 1 && file.empty()) return whole;
  const std::string text = text_of_first(communicator, [&] {
    require_extents(whole, part.whole);
    BytePacker packer;
    packer.add_text(described(whole));
    packer.add_text(file);
    return packer.take();
  });
  ByteUnpacker unpacker(text);
  const std::string description = unpacker.next_text();
  const std::string file_of_all = unpacker.next_text();
  if (file_of_all.empty() && communicator.rank() == 0) {
    send_slabs(communicator, part, whole);
    return slab_of(whole, part);
  }
  FlowState slab = slab_described(description, part);
  if (file_of_all.empty()) {
    receive_values(communicator, slab);
  } else {
    read_slab(communicator, part, file_of_all, reader, slab);
  }
  return slab;
}

}  // namespace dns
