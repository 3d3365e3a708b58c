#include "bench/report.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/text_table.hpp"
#include "solver/core/json_text.hpp"
#include "solver/core/number_text.hpp"

namespace dns::bench {
namespace {

/// A member of a measurement as both formats show it.
struct Member {
  std::string name;
  std::string value;  // empty: none
  bool is_text = false;
};

std::string number(double value) {
  return std::isfinite(value) ? number_text(value) : "";
}

std::vector<Member> members_of(const Measurement& m) {
  const auto text = [](const char* name, std::string_view value) {
    return Member{name, std::string(value), true};
  };
  return {text("section", m.section),
          text("variant", m.variant),
          text("direction", m.direction),
          text("device", name_of(m.device)),
          {"threads", m.threads > 0 ? std::to_string(m.threads) : ""},
          text("precision", name_of(m.precision)),
          {"points", m.points > 0 ? std::to_string(m.points) : ""},
          {"seconds", number(m.seconds)},
          {"bytes", m.bytes > 0 ? number(m.bytes) : ""},
          {"bytes_per_second", m.bytes > 0 ? number(m.bandwidth()) : ""},
          {"copy_fraction", m.bytes > 0 ? number(m.copy_fraction()) : ""},
          {"nanoseconds_per_point", m.points > 0 ? number(m.nanoseconds_per_point()) : ""},
          {"memory_bytes", m.memory_bytes > 0 ? std::to_string(m.memory_bytes) : ""},
          {"joules", number(m.joules)},
          {"error", number(m.error)},
          {"tolerance", number(m.tolerance)},
          text("status", m.is_right() ? "ok" : "wrong")};
}

/// Quoted where a separator stands in it.
std::string csv_field(const std::string& value) {
  return value.find(',') == std::string::npos ? value : '"' + value + '"';
}

}  // namespace

std::string to_csv(std::span<const Measurement> measurements) {
  const auto line = [](const std::vector<Member>& members, std::string Member::*shown) {
    std::string text;
    for (const Member& member : members) {
      text += (text.empty() ? "" : ",") + csv_field(member.*shown);
    }
    return text + "\n";
  };
  std::string text = line(members_of({}), &Member::name);
  for (const Measurement& m : measurements) text += line(members_of(m), &Member::value);
  return text;
}

std::string to_json(std::span<const Measurement> measurements) {
  auto list = nlohmann::ordered_json::array();
  for (const Measurement& m : measurements) {
    auto& object = list.emplace_back();
    for (const Member& member : members_of(m)) {
      auto& value = object[member.name];
      if (member.is_text) {
        value = member.value;
      } else if (!member.value.empty()) {
        value = json_number(number_from(member.value).value());
      }
    }
  }
  return json_page(list);
}

std::string in_words_device(Device device, int threads) {
  return device == Device::cuda ? "cuda" : fmt::format("cpu, {}", threads);
}

std::string to_table(std::span<const Measurement> measurements) {
  TextTable table({"variant", "<device", "<precision", "ms", "GB/s", "of copy", "<check"});
  for (const Measurement& m : measurements) {
    table.add({m.direction.empty() ? m.variant : m.direction + "  " + m.variant,
               in_words_device(m.device, m.threads),
               std::string(name_of(m.precision)),
               three_digits(1e3 * m.seconds),
               three_digits(1e-9 * m.bandwidth()),
               percent(m.copy_fraction()),
               m.is_right() ? "ok" : fmt::format("WRONG {:.1e}", m.error)});
  }
  return table.text();
}

}  // namespace dns::bench
