#include "bench/guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "bench/guard_table.hpp"
#include "bench/session.hpp"
#include "bench/stepping.hpp"
#include "bench/studies/cuda_studies.hpp"
#include "bench/text_table.hpp"
#include "solver/config/load_case.hpp"
#include "solver/core/error.hpp"
#include "solver/core/number_text.hpp"
#include "solver/core/processor_name.hpp"
#include "solver/core/text_file.hpp"

namespace dns::bench {
namespace {

constexpr int most_tries = 3;  // of a case that seems slower

constexpr const char* warm_walls =
    "{x: periodic, z: periodic, y_min: {type: wall, temperature: 1, scalars: {salt: 0}}, "
    "y_max: {type: wall, temperature: 0, scalars: {salt: 1}}}";

std::string machine_of(const Session& session, Device device) {
  return device == Device::cuda
             ? cuda_name()
             : fmt::format("{} {} threads", processor_name(), session.request.threads);
}

/// Time of a step over the time that a copy of its compulsory traffic takes.
double ratio_of(const Session& session, const GuardCase& guard, Device device) {
  const int threads = device == Device::cpu ? session.request.threads : 0;
  const StepTimes times = time_steps(case_of(guard, device, threads));
  return times.seconds * session.copy_of(device) / times.bytes;
}

}  // namespace

const std::vector<GuardCase>& guard_cases() {
  constexpr auto in_float = Precision::single_precision;
  constexpr auto splitting = Scheme::splitting;
  constexpr Extents large{384, 384, 384};
  constexpr Extents larger{96, 96, 96};
  static const std::vector<GuardCase> cases{
      {.name = "channel", .on_gpu = {64, 64, 64}, .on_cpu = {32, 32, 32}},
      {.name = "channel float", .precision = in_float},
      {.name = "channel large", .on_gpu = {512, 512, 512}, .on_cpu = {128, 128, 128}},
      {.name = "order 6",
       .settings = {{"accuracy.order", "6"},
                    {"grid.stretching.y", "{type: uniform}"},
                    {"boundaries", "{x: periodic, y: periodic, z: periodic}"}}},
      {.name = "orders 6 2 6 float",
       .precision = in_float,
       .on_gpu = large,
       .on_cpu = larger,
       .settings = {{"accuracy.order", "[6, 2, 6]"}}},
      {.name = "Runge-Kutta", .settings = {{"time.scheme", "runge_kutta"}}},
      {.name = "scalars",
       .settings = {{"fluid.prandtl", "0.7"},
                    {"scalars", "{salt: {prandtl: 1}}"},
                    {"boundaries", warm_walls}}},
      {.name = "body",
       .settings = {{"solids", "{ball: {shape: sphere, center: [2, 1, 1.5], radius: 0.4}}"}}},
      {.name = "long lines", .on_gpu = {2048, 64, 64}, .on_cpu = {1280, 16, 16}},
      {.name = "splitting", .scheme = splitting},
      {.name = "splitting float",
       .scheme = splitting,
       .precision = in_float,
       .on_gpu = large,
       .on_cpu = larger},
      {.name = "splitting long lines",
       .scheme = splitting,
       .on_gpu = {2048, 64, 64},
       .on_cpu = {1280, 16, 16}},
  };
  return cases;
}

Case case_of(const GuardCase& guard, Device device, int threads) {
  std::vector<Override> overrides;
  for (const auto& [path, value] : guard.settings) overrides.push_back({path, value, "guard"});
  const auto [nx, ny, nz] = device == Device::cuda ? guard.on_gpu : guard.on_cpu;
  overrides.push_back({"grid.points", fmt::format("[{}, {}, {}]", nx, ny, nz), "guard"});
  return case_of({guard.scheme, 64, guard.precision, device, threads}, overrides);
}

GuardTable read_guard_table(const std::string& path) {
  GuardTable table;
  const auto lines = [&] {
    try {
      return lines_of_text(path);
    } catch (const UnreadableText& error) {
      throw IoError(fmt::format("{}: {}", path, error.what()));
    }
  }();
  for (const TextLine& line : lines) {
    const auto& words = line.words;
    const auto first = std::ranges::find(words, "|");
    const auto second = std::find(first == words.end() ? first : first + 1, words.end(), "|");
    const auto ratio = words.end() - second == 2 ? number_from(words.back()) : std::nullopt;
    if (!ratio || !(*ratio > 0)) {
      throw CaseError(fmt::format(
          "{}:{}: is '{}', but must be machine | case | ratio, as `dns bench guard` prints it",
          path,
          line.number,
          fmt::join(words, " ")));
    }
    table[{fmt::format("{}", fmt::join(words.begin(), first, " ")),
           fmt::format("{}", fmt::join(first + 1, second, " "))}] = *ratio;
  }
  return table;
}

GuardReport guard_report(const std::string& machine,
                         const GuardTable& table,
                         const std::function<double(const GuardCase&)>& ratio) {
  GuardReport report;
  TextTable shown({"# machine", "<", "<case", "<", "ratio", "<#", "table", "<"});
  std::size_t unknown = 0;
  for (const GuardCase& guard : guard_cases()) {
    const auto row = table.find({machine, std::string(guard.name)});
    const bool is_known = row != table.end();
    double found = ratio(guard);
    const auto is_slower = [&] { return is_known && found > most_slower * row->second; };
    for (int tries = 1; is_slower() && tries < most_tries; ++tries)
      found = std::min(found, ratio(guard));
    report.slower += is_slower() ? 1 : 0;
    unknown += is_known ? 0 : 1;
    shown.add({machine,
               "|",
               std::string(guard.name),
               "|",
               fmt::format("{:.3f}", found),
               "#",
               is_known ? fmt::format("{:.3f}", row->second) : "-",
               is_slower() ? fmt::format("SLOWER by {}", percent(found / row->second - 1)) : ""});
  }
  report.text = shown.text();
  if (unknown > 0) {
    report.text += fmt::format(
        "the table has no row for {} of {} cases on {}\n", unknown, guard_cases().size(), machine);
  }
  return report;
}

std::string run_guard(Session& session) {
  const std::string& file = session.request.guard_table;
  const GuardTable table = file.empty() ? usual_guard_table() : read_guard_table(file);
  std::string text = fmt::format(
      "guard: a copy moves as many bytes as a step must move; a ratio is the time of the step\n"
      "  over that of the copy. A case {:.0f} % above its ratio in the table counts as slower\n",
      100 * (most_slower - 1));
  for (const Device device : {Device::cpu, Device::cuda}) {
    if (!(device == Device::cpu ? session.request.uses_cpu : session.request.uses_cuda)) continue;
    const GuardReport report =
        guard_report(machine_of(session, device), table, [&](const GuardCase& guard) {
          session.progress(fmt::format("guard: {} on {}", guard.name, name_of(device)));
          return ratio_of(session, guard, device);
        });
    session.slower += report.slower;
    text += report.text;
  }
  return text;
}

}  // namespace dns::bench
