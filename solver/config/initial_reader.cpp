#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "solver/config/section_readers.hpp"

namespace dns {
namespace {

void refuse_beside(ValueReader& reader,
                   const std::string& type,
                   const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::string path = "initial." + word;
    if (!reader.is_given(path)) continue;
    reader.add_problem(
        path, fmt::format("given together with initial.type {}; keep one of the two", type));
  }
}

void refuse_without(ValueReader& reader,
                    const std::string& type,
                    const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::string path = "initial." + word;
    if (!reader.is_given(path)) continue;
    reader.add_problem(path, fmt::format("used by initial.type {0} only; add type: {0}", type));
  }
}

/// Whether an axis ends at two walls, or at a wall and a plane of symmetry.
bool has_walls(const Case& read, int axis) {
  const FaceKind low = read.faces.at(face_index(axis, false)).kind;
  const FaceKind high = read.faces.at(face_index(axis, true)).kind;
  const auto is_closed = [](FaceKind kind) {
    return kind == FaceKind::wall || kind == FaceKind::symmetry;
  };
  return is_closed(low) && is_closed(high) && (low == FaceKind::wall || high == FaceKind::wall);
}

TurbulentChannelCase read_channel(ValueReader& reader, const Case& read) {
  TurbulentChannelCase channel;
  const std::string direction = reader.choice("initial.direction").value_or("x");
  channel.axis = value_named<int>(direction, axis_names).value();
  channel.bulk_velocity = reader.number("initial.bulk_velocity").value_or(1);
  channel.amplitude = reader.number("initial.amplitude").value_or(0);
  const auto is_walled = [&](int axis) { return has_walls(read, axis); };
  const auto fits = [&](int axis) { return read.is_periodic(axis) || is_walled(axis); };
  const int second = (channel.axis + 1) % 3;
  const int third = (channel.axis + 2) % 3;
  const bool is_channel = fits(second) && fits(third) && (is_walled(second) || is_walled(third));
  if (!read.is_periodic(channel.axis) || !is_channel) {
    reader.add_problem(
        "initial.type",
        fmt::format("turbulent_channel needs {} (initial.direction) periodic, and across the "
                    "others two walls, or a wall and a plane of symmetry; one of them may be "
                    "periodic",
                    direction));
  }
  return channel;
}

}  // namespace

InitialCase read_initial(ValueReader& reader, const Case& read) {
  InitialCase initial;
  const std::vector<std::string> of_channel{"direction", "bulk_velocity", "amplitude"};
  const std::optional<std::string> type = reader.choice("initial.type");
  if (type == "file") {
    initial.file = reader.text("initial.path");
    if (!reader.is_given("initial.path")) reader.add_missing("initial.path");
    refuse_beside(reader, "file", {"velocity"});
  } else if (type == "turbulent_channel" && !reader.may_be(Scheme::projection)) {
    reader.add_mistake(
        "initial.type", "formula or file", "; turbulent_channel belongs to scheme projection");
  } else if (type == "turbulent_channel") {
    initial.turbulent_channel = read_channel(reader, read);
    refuse_beside(reader, "turbulent_channel", {"velocity"});
  } else {
    initial.velocity = reader.formulas("initial.velocity").value_or(initial.velocity);
  }
  if (type && type != "file") refuse_without(reader, "file", {"path"});
  initial.temperature = reader.formula("initial.temperature").value_or(initial.temperature);
  if (type && type != "turbulent_channel" && reader.may_be(Scheme::projection))
    refuse_without(reader, "turbulent_channel", of_channel);
  initial.noise.amplitude = reader.number("initial.noise.amplitude").value_or(0);
  initial.noise.seed = static_cast<std::uint64_t>(reader.whole("initial.noise.seed").value_or(0));
  return initial;
}

}  // namespace dns
