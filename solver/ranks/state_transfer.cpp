#include "solver/ranks/state_transfer.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <vector>

#include "solver/core/agreement.hpp"
#include "solver/core/packed_bytes.hpp"
#include "solver/core/slab_planes.hpp"
#include "solver/simulation/flow_checks.hpp"

namespace dns {
namespace {

/// A field without its values.
struct Shape {
  std::string name;
  Extents extents;
  Precision precision = Precision::double_precision;

  static auto members(auto& shape) { return std::tie(shape.name, shape.extents, shape.precision); }
  [[nodiscard]] HostField field() const { return {name, extents, precision}; }
};

std::vector<Shape> shapes_of(const std::vector<HostField>& fields) {
  std::vector<Shape> shapes;
  for (const HostField& field : fields)
    shapes.push_back({field.name(), field.extents(), field.precision()});
  return shapes;
}

auto numbers_of(auto& sums) {
  return std::tie(sums.samples, sums.first_time, sums.last_time, sums.last_step, sums.duration);
}

void pack(BytePacker& packer, const StatisticsSums& statistics) {
  std::apply(packer, numbers_of(statistics));
  for (const std::vector<HostField>* const fields : {&statistics.sums, &statistics.last}) {
    packer(shapes_of(*fields));
    for (const HostField& field : *fields) packer.add_bytes(field.data(), field.bytes());
  }
}

void unpack(ByteUnpacker& unpacker, StatisticsSums& statistics) {
  std::apply(unpacker, numbers_of(statistics));
  for (std::vector<HostField>* const fields : {&statistics.sums, &statistics.last}) {
    for (const Shape& shape : unpacker.next<std::vector<Shape>>()) {
      HostField& field = fields->emplace_back(shape.field());
      std::memcpy(field.data(), unpacker.next_bytes(field.bytes()), field.bytes());
    }
  }
}

HostField planes_of(const HostField& field, Planes planes) {
  return field.planes(planes.first, planes.count);
}

/// A flow as bytes, without the values of its fields but with those of its statistics.
std::string described(const FlowState& state) {
  BytePacker packer;
  packer(state.step, state.time, state.numbers.size(), shapes_of(state.fields));
  for (const NamedNumber& number : state.numbers) packer(number.name, number.value);
  pack(packer, state.statistics);
  pack(packer, state.window);
  return packer.take();
}

/// The part of a flow that is described so, its fields without values.
FlowState slab_described(const std::string& description, const Subdomain& part) {
  ByteUnpacker unpacker(description);
  FlowState state;
  unpacker(state.step, state.time);
  state.numbers.resize(unpacker.next<std::size_t>());
  for (Shape shape : unpacker.next<std::vector<Shape>>()) {
    shape.extents.nz = held(shape.extents.nz, part).count;
    state.fields.push_back(shape.field());
  }
  for (NamedNumber& number : state.numbers) unpacker(number.name, number.value);
  unpack(unpacker, state.statistics);
  unpack(unpacker, state.window);
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
    return packed(described(whole), file);
  });
  ByteUnpacker unpacker(text);
  const auto description = unpacker.next<std::string>();
  const auto file_of_all = unpacker.next<std::string>();
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
