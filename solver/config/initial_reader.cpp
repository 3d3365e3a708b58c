#include <fmt/format.h>

#include <string>

#include "solver/config/case_reader.hpp"

namespace dns {
namespace {

/// Whether an axis ends at two walls, or at a wall and a plane of symmetry or a wall that gives the
/// shear.
bool has_walls(const Case& read, int axis) {
  const FaceCase& low = read.faces[face_index(axis, false)];
  const FaceCase& high = read.faces[face_index(axis, true)];
  const auto is_closed = [](const FaceCase& face) {
    return face.kind == FaceKind::wall || face.kind == FaceKind::symmetry;
  };
  const auto holds_flow = [](const FaceCase& face) {
    return face.kind == FaceKind::wall && !face.has_shear();
  };
  return is_closed(low) && is_closed(high) && (holds_flow(low) || holds_flow(high));
}

void check_channel(ValueReader& reader, const Case& read) {
  const TurbulentChannelCase& channel = *read.initial.turbulent_channel;
  const auto fits = [&](int axis) { return read.is_periodic(axis) || has_walls(read, axis); };
  const int second = (channel.axis + 1) % 3;
  const int third = (channel.axis + 2) % 3;
  const bool is_channel =
      fits(second) && fits(third) && (has_walls(read, second) || has_walls(read, third));
  if (!read.is_periodic(channel.axis) || !is_channel) {
    reader.add_problem(
        "initial.type",
        fmt::format("turbulent_channel needs {} (initial.direction) periodic, and across the "
                    "others two walls, or a wall and a plane of symmetry; one of them may be "
                    "periodic",
                    axis_name(channel.axis)));
  }
}

}  // namespace

void read_initial(ValueReader& reader, Case& read) {
  std::string type = "formula";
  const bool has_type = reader.read("initial.type", type) || !reader.is_given("initial.type");
  const bool is_file = type == "file";
  const bool is_channel = type == "turbulent_channel" && reader.may_be(Scheme::projection);
  if (is_channel) read.initial.turbulent_channel.emplace();
  reader.read_section("initial", read);
  if (is_file) reader.require("initial.path");
  if (is_channel) {
    check_channel(reader, read);
  } else if (type == "turbulent_channel") {
    reader.add_mistake(
        "initial.type", "formula or file", "; turbulent_channel belongs to scheme projection");
  }
  if (is_file || is_channel) reader.refuse_beside("initial.velocity", "initial.type " + type);
  for (const Key* key : keys_of_section("initial")) {
    if (!has_type || !key->is_of(reader.scheme()) || key->kinds.empty()) continue;
    const std::string_view its_type = key->kinds.front();
    if (its_type != type && its_type != "formula")
      reader.refuse(key->path,
                    fmt::format("used by initial.type {0} only; add type: {0}", its_type));
  }
}

}  // namespace dns
