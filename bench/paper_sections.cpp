// The tables of Berezin, Paskonov & Sakharnykh (2012) in their layout, next to their figures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/anchors.hpp"
#include "bench/session.hpp"
#include "bench/studies/cuda_studies.hpp"
#include "bench/text_table.hpp"

namespace dns::bench {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// "12.3 (1.05)": milliseconds, and their ratio to those of the sweep along Z.
std::string beside_z(double milliseconds, double milliseconds_z) {
  if (!std::isfinite(milliseconds)) return "-";
  return fmt::format("{} ({:.2f})", three_digits(milliseconds), milliseconds / milliseconds_z);
}

/// One column of Table 1: milliseconds of 4 local iterations.
struct Column1 {
  std::string heading;
  double z = none, y = none, x_in_place = none, x_transposed = none, transposing = none;
};

Column1 column_of(const StepTimes& times, const std::string& heading) {
  constexpr double to_milliseconds = 1e3 / global_iterations;
  Column1 column{heading};
  column.z = to_milliseconds * times.sweep_z;
  column.y = to_milliseconds * times.sweep_y;
  column.x_in_place = to_milliseconds * times.sweep_x;
  return column;
}

Column1 column_of(const std::vector<Measurement>& study, const std::string& heading) {
  const auto found = [&](std::string_view variant, std::string_view direction) {
    for (const Measurement& m : study) {
      if (m.variant == variant && m.direction == direction) return 1e3 * m.seconds;
    }
    return none;
  };
  Column1 column{heading};
  column.z = local_iterations * found(thread_per_line, "z");
  column.y = local_iterations * found(thread_per_line, "y");
  column.x_in_place = local_iterations * found(thread_per_line, "x");
  column.x_transposed = local_iterations * found(thread_per_line_transposed, "x");
  column.transposing = found(transposing_levels, "x");
  return column;
}

std::string table1_at(Session& session, int points, Precision precision) {
  const PaperTable1 paper;
  std::vector<Column1> columns;
  const Request& request = session.request;
  if (request.uses_cuda) {
    columns.push_back(
        column_of(session.keep(paper_sweeps_on_cuda(precision, session.study(points))),
                  "thread per line [ms]"));
    columns.push_back(
        column_of(session.time_steps({Scheme::splitting, points, precision, Device::cuda}),
                  "dns, cuda [ms]"));
  }
  if (request.uses_cpu) {
    columns.push_back(column_of(
        session.time_steps({Scheme::splitting, points, precision, Device::cpu, request.threads}),
        fmt::format("dns, cpu, {} [ms]", request.threads)));
  }
  std::vector<std::string> headings{"", "paper, C2070 [s]"};
  for (const Column1& column : columns) headings.push_back(column.heading);
  TextTable table(headings);
  const auto add = [&](const char* name, double of_paper, double Column1::*value) {
    std::vector<std::string> cells{
        name, fmt::format("{:.1f} ({:.2f})", of_paper, of_paper / paper.sweep_z)};
    for (const Column1& column : columns) cells.push_back(beside_z(column.*value, column.z));
    table.add(cells);
  };
  add("sweep along Z", paper.sweep_z, &Column1::z);
  add("sweep along Y", paper.sweep_y, &Column1::y);
  add("sweep along X, no transpose", paper.sweep_x_in_place, &Column1::x_in_place);
  add("sweep along X, transposed", paper.sweep_x_transposed, &Column1::x_transposed);
  add("transposing", paper.transposing, &Column1::transposing);
  return fmt::format(
      "table 1: {} local iterations along one direction, {}^3, {}; "
      "(ratio to Z)\n{}",
      local_iterations,
      points,
      dns::name_of(precision),
      table.text());
}

/// 1, then even numbers, then powers of two and the values halfway between, up to all.
std::vector<int> thread_counts(int most) {
  std::vector<int> counts;
  for (const int count : {1, 2, 4, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256}) {
    if (count <= most) counts.push_back(count);
  }
  if (counts.empty() || counts.back() != most) counts.push_back(most);
  return counts;
}

/// Thousands of systems per second.
struct Rates {
  double x = none, y = none, z = none, update = none, step = none;
};
constexpr std::array<double Rates::*, 5> rates_in_order{
    &Rates::x, &Rates::y, &Rates::z, &Rates::update, &Rates::step};

Rates rates_of(const StepTimes& times) {
  const double systems = 1e-3 * times.systems_per_axis();
  return {systems / times.sweep_x,
          systems / times.sweep_y,
          systems / times.sweep_z,
          3 * systems / times.nonlinear_update,
          3 * systems / times.seconds};
}

std::string rate_table(Session& session,
                       const char* name,
                       Precision precision,
                       const std::array<PaperRate, 5>& paper) {
  const Request& request = session.request;
  std::string text;
  for (const int points : session.points_or({usual_points})) {
    Rates cpu;
    Rates cuda;
    if (request.uses_cpu) {
      cpu = rates_of(
          session.time_steps({Scheme::splitting, points, precision, Device::cpu, request.threads}));
    }
    if (request.uses_cuda)
      cuda = rates_of(session.time_steps({Scheme::splitting, points, precision, Device::cuda}));
    TextTable table({"",
                     "paper: i7-3930K",
                     "C2070",
                     "ratio",
                     fmt::format("dns: cpu, {}", request.threads),
                     "cuda",
                     "ratio"});
    for (std::size_t row = 0; row < paper.size(); ++row) {
      const double on_cpu = cpu.*rates_in_order[row];
      const double on_cuda = cuda.*rates_in_order[row];
      table.add({std::string(paper[row].work),
                 three_digits(paper[row].cpu),
                 three_digits(paper[row].gpu),
                 fmt::format("{:.1f}", paper[row].ratio),
                 three_digits(on_cpu),
                 three_digits(on_cuda),
                 three_digits(on_cuda / on_cpu)});
    }
    text += fmt::format("{}: thousands of systems solved per second, {}^3, {}\n{}",
                        name,
                        points,
                        dns::name_of(precision),
                        table.text());
  }
  return text + fmt::format(
                    "  A system is one tridiagonal system per grid line and variable. Most of the\n"
                    "  non-linear update happens within our sweeps; here is what is left of it.\n"
                    "  paper: {}, at 192^3\n",
                    the_paper);
}

}  // namespace

