#include "solver/run/ranks/team_of_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "solver/config/order_of_axes.hpp"
#include "solver/core/agreement.hpp"
#include "solver/core/error.hpp"
#include "solver/core/version.hpp"
#include "solver/instances/make_simulation.hpp"
#include "solver/run/threads.hpp"
#include "solver/run/words.hpp"

namespace dns {
namespace {

void choose_own_gpu(int gpu, const RankPlace& place) {
  if (gpu >= 0) return choose_gpu(gpu);
  throw CaseError(fmt::format(
      "device is cuda, but {} has {} ranks and {} for them: at most one rank per GPU; start fewer "
      "ranks on it, or use device: cpu",
      place.host,
      place.ranks_on_host,
      counted(std::ssize(gpu_identities()), "GPU")));
}

/// The axis of planes of symmetry along which cosine transforms, without a sweep along any axis,
/// would need whole lines of slabs; none where there is none.
std::optional<int> axis_of_undivided_modes(const Case& resolved) {
  const auto& [order_x, order_y, order_z] = resolved.accuracy.order;
  if (order_z == 2) return {};
  if (!resolved.is_periodic(2)) return 2;
  for (const int axis : {0, 1})
    if (order_x > 2 && order_y > 2 && !resolved.is_periodic(axis) &&
        !has_rows_across_walls(resolved, axis))
      return axis;
  return {};
}

/// All lines, or the first and the last of many.
std::vector<std::string> abridged(const std::vector<std::string>& lines) {
  constexpr std::size_t most = 8;
  if (lines.size() <= most) return lines;
  std::vector<std::string> some(lines.begin(), lines.begin() + most - 2);
  some.push_back(fmt::format("           ... {} more", lines.size() - most + 1));
  some.push_back(lines.back());
  return some;
}

}  // namespace

void require_planes(const Case& resolved, int ranks) {
  const auto& [order_x, order_y, order_z] = resolved.accuracy.order;
  const std::optional<int> symmetric = axis_of_undivided_modes(resolved);
  if (ranks > 1 && symmetric) {
    throw CaseError(fmt::format(
        "accuracy.order is {} along z, but {} ranks divide the box along z; {} ends at planes of "
        "symmetry, and then they need order 2 along z: set accuracy.order=[{},{},2], or use one "
        "rank",
        order_z,
        ranks,
        axis_name(*symmetric),
        order_x,
        order_y));
  }
  const int planes = resolved.grid.points.nz;
  if (ranks == 1 || planes / ranks >= fewest_planes) return;
  throw CaseError(fmt::format(
      "{} ranks are too many for grid.points = {} along z: each needs {} planes at least, so at "
      "most {} can share them",
      ranks,
      planes,
      fewest_planes,
      counted(std::max(1, planes / fewest_planes), "rank")));
}

Team::Team(std::unique_ptr<Communicator> ranks) : communicator_(std::move(ranks)) {
  if (!communicator_) return;
  require_same_program();
  place_ = find_place(*communicator_);
}

void Team::require_same_program() {
  const std::string difference = difference_of_ranks(
      *communicator_, fmt::format("dns {}", version()), "are different programs");
  if (!difference.empty()) throw DeviceError(difference);
}

std::string difference_of_ranks(Communicator& communicator,
                                const std::string& own,
                                const char* what_they_are) {
  const std::vector<std::string> texts = gathered_texts(communicator, own);
  const auto other =
      std::ranges::find_if(texts, [&](const std::string& text) { return text != texts.front(); });
  if (other == texts.end()) return "";
  return fmt::format(
      "ranks 0 and {} {}: {} and {}", other - texts.begin(), what_they_are, texts.front(), *other);
}

int Team::cores() const {
  return place_ ? place_->cores : available_cores();
}

/// Chooses the GPU of this rank for device cuda, and calls prepare(). All ranks throw where one
/// fails.
Communicator& Team::communicator_on(DeviceChoice device, const std::function<void()>& prepare) {
  const bool is_on_gpu = device == DeviceChoice::cuda;
  const int gpu = is_on_gpu ? find_gpu(*communicator_, *place_) : -1;
  require_on_all_ranks(*communicator_, [&] {
    resolve_device(device);
    if (is_on_gpu) choose_own_gpu(gpu, *place_);
    if (prepare) prepare();
  });
  return *communicator_;
}

/// A case that cannot be computed is one for all ranks, whichever of them finds out.
std::unique_ptr<Simulation> Team::make_simulation(const Case& resolved,
                                                  int threads,
                                                  const std::vector<Override>& overrides) {
  if (!communicator_) return dns::make_simulation(resolved);
  Case own_case = resolved;
  own_case.run.threads = threads;
  communicator_on(resolved.device, [&] { use_threads(own_case, overrides, cores()); });
  std::unique_ptr<Simulation> own;
  std::exception_ptr wrong_case;
  try {
    own = dns::make_simulation(own_case, *communicator_);
  } catch (const CaseError&) {
    wrong_case = std::current_exception();
  }
  require_on_all_ranks(*communicator_, [&] {
    if (wrong_case) std::rethrow_exception(wrong_case);
  });
  describe(*own, warning_about_cores(own_case.device, own_case.run.threads));
  return own;
}

std::string Team::warning_about_cores(DeviceChoice device, int threads) const {
  return place_ ? dns::warning_about_cores(*place_, device, threads) : "";
}

void Team::describe(const Simulation& own, const std::string& warning) {
  const Subdomain& part = own.subdomain();
  const std::string place = fmt::format("{:<10} {}: {}, planes {} to {} along z, {}",
                                        fmt::format("rank {}", communicator_->rank()),
                                        place_->host,
                                        own.device_name(),
                                        part.part.begin.k,
                                        part.part.end.k - 1,
                                        in_words_bytes(own.memory_bytes()));
  const std::vector<std::string> places = gathered_texts(*communicator_, place);
  std::vector<std::string> warnings = gathered_texts(*communicator_, warning);
  lines_ = {fmt::format("ranks      {} on {}, {}",
                        ranks(),
                        counted(place_->hosts, "host"),
                        own.transport().empty() ? communicator_->transport() : own.transport())};
  const std::vector<std::string> shown = abridged(places);
  lines_.insert(lines_.end(), shown.begin(), shown.end());
  for (std::size_t rank = 0; rank < warnings.size(); ++rank) {
    if (warnings[rank].empty()) continue;
    warnings_.push_back(fmt::format("rank {}: {}", rank, warnings[rank]));
  }
  warnings_ = abridged(warnings_);
}

}  // namespace dns
