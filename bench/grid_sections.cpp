// The sections that study one kind of work on a grid: copy, transpose, reduce, stencil, sweep.
#include <fmt/format.h>

#include <utility>

#include "bench/anchors.hpp"
#include "bench/report.hpp"
#include "bench/session.hpp"
#include "bench/studies/cpu_studies.hpp"
#include "bench/studies/cuda_studies.hpp"
#include "bench/text_table.hpp"

namespace dns::bench {
namespace {

using StudyFunction = std::vector<Measurement> (*)(Precision, const Study&);

std::string anchors_of(std::string_view section) {
  std::string text;
  for (const SectionAnchor& anchor : section_anchors) {
    if (anchor.section == section) text += fmt::format("  anchor: {}\n", anchor.line);
  }
  return text;
}

/// One table per grid size, all devices and precisions in it.
std::string run_on_grids(Session& session,
                         std::string_view section,
                         const std::string& what,
                         StudyFunction on_cpu,
                         StudyFunction on_cuda) {
  std::string text;
  const Request& request = session.request;
  for (const int points : session.points_or({usual_points})) {
    std::vector<Measurement> rows;
    const auto add = [&](StudyFunction study, Precision precision, Device device) {
      session.progress(fmt::format(
          "{} at {}^3, {}, {}", section, points, dns::name_of(precision), name_of(device)));
      const auto measured = session.keep(study(precision, session.study(points)));
      rows.insert(rows.end(), measured.begin(), measured.end());
    };
    for (const Precision precision : request.precisions) {
      if (request.uses_cpu) add(on_cpu, precision, Device::cpu);
      if (request.uses_cuda) add(on_cuda, precision, Device::cuda);
    }
    text += fmt::format("{}: {}, {}^3\n{}", section, what, points, to_table(rows));
  }
  return text + anchors_of(section);
}

/// Bandwidths by the sides of the thread block.
std::string block_table(const std::vector<Measurement>& measured) {
  std::vector<std::string> headings{"across \\ along x"};
  for (int x = 1; x <= largest_block_side; x *= 2) headings.push_back(std::to_string(x));
  TextTable table(headings);
  for (int y = 1; y <= largest_block_side; y *= 2) {
    std::vector<std::string> cells{std::to_string(y)};
    for (int x = 1; x <= largest_block_side; x *= 2) {
      std::string cell;
      for (const Measurement& m : measured) {
        if (m.variant != fmt::format("{}x{}", x, y)) continue;
        cell = m.is_right() ? three_digits(1e-9 * m.bandwidth()) : "WRONG";
      }
      cells.push_back(cell);
    }
    table.add(std::move(cells));
  }
  return fmt::format(
      "transpose blocks: the naive one (coalesced reads), {}^2 floats, GB/s by block shape\n{}",
      block_study_points,
      table.text());
}

}  // namespace

std::string run_copy(Session& session) {
  std::vector<Measurement> rows;
  for (const Measurement& m : session.measurements) {
    if (m.section == "copy") rows.push_back(m);
  }
  for (const Precision precision : session.request.precisions) {
    if (precision == session.request.precisions.front()) continue;  // was the yardstick
    const auto add = [&](std::vector<Measurement> measured) {
      for (const Measurement& m : session.keep(std::move(measured))) rows.push_back(m);
    };
    if (session.request.uses_cpu) add(copy_on_cpu(precision, session.study(0)));
    if (session.request.uses_cuda) add(copy_on_cuda(precision));
  }
  return "copy: bytes read plus bytes written\n" + to_table(rows) + anchors_of("copy");
}

std::string run_transpose(Session& session) {
  std::string text = run_on_grids(
      session, "transpose", "x <-> y of a field", &transpose_on_cpu, &transpose_on_cuda);
  if (session.request.uses_cuda) {
    session.progress("transpose blocks");
    text += block_table(session.keep(transpose_blocks_on_cuda()));
  }
  return text;
}

std::string run_reduce(Session& session) {
  return run_on_grids(
      session, "reduce", "sum and largest magnitude of a field", &reduce_on_cpu, &reduce_on_cuda);
}

std::string run_stencil(Session& session) {
  return run_on_grids(session,
                      "stencil",
                      "dissipation function of a velocity field",
                      &stencil_on_cpu,
                      &stencil_on_cuda);
}

std::string run_sweep(Session& session) {
  std::string text = run_on_grids(
      session, "sweep", "tridiagonal systems along every grid line", &sweep_on_cpu, &sweep_on_cuda);
  const std::string obstacle = session.request.uses_cuda ? cusparse_obstacle() : "";
  if (!obstacle.empty()) text += fmt::format("  without cuSPARSE: {}\n", obstacle);
  return text;
}

}  // namespace dns::bench
