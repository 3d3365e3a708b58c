#include <fmt/format.h>

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

void check_channel(ValueReader& reader, const Case& read) {
  const TurbulentChannelCase& channel = *read.initial.turbulent_channel;
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
                    axis_name(channel.axis)));
  }
}

}  // namespace

void read_initial(ValueReader& reader, Case& read) {
  const std::optional<std::string> type = reader.choice("initial.type");
  const bool is_channel = type == "turbulent_channel" && reader.may_be(Scheme::projection);
  if (is_channel) read.initial.turbulent_channel.emplace();
  reader.read_section("initial", read);
  if (type == "file") {
    if (!reader.is_given("initial.path")) reader.add_missing("initial.path");
    refuse_beside(reader, "file", {"velocity"});
  } else if (is_channel) {
    check_channel(reader, read);
    refuse_beside(reader, "turbulent_channel", {"velocity"});
  } else if (type == "turbulent_channel") {
    reader.add_mistake(
        "initial.type", "formula or file", "; turbulent_channel belongs to scheme projection");
  }
  if (type && type != "file") refuse_without(reader, "file", {"path"});
  if (type && type != "turbulent_channel" && reader.may_be(Scheme::projection))
    refuse_without(reader, "turbulent_channel", {"direction", "bulk_velocity", "amplitude"});
  reader.read_section("initial.noise", read);
  reader.refuse_without_temperature("initial.temperature");
}

}  // namespace dns
