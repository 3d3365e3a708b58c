#include "solver/ranks/state_transfer.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

namespace dns {
namespace {

class Writer {
 public:
  template <class Value>
  void add(const Value& value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void add_text(const std::string& text) {
    add(text.size());
    text_ += text;
  }
  void add_shape(const HostField& field) {
    add_text(field.name());
    add(field.extents());
    add(field.precision());
  }
  void add_values(const HostField& field) {
    text_.append(static_cast<const char*>(field.data()), field.bytes());
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  template <class Value>
  Value next() {
    Value value{};
    std::memcpy(&value, advance(sizeof value), sizeof value);
    return value;
  }
  std::string next_text() {
    const auto length = next<std::size_t>();
    return {advance(length), length};
  }
  /// A field whose extents along z are those that planes(extents) returns.
  template <class Planes>
  HostField next_field(const Planes& planes) {
    const std::string name = next_text();
    auto extents = next<Extents>();
    extents.nz = planes(extents);
    return {name, extents, next<Precision>()};
  }
  void read_values(HostField& field) {
    std::memcpy(field.data(), advance(field.bytes()), field.bytes());
  }

 private:
  const char* advance(std::size_t bytes) {
    if (bytes > text_.size() - position_) throw std::logic_error("a flow's description ends early");
    const char* const here = text_.data() + position_;
    position_ += bytes;
    return here;
  }

  const std::string& text_;
  std::size_t position_ = 0;
};

/// A run of planes of a field of the whole box.
struct Planes {
  int first = 0, count = 0;
};

/// What a slab holds of a field, ghost planes included.
Planes held(const HostField& whole, const Subdomain& part) {
  return {part.first(2), part.points().nz + whole.extents().nz - part.whole.nz};
}

/// What its rank owns of it; `ghosts`: planes of the field beyond each end of the box.
Planes owned(int ghosts, const Subdomain& part) {
  const int begin = part.part.begin.k == 0 ? 0 : part.part.begin.k + ghosts;
  const int end = part.part.end.k + (part.part.end.k == part.whole.nz ? 2 * ghosts : ghosts);
  return {begin, end - begin};
}

HostField planes_of(const HostField& field, Planes planes) {
  return field.planes(planes.first, planes.count);
}

}  // namespace

std::string described(const FlowState& state) {
  Writer writer;
  writer.add(state.step);
  writer.add(state.time);
  writer.add(state.numbers.size());
  for (const NamedNumber& number : state.numbers) {
    writer.add_text(number.name);
    writer.add(number.value);
  }
  writer.add(state.statistics.samples);
  writer.add(state.statistics.first_time);
  writer.add(state.statistics.last_time);
  writer.add(state.statistics.sums.size());
  for (const HostField& sum : state.statistics.sums) {
    writer.add_shape(sum);
    writer.add_values(sum);
  }
  writer.add(state.fields.size());
  for (const HostField& field : state.fields) writer.add_shape(field);
  return writer.take();
}

FlowState slab_of(const FlowState& whole, const Subdomain& part) {
  FlowState slab = whole;
  for (HostField& field : slab.fields) field = planes_of(field, held(field, part));
  return slab;
}

void scatter(Communicator& communicator, const Subdomain& part, const FlowState& whole) {
  const int ranks = communicator.size();
  for (const HostField& field : whole.fields) {
    std::vector<SentMessage> sent;
    for (int rank = 1; rank < ranks; ++rank) {
      const HostField slab = planes_of(field, held(field, part.slab(rank, ranks)));
      sent.push_back({rank, slab.data(), slab.bytes()});
    }
    communicator.transfer(sent, {});
  }
}

FlowState receive_slab(Communicator& communicator,
                       const Subdomain& part,
                       const std::string& description) {
  Reader reader(description);
  FlowState state;
  state.step = reader.next<std::int64_t>();
  state.time = reader.next<double>();
  state.numbers.resize(reader.next<std::size_t>());
  for (NamedNumber& number : state.numbers) {
    number.name = reader.next_text();
    number.value = reader.next<double>();
  }
  state.statistics.samples = reader.next<std::int64_t>();
  state.statistics.first_time = reader.next<double>();
  state.statistics.last_time = reader.next<double>();
  const auto sums = reader.next<std::size_t>();
  for (std::size_t n = 0; n < sums; ++n) {
    HostField& sum = state.statistics.sums.emplace_back(
        reader.next_field([](const Extents& extents) { return extents.nz; }));
    reader.read_values(sum);
  }
  const auto fields = reader.next<std::size_t>();
  for (std::size_t n = 0; n < fields; ++n) {
    HostField& field = state.fields.emplace_back(reader.next_field(
        [&](const Extents& whole) { return part.points().nz + whole.nz - part.whole.nz; }));
    const ReceivedMessage message{0, field.data(), field.bytes()};
    communicator.transfer({}, {&message, 1});
  }
  return state;
}

void gather(Communicator& communicator, const Subdomain& part, FlowState& whole) {
  const int ranks = communicator.size();
  for (HostField& field : whole.fields) {
    const int ghosts = (field.extents().nz - part.whole.nz) / 2;
    std::vector<ReceivedMessage> received;
    for (int rank = 1; rank < ranks; ++rank) {
      HostField planes = planes_of(field, owned(ghosts, part.slab(rank, ranks)));
      received.push_back({rank, planes.data(), planes.bytes()});
    }
    communicator.transfer({}, received);
  }
}

void send_slab(Communicator& communicator, const Subdomain& part, const FlowState& slab) {
  for (const HostField& field : slab.fields) {
    const int ghosts = (field.extents().nz - part.points().nz) / 2;
    Planes planes = owned(ghosts, part);
    planes.first -= part.first(2);
    const HostField sent = planes_of(field, planes);
    const SentMessage message{0, sent.data(), sent.bytes()};
    communicator.transfer({&message, 1}, {});
  }
}

}  // namespace dns
