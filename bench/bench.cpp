#include "bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "bench/session.hpp"
#include "bench/studies/cpu_studies.hpp"
#include "bench/studies/cuda_studies.hpp"
#include "cuda/cuda_facts.hpp"

namespace dns::bench {
namespace {

struct Section {
  SectionSummary summary;
  std::string (*run)(Session&);
};

constexpr std::array<Section, 12> known{{
    {{"copy", "copy bandwidth and the triad: the yardstick of all others"}, &run_copy},
    {{"transpose", "x <-> y of a field: naive, tiled, tuned; block shapes"}, &run_transpose},
    {{"reduce", "sum and largest magnitude: the classic ladder, beside CUB"}, &run_reduce},
    {{"stencil", "the dissipation function of a velocity field"}, &run_stencil},
    {{"sweep", "tridiagonal systems along every axis, beside cuSPARSE"}, &run_sweep},
    {{"table1", "the paper's Table 1: sweeps along each direction, transposing"}, &run_table1},
    {{"table2", "the paper's Table 2: speed-up by threads"}, &run_table2},
    {{"table3", "the paper's Table 3: systems per second in float"}, &run_table3},
    {{"table4", "the paper's Table 4: systems per second in double"}, &run_table4},
    {{"step", "time steps over sizes, precisions, devices and threads"}, &run_step},
    {{"accuracy", "error against time of known flows, by order and grid"}, &run_accuracy},
    {{"guard", "steps of twelve cases against a copy, compared with a table"}, &run_guard},
}};

/// The fastest copy of a device.
double copy_bandwidth(const std::vector<Measurement>& copies) {
  double largest = 0;
  for (const Measurement& m : copies) {
    const bool is_copy = !m.variant.starts_with("triad");
    if (is_copy && m.is_right()) largest = std::max(largest, m.bandwidth());
  }
  return largest;
}

}  // namespace

const std::vector<SectionSummary>& sections() {
  static const std::vector<SectionSummary> summaries = [] {
    std::vector<SectionSummary> list;
    list.reserve(std::size(known));
    for (const Section& section : known) list.push_back(section.summary);
    return list;
  }();
  return summaries;
}

std::string obstacle_to_cuda() {
  return cuda_obstacle();
}

Bench::Bench(Request request, std::function<void(const std::string&)> progress)
    : session_(std::make_unique<Session>()) {
  session_->request = std::move(request);
  session_->progress = std::move(progress);
}

Bench::~Bench() = default;

std::string Bench::describe_machine() {
  Session& session = *session_;
  const Request& request = session.request;
  const Precision precision = request.precisions.front();
  std::string text;
  if (request.uses_cpu) {
    session.progress("copy on the cpu");
    std::vector<Measurement> copies = copy_on_cpu(precision, session.study(0));
    session.cpu_copy = copy_bandwidth(copies);
    session.keep(std::move(copies));
    text += fmt::format(
        "cpu: {} threads, copy {:.4g} GB/s\n", request.threads, 1e-9 * session.cpu_copy);
  }
  if (request.uses_cuda) {
    session.progress("copy on the GPU");
    std::vector<Measurement> copies = copy_on_cuda(precision);
    session.cuda_copy = copy_bandwidth(copies);
    session.keep(std::move(copies));
    text += fmt::format("cuda: {}, copy {:.4g} GB/s\n", cuda_name(), 1e-9 * session.cuda_copy);
  }
  return text;
}

std::string Bench::run(std::string_view section) {
  const auto* const found = std::find_if(
      known.begin(), known.end(), [&](const Section& one) { return one.summary.name == section; });
  return found->run(*session_);
}

const std::vector<Measurement>& Bench::measurements() const {
  return session_->measurements;
}

int Bench::slower() const {
  return session_->slower;
}

}  // namespace dns::bench