std::string run_table1(Session& session) {
  std::string text;
  for (const int points : session.points_or({usual_points})) {
    for (const Precision precision : session.request.precisions) {
      text += table1_at(session, points, precision);
    }
  }
  return text + fmt::format(
                    "  paper: {}, Table 1, at 192^3 over some steps: compare ratios\n"
                    "  thread per line: our study of the paper's method; dns: this program, whose\n"
                    "  sweep along X needs no transpose\n",
                    the_paper);
}

std::string run_table2(Session& session) {
  if (!session.request.uses_cpu) return "table 2: of the CPU only\n";
  std::string text;
  for (const int points : session.points_or({usual_points})) {
    std::vector<std::string> headings{"threads", "paper, 6 cores"};
    for (const Precision precision : session.request.precisions) {
      headings.push_back(fmt::format("{} [s/step]", dns::name_of(precision)));
      headings.emplace_back("speed-up");
    }
    TextTable table(headings);
    for (const int threads : thread_counts(session.request.threads)) {
      const auto* const anchor =
          std::find_if(paper_table2.begin(), paper_table2.end(), [&](const ThreadAnchor& known) {
            return known.threads == threads;
          });
      std::vector<std::string> cells{
          std::to_string(threads),
          anchor == paper_table2.end() ? "-" : three_digits(anchor->speed_up)};
      for (const Precision precision : session.request.precisions) {
        const double alone =
            session.time_steps({Scheme::splitting, points, precision, Device::cpu, 1}).seconds;
        const double seconds =
            session.time_steps({Scheme::splitting, points, precision, Device::cpu, threads})
                .seconds;
        cells.push_back(three_digits(seconds));
        cells.push_back(three_digits(alone / seconds));
      }
      table.add(cells);
    }
    text += fmt::format("table 2: speed-up by threads, {}^3\n{}", points, table.text());
  }
  return text + fmt::format("  paper: {}, Table 2, i7-3930K, at 192^3\n", the_paper);
}

std::string run_table3(Session& session) {
  return rate_table(session, "table 3", Precision::single_precision, paper_table3);
}

std::string run_table4(Session& session) {
  return rate_table(session, "table 4", Precision::double_precision, paper_table4);
}

}  // namespace dns::bench
