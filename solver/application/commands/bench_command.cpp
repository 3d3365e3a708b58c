#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "bench/bench.hpp"
#include "bench/report.hpp"
#include "bench/scaling.hpp"
#include "solver/application/commands/commands.hpp"
#include "solver/application/commands/python_script.hpp"
#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/nearest_key.hpp"
#include "solver/files/run_files.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/run/host_memory.hpp"
#include "solver/run/threads.hpp"
#include "solver/run/words.hpp"
#include "solver/simulation/simulation.hpp"

namespace dns {
namespace {

constexpr const char* all_sections = "all";
constexpr const char* guard = "guard";
constexpr const char* scaling = "scaling";  // apart from the others, on several ranks

/// The sections that `name` stands for.
std::vector<std::string> chosen_sections(const std::string& name) {
  std::vector<std::string> known;
  for (const bench::SectionSummary& section : bench::sections()) known.emplace_back(section.name);
  if (name == all_sections) {
    std::erase(known, guard);
    return known;
  }
  if (std::ranges::find(known, name) != known.end()) return {name};
  known.emplace_back(scaling);
  known.emplace_back(all_sections);
  if (name.empty()) throw CaseError("dns bench: NAME is missing; 'dns bench --list' shows them");
  throw CaseError(fmt::format("dns bench: unknown NAME '{}'{}\n'dns bench --list' shows them",
                              name,
                              or_nearest(name, known)));
}

std::vector<int> points_of(const std::string& text) {
  constexpr int fewest = 16;  // lines that fill a vector register of floats
  constexpr int most = 1024;
  std::vector<int> points;
  for (const std::string& item : split(text, ','))
    points.push_back(number_of_option("dns bench: --points", item, fewest, most));
  return points;
}

std::vector<Precision> precisions_of(const std::string& text) {
  if (text == "float") return {Precision::single_precision};
  if (text == "double") return {Precision::double_precision};
  if (text.empty()) return {Precision::double_precision, Precision::single_precision};
  throw CaseError(fmt::format("dns bench: --precision is '{}', but must be float or double", text));
}

int threads_of(const std::string& text) {
  constexpr int most = 65536;
  const Threads threads = resolve_threads(
      text.empty() ? 0 : number_of_option("dns bench: --threads", text, 1, most), 0);
  require_threads(threads);
  return threads.count;
}

/// Sets which devices take part; returns a line to print when the GPU is left out.
std::string choose_devices(const std::string& text, bench::Request& request) {
  if (!text.empty() && text != "cpu" && text != "cuda") {
    throw CaseError(fmt::format("dns bench: --device is '{}', but must be cpu or cuda", text));
  }
  request.uses_cpu = text != "cuda";
  request.uses_cuda = text != "cpu";
  if (text == "cuda") resolve_device(DeviceChoice::cuda);  // throws where there is none
  const std::string obstacle = text == "cpu" ? "" : bench::obstacle_to_cuda();
  if (obstacle.empty()) return "";
  request.uses_cuda = false;
  return fmt::format("cuda: left out: {}\n", obstacle.substr(0, obstacle.find(';')));
}

/// Throws IoError when the folder of a file to be written later is not there or not writable,
/// CaseError when the file itself is a folder.
void require_folder_of(const std::string& file) {
  if (file.empty()) return;
  std::error_code none;
  if (std::filesystem::is_directory(file, none))
    throw CaseError(fmt::format("dns bench: {}: is a folder, but must be a file to write", file));
  const std::filesystem::path parent = std::filesystem::path(file).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return;
  throw IoError(system_message(folder, fmt::format("to write {}", file), errno));
}

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

/// Lines that come and go on a terminal, so that nobody wonders whether it still works.
void show_progress(const std::string& line) {
  if (::isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, "\r\033[K%s\r", line.c_str());
  std::fflush(stderr);
}

/// Ranks seldom have a terminal, and large boxes take their time.
void show_progress_of_ranks(const std::string& line) {
  if (::isatty(STDERR_FILENO) == 1) return show_progress(line);
  std::fprintf(stderr, "%s\n", line.c_str());
}

/// Draws `measurements`, JSON; throws IoError.
void run_plot_script(const std::vector<std::string>& arguments, const std::string& measurements) {
  const PythonScript script{
      .name = "plot_bench.py", .verb = "dns bench --plot", .packages = "python3-matplotlib"};
  if (run_python_script(script, arguments, measurements, ScriptOutput::messages) != 0)
    throw IoError(fmt::format("--plot: {} failed", script.name));
}

void write_files(const BenchCommand& asked, const std::vector<bench::Measurement>& measurements) {
  if (!asked.csv.empty()) write_text_file(asked.csv, bench::to_csv(measurements));
  if (!asked.json.empty()) write_text_file(asked.json, bench::to_json(measurements));
  if (!asked.plot.empty()) run_plot_script({"-", "-o", asked.plot}, bench::to_json(measurements));
}

}  // namespace

std::string list_of_sections() {
  std::string text;
  for (const bench::SectionSummary& section : bench::sections()) {
    text += fmt::format("{:<10} {}\n", section.name, section.meaning);
  }
  return text + fmt::format("{:<10} {}\n", all_sections, "all of them but guard, in this order") +
         fmt::format("{:<10} {}\n",
                     scaling,
                     "time steps on several ranks (--ranks N, mpirun) beside those of one process");
}

bool measures_scaling(const Command& command) {
  return command.verb == Verb::bench && command.bench.section == scaling && !command.bench.lists;
}

ExitCode measure_scaling(const Command& command, Team& team) {
  const BenchCommand& asked = command.bench;
  bench::ScalingRequest request;
  std::string left_out;
  require_on_all_ranks(team.communicator(), [&] {
    if (team.ranks() == 1) {
      throw CaseError(
          "dns bench scaling compares ranks with one process: start it with --ranks N, or by "
          "mpirun -n N dns bench scaling");
    }
    if (!asked.json.empty() || !asked.plot.empty()) {
      throw CaseError(
          "dns bench scaling prints a table and writes --csv FILE: leave --json and --plot out");
    }
    bench::Request devices;
    left_out = choose_devices(asked.device, devices);
    request.points = points_of(asked.points);
    for (const int points : request.points) {
      if (points / team.ranks() < fewest_planes) {
        throw CaseError(fmt::format(
            "dns bench scaling: --points is {}, but must be {} or more: each of {} ranks needs {} "
            "planes at least",
            points,
            fewest_planes * team.ranks(),
            team.ranks(),
            fewest_planes));
      }
    }
    request.precisions = precisions_of(asked.precision);
    request.device = devices.uses_cuda ? bench::Device::cuda : bench::Device::cpu;
    request.threads = asked.threads.empty() ? team.cores() : threads_of(asked.threads);
  });
  text_of_first(team.communicator(), [&] {
    require_folder_of(asked.csv);
    return std::string();
  });
  request.threads_of_one = request.threads * team.ranks_on_host();
  const DeviceChoice device =
      request.device == bench::Device::cuda ? DeviceChoice::cuda : DeviceChoice::cpu;
  Communicator& communicator = team.communicator_on(device);
  const std::string warning = team.warning_about_cores(device, request.threads);
  if (team.is_first() && !warning.empty()) std::fprintf(stderr, "warning: %s\n", warning.c_str());
  const auto progress = [&](const std::string& line) {
    if (team.is_first()) show_progress_of_ranks(line);
  };
  const auto measurements = bench::measure_scaling(communicator, request, progress);
  if (!team.is_first()) return ExitCode::finished;
  show_progress("");
  print(left_out + bench::scaling_table(measurements, request, team.ranks()));
  if (!asked.csv.empty())
    write_text_file(asked.csv, bench::scaling_csv(measurements, request, team.ranks()));
  return ExitCode::finished;
}

ExitCode measure(const Command& command) {
  const BenchCommand& asked = command.bench;
  if (asked.lists) {
    print(list_of_sections());
    return ExitCode::finished;
  }
  const std::vector<std::string> names = chosen_sections(asked.section);
  bench::Request request;
  request.points = points_of(asked.points);
  request.precisions = precisions_of(asked.precision);
  request.threads = threads_of(asked.threads);
  request.host_memory = available_host_memory() / 10 * 9;
  const std::string left_out = choose_devices(asked.device, request);
  if (!asked.table.empty()) {
    if (asked.section != guard)
      throw CaseError("dns bench: --table belongs to guard: dns bench guard --table FILE");
    request.guard_table = asked.table;
  }
  for (const std::string& file : {asked.csv, asked.json, asked.plot}) require_folder_of(file);
  if (!asked.plot.empty()) run_plot_script({"--check"}, "");  // before it takes its time
  omp_set_num_threads(request.threads);

  bench::Bench bench(request, show_progress);
  const std::string machine = bench.describe_machine();
  show_progress("");
  print(machine + left_out);
  for (const std::string& name : names) {
    const std::string tables = bench.run(name);
    show_progress("");
    print("\n" + tables);
  }
  write_files(asked, bench.measurements());
  const auto wrong = std::ranges::count(bench.measurements(), false, &bench::Measurement::is_right);
  if (bench.slower() > 0)
    std::fprintf(stderr, "error: cases of guard slower than the table: %d\n", bench.slower());
  if (wrong == 0) return bench.slower() > 0 ? ExitCode::bug : ExitCode::finished;
  std::fprintf(stderr, "error: %td variants gave wrong results; they are marked WRONG\n", wrong);
  return ExitCode::bug;
}

}  // namespace dns
