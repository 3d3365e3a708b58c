#include <fmt/format.h>

#include <string>

#include "solver/config/case_reader.hpp"

namespace dns {
namespace {

/// Whether an axis ends at two walls, or at a wall and a plane of symmetry or a wall that gives the
/// shear.
bool has_walls(const Case& read, int axis) {
  const FaceCase& low = read.faces.at(face_index(axis, false));
  const FaceCase& high = read.faces.at(face_index(axis, true));
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
  const bool is_channel = type == "turbulent_channel";
  const bool may_be_channel = reader.may_be(Scheme::projection);
  if (is_channel && may_be_channel) read.initial.turbulent_channel.emplace();
  reader.read_section("initial", read);
  if (is_file) reader.require("initial.path");
  if (is_channel && may_be_channel) {
    check_channel(reader, read);
  } else if (is_channel) {
    reader.add_mistake(
        "initial.type", "formula or file", "; turbulent_channel belongs to scheme projection");
  }
  if (is_file || (is_channel && may_be_channel)) {
    reader.refuse("initial.velocity",
                  fmt::format("given together with initial.type {}; keep one of the two", type));
  }
  const auto belongs_to = [&reader](const std::string& word, const std::string& other_type) {
    reader.refuse("initial." + word,
                  fmt::format("used by initial.type {0} only; add type: {0}", other_type));
  };
  if (has_type && !is_file) belongs_to("path", "file");
  if (has_type && !is_channel && may_be_channel) {
    for (const char* const word : {"direction", "bulk_velocity", "amplitude"})
      belongs_to(word, "turbulent_channel");
  }
  reader.refuse_without_temperature("initial.temperature");
}

}  // namespace dns
